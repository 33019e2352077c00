//! What the front of a module (`mod.rs`, `__init__.py`, `index.ts`) passes on: the names that others are to use.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;

use crate::repo::ending;

/// Names that fronts pass on, each with what that says for it.
#[derive(Debug, Default)]
pub(super) struct Exports {
    /// Names, with the weights of their exports and the module that each comes from, where that is known.
    names: BTreeMap<String, Vec<(f64, Option<String>)>>,
    /// Names that are passed on within the crate only.
    restricted: BTreeSet<String>,
    /// The module's own front, and the files that its words mention.
    front: String,
    files: BTreeSet<String>,
    /// Files of which everything public is passed on.
    whole: BTreeMap<String, f64>,
    /// Names that the words of the module's own front mention, in that order.
    mentioned: Vec<String>,
    /// Names with the files that may define them, for those that stand inside of macros.
    pub(super) places: Vec<(String, Vec<String>)>,
    /// Public modules of the module's own front.
    pub(super) modules: BTreeSet<String>,
}

/// Weights of an export by the module's own front and by those above it, and of a mention of a name and of a file.
pub(super) const OWN: f64 = 3.0;
pub(super) const ABOVE: f64 = 2.0;
const MENTIONED: f64 = 3.0;
const MENTIONED_FILE: f64 = 1.0;

impl Exports {
    /// Reads the module's own front.
    pub(super) fn read_own(&mut self, front: &str, text: &str) {
        front.clone_into(&mut self.front);
        let words = words_of(front, text);
        for name in CODE.captures_iter(&words) {
            if !self.mentioned.iter().any(|known| *known == name[1]) {
                self.mentioned.push(name[1].to_owned());
            }
        }
        let base = base_of(front);
        self.files = FILE
            .captures_iter(&words)
            .map(|found| join(&base, &found[1]))
            .collect();
        self.read(front, text, OWN);
        if ending(front) == "rs" {
            let code = code_of(text);
            for found in MODULE.captures_iter(&code) {
                if found.get(1).is_some_and(|mark| mark.as_str() == "pub") {
                    self.modules.insert(found[2].to_owned());
                    if self.mention(&found[2]) > 0.0 {
                        self.add(&found[2], OWN, None);
                    }
                }
            }
        }
    }

    /// Reads the front of a module above, whose exports count `weight`.
    pub(super) fn read_above(&mut self, front: &str, text: &str, weight: f64) {
        self.read(front, text, weight);
    }

    /// Returns what fronts say for a name of a file.
    pub(super) fn weight(&self, path: &str, name: &str) -> f64 {
        let whole = self.whole.get(path).copied().unwrap_or_default();
        let file = if self.files.contains(path) {
            MENTIONED_FILE
        } else {
            0.0
        };
        self.named(path, name).max(whole) + self.mention(name) + file
    }

    /// Returns what it says for a name that the front's words mention it, the first most.
    pub(super) fn mention(&self, name: &str) -> f64 {
        let at = self.mentioned.iter().position(|known| known == name);
        at.map_or(0.0, |at| MENTIONED - 0.1 * (at.min(20) as f64))
    }

    /// Says whether the module's front passes on a name of a file, or defines it.
    pub(super) fn has(&self, path: &str, name: &str) -> bool {
        // A script at the front mostly wires up what it passes on.
        let wiring = path == self.front && !matches!(ending(path), "rs" | "py");
        !wiring && self.named(path, name) >= OWN
    }

    /// Says whether a front passes a name on within its crate.
    pub(super) fn has_restricted(&self, name: &str) -> bool {
        self.restricted.contains(name)
    }

    fn named(&self, path: &str, name: &str) -> f64 {
        if path == self.front {
            return OWN;
        }
        let exports = self.names.get(name).map(Vec::as_slice).unwrap_or_default();
        let fits = |from: &Option<String>| {
            from.as_ref().is_none_or(|from| {
                path.strip_prefix(from.as_str())
                    .is_some_and(|rest| rest.starts_with(['/', '.']))
            })
        };
        exports
            .iter()
            .filter(|(_, from)| fits(from))
            .map(|(weight, _)| *weight)
            .fold(0.0, f64::max)
    }

    fn read(&mut self, front: &str, text: &str, weight: f64) {
        let base = base_of(front);
        match ending(front) {
            "rs" => {
                let is_root = front.ends_with("lib.rs") || front.ends_with("main.rs");
                self.read_rust(&base, is_root, &code_of(text), weight);
            }
            "py" => self.read_python(&base, text, weight),
            _ => self.read_script(&base, text, weight),
        }
    }

    fn add(&mut self, name: &str, weight: f64, from: Option<String>) {
        self.names
            .entry(name.to_owned())
            .or_default()
            .push((weight, from));
    }

