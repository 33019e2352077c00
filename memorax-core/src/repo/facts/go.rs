//! Definitions and imports of Go.

use tree_sitter::Node;

use super::walk::{Rule, Rules, Walk};
use crate::SymbolKind::{Constant, Function, Type};

pub(super) fn rules() -> Rules {
    Rules {
        grammar: tree_sitter_go::LANGUAGE.into(),
        nodes: &[
            ("function_declaration", Rule::Define(Function)),
            ("method_declaration", Rule::Look),
            ("type_spec", Rule::Look),
            ("type_alias", Rule::Look),
            ("const_spec", Rule::Look),
            ("var_spec", Rule::Look),
            ("import_spec", Rule::Look),
        ],
        look,
        names: false,
    }
}

fn look(walk: &mut Walk<'_, '_>, node: Node<'_>) {
    match node.kind() {
        "method_declaration" => {
            let receiver = walk.field(node, "receiver").and_then(receiver_type);
            if let Some(name) = walk.field(node, "name") {
                walk.define(name, Function, node, receiver);
                walk.enter(name, Some(Function), node);
            }
        }
        "import_spec" => {
            if let Some(path) = walk.field(node, "path") {
                walk.import(format!("g {}", path.trim_matches(['"', '`'])));
            }
        }
        kind if walk.scope_kind().is_none() => {
            let what = if kind.starts_with("type") {
                Type
            } else {
                Constant
            };
            let mut cursor = node.walk();
            let names: Vec<&str> = node
                .children_by_field_name("name", &mut cursor)
                .filter(Node::is_named)
                .map(|child| walk.text_of(child))
                .collect();
            for name in names {
                walk.define(name, what, node, None);
            }
        }
        _ => {}
    }
}

/// Returns `T` of `(t *T[K])`.
fn receiver_type(receiver: &str) -> Option<&str> {
    let inner = receiver.trim_start_matches('(').trim_end_matches(')');
    let name = inner.split('[').next()?.rsplit([' ', '*']).next()?.trim();
    (!name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::super::Language;
    use super::super::parse::outline;

    #[test]
    fn definitions_and_imports_of_go() {
        let text = "package a\nimport (\n\t\"fmt\"\n\tx \"example.com/a/b\"\n)\nconst (\n\tA, B = 1, 2\n)\nvar v int\n\
                    type S struct{}\ntype I interface { Do() }\nfunc (s *S) Do() {\n\tvar local int\n}\nfunc F[T any](t T) {}\n";
        let (definitions, imports) = outline(text, Language::GO);
        assert_eq!(
            definitions,
            [
                "constant A 7-7 -",
                "constant B 7-7 -",
                "constant v 9-9 -",
                "type S 10-10 -",
                "type I 11-11 -",
                "function Do 12-14 S",
                "function F 15-15 -",
            ]
        );
        assert_eq!(imports, ["g example.com/a/b", "g fmt"]);
    }
}
