//! Definitions and imports of Python.

use tree_sitter::Node;

use super::walk::{LONGEST_IMPORT, Rule, Rules, Walk};
use crate::SymbolKind::{Constant, Function, Type};

pub(super) fn rules() -> Rules {
    Rules {
        grammar: tree_sitter_python::LANGUAGE.into(),
        nodes: &[
            ("class_definition", Rule::Define(Type)),
            ("function_definition", Rule::Define(Function)),
            ("type_alias_statement", Rule::Look),
            ("assignment", Rule::Look),
            ("import_statement", Rule::Look),
            ("import_from_statement", Rule::Look),
        ],
        look,
        names: false,
    }
}

fn look(walk: &mut Walk<'_, '_>, node: Node<'_>) {
    match node.kind() {
        "assignment" => {
            // Only names of the module itself: `LIMIT = 3`, `app = Flask(__name__)`.
            if walk.outer(1) == "expression_statement"
                && walk.outer(2) == "module"
                && let Some(left) = node.child_by_field_name("left")
                && left.kind() == "identifier"
            {
                let name = walk.text_of(left);
                walk.define(name, Constant, node, None);
            }
        }
        "type_alias_statement" => {
            if let Some(left) = node.child_by_field_name("left") {
                let name = walk.text_of(left);
                let name = name.split('[').next().unwrap_or(name);
                walk.define(name, Type, node, None);
            }
        }
        "import_statement" => {
            let mut cursor = node.walk();
            for child in node.children_by_field_name("name", &mut cursor) {
                let module = walk.field(child, "name").unwrap_or(walk.text_of(child));
                walk.import(format!("i {}", squeeze(module)));
            }
        }
        _ => {
            let Some(module) = walk.field(node, "module_name").map(squeeze) else {
                return;
            };
            let mut cursor = node.walk();
            let names: Vec<String> = node
                .children_by_field_name("name", &mut cursor)
                .map(|child| walk.field(child, "name").unwrap_or(walk.text_of(child)))
                .map(squeeze)
                .collect();
            if module.len() > LONGEST_IMPORT {
                return;
            }
            if names.is_empty() {
                walk.import(format!("i {module}"));
            }
            for name in names {
                walk.import(format!("f {module} {name}"));
            }
        }
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
    fn definitions_and_imports_of_python() {
        let text = "import os, a.b as c\nfrom . import x\nfrom ..pkg.mod import (One, two as t)\nfrom z import *\n\
                    LIMIT: int = 3\n\n@decorated\nclass A(B):\n    size = 1\n    async def run(self):\n        def inner(): pass\n\
                    def top(): pass\n";
        let (definitions, imports) = outline(text, Language::PYTHON);
        assert_eq!(
            definitions,
            [
                "constant LIMIT 5-5 -",
                "type A 8-11 -",
                "function run 10-11 A",
                "function inner 11-11 run",
                "function top 12-12 -",
            ]
        );
        assert_eq!(
            imports,
            [
                "f . x",
                "f ..pkg.mod One",
                "f ..pkg.mod two",
                "i a.b",
                "i os",
                "i z"
            ]
        );
    }
}
