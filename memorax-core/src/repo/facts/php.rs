//! Definitions and imports of PHP.

use tree_sitter::Node;

use super::walk::{Rule, Rules, Walk};
use crate::SymbolKind::{Constant, Function, Type};

pub(super) fn rules() -> Rules {
    Rules {
        grammar: tree_sitter_php::LANGUAGE_PHP.into(),
        nodes: &[
            ("class_declaration", Rule::Define(Type)),
            ("interface_declaration", Rule::Define(Type)),
            ("trait_declaration", Rule::Define(Type)),
            ("enum_declaration", Rule::Define(Type)),
            ("function_definition", Rule::Define(Function)),
            ("method_declaration", Rule::Define(Function)),
            ("const_declaration", Rule::Look),
            ("namespace_definition", Rule::Look),
            ("namespace_use_declaration", Rule::Look),
            ("base_clause", Rule::Look),
            ("class_interface_clause", Rule::Look),
            ("use_declaration", Rule::Look),
            ("require_expression", Rule::Look),
            ("require_once_expression", Rule::Look),
            ("include_expression", Rule::Look),
            ("include_once_expression", Rule::Look),
        ],
        look,
        names: false,
    }
}

fn look(walk: &mut Walk<'_, '_>, node: Node<'_>) {
    match node.kind() {
        "const_declaration" => {
            let mut cursor = node.walk();
            let names: Vec<&str> = node
                .named_children(&mut cursor)
                .filter(|child| child.kind() == "const_element")
                .filter_map(|child| child.named_child(0))
                .map(|name| walk.text_of(name))
                .collect();
            for name in names {
                walk.define(name, Constant, node, None);
            }
        }
        "namespace_definition" => {
            if let Some(name) = walk.field(node, "name") {
                walk.import(format!("p {name}"));
            }
        }
        "namespace_use_declaration" => {
            let text = walk.text_of(node);
            for path in used(text) {
                walk.import(format!("u {path}"));
            }
        }
        "base_clause" | "class_interface_clause" | "use_declaration" => {
            let mut cursor = node.walk();
            let names: Vec<&str> = node
                .named_children(&mut cursor)
                .filter(|child| matches!(child.kind(), "name" | "qualified_name"))
                .map(|child| walk.text_of(child))
                .collect();
            for name in names {
                walk.import(format!("b {name}"));
            }
        }
        _ => required(walk, node),
    }
}

/// Writes out `use A\{B, C as D};` as `A\B` and `A\C`.
fn used(text: &str) -> Vec<String> {
    let text = text.trim().trim_start_matches("use").trim_end_matches(';');
    let text = ["function ", "const "]
        .iter()
        .find_map(|word| text.trim_start().strip_prefix(word))
        .unwrap_or(text);
    let (prefix, names) = match text.split_once('{') {
        Some((prefix, names)) => (prefix.trim(), names.trim_end().trim_end_matches('}')),
        None => ("", text),
    };
    names
        .split(',')
        .map(|name| name.split(" as ").next().unwrap_or(name).trim())
        .filter(|name| !name.is_empty())
        .map(|name| {
            format!("{prefix}{name}")
                .trim_start_matches('\\')
                .to_owned()
        })
        .collect()
}

/// Takes the text in `require __DIR__ . '/a.php'`.
fn required(walk: &mut Walk<'_, '_>, node: Node<'_>) {
    let text = walk.text_of(node);
    let Some(start) = text.find(['"', '\'']) else {
        return;
    };
    let rest = &text[start + 1..];
    let path = rest.split(['"', '\'']).next().unwrap_or(rest);
    let program = path
        .rsplit_once('.')
        .is_some_and(|(_, ending)| ending == "php");
    if program && !path.contains('$') {
        walk.import(format!("f {}", path.trim_start_matches('/')));
    }
}

#[cfg(test)]
mod tests {
    use super::super::Language;
    use super::super::parse::outline;

    #[test]
    fn definitions_and_imports_of_php() {
        let text = "<?php\nnamespace App\\Shop;\n\nuse App\\Money;\nuse App\\Util\\{Text, Lists as L};\nuse function App\\fmt;\n\
                    require_once __DIR__ . '/boot.php';\nconst RATE = 2;\nfunction helper(int $x): int {\n    return $x;\n}\n\
                    abstract class Cart extends Base implements Countable\n{\n    use Logs;\n    const A = 1, B = 2;\n    private int $plain = 0;\n\
                    public function __construct(private Money $m) {}\n    abstract protected function total(): int;\n}\n\
                    interface Shape { public function area(); }\ntrait Logs { function log() {} }\nenum Suit: string { case Hearts = 'H'; }\n";
        let (definitions, imports) = outline(text, Language::PHP);
        assert_eq!(
            definitions,
            [
                "constant RATE 8-8 -",
                "function helper 9-11 -",
                "type Cart 12-19 -",
                "constant A 15-15 Cart",
                "constant B 15-15 Cart",
                "function __construct 17-17 Cart",
                "function total 18-18 Cart",
                "type Shape 20-20 -",
                "function area 20-20 Shape",
                "type Logs 21-21 -",
                "function log 21-21 Logs",
                "type Suit 22-22 -",
            ]
        );
        assert_eq!(
            imports,
            [
                "b Base",
                "b Countable",
                "b Logs",
                "f boot.php",
                "p App\\Shop",
                "u App\\Money",
                "u App\\Util\\Lists",
                "u App\\Util\\Text",
                "u App\\fmt",
            ]
        );
    }
}
