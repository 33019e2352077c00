//! PHP: classes by the namespace that their file declares and the file's name, or by the end of their path.

use std::collections::{BTreeSet, HashMap};

use super::paths::{Files, folder_of, join};
use super::suffix::Suffixes;
use crate::repo::facts::Language;

const LANGUAGES: &[Language] = &[Language::PHP];

pub(super) fn resolve(files: &Files<'_>, edges: &mut BTreeSet<(u32, u32)>) {
    let suffixes = Suffixes::new(files, LANGUAGES);
    let mut classes: HashMap<String, u32> = HashMap::new();
    for (number, source) in files.of_language(LANGUAGES) {
        let space = namespace(&source.entries);
        let name = source.path.rsplit('/').next().unwrap_or_default();
        if let Some(name) = name.strip_suffix(".php") {
            classes.entry(qualified(space, name)).or_insert(number);
        }
    }
    for (number, source) in files.of_language(LANGUAGES) {
        for entry in &source.entries {
            let found = match entry.split_once(' ') {
                Some(("u", name)) => classes
                    .get(name)
                    .copied()
                    .or_else(|| by_path(&suffixes, source.path, name)),
                // A name after `extends`: of the same namespace, if no `use` brings it.
                Some(("b", name)) => {
                    let whole = match name.strip_prefix('\\') {
                        Some(whole) => whole.to_owned(),
                        None => qualified(namespace(&source.entries), name),
                    };
                    classes.get(&whole).copied()
                }
                Some(("f", path)) => join(folder_of(source.path), path)
                    .and_then(|path| files.find(&path))
                    .or_else(|| files.find(path)),
                _ => None,
            };
            edges.extend(found.map(|found| (number, found)));
        }
    }
}

fn namespace(entries: &[String]) -> &str {
    let mut entries = entries.iter();
    entries
        .find_map(|entry| entry.strip_prefix("p "))
        .unwrap_or_default()
}

fn qualified(space: &str, name: &str) -> String {
    if space.is_empty() {
        name.to_owned()
    } else {
        format!("{space}\\{name}")
    }
}

/// A class without a namespace in its file lies where its name says, below a folder that stands for the first part.
fn by_path(suffixes: &Suffixes<'_>, from: &str, name: &str) -> Option<u32> {
    let path = format!("{}.php", name.replace('\\', "/"));
    let shorter = path.split_once('/').map(|(_, rest)| rest);
    let shorter = shorter.filter(|rest| rest.contains('/'));
    [
        Some(path.as_str()).filter(|path| path.contains('/')),
        shorter,
    ]
    .into_iter()
    .flatten()
    .find_map(|path| suffixes.find(from, path, |_| true))
}

#[cfg(test)]
mod tests {
    use super::super::paths::edges_of;

    #[test]
    fn classes_are_found_by_namespace_by_path_and_by_file() {
        let edges = edges_of(&[
            (
                "src/Shop/Cart.php",
                "p App\\Shop, u App\\Money, b Base, b \\App\\Money, u Psr\\Log\\Logger, f ../boot.php",
            ),
            ("src/Shop/Base.php", "p App\\Shop"),
            ("src/Money.php", "p App"),
            ("src/boot.php", ""),
            ("other/Base.php", "p Other"),
            (
                "tests/CartTest.php",
                "p Tests, u App\\Shop\\Cart, u Old\\Deep\\Part",
            ),
            ("legacy/Deep/Part.php", ""),
        ]);
        assert_eq!(
            edges,
            [
                "src/Shop/Cart.php > src/Money.php",
                "src/Shop/Cart.php > src/Shop/Base.php",
                "src/Shop/Cart.php > src/boot.php",
                "tests/CartTest.php > legacy/Deep/Part.php",
                "tests/CartTest.php > src/Shop/Cart.php",
            ]
        );
    }
}
