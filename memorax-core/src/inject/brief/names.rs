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
            let passed_on = exports.has(file.path, name);
            if !is_key(symbol, passed_on) {
                continue;
            }
            let kind = match symbol.kind {
                SymbolKind::Type | SymbolKind::Module => 3.0,
                SymbolKind::Macro => 1.5,
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
                    + if bears_its_file(file.path, name) {
                        1.0
                    } else {
                        0.0
                    }
                    + 2.0 * (file.weight / heaviest),
            });
        }
    }
    rank(&mut names);
    let mut seen = BTreeSet::new();
    names.retain(|name| seen.insert(name.word.clone()));
    names
}

/// Says whether a name is that of its file, as `Anchor` in `anchor.rs`.
fn bears_its_file(path: &str, name: &str) -> bool {
    let file = path.rsplit('/').next().unwrap_or_default();
    let stem = file.split('.').next().unwrap_or_default();
    let letters = |text: &str| -> String {
        let letters = text.chars().filter(|letter| letter.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect()
    };
    letters(stem) == letters(name)
}

/// Returns functions that are put on an object, as in `response.send = function`: the interface of CommonJS modules.
pub(super) fn assigned(path: &str, text: &str, file: usize) -> Vec<Name> {
    static ASSIGNED: LazyLock<Regex> = LazyLock::new(|| {
        let pattern = r"(?m)^(?:[0-9A-Za-z_]+|module\.exports)\.([A-Za-z][0-9A-Za-z_]+)(?: *= *[0-9A-Za-z_]+\.[0-9A-Za-z_]+)* *= *(?:async +)?function";
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

/// Who can use a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// Everybody, as far as the definition tells.
    Public,
    /// Its own crate, or a part of it.
    Crate,
    /// Its own file.
    Private,
}

/// Tells who can use a definition, by its first line and its language; `lines` are those of its file.
pub(super) fn reach(path: &str, lines: &[&str], name: &Name) -> Reach {
    let (above, Some(line)) = around(lines, name) else {
        return Reach::Public;
    };
    let public = match ending(path) {
        "rs" if line.starts_with("macro_rules") => {
            attributes(above).any(|line| line.contains("macro_export"))
        }
        "rs" if line.starts_with("pub(") => return Reach::Crate,
        "rs" => line.starts_with("pub "),
        "go" => name.word.starts_with(char::is_uppercase),
        "ts" | "tsx" | "mts" | "js" | "jsx" | "mjs" | "cjs" => {
            line.starts_with("export ") || is_exported(lines, &name.word)
        }
        "java" | "kt" | "swift" | "cs" => !line.contains("private "),
        _ => true,
    };
    if public {
        Reach::Public
    } else {
        Reach::Private
    }
}

/// Returns the lines above a definition and its own, without what it is indented by.
fn around<'t>(lines: &'t [&'t str], name: &Name) -> (&'t [&'t str], Option<&'t str>) {
    match (name.line as usize).checked_sub(1) {
        Some(at) if at < lines.len() => (&lines[..at], Some(lines[at].trim_start())),
        _ => (&[], None),
    }
}

/// Says whether a definition is there only for type checkers or tests, so that nobody can use it when the program runs.
pub(super) fn is_absent(path: &str, lines: &[&str], name: &Name) -> bool {
    let (above, Some(_)) = around(lines, name) else {
        return false;
    };
    match ending(path) {
        "py" | "pyi" => {
            let indent = |line: &str| line.len() - line.trim_start().len();
            let mut depth = indent(lines[above.len()]);
            for line in above.iter().rev().filter(|line| !line.trim().is_empty()) {
                if indent(line) < depth {
                    depth = indent(line);
                    let line = line.split('#').next().unwrap_or_default().trim();
                    if line.starts_with("if ") && line.ends_with("TYPE_CHECKING:") {
                        return !line.contains("not ");
                    }
                }
                if depth == 0 {
                    break;
                }
            }
            false
        }
        "rs" => attributes(above)
            .any(|line| line.starts_with("#[cfg(test)]") || line.starts_with("#[cfg(all(test")),
        _ => false,
    }
}

/// Says whether a definition exists on some systems only, as its attributes or its place tell.
pub(super) fn is_of_one_system(path: &str, lines: &[&str], name: &Name) -> bool {
    const SYSTEMS: [&str; 5] = ["windows", "unix", "wasm", "macos", "linux"];
    let place = path
        .trim_end_matches(".rs")
        .trim_end_matches(".go")
        .split('/')
        .any(|part| SYSTEMS.contains(&part));
    let (above, _) = around(lines, name);
    place
        || SYSTEMS.contains(&name.word.as_str())
        || ending(path) == "rs"
            && attributes(above).any(|line| {
                line.starts_with("#[cfg(")
                    && (line.contains("target_")
                        || SYSTEMS.iter().any(|system| line.contains(system)))
            })
}

/// Puts names in the order of how much they matter.
pub(super) fn rank(names: &mut [Name]) {
    names.sort_by(|left, right| {
        right
            .score
            .total_cmp(&left.score)
            .then_with(|| left.word.cmp(&right.word))
    });
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
fn is_exported(lines: &[&str], name: &str) -> bool {
    let mut exporting = lines
        .iter()
        .filter(|line| line.contains("exports") || line.starts_with("export "));
    exporting.any(|line| {
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
        let lines = |text: &'static str| text.lines().collect::<Vec<_>>();
        let rust = lines(rust);
        let found = [1, 2, 5, 7].map(|line| reach("a.rs", &rust, &name("x", line)));
        assert_eq!(
            found,
            [Reach::Public, Reach::Private, Reach::Public, Reach::Private]
        );
        let inner = lines("pub(crate) struct A;");
        assert_eq!(reach("a.rs", &inner, &name("A", 1)), Reach::Crate);
        let script = lines("function f() {}\nmodule.exports = f;");
        assert_eq!(reach("a.js", &script, &name("f", 1)), Reach::Public);
        let python = lines(
            "if t.TYPE_CHECKING:  # pragma: no cover\n    class A:\n        x: int\n\n    class B: ...\n\nclass C: ...\n",
        );
        let absent = [2, 5, 7].map(|line| is_absent("a.py", &python, &name("x", line)));
        assert_eq!(absent, [true, true, false]);
        let test = lines("#[cfg(test)]\nstruct A;");
        assert!(is_absent("a.rs", &test, &name("A", 2)));
        let pipe = lines("struct A;");
        assert!(is_of_one_system(
            "net/windows/pipe.rs",
            &pipe,
            &name("A", 1)
        ));
    }
}
