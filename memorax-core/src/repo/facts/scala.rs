//! Definitions and imports of Scala.

use tree_sitter::Node;

use super::walk::{LONGEST_IMPORT, Rule, Rules, Walk};
use crate::SymbolKind::{Constant, Function, Module, Type};

pub(super) fn rules() -> Rules {
    Rules {
        grammar: tree_sitter_scala::LANGUAGE.into(),
        nodes: &[
            ("class_definition", Rule::Define(Type)),
            ("object_definition", Rule::Define(Type)),
            ("trait_definition", Rule::Define(Type)),
            ("enum_definition", Rule::Define(Type)),
            ("package_object", Rule::Define(Module)),
            ("function_definition", Rule::Define(Function)),
            ("function_declaration", Rule::Define(Function)),
            ("type_definition", Rule::Look),
            ("val_definition", Rule::Look),
            ("given_definition", Rule::Look),
            ("package_clause", Rule::Look),
            ("import_declaration", Rule::Look),
        ],
        look,
        names: true,
    }
}

fn look(walk: &mut Walk<'_, '_>, node: Node<'_>) {
    match node.kind() {
        "type_definition" => {
            if let Some(name) = walk.field(node, "name")
                && walk.scope_kind() != Some(Function)
            {
                walk.define(name, Type, node, None);
            }
        }
        "val_definition" => {
            let Some(pattern) = node.child_by_field_name("pattern") else {
                return;
            };
            let shared = match walk.outer(1) {
                "compilation_unit" => true,
                "template_body" => {
                    matches!(
                        walk.outer(2),
                        "object_definition" | "package_object" | "package_clause"
                    )
                }
                _ => false,
            };
            if shared && pattern.kind() == "identifier" {
                let name = walk.text_of(pattern);
                walk.define(name, Constant, node, None);
            }
        }
        "given_definition" => {
            if let Some(name) = walk.field(node, "name") {
                walk.define(name, Constant, node, None);
                walk.enter(name, Some(Constant), node);
            }
        }
        "package_clause" => {
            if let Some(name) = walk.field(node, "name") {
                package(walk, &squeeze(name));
            }
        }
        _ => {
            let text = walk.text_of(node).trim_start_matches("import");
            for path in paths_of(text) {
                walk.import(format!("j {path}"));
            }
        }
    }
}

/// `package a` and then `package b` is the package `a.b`.
fn package(walk: &mut Walk<'_, '_>, name: &str) {
    let imports = &mut walk.facts.imports;
    let known = imports.iter_mut().find(|entry| entry.starts_with("p "));
    match known {
        Some(known) if known.len() + name.len() < LONGEST_IMPORT => {
            *known = format!("{known}.{name}");
        }
        Some(_) => {}
        None => walk.import(format!("p {name}")),
    }
}

fn squeeze(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Writes out `a.b.{C, D => E}, f._` as `a.b.C`, `a.b.D` and `f.*`.
fn paths_of(text: &str) -> Vec<String> {
    const MOST: usize = 100;
    let mut paths = Vec::new();
    let mut prefix = String::new();
    let mut current = String::new();
    for letter in text.chars().chain([',']) {
        match letter {
            '{' => prefix = squeeze(&std::mem::take(&mut current)),
            ',' | '}' => {
                let name = current.split("=>").next().unwrap_or_default();
                let name = name.split(" as ").next().unwrap_or_default();
                let name = squeeze(name).replace('`', "");
                if !name.is_empty() && name != "given" && paths.len() < MOST {
                    let whole = format!("{prefix}{name}");
                    let whole = whole.strip_prefix("_root_.").unwrap_or(&whole);
                    let members = whole.strip_suffix("._").map(|outer| format!("{outer}.*"));
                    paths.push(members.unwrap_or_else(|| whole.to_owned()));
                }
                current.clear();
                if letter == '}' {
                    prefix.clear();
                }
            }
            letter => current.push(letter),
        }
    }
    paths
}

#[cfg(test)]
mod tests {
    use super::super::Language;
    use super::super::parse::outline;

    #[test]
    fn definitions_and_imports_of_scala() {
        let text = "package com.a\npackage inner\n\nimport com.b.{C, D => E}, com.f._\nimport java.util.List\n\
                    sealed trait Shape { def area: Double }\ncase class Box(side: Int) extends Shape {\n  val plain = 1\n\
                    def area: Double = {\n    def twice = 2\n    twice\n  }\n  type Id = Int\n}\n\
                    object Box {\n  val Unit = Box(1)\n  def of(x: Int) = Box(x)\n}\nenum Color { case Red }\n\
                    package object tools { def run() = 1 }\n";
        let (definitions, imports) = outline(text, Language::SCALA);
        assert_eq!(
            definitions,
            [
                "type Shape 6-6 -",
                "function area 6-6 Shape",
                "type Box 7-14 -",
                "function area 9-12 Box",
                "function twice 10-10 area",
                "type Id 13-13 Box",
                "type Box 15-18 -",
                "constant Unit 16-16 Box",
                "function of 17-17 Box",
                "type Color 19-19 -",
                "module tools 20-20 -",
                "function run 20-20 tools",
            ]
        );
        assert_eq!(
            imports,
            [
                "d Box",
                "d Color",
                "d Shape",
                "d tools",
                "j com.b.C",
                "j com.b.D",
                "j com.f.*",
                "j java.util.List",
                "p com.a.inner",
            ]
        );
    }
}
