//! What the front of a module (`mod.rs`, `__init__.py`, `index.ts`) passes on: the names that others are to use.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;

use crate::repo::ending;

/// Names that fronts pass on, each with what that says for it.
#[derive(Debug, Default)]
pub(super) struct Exports {
    /// Names, with the weight of their export.
    names: BTreeMap<String, f64>,
    /// Files of which everything public is passed on.
    whole: BTreeMap<String, f64>,
    /// Names that the words of the module's own front mention, in that order.
    mentioned: Vec<String>,
    /// Names with the files that may define them, for those that stand inside of macros.
    pub(super) places: Vec<(String, Vec<String>)>,
    /// Public modules of the module's own front.
    pub(super) modules: BTreeSet<String>,
}

/// Weights of an export by the module's own front and by those above it, of one within the crate only, and of a mention.
const OWN: f64 = 3.0;
const ABOVE: f64 = 2.0;
const RESTRICTED: f64 = 1.0;
const MENTIONED: f64 = 2.0;

impl Exports {
    /// Reads the module's own front.
    pub(super) fn read_own(&mut self, front: &str, text: &str) {
        self.mentioned = mentions(front, text);
        self.read(front, text, OWN);
        if ending(front) == "rs" {
            let code = code_of(text);
            for found in MODULE.captures_iter(&code) {
                if found.get(1).is_some_and(|mark| mark.as_str() == "pub") {
                    self.modules.insert(found[2].to_owned());
                    if self.mention(&found[2]) > 0.0 {
                        self.add(&found[2], OWN);
                    }
                }
            }
        }
    }

    /// Reads the front of a module above.
    pub(super) fn read_above(&mut self, front: &str, text: &str) {
        self.read(front, text, ABOVE);
    }

    /// Returns what exports say for a name of a file.
    pub(super) fn weight(&self, path: &str, name: &str) -> f64 {
        let named = self.names.get(name).copied().unwrap_or_default();
        let whole = self.whole.get(path).copied().unwrap_or_default();
        named.max(whole) + self.mention(name)
    }

    /// Returns what it says for a name that the front's words mention it, the first most.
    pub(super) fn mention(&self, name: &str) -> f64 {
        let at = self.mentioned.iter().position(|known| known == name);
        at.map_or(0.0, |at| MENTIONED - 0.05 * (at.min(20) as f64))
    }

    /// Says whether a name is passed on by itself.
    pub(super) fn has(&self, name: &str) -> bool {
        self.names
            .get(name)
            .is_some_and(|weight| *weight > RESTRICTED)
    }

    fn read(&mut self, front: &str, text: &str, weight: f64) {
        let base = base_of(front);
        match ending(front) {
            "rs" => self.read_rust(&base, &code_of(text), weight),
            "py" => self.read_python(&base, text, weight),
            _ => self.read_script(&base, text, weight),
        }
    }

    fn add(&mut self, name: &str, weight: f64) {
        let known = self.names.entry(name.to_owned()).or_default();
        *known = known.max(weight);
    }

    fn add_whole(&mut self, files: Vec<String>, weight: f64) {
        for file in files {
            let known = self.whole.entry(file).or_default();
            *known = known.max(weight);
        }
    }

    fn read_rust(&mut self, base: &str, code: &str, weight: f64) {
        let modules: BTreeSet<&str> = MODULE
            .captures_iter(code)
            .map(|found| found.get(2).map_or("", |name| name.as_str()))
            .collect();
        for found in USE.captures_iter(code) {
            let weight = if &found[1] == "pub" {
                weight
            } else {
                RESTRICTED
            };
            for path in use_paths(&found[2]) {
                let mut parts: Vec<&str> = path.split("::").map(str::trim).collect();
                if parts.first() == Some(&"self") {
                    parts.remove(0);
                }
                let own = parts.first().is_some_and(|first| {
                    modules.contains(first) || matches!(*first, "crate" | "super")
                });
                let Some(name) = parts.pop().filter(|_| own) else {
                    continue;
                };
                // The paths of `crate::a::B` are those of the crate's front, which stands above.
                let rest: Vec<&str> = parts.into_iter().filter(|part| *part != "crate").collect();
                let folder = join(base, &rest.join("/"));
                let files = vec![format!("{folder}.rs"), format!("{folder}/mod.rs")];
                if name == "*" {
                    self.add_whole(files, weight);
                } else {
                    self.add(name, weight);
                    if weight > RESTRICTED {
                        self.places.push((name.to_owned(), files));
                    }
                }
            }
        }
    }

