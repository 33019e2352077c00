//! Python: absolute modules from the folders that packages start in, relative ones from the file.

use std::collections::{BTreeSet, HashMap};

use super::paths::{Files, folder_of};
use crate::repo::facts::Language;

pub(super) fn resolve(files: &Files<'_>, edges: &mut BTreeSet<(u32, u32)>) {
    let modules = modules(files);
    for (number, source) in files.of_language(&[Language::PYTHON]) {
        for entry in &source.entries {
            let found = match entry.split_once(' ') {
                Some(("i", module)) => longest(&modules, module),
                Some(("f", rest)) => from(files, &modules, source.path, rest),
                _ => None,
            };
            edges.extend(found.map(|found| (number, found)));
        }
    }
}

/// Names every file: from the outermost folder that is a package, and from the root (without `src`).
fn modules(files: &Files<'_>) -> HashMap<String, u32> {
    let mut modules = HashMap::new();
    let mut rooted = Vec::new();
    for (number, source) in files.of_language(&[Language::PYTHON]) {
        let mut root = folder_of(source.path);
        while !root.is_empty() && is_package(files, root) {
            root = folder_of(root);
        }
        let inside = source.path[root.len()..].trim_start_matches('/');
        modules.entry(dotted(inside)).or_insert(number);
        rooted.push((dotted(source.path), number));
        if let Some(inside) = source.path.strip_prefix("src/") {
            rooted.push((dotted(inside), number));
        }
    }
    for (name, number) in rooted {
        modules.entry(name).or_insert(number);
    }
    modules
}

fn is_package(files: &Files<'_>, folder: &str) -> bool {
    files.find(&format!("{folder}/__init__.py")).is_some()
}

/// Writes a path as a module's name.
fn dotted(path: &str) -> String {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let stem = stem
        .strip_suffix("/__init__")
        .unwrap_or(if stem == "__init__" { "" } else { stem });
    stem.replace('/', ".")
}

/// Finds the longest part of a name that is a module.
fn longest(modules: &HashMap<String, u32>, name: &str) -> Option<u32> {
    let mut name = name;
    loop {
        if let Some(number) = modules.get(name) {
            return Some(*number);
        }
        name = name.rsplit_once('.')?.0;
    }
}

/// Finds the file of `from module import name`, where the name may be a module itself.
fn from(files: &Files<'_>, modules: &HashMap<String, u32>, path: &str, rest: &str) -> Option<u32> {
    let (module, name) = rest.rsplit_once(' ')?;
    let level = module.len() - module.trim_start_matches('.').len();
    let module = &module[level..];
    if level == 0 {
        return modules
            .get(&format!("{module}.{name}"))
            .copied()
            .or_else(|| longest(modules, module));
    }
    let mut folder = folder_of(path);
    for _ in 1..level {
        folder = folder_of(folder);
    }
    let slash = if folder.is_empty() { "" } else { "/" };
    let base = format!("{folder}{slash}{}", module.replace('.', "/"));
    let base = base.trim_end_matches('/');
    let slash = if base.is_empty() { "" } else { "/" };
    [
        format!("{base}{slash}{name}.py"),
        format!("{base}{slash}{name}/__init__.py"),
        format!("{base}.py"),
        format!("{base}{slash}__init__.py"),
        format!("{base}.pyi"),
    ]
    .iter()
    .find_map(|path| files.find(path))
}

#[cfg(test)]
mod tests {
    use super::super::paths::edges_of;

    #[test]
    fn absolute_and_relative_modules_are_found() {
        let edges = edges_of(&[
            ("src/pkg/__init__.py", "f .app App"),
            (
                "src/pkg/app.py",
                "f . helpers, f .json.tag Tag, i os, f pkg.helpers x",
            ),
            ("src/pkg/helpers.py", "f .. nothing"),
            ("src/pkg/json/__init__.py", "f ..helpers x"),
            ("src/pkg/json/tag.py", "i pkg.json.tag, f pkg app"),
            (
                "tests/test_app.py",
                "i pkg.app.App, f pkg.json x, i conftest",
            ),
            ("tests/conftest.py", "f pkg App"),
        ]);
        assert_eq!(
            edges,
            [
                "src/pkg/__init__.py > src/pkg/app.py",
                "src/pkg/app.py > src/pkg/helpers.py",
                "src/pkg/app.py > src/pkg/json/tag.py",
                "src/pkg/json/__init__.py > src/pkg/helpers.py",
                "src/pkg/json/tag.py > src/pkg/app.py",
                "tests/conftest.py > src/pkg/__init__.py",
                "tests/test_app.py > src/pkg/app.py",
                "tests/test_app.py > src/pkg/json/__init__.py",
                "tests/test_app.py > tests/conftest.py",
            ]
        );
    }
}
