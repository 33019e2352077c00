//! Rust: modules by their files, paths by crate, crates of the workspace by the names in their manifests.

use std::collections::{BTreeSet, HashMap};

use super::paths::{Files, folder_of, join};
use crate::repo::facts::Language;

/// Where the modules of a crate are, and which module a file is.
struct Module {
    /// Folder of the crate's root file.
    root: String,
    /// The root file, if it is in the view.
    root_file: Option<u32>,
    /// Names of the file's module below the root.
    names: Vec<String>,
    /// Folder of the package.
    package: String,
}

pub(super) fn resolve(files: &Files<'_>, edges: &mut BTreeSet<(u32, u32)>) {
    let crates: HashMap<String, &str> = files
        .packages(Language::TOML, "Cargo.toml")
        .map(|(name, folder)| (name.replace('-', "_"), folder))
        .collect();
    for (number, source) in files.of_language(&[Language::RUST]) {
        let module = module_of(files, source.path);
        for entry in &source.entries {
            let found = match entry.split_once(' ') {
                Some(("m", names)) => child(files, source.path, &module, names),
                Some(("f", path)) => {
                    join(folder_of(source.path), path).and_then(|path| files.find(&path))
                }
                Some(("u", path)) => used(files, &crates, &module, path),
                _ => None,
            };
            edges.extend(found.map(|found| (number, found)));
        }
    }
}

fn module_of(files: &Files<'_>, path: &str) -> Module {
    let package = package_of(files, path);
    let inside = path[package.len()..].trim_start_matches('/');
    let place = |folder: &str| join(&package, folder).unwrap_or_default();
    let (root, rest) = match inside.strip_prefix("src/") {
        Some(rest) if !rest.starts_with("bin/") => (place("src"), rest.to_owned()),
        _ => {
            // A test, an example, a program: its root is `main.rs` in a folder around it, or the file itself.
            let mut root = folder_of(path).to_owned();
            let mut folder = folder_of(path);
            while folder.len() > package.len() {
                if files.find(&format!("{folder}/main.rs")).is_some() {
                    folder.clone_into(&mut root);
                    break;
                }
                folder = folder_of(folder);
            }
            let rest = path[root.len()..].trim_start_matches('/').to_owned();
            (root, rest)
        }
    };
    let root_file = ["lib.rs", "main.rs"]
        .iter()
        .filter_map(|name| join(&root, name))
        .find_map(|path| files.find(&path));
    let stem = rest.strip_suffix(".rs").unwrap_or(&rest);
    let mut names: Vec<String> = stem.split('/').map(str::to_owned).collect();
    let is_root = ["lib", "main"].contains(&stem);
    if is_root || root_file.is_none() && !rest.contains('/') {
        names.clear();
    } else if names.last().is_some_and(|name| name == "mod") {
        names.pop();
    }
    Module {
        root,
        root_file,
        names,
        package,
    }
}

/// Returns the folder of the manifest that a file belongs to.
fn package_of(files: &Files<'_>, path: &str) -> String {
    let mut folder = folder_of(path);
    loop {
        let manifest = if folder.is_empty() {
            "Cargo.toml".to_owned()
        } else {
            format!("{folder}/Cargo.toml")
        };
        if folder.is_empty() || files.find(&manifest).is_some() {
            return folder.to_owned();
        }
        folder = folder_of(folder);
    }
}

/// Finds the file of `mod name;`.
fn child(files: &Files<'_>, path: &str, module: &Module, names: &str) -> Option<u32> {
    let folder = folder_of(path);
    let stem = path.rsplit('/').next()?.strip_suffix(".rs")?;
    let base = if ["mod", "lib", "main"].contains(&stem) || module.names.is_empty() {
        folder.to_owned()
    } else {
        join(folder, stem)?
    };
    let inner = names.replace("::", "/");
    [format!("{inner}.rs"), format!("{inner}/mod.rs")]
        .iter()
        .find_map(|relative| files.find(&join(&base, relative)?))
}

