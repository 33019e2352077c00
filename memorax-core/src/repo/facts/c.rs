//! Definitions and imports of C and C++.

use tree_sitter::Node;

use super::walk::{Rule, Rules, Walk};
use crate::SymbolKind::{Constant, Function, Macro, Type};

pub(super) fn c() -> Rules {
    with(tree_sitter_c::LANGUAGE.into())
}

pub(super) fn cpp() -> Rules {
    with(tree_sitter_cpp::LANGUAGE.into())
}

/// C++ has kinds of nodes that C does not have; a grammar without them never meets them. Namespaces are no definitions:
/// they only say where names live, and every file opens them again.
fn with(grammar: tree_sitter::Language) -> Rules {
    Rules {
        grammar,
        nodes: &[
            ("struct_specifier", Rule::Look),
            ("union_specifier", Rule::Look),
            ("enum_specifier", Rule::Look),
            ("class_specifier", Rule::Look),
            ("function_definition", Rule::Look),
            ("declaration", Rule::Look),
            ("field_declaration", Rule::Look),
            ("type_definition", Rule::Look),
            ("alias_declaration", Rule::Look),
            ("concept_definition", Rule::Define(Type)),
            ("namespace_definition", Rule::Scope),
            ("preproc_def", Rule::Look),
            ("preproc_function_def", Rule::Look),
            ("preproc_include", Rule::Look),
        ],
        look,
        names: false,
    }
}

fn look(walk: &mut Walk<'_, '_>, node: Node<'_>) {
    match node.kind() {
        "function_definition" => function(walk, node),
        "declaration" | "field_declaration" => declaration(walk, node),
        "type_definition" => {
            let mut cursor = node.walk();
            let names: Vec<Node<'_>> = node
                .children_by_field_name("declarator", &mut cursor)
                .collect();
            for name in names {
                if let Some(found) = declared(walk, name) {
                    walk.declare(&found.name, Type, node, None);
                }
            }
        }
        "alias_declaration" => {
            if walk.scope_kind() != Some(Function)
                && let Some(name) = walk.field(node, "name")
            {
                walk.define(name, Type, node, None);
            }
        }
        "preproc_def" | "preproc_function_def" => {
            // A name without a value is a guard or a switch. Read from the text: a comment inside leads the grammar astray.
            let text = walk.text_of(node);
            let text = text
                .split_once("define")
                .map_or("", |(_, rest)| rest)
                .trim_start();
            let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
            let (name, rest) =
                text.split_at(text.find(|letter| !is_name(letter)).unwrap_or(text.len()));
            if !rest.trim().is_empty() {
                let kind = if rest.starts_with('(') {
                    Macro
                } else {
                    Constant
                };
                walk.define(name, kind, node, None);
            }
        }
        "preproc_include" => include(walk, node),
        "namespace_definition" => {
            // What is not for others is told apart by the namespace that says so.
            if let Some(name) = walk.field(node, "name")
                && matches!(
                    name,
                    "detail" | "details" | "internal" | "impl" | "_impl" | "priv"
                )
            {
                walk.enter(name, None, node);
            }
        }
        _ => record(walk, node),
    }
}

/// Takes classes, structs, unions and enums with a body.
fn record(walk: &mut Walk<'_, '_>, node: Node<'_>) {
    let (Some(name), Some(_)) = (
        node.child_by_field_name("name"),
        node.child_by_field_name("body"),
    ) else {
        return;
    };
    let Some(found) = declared(walk, name) else {
        return;
    };
    walk.define(&found.name, Type, node, found.scope.as_deref());
    walk.enter(&found.name, Some(Type), node);
}

fn function(walk: &mut Walk<'_, '_>, node: Node<'_>) {
    let Some(declarator) = node.child_by_field_name("declarator") else {
        return;
    };
    let Some(found) = declared(walk, declarator) else {
        return;
    };
    let typed = node.child_by_field_name("type").is_some();
    if !found.function || !typed && found.scope.is_none() && is_macro(&found.name) {
        if let Some((name, parent)) = test_of(walk, &found, declarator) {
            walk.define(name, Function, node, parent);
        }
        walk.enter(&found.name, Some(Function), node);
        return;
    }
    walk.define(&found.name, Function, node, found.scope.as_deref());
    walk.enter(&found.name, Some(Function), node);
}

