//! Key definitions: the few names that a reader of a module must know.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;

use super::exports::Exports;
use super::fence::safe;
use crate::repo::ending;
use crate::{Symbol, SymbolKind};

/// A definition with how much it matters within its module.
#[derive(Clone, Debug)]
pub(super) struct Name {
    pub(super) word: String,
    pub(super) kind: SymbolKind,
    pub(super) line: u32,
    /// Position of its file in the view.
    pub(super) file: usize,
    /// Whether a front passes it on by name.
    pub(super) passed_on: bool,
    score: f64,
}

/// A file of a module with its definitions.
#[derive(Clone, Debug)]
pub(super) struct Defining<'s> {
    /// Position in the view.
    pub(super) file: usize,
    pub(super) path: &'s str,
    pub(super) weight: f64,
    pub(super) symbols: &'s [Symbol],
    /// Definitions that only the text tells, for they stand inside of macros.
    pub(super) hidden: Vec<Symbol>,
}

/// Ranks the definitions of a module: types with many members, passed on by the module's front, in important files.
pub(super) fn key_names(files: &[Defining<'_>], exports: &Exports) -> Vec<Name> {
    let mut members: BTreeMap<&str, u32> = BTreeMap::new();
    for parent in files
        .iter()
        .flat_map(|file| file.symbols)
        .filter_map(|symbol| symbol.parent.as_deref())
    {
        *members.entry(parent).or_default() += 1;
    }
    let heaviest = files
        .iter()
        .map(|file| file.weight)
        .fold(f64::MIN_POSITIVE, f64::max);
    let mut names: Vec<Name> = Vec::new();
    for file in files {
        for symbol in file.symbols.iter().chain(&file.hidden) {
            let name = symbol.name.as_str();
            let passed_on = exports.has(name);
            if !is_key(symbol, passed_on) {
                continue;
            }
            let kind = match symbol.kind {
                SymbolKind::Type => 3.0,
                SymbolKind::Macro | SymbolKind::Module => 1.5,
                SymbolKind::Function => 1.0,
                _ => -2.0,
            };
            // Every module has its error; it says nothing about the module.
            let common = if matches!(
                name,
                "Error" | "ErrorKind" | "Result" | "error" | "schema" | "params" | "props"
            ) {
                -3.0
            } else {
                0.0
            };
            let owned = f64::from(members.get(name).copied().unwrap_or_default());
            let lines = f64::from(symbol.end.saturating_sub(symbol.line) + 1);
            let size = (1.0 + owned).ln() + 0.4 * lines.ln();
            names.push(Name {
                word: name.to_owned(),
                kind: symbol.kind,
                line: symbol.line,
                file: file.file,
                passed_on,
                score: kind
                    + common
                    + exports.weight(file.path, name)
                    + size
                    + 2.0 * (file.weight / heaviest),
            });
        }
    }
    names.sort_by(|left, right| {
        right
            .score
            .total_cmp(&left.score)
            .then_with(|| left.word.cmp(&right.word))
    });
    let mut seen = BTreeSet::new();
    names.retain(|name| seen.insert(name.word.clone()));
    names
}

/// Returns functions that are put on an object, as in `response.send = function`: the interface of CommonJS modules.
pub(super) fn assigned(path: &str, text: &str, file: usize) -> Vec<Name> {
    static ASSIGNED: LazyLock<Regex> = LazyLock::new(|| {
        let pattern = r"(?m)^(?:[0-9A-Za-z_]+(?:\.prototype)?|module\.exports)\.([A-Za-z][0-9A-Za-z_]+)(?: *= *[0-9A-Za-z_]+\.[0-9A-Za-z_]+)* *= *(?:async +)?function";
        Regex::new(pattern).expect("the pattern is fixed and tested")
    });
    if !matches!(ending(path), "js" | "cjs" | "mjs") {
        return Vec::new();
    }
    let found = ASSIGNED.captures_iter(text).map(|found| Name {
        word: found[1].to_owned(),
        kind: SymbolKind::Function,
        line: 0,
        file,
        passed_on: true,
        score: 0.0,
    });
    found.collect()
}

fn is_key(symbol: &Symbol, passed_on: bool) -> bool {
    let name = &symbol.name;
    let test = name.starts_with("test_")
        || name.ends_with("Test")
        || name.starts_with("Test") && symbol.kind == SymbolKind::Function;
    symbol.parent.is_none()
        && symbol.kind != SymbolKind::Heading
        && (symbol.kind != SymbolKind::Module || passed_on)
        && (name.len() > 1 || passed_on)
        && !name.starts_with('_')
        && !test
        && !matches!(name.as_str(), "main" | "new" | "init" | "tests")
}

/// Says whether other modules can use a definition, as its first line and its language tell; `None` where neither does.
pub(super) fn is_public(path: &str, text: &str, name: &Name) -> Option<bool> {
    let at = (name.line as usize).checked_sub(1)?;
    let line = text.lines().nth(at)?.trim_start();
    match ending(path) {
        "rs" if line.starts_with("macro_rules") => {
            let above: Vec<&str> = text.lines().take(at).collect();
            Some(attributes(&above).any(|line| line.contains("macro_export")))
        }
        "rs" => Some(line.starts_with("pub ")),
        "go" => Some(name.word.starts_with(char::is_uppercase)),
        "ts" | "tsx" | "mts" | "js" | "jsx" | "mjs" | "cjs" => {
            Some(line.starts_with("export ") || is_exported(text, &name.word))
        }
        "java" | "kt" | "swift" | "cs" => Some(!line.contains("private ")),
        _ => None,
    }
}

/// Says whether a definition is there only for type checkers or tests, so that nobody can use it when the program runs.
pub(super) fn is_absent(path: &str, text: &str, name: &Name) -> bool {
    let Some(at) = (name.line as usize).checked_sub(1) else {
        return false;
    };
    let above: Vec<&str> = text.lines().take(at).collect();
    match ending(path) {
        "py" | "pyi" => {
            let indent = |line: &str| line.len() - line.trim_start().len();
            let mut depth = text.lines().nth(at).map_or(0, indent);
            for line in above.iter().rev().filter(|line| !line.trim().is_empty()) {
                if indent(line) < depth {
                    depth = indent(line);
                    let line = line.split('#').next().unwrap_or_default().trim();
                    if line.starts_with("if ") && line.ends_with("TYPE_CHECKING:") {
                        return !line.contains("not ");
                    }
                }
            }
            false
        }
        "rs" => attributes(&above)
            .any(|line| line.starts_with("#[cfg(test)]") || line.starts_with("#[cfg(all(test")),
        _ => false,
    }
}

/// Says whether a definition exists on some systems only, as its attributes or its place tell.
pub(super) fn is_of_one_system(path: &str, text: &str, name: &Name) -> bool {
    const SYSTEMS: [&str; 5] = ["windows", "unix", "wasm", "macos", "linux"];
    let place = path
        .trim_end_matches(".rs")
        .trim_end_matches(".go")
        .split('/')
        .any(|part| SYSTEMS.contains(&part));
    let Some(at) = (name.line as usize).checked_sub(1) else {
        return place;
    };
    let above: Vec<&str> = text.lines().take(at).collect();
    place
        || SYSTEMS.contains(&name.word.as_str())
        || ending(path) == "rs"
            && attributes(&above).any(|line| {
                line.starts_with("#[cfg(")
                    && (line.contains("target_")
                        || SYSTEMS.iter().any(|system| line.contains(system)))
            })
}

/// Returns the attributes and comments directly above a definition.
fn attributes<'t>(above: &'t [&'t str]) -> impl Iterator<Item = &'t str> {
    above
        .iter()
        .rev()
        .map(|line| line.trim_start())
        .take_while(|line| line.starts_with(['#', '/']))
}

/// Looks for a name in the lines that export.
fn is_exported(text: &str, name: &str) -> bool {
    let exporting = text
        .lines()
        .filter(|line| line.contains("exports") || line.starts_with("export "));
    exporting.into_iter().any(|line| {
        line.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
            .any(|word| word == name)
    })
}

/// Prints names as code.
pub(super) fn listed(names: &[Name], most: usize) -> String {
    let shown: Vec<String> = names
        .iter()
        .take(most)
        .map(|name| format!("`{}`", safe(&name.word).replace('`', "")))
        .collect();
    shown.join(", ")
}

/// Finds definitions of these names that stand inside of macros, where only the text tells them.
pub(super) fn inside_macros(text: &str, names: &BTreeSet<&str>) -> Vec<Symbol> {
    let mut found = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let Some(rest) = line.trim_start().strip_prefix("pub ") else {
            continue;
        };
        let mut words = rest
            .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
            .skip_while(|word| matches!(*word, "async" | "const" | "unsafe"));
        let kind = match words.next() {
            Some("struct" | "enum" | "trait" | "type" | "union") => SymbolKind::Type,
            Some("fn") => SymbolKind::Function,
            _ => continue,
        };
        if let Some(name) = words.next().filter(|name| names.contains(name)) {
            let line = at as u32 + 1;
            found.push(Symbol::new(name, kind, line, line));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_on_objects_are_an_interface() {
        let text = "res.send = function send(body) {\n};\nres.json = async function () {};\nvar x = function () {};\nres.set =\nres.header = function header() {};\n";
        let names: Vec<String> = assigned("lib/response.js", text, 0)
            .into_iter()
            .map(|name| name.word)
            .collect();
        assert_eq!(names, ["send", "json", "header"]);
    }

    #[test]
    fn what_others_can_use_is_told_by_its_line() {
        let name = |name: &str, line| Name {
            word: name.to_owned(),
            kind: SymbolKind::Type,
            line,
            file: 0,
            passed_on: false,
            score: 0.0,
        };
        let rust = "pub struct A;\nstruct B;\n#[macro_export]\n/// Doc.\nmacro_rules! c {\n}\nmacro_rules! d {\n}\n";
        let found: Vec<_> = [1, 2, 5, 7]
            .iter()
            .map(|line| is_public("a.rs", rust, &name("x", *line)))
            .collect();
        assert_eq!(found, [Some(true), Some(false), Some(true), Some(false)]);
        assert_eq!(
            is_public(
                "a.js",
                "function f() {}\nmodule.exports = f;",
                &name("f", 1)
            ),
            Some(true)
        );
        assert_eq!(is_public("a.py", "class A: pass", &name("A", 1)), None);
        let python = "if t.TYPE_CHECKING:  # pragma: no cover\n    class A:\n        x: int\n\n    class B: ...\n\nclass C: ...\n";
        let absent = [2, 5, 7].map(|line| is_absent("a.py", python, &name("x", line)));
        assert_eq!(absent, [true, true, false]);
        assert!(is_absent("a.rs", "#[cfg(test)]\nstruct A;", &name("A", 2)));
        assert!(is_of_one_system(
            "net/windows/pipe.rs",
            "struct A;",
            &name("A", 1)
        ));
    }
}