/// Finds the file of a path after `use`.
fn used(
    files: &Files<'_>,
    crates: &HashMap<String, &str>,
    module: &Module,
    path: &str,
) -> Option<u32> {
    let names: Vec<&str> = path.split("::").map(str::trim).collect();
    let (first, rest) = names.split_first()?;
    let below =
        |names: &[&str], least: usize| deepest(files, &module.root, module.root_file, names, least);
    match *first {
        "crate" => below(rest, 0),
        "self" | "super" => {
            let mut at: Vec<&str> = module.names.iter().map(String::as_str).collect();
            let mut rest = names.as_slice();
            while let [first @ ("self" | "super"), more @ ..] = rest {
                if *first == "super" {
                    at.pop();
                }
                rest = more;
            }
            at.extend(rest);
            below(&at, 0)
        }
        "std" | "core" | "alloc" => None,
        first => {
            if let Some(folder) = crates.get(first).filter(|folder| !is_own(module, folder)) {
                let root = join(folder, "src")?;
                let root_file = files.find(&format!("{root}/lib.rs"));
                return deepest(files, &root, root_file, rest, 0);
            }
            let mut at: Vec<&str> = module.names.iter().map(String::as_str).collect();
            let least = at.len() + 1;
            at.extend(&names);
            below(&at, least)
        }
    }
}

/// A package's own library is another crate for its tests and programs, not for the library itself.
fn is_own(module: &Module, folder: &str) -> bool {
    module.package == folder && join(folder, "src").as_deref() == Some(&module.root)
}

/// Finds the file of the longest part of a path that is a module; at least `least` names must be part of it.
fn deepest(
    files: &Files<'_>,
    root: &str,
    root_file: Option<u32>,
    names: &[&str],
    least: usize,
) -> Option<u32> {
    for length in (least.max(1)..=names.len()).rev() {
        let inner = names[..length].join("/");
        for relative in [format!("{inner}.rs"), format!("{inner}/mod.rs")] {
            if let Some(file) = join(root, &relative).and_then(|path| files.find(&path)) {
                return Some(file);
            }
        }
    }
    root_file.filter(|_| least == 0)
}

#[cfg(test)]
mod tests {
    use super::super::paths::edges_of;

    #[test]
    fn modules_paths_and_crates_are_found() {
        let edges = edges_of(&[
            ("Cargo.toml", ""),
            ("a/Cargo.toml", "n crate-a"),
            ("a/src/lib.rs", "m one, m two, u one::Thing"),
            ("a/src/one.rs", "m deep, u super::two::T, u std::fs"),
            ("a/src/one/deep.rs", "u crate::one::X, u crate::Y"),
            ("a/src/two/mod.rs", "u self::inner::Z"),
            ("a/src/two/inner.rs", "u super::super::one"),
            ("a/tests/it/main.rs", "m helper, u crate_a::two::inner::Z"),
            ("a/tests/it/helper.rs", "u crate::other"),
            ("b/Cargo.toml", "n b"),
            ("b/src/main.rs", "u crate_a::one, f odd/name.rs"),
            ("b/src/odd/name.rs", ""),
        ]);
        assert_eq!(
            edges,
            [
                "a/src/lib.rs > a/src/one.rs",
                "a/src/lib.rs > a/src/two/mod.rs",
                "a/src/one.rs > a/src/one/deep.rs",
                "a/src/one.rs > a/src/two/mod.rs",
                "a/src/one/deep.rs > a/src/lib.rs",
                "a/src/one/deep.rs > a/src/one.rs",
                "a/src/two/inner.rs > a/src/one.rs",
                "a/src/two/mod.rs > a/src/two/inner.rs",
                "a/tests/it/helper.rs > a/tests/it/main.rs",
                "a/tests/it/main.rs > a/src/two/inner.rs",
                "a/tests/it/main.rs > a/tests/it/helper.rs",
                "b/src/main.rs > a/src/one.rs",
                "b/src/main.rs > b/src/odd/name.rs",
            ]
        );
    }
}