/// `TEST(Name, Case) { ... }` of a test framework is a function `Case` of `Name`.
fn test_of<'a>(
    walk: &Walk<'a, '_>,
    found: &Declared,
    declarator: Node<'_>,
) -> Option<(&'a str, Option<&'a str>)> {
    if !found.name.contains("TEST") {
        return None;
    }
    let parameters = declarator.child_by_field_name("parameters")?;
    let mut cursor = parameters.walk();
    let words: Vec<&str> = parameters
        .named_children(&mut cursor)
        .map(|child| walk.text_of(child).trim_matches('"'))
        .collect();
    match words.as_slice() {
        [name] => Some((name, None)),
        [parent, name, ..] => Some((name, Some(parent))),
        [] => None,
    }
}

/// Takes functions that are declared here and written elsewhere, and the variables of a file.
fn declaration(walk: &mut Walk<'_, '_>, node: Node<'_>) {
    if walk.scope_kind() == Some(Function) || walk.outer(1) == "friend_declaration" {
        return;
    }
    let text = walk.text_of(node);
    let member = node.kind() == "field_declaration" || walk.scope_kind() == Some(Type);
    let typed = node.child_by_field_name("type").is_some();
    let constant = text.starts_with("static") && text.contains("const");
    let mut cursor = node.walk();
    let declarators: Vec<Node<'_>> = node
        .children_by_field_name("declarator", &mut cursor)
        .collect();
    for declarator in declarators {
        let Some(found) = declared(walk, declarator) else {
            continue;
        };
        if found.function {
            if typed || !is_macro(&found.name) {
                walk.declare(&found.name, Function, node, found.scope.as_deref());
            }
        } else if typed && (constant || !member) && !text.starts_with("extern") {
            walk.define(&found.name, Constant, node, found.scope.as_deref());
        }
    }
}

fn include(walk: &mut Walk<'_, '_>, node: Node<'_>) {
    let Some(path) = node.child_by_field_name("path") else {
        return;
    };
    let text = walk.text_of(path);
    let letter = match path.kind() {
        "string_literal" => 'q',
        "system_lib_string" => 'a',
        _ => return,
    };
    walk.import(format!("{letter} {}", text.trim_matches(['"', '<', '>'])));
}

/// Words of the languages that stand for names where the grammar lost its way.
const WORDS: &[&str] = &[
    "class",
    "const",
    "constexpr",
    "do",
    "else",
    "enum",
    "extern",
    "for",
    "if",
    "inline",
    "operator",
    "public",
    "private",
    "protected",
    "return",
    "static",
    "struct",
    "switch",
    "template",
    "typedef",
    "typename",
    "union",
    "using",
    "virtual",
    "void",
    "while",
];

/// Says whether a name is written as macros are.
fn is_macro(name: &str) -> bool {
    !name.contains(|letter: char| letter.is_ascii_lowercase())
        && !name.starts_with(['~', 'o'])
        && name.len() > 2
}

/// What a declarator names.
struct Declared {
    name: String,
    /// The class before `::`.
    scope: Option<String>,
    /// Whether it is a function, and not a pointer to one.
    function: bool,
}

