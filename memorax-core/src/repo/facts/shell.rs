//! Definitions and imports of shells that read as Bash does.

use tree_sitter::Node;

use super::walk::{Rule, Rules, Walk};
use crate::SymbolKind::{Constant, Function};

pub(super) fn rules() -> Rules {
    Rules {
        grammar: tree_sitter_bash::LANGUAGE.into(),
        nodes: &[
            ("function_definition", Rule::Define(Function)),
            ("variable_assignment", Rule::Look),
            ("command", Rule::Look),
        ],
        look,
        names: false,
    }
}

fn look(walk: &mut Walk<'_, '_>, node: Node<'_>) {
    if node.kind() == "variable_assignment" {
        constant(walk, node);
        return;
    }
    let name = walk.field(node, "name").unwrap_or_default();
    let Some(argument) = node.child_by_field_name("argument") else {
        return;
    };
    let text = walk.text_of(argument);
    match name {
        "source" | "." => {
            if let Some(path) = path_of(text) {
                walk.import(format!("f {path}"));
            }
        }
        // A test of Bats: `@test "it works" {`.
        "@test" => walk.define(text.trim_matches(['"', '\'']), Function, node, None),
        _ => {}
    }
}

/// Takes `NAME=...` and `readonly NAME=...` of the file itself, written as constants are.
fn constant(walk: &mut Walk<'_, '_>, node: Node<'_>) {
    let whole = walk.outer(1) == "program"
        || (walk.outer(1) == "declaration_command" && walk.outer(2) == "program");
    let Some(name) = walk.field(node, "name").filter(|_| whole) else {
        return;
    };
    let constant = name
        .bytes()
        .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
    // The first place is where it is made; later ones change it.
    if constant && walk.is_new(name) {
        walk.define(name, Constant, node, None);
    }
}

/// Returns `lib/a.sh` of `"$(dirname "$0")/lib/a.sh"`: what stands before it is known only when the script runs.
fn path_of(text: &str) -> Option<String> {
    let text: String = text
        .chars()
        .filter(|letter| !matches!(letter, '"' | '\''))
        .collect();
    let rest = match text.rfind([')', '}']) {
        Some(at) => text[at + 1..].trim_start_matches('/'),
        None if text.starts_with('$') => text.split_once('/')?.1,
        None => &text,
    };
    let plain =
        !rest.is_empty() && !rest.contains(['$', '`', '*', '<', ' ']) && !rest.starts_with('~');
    plain.then(|| rest.to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::Language;
    use super::super::parse::outline;

    #[test]
    fn definitions_and_imports_of_shells() {
        let text = "#!/usr/bin/env bash\nsource ./lib/a.sh\n. \"$(dirname \"$0\")/b.sh\"\nsource \"${DIR}/lib/c.sh\"\n. \"$HOME/d.sh\"\n. \"$1\"\n\
                    readonly MOST=3\nLIMIT=1\nLIMIT=2\nplain=1\nrun() {\n  local INNER=1\n  inner() { :; }\n}\nfunction stop {\n  X=1\n}\n";
        let (definitions, imports) = outline(text, Language::SHELL);
        assert_eq!(
            definitions,
            [
                "constant MOST 7-7 -",
                "constant LIMIT 8-8 -",
                "function run 11-14 -",
                "function inner 13-13 run",
                "function stop 15-17 -",
            ]
        );
        assert_eq!(imports, ["f ./lib/a.sh", "f b.sh", "f d.sh", "f lib/c.sh"]);
    }
}
