//! Key definitions: the few names that a reader of a module must know.

use std::collections::{BTreeMap, BTreeSet};

use super::fence::safe;
use crate::{Symbol, SymbolKind};

/// A definition with how much it matters within its module.
pub(super) struct Name<'a> {
    pub(super) symbol: &'a Symbol,
    pub(super) score: f64,
    /// Position of its file in the view.
    pub(super) file: usize,
}

/// Ranks the definitions of a module: types with many members, re-exported at the module's front, in important files.
pub(super) fn key_names<'a>(
    files: &[(usize, f64, &'a [Symbol])],
    front: &BTreeSet<String>,
) -> Vec<Name<'a>> {
    let mut members: BTreeMap<&str, u32> = BTreeMap::new();
    for (_, _, symbols) in files {
        for parent in symbols.iter().filter_map(|symbol| symbol.parent.as_deref()) {
            *members.entry(parent).or_default() += 1;
        }
    }
    let heaviest = files
        .iter()
        .map(|(_, weight, _)| *weight)
        .fold(f64::MIN_POSITIVE, f64::max);
    let mut names: Vec<Name<'a>> = Vec::new();
    for (file, weight, symbols) in files {
        for symbol in symbols.iter().filter(|symbol| is_key(symbol)) {
            let lines = f64::from(symbol.end.saturating_sub(symbol.line) + 1);
            let kind = match symbol.kind {
                SymbolKind::Type => 3.0,
                SymbolKind::Function => 1.0,
                SymbolKind::Macro => 1.5,
                _ => -2.0,
            };
            // Every module has its error; it says nothing about the module.
            let common = if matches!(symbol.name.as_str(), "Error" | "ErrorKind" | "Result") {
                -3.0
            } else {
                0.0
            };
            let owned = f64::from(
                members
                    .get(symbol.name.as_str())
                    .copied()
                    .unwrap_or_default(),
            );
            let exported = if front.contains(&symbol.name) {
                3.0
            } else {
                0.0
            };
            let score = kind
                + common
                + exported
                + (1.0 + owned).ln()
                + 0.4 * lines.ln()
                + 2.0 * (weight / heaviest);
            names.push(Name {
                symbol,
                score,
                file: *file,
            });
        }
    }
    sort(&mut names);
    let mut seen = BTreeSet::new();
    names.retain(|name| seen.insert(name.symbol.name.as_str()));
    names
}

/// Best first; ties by name.
pub(super) fn sort(names: &mut [Name<'_>]) {
    names.sort_by(|left, right| {
        right
            .score
            .total_cmp(&left.score)
            .then_with(|| left.symbol.name.cmp(&right.symbol.name))
    });
}

fn is_key(symbol: &Symbol) -> bool {
    let name = &symbol.name;
    let test = name.starts_with("test_")
        || name.ends_with("Test")
        || name.starts_with("Test") && symbol.kind == SymbolKind::Function;
    symbol.parent.is_none()
        && symbol.kind != SymbolKind::Heading
        && symbol.kind != SymbolKind::Module
        && name.len() > 1
        && !name.starts_with('_')
        && !test
        && !matches!(name.as_str(), "main" | "new" | "init" | "tests")
}

/// Says whether other modules can use a definition, as its first line and its language tell; `None` where neither does.
pub(super) fn is_public(path: &str, line: &str, name: &str) -> Option<bool> {
    let line = line.trim_start();
    match path.rsplit('.').next()? {
        "rs" => (!line.starts_with("macro_rules")).then(|| line.starts_with("pub")),
        "go" => Some(name.starts_with(char::is_uppercase)),
        "java" => Some(line.contains("public ")),
        "ts" | "tsx" | "mts" => Some(line.starts_with("export ")),
        "kt" | "swift" | "cs" => Some(!line.contains("private ")),
        _ => None,
    }
}

/// Prints names as code.
pub(super) fn listed(names: &[Name<'_>], most: usize) -> String {
    let shown: Vec<String> = names
        .iter()
        .take(most)
        .map(|name| format!("`{}`", safe(&name.symbol.name).replace('`', "")))
        .collect();
    shown.join(", ")
}

/// Collects the identifiers of a module's front file (`lib.rs`, `mod.rs`, `__init__.py`, `index.ts`), where exports stand.
pub(super) fn words_of(text: &str) -> BTreeSet<String> {
    text.lines()
        .filter(|line| {
            let line = line.trim_start();
            !line.starts_with("//") && !line.starts_with('#') && !line.starts_with('*')
        })
        .flat_map(|line| line.split(|letter: char| !letter.is_alphanumeric() && letter != '_'))
        .filter(|word| word.len() > 2)
        .map(str::to_owned)
        .collect()
}
