//! Definitions of Swift. Its imports name modules and no files, so that they are not kept.

use tree_sitter::Node;

use super::walk::{Rule, Rules, Walk};
use crate::SymbolKind::{Constant, Function, Macro, Type};

pub(super) fn rules() -> Rules {
    Rules {
        grammar: tree_sitter_swift::LANGUAGE.into(),
        nodes: &[
            ("class_declaration", Rule::Look),
            ("protocol_declaration", Rule::Define(Type)),
            ("function_declaration", Rule::Define(Function)),
            ("protocol_function_declaration", Rule::Define(Function)),
            ("init_declaration", Rule::Look),
            ("subscript_declaration", Rule::Look),
            ("property_declaration", Rule::Look),
            ("typealias_declaration", Rule::Look),
            ("macro_declaration", Rule::Look),
        ],
        look,
        names: false,
    }
}

fn look(walk: &mut Walk<'_, '_>, node: Node<'_>) {
    match node.kind() {
        "class_declaration" => {
            let Some(name) = walk.field(node, "name") else {
                return;
            };
            // `extension A.B<C>` adds to `B` and is no definition of it.
            let name = name.split('<').next().unwrap_or(name);
            let name = name.rsplit('.').next().unwrap_or(name).trim();
            if walk.field(node, "declaration_kind") != Some("extension") {
                walk.define(name, Type, node, None);
            }
            walk.enter(name, Some(Type), node);
        }
        "init_declaration" => {
            walk.define("init", Function, node, None);
            walk.enter("init", Some(Function), node);
        }
        "subscript_declaration" => walk.define("subscript", Function, node, None),
        "property_declaration" => property(walk, node),
        "typealias_declaration" => {
            if let Some(name) = walk.field(node, "name")
                && walk.scope_kind() != Some(Function)
            {
                walk.define(name, Type, node, None);
            }
        }
        _ => {
            let mut cursor = node.walk();
            let name = node
                .named_children(&mut cursor)
                .find(|child| child.kind() == "simple_identifier")
                .map(|child| walk.text_of(child));
            if let Some(name) = name {
                walk.define(name, Macro, node, None);
            }
        }
    }
}

/// Takes properties that are computed, constants of the file, and those that a type shares.
fn property(walk: &mut Walk<'_, '_>, node: Node<'_>) {
    if walk.scope_kind() == Some(Function) {
        return;
    }
    let Some(name) = walk.field(node, "name") else {
        return;
    };
    let name = name.trim_matches('`');
    if !name.starts_with(|letter: char| letter.is_alphabetic() || letter == '_') {
        return;
    }
    let mut cursor = node.walk();
    let modifiers = node
        .named_children(&mut cursor)
        .find(|child| child.kind() == "modifiers")
        .map_or("", |child| walk.text_of(child));
    if node.child_by_field_name("computed_value").is_some() {
        walk.define(name, Function, node, None);
        walk.enter(name, Some(Function), node);
    } else if walk.outer(1) == "source_file" || modifiers.contains("static") {
        walk.define(name, Constant, node, None);
    }
}

#[cfg(test)]
mod tests {
    use super::super::Language;
    use super::super::parse::outline;

    #[test]
    fn definitions_of_swift() {
        let text = "import NIOCore\n@testable import App\nlet most = 3\nprivate func helper(_ x: Int) -> Int { let y = 1; return y }\n\
                    public final class Loop<T>: Base {\n  static let shared = Loop()\n  var plain = 1\n  var size: Int { return 1 }\n\
                    public init(a: Int) {}\n  deinit {}\n  func run() async throws {\n    func inner() {}\n  }\n  subscript(i: Int) -> Int { 1 }\n\
                    enum Kind { case a, b }\n  typealias Id = Int\n}\nprotocol Handler { func handle() }\nstruct Point { let x: Int }\n\
                    actor Store { func put() {} }\nextension Loop.Kind where T: A {\n  func next() {}\n}\n";
        let (definitions, imports) = outline(text, Language::SWIFT);
        assert_eq!(
            definitions,
            [
                "constant most 3-3 -",
                "function helper 4-4 -",
                "type Loop 5-17 -",
                "constant shared 6-6 Loop",
                "function size 8-8 Loop",
                "function init 9-9 Loop",
                "function run 11-13 Loop",
                "function inner 12-12 run",
                "function subscript 14-14 Loop",
                "type Kind 15-15 Loop",
                "type Id 16-16 Loop",
                "type Handler 18-18 -",
                "function handle 18-18 Handler",
                "type Point 19-19 -",
                "type Store 20-20 -",
                "function put 20-20 Store",
                "function next 22-22 Kind",
            ]
        );
        assert!(imports.is_empty());
    }
}
