//! Java, Kotlin and Scala: what a file has by the package that it declares and its name, or the names of its definitions.

use std::collections::{BTreeSet, HashMap};

use super::paths::{Files, PACKAGE, Source};
use crate::repo::facts::Language;

const LANGUAGES: &[Language] = &[Language::JAVA, Language::KOTLIN, Language::SCALA];

pub(super) fn resolve(files: &Files<'_>, edges: &mut BTreeSet<(u32, u32)>) {
    let mut classes: HashMap<String, u32> = HashMap::new();
    let mut packages: HashMap<&str, Vec<u32>> = HashMap::new();
    for (number, source) in files.of_language(LANGUAGES) {
        let Some(package) = package_of(source) else {
            continue;
        };
        let name = source.path.rsplit('/').next().unwrap_or_default();
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let defined = source.entries.iter();
        let names = defined.filter_map(|entry| entry.strip_prefix("d "));
        for name in names.chain([stem]) {
            classes.entry(format!("{package}.{name}")).or_insert(number);
        }
        packages.entry(package).or_default().push(number);
    }
    for (number, source) in files.of_language(LANGUAGES) {
        for entry in &source.entries {
            let Some(path) = entry.strip_prefix("j ") else {
                continue;
            };
            if let Some(package) = path.strip_suffix(".*")
                && let Some(members) = packages.get(package)
            {
                edges.extend(members.iter().take(PACKAGE).map(|file| (number, *file)));
                continue;
            }
            // `a.B.C` may be a class inside `B`, or a static member of it.
            let mut name = path.trim_end_matches(".*");
            loop {
                if let Some(class) = classes.get(name) {
                    edges.insert((number, *class));
                    break;
                }
                match name.rsplit_once('.') {
                    Some((outer, _)) => name = outer,
                    None => break,
                }
            }
        }
    }
}

fn package_of<'s>(source: &'s Source<'_>) -> Option<&'s str> {
    let mut entries = source.entries.iter();
    entries.find_map(|entry| entry.strip_prefix("p "))
}

#[cfg(test)]
mod tests {
    use super::super::paths::edges_of;

    #[test]
    fn classes_are_found_by_package_and_name() {
        let edges = edges_of(&[
            (
                "src/main/java/com/a/App.java",
                "p com.a, j com.b.Tool, j com.b.Tool.run, j java.util.List",
            ),
            ("src/main/java/com/b/Tool.java", "p com.b, j com.a.*"),
            (
                "src/main/java/com/a/Other.java",
                "p com.a, j com.b.Tool.Inner.*",
            ),
        ]);
        assert_eq!(
            edges,
            [
                "src/main/java/com/a/App.java > src/main/java/com/b/Tool.java",
                "src/main/java/com/a/Other.java > src/main/java/com/b/Tool.java",
                "src/main/java/com/b/Tool.java > src/main/java/com/a/App.java",
                "src/main/java/com/b/Tool.java > src/main/java/com/a/Other.java",
            ]
        );
    }
}
