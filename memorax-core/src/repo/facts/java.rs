//! Definitions and imports of Java.

use tree_sitter::Node;

use super::walk::{Rule, Rules, Walk};
use crate::SymbolKind::{Constant, Function, Type};

pub(super) fn rules() -> Rules {
    Rules {
        grammar: tree_sitter_java::LANGUAGE.into(),
        nodes: &[
            ("class_declaration", Rule::Define(Type)),
            ("interface_declaration", Rule::Define(Type)),
            ("enum_declaration", Rule::Define(Type)),
            ("record_declaration", Rule::Define(Type)),
            ("annotation_type_declaration", Rule::Define(Type)),
            ("method_declaration", Rule::Define(Function)),
            ("constructor_declaration", Rule::Define(Function)),
            ("field_declaration", Rule::Look),
            ("constant_declaration", Rule::Look),
            ("import_declaration", Rule::Look),
            ("package_declaration", Rule::Look),
        ],
        look,
        names: false,
    }
}

fn look(walk: &mut Walk<'_, '_>, node: Node<'_>) {
    let text = walk.text_of(node);
    match node.kind() {
        "import_declaration" => {
            let path = text.trim_start_matches("import").trim();
            let path = path.strip_prefix("static ").unwrap_or(path);
            walk.import(format!("j {}", path.trim_end_matches(';').trim()));
        }
        "package_declaration" => {
            if let Some(path) = text.split("package").nth(1) {
                walk.import(format!("p {}", path.trim_end_matches(';').trim()));
            }
        }
        kind => {
            let constant = kind == "constant_declaration"
                || (text.contains("static ") && text.contains("final "));
            if let Some(declarator) = node.child_by_field_name("declarator")
                && let Some(name) = walk.field(declarator, "name")
                && constant
            {
                walk.define(name, Constant, node, None);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Language;
    use super::super::parse::outline;

    #[test]
    fn definitions_and_imports_of_java() {
        let text = "package com.a;\nimport com.b.C;\nimport static com.d.E.f;\nimport java.util.*;\n\
                    public class A<T> extends B {\n  static final int N = 1;\n  private int x;\n  A() {}\n  @Override public void go() {}\n\
                    enum K { P }\n  record R(int a) {}\n}\ninterface I { void m(); }\n";
        let (definitions, imports) = outline(text, Language::JAVA);
        assert_eq!(
            definitions,
            [
                "type A 5-12 -",
                "constant N 6-6 A",
                "function A 8-8 A",
                "function go 9-9 A",
                "type K 10-10 A",
                "type R 11-11 A",
                "type I 13-13 -",
                "function m 13-13 I",
            ]
        );
        assert_eq!(
            imports,
            ["j com.b.C", "j com.d.E.f", "j java.util.*", "p com.a"]
        );
    }
}
