//! Definitions and imports of Rust.

use tree_sitter::Node;

use super::walk::{LONGEST_IMPORT, Rule, Rules, Walk};
use crate::SymbolKind::{Constant, Function, Macro, Module, Type};

pub(super) fn rules() -> Rules {
    Rules {
        grammar: tree_sitter_rust::LANGUAGE.into(),
        nodes: &[
            ("function_item", Rule::Define(Function)),
            ("function_signature_item", Rule::Define(Function)),
            ("struct_item", Rule::Define(Type)),
            ("enum_item", Rule::Define(Type)),
            ("union_item", Rule::Define(Type)),
            ("trait_item", Rule::Define(Type)),
            ("type_item", Rule::Define(Type)),
            ("const_item", Rule::Define(Constant)),
            ("static_item", Rule::Define(Constant)),
            ("macro_definition", Rule::Define(Macro)),
            ("mod_item", Rule::Look),
            ("impl_item", Rule::Scope),
            ("use_declaration", Rule::Look),
        ],
        look,
        names: false,
    }
}

fn look(walk: &mut Walk<'_, '_>, node: Node<'_>) {
    match node.kind() {
        "impl_item" => {
            if let Some(name) = walk.field(node, "type") {
                let name = name.split('<').next().unwrap_or(name);
                let name = name.rsplit("::").next().unwrap_or(name).trim();
                walk.enter(name, Some(Type), node);
            }
        }
        "mod_item" => module(walk, node),
        _ => {
            if let Some(argument) = node.child_by_field_name("argument") {
                let text = walk.text_of(argument);
                for path in paths_of(text) {
                    walk.import(format!("u {path}"));
                }
            }
        }
    }
}

/// A module with a body is a definition; one without names a file.
fn module(walk: &mut Walk<'_, '_>, node: Node<'_>) {
    let Some(name) = walk.field(node, "name") else {
        return;
    };
    if node.child_by_field_name("body").is_some() {
        walk.define(name, Module, node, None);
        walk.enter(name, Some(Module), node);
        return;
    }
    let outer = walk.modules();
    let entry = match attribute_path(walk, node) {
        Some(path) => format!("f {path}"),
        None if outer.is_empty() => format!("m {name}"),
        None => format!("m {outer}::{name}"),
    };
    walk.import(entry);
}

/// Returns the file of `#[path = "..."]` above a module.
fn attribute_path<'a>(walk: &Walk<'a, '_>, node: Node<'_>) -> Option<&'a str> {
    // Read from the text: the parser walks over all siblings to find the one before.
    let above = walk.text.get(..node.start_byte())?.trim_end();
    let near = &above[above.floor_char_boundary(above.len().saturating_sub(LONGEST_IMPORT))..];
    let attribute = &near[near.rfind("#[")?..];
    let rest = attribute
        .strip_suffix(']')
        .and_then(|attribute| attribute.strip_prefix("#[path"))?;
    rest.trim_start().strip_prefix('=')?.split('"').nth(1)
}

/// Writes out the paths of a use tree, without renames: `a::{b, c::*}` gives `a::b` and `a::c`.
fn paths_of(tree: &str) -> Vec<String> {
    const MOST: usize = 200;
    let mut paths = Vec::new();
    let mut prefixes = vec![String::new()];
    let mut current = String::new();
    let finish = |prefix: &str, current: &mut String, paths: &mut Vec<String>| {
        let name = current.split(" as ").next().unwrap_or_default().trim();
        let name = name.trim_end_matches("::*").trim_end_matches('*');
        let whole = if name == "self" {
            prefix.trim_end_matches("::").to_owned()
        } else {
            format!("{prefix}{name}")
        };
        let whole = whole.trim_matches(':');
        if !name.is_empty() && !whole.is_empty() && paths.len() < MOST {
            paths.push(whole.to_owned());
        }
        current.clear();
    };
    for letter in tree.chars() {
        let prefix = prefixes.last().map_or("", String::as_str);
        match letter {
            '{' => {
                let deeper = format!("{prefix}{}", current.trim());
                if deeper.len() > LONGEST_IMPORT {
                    return paths;
                }
                prefixes.push(deeper);
                current.clear();
            }
            ',' => finish(prefix, &mut current, &mut paths),
            '}' => {
                finish(prefix, &mut current, &mut paths);
                if prefixes.len() > 1 {
                    prefixes.pop();
                }
            }
            letter if letter.is_whitespace() && !current.ends_with(char::is_whitespace) => {
                current.push(' ');
            }
            letter if letter.is_whitespace() => {}
            letter => current.push(letter),
        }
    }
    let prefix = prefixes.last().cloned().unwrap_or_default();
    finish(&prefix, &mut current, &mut paths);
    paths
}

#[cfg(test)]
mod tests {
    use super::super::Language;
    use super::super::parse::outline;
    use super::paths_of;

    #[test]
    fn definitions_and_imports_of_rust() {
        let text = "use crate::a::{self, B, c::{D, E as F}};\nmod inner;\npub struct S<T>(T);\n\
                    impl<T> Run for S<T> {\n    fn go(&self) {\n        fn deep() {}\n    }\n}\n\
                    mod tests {\n    const N: u8 = 1;\n    mod file;\n}\nmacro_rules! m { () => {} }\ntrait Run { fn go(&self); }\n";
        let (definitions, imports) = outline(text, Language::RUST);
        assert_eq!(
            definitions,
            [
                "type S 3-3 -",
                "function go 5-7 S",
                "function deep 6-6 go",
                "module tests 9-12 -",
                "constant N 10-10 tests",
                "macro m 13-13 -",
                "type Run 14-14 -",
                "function go 14-14 Run",
            ]
        );
        assert_eq!(
            imports,
            [
                "m inner",
                "m tests::file",
                "u crate::a",
                "u crate::a::B",
                "u crate::a::c::D",
                "u crate::a::c::E"
            ]
        );
    }

    #[test]
    fn errors_in_the_text_leave_the_rest() {
        let (definitions, _) = outline("fn a( {\n\nfn b() {}\nstruct C;\n", Language::RUST);
        assert!(
            definitions
                .iter()
                .any(|found| found.starts_with("function b")),
            "{definitions:?}"
        );
    }

    #[test]
    fn use_trees_are_written_out() {
        assert_eq!(paths_of("a::b::*"), ["a::b"]);
        assert_eq!(paths_of("super::x as y"), ["super::x"]);
        assert_eq!(paths_of("{a, b::{c}}"), ["a", "b::c"]);
    }
}