    fn read_python(&mut self, base: &str, text: &str, weight: f64) {
        let package = base.rsplit('/').next().unwrap_or_default();
        for found in IMPORT.captures_iter(text) {
            let from = &found[1];
            if !from.starts_with('.') && from.split('.').next() != Some(package) {
                continue;
            }
            for part in found[2].trim_matches(['(', ')']).split(',') {
                let part = part.split('#').next().unwrap_or_default();
                if let Some(name) = part.split_whitespace().last() {
                    self.add(name, weight);
                }
            }
        }
    }

    fn read_script(&mut self, base: &str, text: &str, weight: f64) {
        for found in EXPORT.captures_iter(text) {
            let target = found[2].trim_start_matches("./");
            // What lies outside of the folder, or in another package, is not the module's own.
            if !found[2].starts_with("./") {
                continue;
            }
            if found[1].starts_with('*') {
                if !found[1].contains(" as ") {
                    let stem = target
                        .trim_end_matches(".js")
                        .trim_end_matches(".ts")
                        .trim_end_matches(".mjs");
                    let files = ["ts", "tsx", "js", "mjs", "mts"]
                        .iter()
                        .map(|ending| join(base, &format!("{stem}.{ending}")));
                    self.add_whole(files.collect(), RESTRICTED);
                }
                continue;
            }
            for part in found[1].trim_matches(['{', '}']).split(',') {
                let first = part.trim().trim_start_matches("type ");
                if let Some(name) = first.split_whitespace().next() {
                    self.add(name, weight);
                }
            }
        }
    }
}

static MODULE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^[ \t]*(?:(pub)(?:\([a-z: ]+\))? +)?mod +([0-9A-Za-z_]+) *[;{]")
        .expect("the pattern is fixed and tested")
});

static USE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^[ \t]*(pub(?:\([a-z: ]+\))?) +use +([^;]+);")
        .expect("the pattern is fixed and tested")
});

static IMPORT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^from +([.0-9A-Za-z_]+) +import +(\([^)]*\)|[^\n(]+)")
        .expect("the pattern is fixed and tested")
});

static EXPORT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r#"(?m)^export +(?:type +)?(\*(?: as [0-9A-Za-z_]+)?|\{[^}]*\}) *from *['"]([^'"]+)['"]"#,
    )
    .expect("the pattern is fixed and tested")
});

/// Names between backticks, without what stands around them in a link.
static CODE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"`(?:[0-9A-Za-z_]+::)*([0-9A-Za-z_]+)(?:\(\))?`")
        .expect("the pattern is fixed and tested")
});

/// Returns the folder that the modules of a front lie in.
fn base_of(front: &str) -> String {
    let (folder, name) = front.rsplit_once('/').unwrap_or(("", front));
    match name.strip_suffix(".rs") {
        Some("mod" | "lib" | "main") | None => folder.to_owned(),
        Some(stem) => join(folder, stem),
    }
}

fn join(folder: &str, rest: &str) -> String {
    match (folder, rest) {
        ("", rest) => rest.to_owned(),
        (folder, "") => folder.to_owned(),
        (folder, rest) => format!("{folder}/{rest}"),
    }
}

/// Returns the lines that are no comments.
fn code_of(text: &str) -> String {
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect();
    lines.join("\n")
}

