//! Definitions and imports of Ruby.

use tree_sitter::Node;

use super::walk::{Rule, Rules, Walk};
use crate::SymbolKind;
use crate::SymbolKind::{Constant, Function, Module, Type};

pub(super) fn rules() -> Rules {
    Rules {
        grammar: tree_sitter_ruby::LANGUAGE.into(),
        nodes: &[
            ("class", Rule::Look),
            ("module", Rule::Look),
            ("method", Rule::Define(Function)),
            ("singleton_method", Rule::Define(Function)),
            ("alias", Rule::Look),
            ("assignment", Rule::Look),
            ("call", Rule::Look),
        ],
        look,
        names: false,
    }
}

fn look(walk: &mut Walk<'_, '_>, node: Node<'_>) {
    match node.kind() {
        "class" => named(walk, node, Type),
        "module" if !is_namespace(node) => named(walk, node, Module),
        "alias" => {
            if let Some(name) = walk.field(node, "name") {
                walk.define(name, Function, node, None);
            }
        }
        "assignment" => assignment(walk, node),
        "call" => call(walk, node),
        _ => {}
    }
}

/// `class A::B` is called `B`.
fn named(walk: &mut Walk<'_, '_>, node: Node<'_>, kind: SymbolKind) {
    if let Some(name) = walk.field(node, "name") {
        let name = name.rsplit("::").next().unwrap_or(name);
        walk.define(name, kind, node, None);
        walk.enter(name, Some(kind), node);
    }
}

/// A module with nothing but classes and modules in it only says where they live; every file opens it again.
fn is_namespace(node: Node<'_>) -> bool {
    let Some(body) = node.child_by_field_name("body") else {
        return false;
    };
    let mut cursor = body.walk();
    let mut inner = body
        .named_children(&mut cursor)
        .filter(|child| child.kind() != "comment")
        .peekable();
    inner.peek().is_some() && inner.all(|child| matches!(child.kind(), "class" | "module"))
}

/// Takes constants: `LIMIT = 3`, and `Point = Struct.new(:x)`, which is a class.
fn assignment(walk: &mut Walk<'_, '_>, node: Node<'_>) {
    let Some(left) = node.child_by_field_name("left") else {
        return;
    };
    if left.kind() != "constant" || walk.scope_kind() == Some(Function) {
        return;
    }
    let name = walk.text_of(left);
    let value = walk.field(node, "right").unwrap_or_default();
    let class = ["Struct.new", "Class.new", "Data.define"]
        .iter()
        .any(|start| value.starts_with(start));
    if class {
        walk.define(name, Type, node, None);
        walk.enter(name, Some(Type), node);
    } else {
        walk.define(name, Constant, node, None);
    }
}

/// Takes what loads other files, and what makes methods by name.
fn call(walk: &mut Walk<'_, '_>, node: Node<'_>) {
    let Some(method) = walk.field(node, "method") else {
        return;
    };
    let Some(arguments) = node.child_by_field_name("arguments") else {
        return;
    };
    let letter = match method {
        "require_relative" => 'f',
        "require" | "autoload" | "load" => 'r',
        "define_method" | "alias_method" => return made(walk, node, arguments),
        _ => return,
    };
    // `autoload :Name, "path"` and `Kernel.require "path"`.
    let mut cursor = arguments.walk();
    let Some(text) = arguments
        .named_children(&mut cursor)
        .find(|argument| argument.kind() == "string")
        .map(|argument| walk.text_of(argument))
    else {
        return;
    };
    let path = text.trim_matches(['"', '\'']);
    if !path.is_empty() && !path.contains("#{") {
        walk.import(format!("{letter} {path}"));
    }
}

/// `define_method(:name) { ... }` and `alias_method :name, :other` are methods.
fn made(walk: &mut Walk<'_, '_>, node: Node<'_>, arguments: Node<'_>) {
    if let Some(first) = arguments.named_child(0)
        && matches!(first.kind(), "simple_symbol" | "string")
    {
        let name = walk.text_of(first).trim_matches([':', '"', '\'']);
        if !name.contains("#{") {
            walk.define(name, Function, node, None);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Language;
    use super::super::parse::outline;

    #[test]
    fn definitions_and_imports_of_ruby() {
        let text = "require 'json'\nrequire_relative \"../lib/a\"\nautoload :B, \"x/b\"\nmodule Outer\n  # Words.\n\
                    class A::Inner < Base\n    LIMIT = 3\n    Point = Struct.new(:x) do\n      def near?; end\n    end\n\
                    attr_reader :size\n    def self.build(x)\n      y = 1\n    end\n    def []=(k, v)\n    end\n\
                    define_method(:made) { 1 }\n    alias old_name new_name\n  end\nend\n\
                    module Mixin\n  def help; end\nend\n";
        let (definitions, imports) = outline(text, Language::RUBY);
        assert_eq!(
            definitions,
            [
                "type Inner 6-19 -",
                "constant LIMIT 7-7 Inner",
                "type Point 8-10 Inner",
                "function near? 9-9 Point",
                "function build 12-14 Inner",
                "function []= 15-16 Inner",
                "function made 17-17 Inner",
                "function old_name 18-18 Inner",
                "module Mixin 21-23 -",
                "function help 22-22 Mixin",
            ]
        );
        assert_eq!(imports, ["f ../lib/a", "r json", "r x/b"]);
    }
}
