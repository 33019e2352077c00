//! Go: packages by the module path in `go.mod`; an import stands for the files of a folder, tests excepted.

use std::collections::BTreeSet;

use super::paths::{Files, PACKAGE, join};
use crate::repo::facts::Language;

pub(super) fn resolve(files: &Files<'_>, edges: &mut BTreeSet<(u32, u32)>) {
    let modules: Vec<(&str, &str)> = files.packages(Language::GO_MOD, "go.mod").collect();
    for (number, source) in files.of_language(&[Language::GO]) {
        for entry in &source.entries {
            let Some(path) = entry.strip_prefix("g ") else {
                continue;
            };
            // The module with the longest name owns the package.
            let folder = modules
                .iter()
                .filter_map(|(name, folder)| {
                    let rest = path.strip_prefix(name)?;
                    (rest.is_empty() || rest.starts_with('/')).then_some((name.len(), folder, rest))
                })
                .max()
                .and_then(|(_, folder, rest)| join(folder, rest));
            let Some(folder) = folder else {
                continue;
            };
            let package = files.in_folder(&folder).iter().filter(|file| {
                let source = &files.sources[**file as usize];
                source.language == Language::GO && !source.path.ends_with("_test.go")
            });
            edges.extend(package.take(PACKAGE).map(|file| (number, *file)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::paths::edges_of;

    #[test]
    fn packages_are_folders_of_the_module() {
        let edges = edges_of(&[
            ("go.mod", "n example.com/m"),
            ("main.go", "g fmt, g example.com/m/a, g example.com/mm/a"),
            ("a/one.go", "g example.com/m/sub/b"),
            ("a/one_test.go", ""),
            ("a/two.go", ""),
            ("sub/go.mod", "n example.com/m/sub"),
            ("sub/b/b.go", "g example.com/m"),
        ]);
        assert_eq!(
            edges,
            [
                "a/one.go > sub/b/b.go",
                "main.go > a/one.go",
                "main.go > a/two.go",
                "sub/b/b.go > main.go",
            ]
        );
    }
}