/// Returns the names that the words of a front mention as code, the first first.
fn mentions(front: &str, text: &str) -> Vec<String> {
    let words: String = match ending(front) {
        "rs" => text
            .lines()
            .filter(|line| line.starts_with("//!"))
            .flat_map(|line| [line, "\n"])
            .collect(),
        "py" => text
            .strip_prefix("\"\"\"")
            .and_then(|rest| rest.split_once("\"\"\""))
            .map(|(words, _)| words.to_owned())
            .unwrap_or_default(),
        _ => String::new(),
    };
    let mut found: Vec<String> = Vec::new();
    for name in CODE.captures_iter(&words) {
        if !found.iter().any(|known| *known == name[1]) {
            found.push(name[1].to_owned());
        }
    }
    found
}

/// Expands the tree of a `use`: `a::{B, c::D as E}` is `a::B` and `a::c::E`.
fn use_paths(tree: &str) -> Vec<String> {
    let mut found = Vec::new();
    expand("", tree.trim(), 0, &mut found);
    found
}

fn expand(before: &str, tree: &str, depth: usize, found: &mut Vec<String>) {
    let Some((path, rest)) = tree.split_once('{').filter(|_| depth < 8) else {
        let (path, name) = match tree.split_once(" as ") {
            Some((path, name)) => (path.rsplit_once("::").map_or("", |(path, _)| path), name),
            None => tree.rsplit_once("::").unwrap_or(("", tree)),
        };
        let name = name.trim();
        if name != "_" && name != "self" && !name.is_empty() {
            let separator = if path.is_empty() { "" } else { "::" };
            found.push(format!("{before}{path}{separator}{name}"));
        }
        return;
    };
    let inside = rest.rsplit_once('}').map_or(rest, |(inside, _)| inside);
    let before = format!("{before}{}", path.trim());
    let (mut level, mut start) = (0_usize, 0);
    for (at, letter) in inside.char_indices().chain([(inside.len(), ',')]) {
        match letter {
            '{' => level += 1,
            '}' => level = level.saturating_sub(1),
            ',' if level == 0 => {
                let part = inside[start..at].trim();
                if !part.is_empty() {
                    expand(&before, part, depth + 1, found);
                }
                start = at + 1;
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_of_a_use_is_expanded() {
        assert_eq!(
            use_paths("self::a::{B, c::{D as E, F}, self}"),
            ["self::a::B", "self::a::c::E", "self::a::c::F"]
        );
        assert_eq!(use_paths("a::*"), ["a::*"]);
    }

    #[test]
    fn fronts_pass_on_names_of_their_own() {
        let mut exports = Exports::default();
        exports.read_own(
            "net/mod.rs",
            "//! See [`Udp`] and `x::mpsc`.\ncfg! {\n    mod tcp;\n    pub use tcp::stream::Stream;\n    pub(crate) use tcp::inner;\n}\npub use std::io::Error;\n// pub use tcp::Old;\npub mod mpsc;\n",
        );
        assert!(exports.has("Stream") && !exports.has("Error") && !exports.has("Old"));
        assert!(!exports.has("inner") && exports.weight("x", "inner") > 0.0);
        assert!(exports.mention("Udp") > exports.mention("mpsc"));
        assert_eq!(
            exports.places,
            [(
                "Stream".to_owned(),
                vec![
                    "net/tcp/stream.rs".to_owned(),
                    "net/tcp/stream/mod.rs".to_owned()
                ]
            )]
        );
        assert_eq!(exports.modules, BTreeSet::from(["mpsc".to_owned()]));
        exports.read_above(
            "app/__init__.py",
            "from .ctx import (\n    g as g,\n    h,\n)\nfrom os import path\n",
        );
        assert!(exports.has("g") && exports.has("h") && !exports.has("path"));
        exports.read_above(
            "src/index.ts",
            "export { run, type Options as O } from './run'\nexport * from './all.js'\nexport { x } from 'y'\n",
        );
        assert!(exports.has("run") && exports.has("Options") && !exports.has("x"));
        assert!(exports.weight("src/all.ts", "anything") > 0.0);
    }
}
