//! What a module of CommonJS puts on `exports`, and what is put on objects and prototypes.

use tree_sitter::Node;

use super::walk::Walk;
use crate::SymbolKind;
use crate::SymbolKind::{Constant, Function, Type};

/// Takes an assignment of the module itself: `exports.a = ...`, `module.exports = {a}`, `A.prototype.b = function`.
pub(super) fn assignment(walk: &mut Walk<'_, '_>, node: Node<'_>) {
    // In `exports = module.exports = f`, the outer one has nothing to say.
    let mut level = 1;
    while walk.outer(level) == "assignment_expression" {
        level += 1;
    }
    if walk.outer(level) != "expression_statement" || walk.outer(level + 1) != "program" {
        return;
    }
    let (Some(left), Some(value)) = (
        node.child_by_field_name("left"),
        node.child_by_field_name("right"),
    ) else {
        return;
    };
    if left.kind() != "member_expression" {
        return;
    }
    let name = walk.field(left, "property").unwrap_or_default();
    let object = walk.field(left, "object").unwrap_or_default();
    match (object, name) {
        ("module", "exports") => exported(walk, value),
        ("exports" | "module.exports", name) => put(walk, name, value, node, None),
        (object, name) if kind_of(value) == Some(Function) => {
            let object = object.trim_end_matches(".prototype");
            let parent = object.rsplit('.').next().unwrap_or(object);
            put(walk, name, value, node, Some(parent));
        }
        _ => {}
    }
}

/// Takes what is the whole of `module.exports`.
fn exported(walk: &mut Walk<'_, '_>, value: Node<'_>) {
    if let Some(kind) = kind_of(value) {
        if let Some(name) = walk.field(value, "name") {
            walk.define(name, kind, value, None);
            walk.enter(name, Some(kind), value);
        }
        return;
    }
    if value.kind() != "object" {
        return;
    }
    let mut cursor = value.walk();
    let members: Vec<Node<'_>> = value.named_children(&mut cursor).collect();
    for member in members {
        if member.kind() == "shorthand_property_identifier" {
            let name = walk.text_of(member);
            walk.declare(name, Constant, member, None);
        } else if member.kind() == "pair"
            && let (Some(key), Some(value)) = (
                walk.field(member, "key"),
                member.child_by_field_name("value"),
            )
        {
            let name = key.trim_matches(['"', '\'']);
            match kind_of(value) {
                Some(kind) => walk.define(name, kind, member, None),
                None => walk.declare(name, Constant, member, None),
            }
        }
    }
}

fn put(walk: &mut Walk<'_, '_>, name: &str, value: Node<'_>, node: Node<'_>, parent: Option<&str>) {
    match kind_of(value) {
        Some(kind) => {
            walk.define(name, kind, node, parent);
            walk.enter(name, Some(kind), node);
        }
        // Passed on under the name that it has in this file, or a value.
        None => walk.declare(name, Constant, node, parent),
    }
}

fn kind_of(value: Node<'_>) -> Option<SymbolKind> {
    match value.kind() {
        "arrow_function" | "function_expression" | "generator_function" => Some(Function),
        "class" => Some(Type),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Language;
    use super::super::parse::outline;

    #[test]
    fn what_modules_of_commonjs_export_is_defined() {
        let text = "var a = require('./a');\nfunction run() {\n  exports.inner = function () {};\n}\n\
                    exports = module.exports = function create() {};\nexports.run = run;\nexports.stop = function stop() {\n  var x;\n};\n\
                    module.exports.VERSION = '1';\nRouter.prototype.use = function (f) {};\nres.send = async () => {};\nres.size = 3;\n\
                    module.exports = { a, run, other: helper, make: function () {}, go() {} };\nexports.Box = class {\n  open() {}\n};\n";
        let (definitions, imports) = outline(text, Language::JAVASCRIPT);
        assert_eq!(
            definitions,
            [
                "constant a 1-1 -",
                "function run 2-4 -",
                "function create 5-5 -",
                "function stop 7-9 -",
                "constant VERSION 10-10 -",
                "function use 11-11 Router",
                "function send 12-12 res",
                "constant other 14-14 -",
                "function make 14-14 -",
                "function go 14-14 -",
                "type Box 15-17 -",
                "function open 16-16 Box",
            ]
        );
        assert_eq!(imports, ["s ./a"]);
    }
}
