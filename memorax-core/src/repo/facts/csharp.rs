//! Definitions and imports of C#.

use tree_sitter::Node;

use super::walk::{Rule, Rules, Walk};
use crate::SymbolKind::{Constant, Function, Type};

/// Namespaces are no definitions: they only say where names live, and every file opens them again.
pub(super) fn rules() -> Rules {
    Rules {
        grammar: tree_sitter_c_sharp::LANGUAGE.into(),
        nodes: &[
            ("class_declaration", Rule::Define(Type)),
            ("interface_declaration", Rule::Define(Type)),
            ("struct_declaration", Rule::Define(Type)),
            ("record_declaration", Rule::Define(Type)),
            ("enum_declaration", Rule::Define(Type)),
            ("delegate_declaration", Rule::Define(Type)),
            ("method_declaration", Rule::Define(Function)),
            ("constructor_declaration", Rule::Define(Function)),
            ("local_function_statement", Rule::Define(Function)),
            ("property_declaration", Rule::Look),
            ("field_declaration", Rule::Look),
            ("namespace_declaration", Rule::Look),
            ("file_scoped_namespace_declaration", Rule::Look),
            ("using_directive", Rule::Look),
        ],
        look,
        names: false,
    }
}

fn look(walk: &mut Walk<'_, '_>, node: Node<'_>) {
    match node.kind() {
        "property_declaration" => {
            if let Some(name) = walk.field(node, "name")
                && is_computed(walk, node)
            {
                walk.define(name, Function, node, None);
            }
        }
        "field_declaration" => constants(walk, node),
        "using_directive" => using(walk, node),
        _ => {
            if let Some(name) = namespace(walk, node) {
                walk.import(format!("p {name}"));
            }
        }
    }
}

/// Returns the whole name of a namespace, which may stand in another one.
fn namespace(walk: &Walk<'_, '_>, node: Node<'_>) -> Option<String> {
    const DEEPEST: usize = 10;
    let mut name = squeeze(walk.field(node, "name")?);
    let mut outer = node.parent();
    for _ in 0..DEEPEST {
        let Some(around) = outer else { break };
        if around.kind() == "namespace_declaration" {
            name = format!("{}.{name}", squeeze(walk.field(around, "name")?));
        }
        outer = around.parent();
    }
    Some(name)
}

/// A property without code is data.
fn is_computed(walk: &Walk<'_, '_>, node: Node<'_>) -> bool {
    let value = node.child_by_field_name("value");
    if value.is_some_and(|value| value.kind() == "arrow_expression_clause") {
        return true;
    }
    let accessors = walk.field(node, "accessors").unwrap_or_default();
    accessors.contains("=>") || accessors[1.min(accessors.len())..].contains('{')
}

/// Takes `const` fields, and those that are `static readonly`.
fn constants(walk: &mut Walk<'_, '_>, node: Node<'_>) {
    let mut cursor = node.walk();
    let mut modifiers = Vec::new();
    let mut names = Vec::new();
    for child in node.named_children(&mut cursor) {
        match child.kind() {
            "modifier" => modifiers.push(walk.text_of(child)),
            "variable_declaration" => {
                let mut inner = child.walk();
                let declarators = child.named_children(&mut inner);
                names.extend(declarators.filter_map(|declarator| walk.field(declarator, "name")));
            }
            _ => {}
        }
    }
    let has = |word: &str| modifiers.contains(&word);
    if has("const") || has("static") && has("readonly") {
        for name in names {
            walk.define(name, Constant, node, None);
        }
    }
}

/// Takes `using A.B;`, `using static A.B.C;` and `using X = A.B.C;`.
fn using(walk: &mut Walk<'_, '_>, node: Node<'_>) {
    let text = walk.text_of(node).trim_end_matches(';');
    let path = text.rsplit('=').next().unwrap_or(text);
    let path = path.split('<').next().unwrap_or(path);
    if let Some(path) = path.split_whitespace().last() {
        walk.import(format!("c {}", path.trim_start_matches("global::")));
    }
}

fn squeeze(text: &str) -> String {
    text.split_whitespace().collect()
}

#[cfg(test)]
mod tests {
    use super::super::Language;
    use super::super::parse::outline;

    #[test]
    fn definitions_and_imports_of_csharp() {
        let text = "using System;\nusing static A.B.C;\nusing X = A.D<int>;\nnamespace A.Shop\n{\n\
                    [Serializable]\npublic class Cart<T> : Base\n{\n  const int Most = 3, Least = 1;\n  static readonly int Step = 2;\n  int plain;\n\
                    public string Name { get; set; }\n  public int Total => 1;\n  public int Sum { get { return 1; } }\n\
                    public Cart() {}\n  public void Add() { int Inner() => 1; }\n  record Line(int A);\n  enum Color { Red }\n}\n\
                    public interface IRun { void Go(); }\npublic delegate void Done(int a);\n}\n";
        let (definitions, imports) = outline(text, Language::CSHARP);
        assert_eq!(
            definitions,
            [
                "type Cart 6-19 -",
                "constant Most 9-9 Cart",
                "constant Least 9-9 Cart",
                "constant Step 10-10 Cart",
                "function Total 13-13 Cart",
                "function Sum 14-14 Cart",
                "function Cart 15-15 Cart",
                "function Add 16-16 Cart",
                "function Inner 16-16 Add",
                "type Line 17-17 Cart",
                "type Color 18-18 Cart",
                "type IRun 20-20 -",
                "function Go 20-20 IRun",
                "type Done 21-21 -",
            ]
        );
        assert_eq!(imports, ["c A.B.C", "c A.D", "c System", "p A.Shop"]);
    }
}