    fn add_whole(&mut self, files: Vec<String>, weight: f64) {
        for file in files {
            let known = self.whole.entry(file).or_default();
            *known = known.max(weight);
        }
    }

    fn read_rust(&mut self, base: &str, is_root: bool, code: &str, weight: f64) {
        let modules: BTreeSet<&str> = MODULE
            .captures_iter(code)
            .map(|found| found.get(2).map_or("", |name| name.as_str()))
            .collect();
        for found in USE.captures_iter(code) {
            for path in use_paths(&found[2]) {
                let mut parts: Vec<&str> = path.split("::").map(str::trim).collect();
                if parts[0] == "self" || is_root && parts[0] == "crate" {
                    parts.remove(0);
                }
                let Some(name) = parts.pop() else { continue };
                let first = parts.first().copied().unwrap_or_default();
                // What comes from elsewhere in the crate is found by its name only.
                let elsewhere = matches!(first, "crate" | "super");
                if !elsewhere && !modules.contains(first) {
                    continue;
                }
                if &found[1] != "pub" {
                    self.restricted.insert(name.to_owned());
                    continue;
                }
                if elsewhere {
                    self.add(name, weight, None);
                    continue;
                }
                let from = join(base, &parts.join("/"));
                let files = vec![format!("{from}.rs"), format!("{from}/mod.rs")];
                if name == "*" {
                    self.add_whole(files, weight);
                } else {
                    self.add(name, weight, Some(from));
                    self.places.push((name.to_owned(), files));
                }
            }
        }
    }

    fn read_python(&mut self, base: &str, text: &str, weight: f64) {
        let package = base.rsplit('/').next().unwrap_or_default();
        for found in IMPORT.captures_iter(text) {
            let from = &found[1];
            let (first, rest) = from.split_once('.').unwrap_or((from, ""));
            if !first.is_empty() && first != package || rest.starts_with('.') {
                continue;
            }
            let from = join(base, &rest.replace('.', "/"));
            for part in found[2].trim_matches(['(', ')']).split(',') {
                let part = part.split('#').next().unwrap_or_default();
                if let Some(name) = part.split_whitespace().last() {
                    self.add(name, weight, Some(from.clone()));
                }
            }
        }
    }

    fn read_script(&mut self, base: &str, text: &str, weight: f64) {
        for found in EXPORT.captures_iter(text) {
            // What lies outside of the folder, or in another package, is not the module's own.
            let Some(target) = found[2].strip_prefix("./") else {
                continue;
            };
            let stem = [".js", ".ts", ".mjs"]
                .iter()
                .find_map(|ending| target.strip_suffix(ending))
                .unwrap_or(target);
            let from = join(base, stem);
            if found[1].starts_with('*') {
                if !found[1].contains(" as ") {
                    let endings = ["ts", "tsx", "js", "mjs", "mts"];
                    let files = endings.iter().map(|ending| format!("{from}.{ending}"));
                    self.add_whole(files.collect(), weight);
                }
                continue;
            }
            for part in found[1].trim_matches(['{', '}']).split(',') {
                let first = part.trim().trim_start_matches("type ");
                if let Some(name) = first.split_whitespace().next() {
                    self.add(name, weight, Some(from.clone()));
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

/// Files between backticks.
static FILE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"`([0-9A-Za-z_./-]+\.(?:rs|py|ts|js))`").expect("the pattern is fixed and tested")
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

/// Returns the words that a front says about its module.
fn words_of(front: &str, text: &str) -> String {
    match ending(front) {
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
    }
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
        let has = |exports: &Exports, path: &str, name: &str| exports.has(path, name);
        assert!(has(&exports, "net/tcp/stream.rs", "Stream"));
        assert!(!has(&exports, "net/other/stream.rs", "Stream"));
        assert!(!has(&exports, "x.rs", "Error") && !has(&exports, "net/tcp.rs", "Old"));
        assert!(!has(&exports, "net/tcp.rs", "inner") && exports.has_restricted("inner"));
        assert!(has(&exports, "net/mod.rs", "what the front defines"));
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
        let python = "from .ctx import (\n    g as g,\n    h,\n)\nfrom os import path\n";
        exports.read_above("app/__init__.py", python, OWN);
        assert!(has(&exports, "app/ctx.py", "g") && has(&exports, "app/ctx/h.py", "h"));
        assert!(!has(&exports, "app/sub/ctx.py", "g") && !has(&exports, "app/os.py", "path"));
        let script = "export { run, type Options as O } from './run'\nexport * from './all.js'\nexport { x } from 'y'\n";
        exports.read_above("src/index.ts", script, OWN);
        assert!(has(&exports, "src/run.ts", "run") && has(&exports, "src/run/a.ts", "Options"));
        assert!(!has(&exports, "src/y.ts", "x"));
        assert!(exports.weight("src/all.ts", "anything") > 0.0);
    }
}
