//! Definitions and imports of JavaScript, TypeScript and TSX.

use tree_sitter::Node;

use super::commonjs::assignment;
use super::walk::{Rule, Rules, Walk};
use crate::SymbolKind::{Constant, Function, Module, Type};

const NODES: &[(&str, Rule)] = &[
    ("class_declaration", Rule::Define(Type)),
    ("abstract_class_declaration", Rule::Define(Type)),
    ("interface_declaration", Rule::Define(Type)),
    ("type_alias_declaration", Rule::Define(Type)),
    ("enum_declaration", Rule::Define(Type)),
    ("function_declaration", Rule::Define(Function)),
    ("generator_function_declaration", Rule::Define(Function)),
    ("function_signature", Rule::Define(Function)),
    ("method_definition", Rule::Define(Function)),
    ("abstract_method_signature", Rule::Define(Function)),
    ("method_signature", Rule::Define(Function)),
    ("internal_module", Rule::Define(Module)),
    ("module", Rule::Define(Module)),
    ("variable_declarator", Rule::Look),
    ("import_statement", Rule::Look),
    ("export_statement", Rule::Look),
    ("call_expression", Rule::Look),
    ("assignment_expression", Rule::Look),
];

pub(super) fn javascript() -> Rules {
    with(tree_sitter_javascript::LANGUAGE.into())
}

pub(super) fn typescript() -> Rules {
    with(tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into())
}

pub(super) fn tsx() -> Rules {
    with(tree_sitter_typescript::LANGUAGE_TSX.into())
}

fn with(grammar: tree_sitter::Language) -> Rules {
    Rules {
        grammar,
        nodes: NODES,
        look,
        names: false,
    }
}

fn look(walk: &mut Walk<'_, '_>, node: Node<'_>) {
    match node.kind() {
        "variable_declarator" => variable(walk, node),
        "call_expression" => call(walk, node),
        "assignment_expression" => assignment(walk, node),
        _ => {
            if let Some(source) = walk.field(node, "source") {
                import(walk, source);
            }
        }
    }
}

/// Takes variables of the module (or of a namespace) only: those inside functions are no definitions.
fn variable(walk: &mut Walk<'_, '_>, node: Node<'_>) {
    let level = if walk.outer(2) == "export_statement" {
        3
    } else {
        2
    };
    let whole = matches!(walk.outer(level), "program")
        || (walk.outer(level) == "statement_block" && walk.scope_kind() == Some(Module));
    let Some(name) = node.child_by_field_name("name") else {
        return;
    };
    if !whole || name.kind() != "identifier" {
        return;
    }
    let name = walk.text_of(name);
    let value = node
        .child_by_field_name("value")
        .map_or("", |value| value.kind());
    match value {
        "arrow_function" | "function_expression" | "generator_function" => {
            walk.define(name, Function, node, None);
            walk.enter(name, Some(Function), node);
        }
        "class" => {
            walk.define(name, Type, node, None);
            walk.enter(name, Some(Type), node);
        }
        _ => walk.define(name, Constant, node, None),
    }
}

/// Takes `require("...")` and `import("...")`.
fn call(walk: &mut Walk<'_, '_>, node: Node<'_>) {
    if !matches!(walk.field(node, "function"), Some("require" | "import")) {
        return;
    }
    let Some(arguments) = node.child_by_field_name("arguments") else {
        return;
    };
    if let Some(first) = arguments.named_child(0)
        && first.kind() == "string"
    {
        let source = walk.text_of(first);
        import(walk, source);
    }
}

fn import(walk: &mut Walk<'_, '_>, source: &str) {
    let source = source.trim_matches(['"', '\'', '`']);
    if !source.is_empty() {
        walk.import(format!("s {source}"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::Language;
    use super::super::parse::outline;

    #[test]
    fn definitions_and_imports_of_typescript() {
        let text = "import { a } from './a'\nexport * from \"../b\"\nconst fs = require('fs')\n\
                    export interface I { go(): void }\nexport type T = string\nenum E { A }\n\
                    export abstract class C<X> {\n  constructor() {}\n  run = 1\n  async go(): Promise<void> {\n    const local = 1\n  }\n}\n\
                    export const f = async () => import('./lazy')\nnamespace N { export const y = 2 }\nfunction g() {}\n";
        let (definitions, imports) = outline(text, Language::TYPESCRIPT);
        assert_eq!(
            definitions,
            [
                "constant fs 3-3 -",
                "type I 4-4 -",
                "function go 4-4 I",
                "type T 5-5 -",
                "type E 6-6 -",
                "type C 7-13 -",
                "function constructor 8-8 C",
                "function go 10-12 C",
                "function f 14-14 -",
                "module N 15-15 -",
                "constant y 15-15 N",
                "function g 16-16 -",
            ]
        );
        assert_eq!(imports, ["s ../b", "s ./a", "s ./lazy", "s fs"]);
    }

    #[test]
    fn tsx_and_javascript_have_their_own_grammars() {
        let (definitions, _) = outline("export const App = () => <div>x</div>\n", Language::TSX);
        assert_eq!(definitions, ["function App 1-1 -"]);
        let (definitions, imports) = outline(
            "const a = require('./a');\nclass B { m() {} }\nmodule.exports = { B };\n",
            Language::JAVASCRIPT,
        );
        assert_eq!(
            definitions,
            ["constant a 1-1 -", "type B 2-2 -", "function m 2-2 B"]
        );
        assert_eq!(imports, ["s ./a"]);
    }
}
