//! Definitions and imports of Kotlin.

use tree_sitter::Node;

use super::walk::{Rule, Rules, Walk};
use crate::SymbolKind::{Constant, Function, Type};

pub(super) fn rules() -> Rules {
    Rules {
        grammar: tree_sitter_kotlin_ng::LANGUAGE.into(),
        nodes: &[
            ("class_declaration", Rule::Define(Type)),
            ("object_declaration", Rule::Define(Type)),
            ("function_declaration", Rule::Look),
            ("secondary_constructor", Rule::Look),
            ("property_declaration", Rule::Look),
            ("type_alias", Rule::Look),
            ("import", Rule::Look),
            ("package_header", Rule::Look),
        ],
        look,
        names: true,
    }
}

fn look(walk: &mut Walk<'_, '_>, node: Node<'_>) {
    match node.kind() {
        "function_declaration" => {
            if let Some(name) = walk.field(node, "name") {
                let receiver = receiver(walk, node);
                walk.define(name, Function, node, receiver);
                walk.enter(name, Some(Function), node);
            }
        }
        "secondary_constructor" => walk.define("constructor", Function, node, None),
        "property_declaration" => property(walk, node),
        "type_alias" => {
            if let Some(name) = walk.field(node, "type") {
                walk.define(name, Type, node, None);
            }
        }
        kind => {
            let text = walk.text_of(node);
            let text = text.split(" as ").next().unwrap_or(text);
            let (word, letter) = if kind == "import" {
                ("import", 'j')
            } else {
                ("package", 'p')
            };
            if let Some(path) = text.split(word).nth(1) {
                let path = path.trim().trim_end_matches(';').replace('`', "");
                walk.import(format!("{letter} {path}"));
            }
        }
    }
}

/// Returns `T` of `fun T<K>.name()` at the top of a file: functions that extend a type are found under it.
fn receiver<'a>(walk: &Walk<'a, '_>, node: Node<'_>) -> Option<&'a str> {
    if walk.scope_kind().is_some() {
        return None;
    }
    let name = node.child_by_field_name("name")?;
    let mut cursor = node.walk();
    let receiver = node
        .named_children(&mut cursor)
        .take_while(|child| child.start_byte() < name.start_byte())
        .filter(|child| child.kind().ends_with("_type"))
        .last()?;
    let text = walk.text_of(receiver).split('<').next()?;
    let text = text.rsplit('.').next()?.trim_end_matches('?').trim();
    (!text.is_empty()).then_some(text)
}

/// Takes constants (of the file, of an object, of a companion), and properties that are computed.
fn property(walk: &mut Walk<'_, '_>, node: Node<'_>) {
    let mut cursor = node.walk();
    let children: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
    let Some(name) = children
        .iter()
        .find(|child| child.kind() == "variable_declaration")
        .and_then(|child| {
            let mut cursor = child.walk();
            child
                .named_children(&mut cursor)
                .find(|inner| inner.kind() == "identifier")
        })
    else {
        return;
    };
    let computed = children.iter().any(|child| child.kind() == "getter");
    let shared = walk.outer(1) == "source_file"
        || (walk.outer(1) == "class_body"
            && matches!(walk.outer(2), "object_declaration" | "companion_object"));
    let inside = walk.scope_kind() == Some(Type);
    let name = walk.text_of(name);
    if computed && (inside || shared) {
        walk.define(name, Function, node, None);
    } else if shared {
        walk.define(name, Constant, node, None);
    }
}

#[cfg(test)]
mod tests {
    use super::super::Language;
    use super::super::parse::outline;

    #[test]
    fn definitions_and_imports_of_kotlin() {
        let text = "package com.a\nimport com.b.C\nimport com.d.*\nimport com.e.f as g\n\
                    const val MOST = 3\ntypealias Ids = List<String>\nfun List<Int>.total(): Int = sum()\n\
                    sealed interface Shape\n\
                    data class Box(val side: Int) : Shape {\n  val area: Int\n    get() = side * side\n  private val x = 1\n\
                    constructor() : this(1)\n  suspend fun grow() {\n    fun inner() {}\n  }\n\
                    companion object {\n    const val UNIT = 1\n    fun of() = Box()\n  }\n}\n\
                    enum class Color { RED, BLUE }\nobject Tools { fun run() {} }\n";
        let (definitions, imports) = outline(text, Language::KOTLIN);
        assert_eq!(
            definitions,
            [
                "constant MOST 5-5 -",
                "type Ids 6-6 -",
                "function total 7-7 List",
                "type Shape 8-8 -",
                "type Box 9-21 -",
                "function area 10-11 Box",
                "function constructor 13-13 Box",
                "function grow 14-16 Box",
                "function inner 15-15 grow",
                "constant UNIT 18-18 Box",
                "function of 19-19 Box",
                "type Color 22-22 -",
                "type Tools 23-23 -",
                "function run 23-23 Tools",
            ]
        );
        assert_eq!(
            imports,
            [
                "d Box",
                "d Color",
                "d Ids",
                "d MOST",
                "d Shape",
                "d Tools",
                "d total",
                "j com.b.C",
                "j com.d.*",
                "j com.e.f",
                "p com.a",
            ]
        );
    }
}