/// Works through pointers, parentheses and parameters down to the name.
fn declared(walk: &Walk<'_, '_>, declarator: Node<'_>) -> Option<Declared> {
    const DEEPEST: usize = 40;
    let mut node = declarator;
    let mut scope = None;
    let mut function = false;
    for _ in 0..DEEPEST {
        match node.kind() {
            "identifier" | "field_identifier" | "type_identifier" | "destructor_name"
            | "operator_name" | "operator_cast" | "primitive_type" => {
                let text = walk.text_of(node);
                let is_cast = node.kind() == "operator_cast";
                let text = if is_cast {
                    text.split('(').next().unwrap_or(text)
                } else {
                    text
                };
                if WORDS.contains(&text) {
                    return None;
                }
                let words: Vec<&str> = text.split_whitespace().collect();
                return Some(Declared {
                    name: words.join(" "),
                    scope,
                    function: function || is_cast,
                });
            }
            "qualified_identifier" => {
                // `::name` has no scope.
                if let Some(outer) = walk.field(node, "scope") {
                    let outer = outer.split('<').next().unwrap_or(outer);
                    if WORDS.contains(&outer.trim()) {
                        return None;
                    }
                    scope = Some(outer.trim().to_owned());
                }
                node = node.child_by_field_name("name")?;
            }
            "template_function" | "template_type" | "template_method" | "dependent_name" => {
                node = node
                    .child_by_field_name("name")
                    .or_else(|| node.named_child(0))?;
            }
            kind => {
                match kind {
                    "function_declarator" => function = true,
                    "pointer_declarator" | "reference_declarator" | "array_declarator" => {
                        function = false;
                    }
                    "init_declarator" | "parenthesized_declarator" | "attributed_declarator" => {}
                    _ => return None,
                }
                node = node
                    .child_by_field_name("declarator")
                    .or_else(|| last_declarator(node))?;
            }
        }
    }
    None
}

/// Parentheses and references hold their declarator without naming it.
fn last_declarator(node: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).find(|child| {
        let kind = child.kind();
        kind.ends_with("declarator") || kind.ends_with("identifier") || kind.ends_with("_name")
    })
}

#[cfg(test)]
mod tests {
    use super::super::Language;
    use super::super::parse::outline;

    #[test]
    fn definitions_and_imports_of_c() {
        let text = "#ifndef A_H\n#define A_H\n#include <stdio.h>\n#include \"lib/a.h\"\n#define MOST 3\n#define MAX(a, b) ((a) > (b))\n\
                    struct node;\nstruct node {\n  int x;\n  int (*run)(int);\n};\ntypedef struct node node;\ntypedef int (*handler)(void);\n\
                    enum color { RED };\nextern int shared;\nstatic int table[] = {1, 2};\nint add(int a);\nstatic char *name(int x);\n\
                    static char *\nname(int x)\n{\n  int local = 1;\n  return 0;\n}\n#endif\n";
        let (definitions, imports) = outline(text, Language::C);
        assert_eq!(
            definitions,
            [
                "constant MOST 5-5 -",
                "macro MAX 6-6 -",
                "type node 8-11 -",
                "type handler 13-13 -",
                "type color 14-14 -",
                "constant table 16-16 -",
                "function add 17-17 -",
                "function name 19-24 -",
            ]
        );
        assert_eq!(imports, ["a stdio.h", "q lib/a.h"]);
    }

    #[test]
    fn what_is_internal_and_what_conditions_cut_is_found() {
        let text = "#define ALL(s, base) \\\n  [] { \\\n /* a */ \\\n struct H(\"h\") C : base { } }()\n\n#define ON\nnamespace lib { namespace detail { struct Inner {}; } struct Outer {}; }\n\
                    int one(int a) {\n  if (a > 1\n#ifdef X\n    && b) {\n#else\n    ) {\n#endif\n    return 1;\n  }\n#ifdef Y\n\
                    }\n#else\n  return 2; }\n#endif\n#ifdef X\n#include \"a.h\"\n#else\n#include \"b.h\"\n#endif\nint two() { return 2; }\n";
        let (definitions, imports) = outline(text, Language::CPP);
        assert_eq!(
            definitions,
            [
                "macro ALL 1-4 -",
                "type Inner 7-7 detail",
                "type Outer 7-7 -",
                "function one 8-18 -",
                "function two 27-27 -",
            ]
        );
        assert_eq!(imports, ["q a.h", "q b.h"]);
    }
}
