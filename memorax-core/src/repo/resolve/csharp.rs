//! C#: `using` names a namespace, and stands for the files that declare it.

use std::collections::{BTreeMap, BTreeSet};

use super::paths::{Files, PACKAGE};
use crate::repo::facts::Language;

pub(super) fn resolve(files: &Files<'_>, edges: &mut BTreeSet<(u32, u32)>) {
    let mut spaces: BTreeMap<&str, Vec<(u32, &str)>> = BTreeMap::new();
    for (number, source) in files.of_language(&[Language::CSHARP]) {
        let name = source.path.rsplit('/').next().unwrap_or_default();
        let stem = name.split('.').next().unwrap_or(name);
        for entry in &source.entries {
            if let Some(space) = entry.strip_prefix("p ") {
                spaces.entry(space).or_default().push((number, stem));
            }
        }
    }
    for (number, source) in files.of_language(&[Language::CSHARP]) {
        for entry in &source.entries {
            let Some(path) = entry.strip_prefix("c ") else {
                continue;
            };
            if let Some(members) = spaces.get(path) {
                let members = members.iter().take(PACKAGE);
                edges.extend(members.map(|(file, _)| (number, *file)));
            } else if let Some((space, name)) = path.rsplit_once('.')
                && let Some(members) = spaces.get(space)
            {
                // `using static A.B` and `using X = A.B` name a class.
                let class = members.iter().find(|(_, stem)| *stem == name);
                edges.extend(class.map(|(file, _)| (number, *file)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::paths::edges_of;

    #[test]
    fn a_namespace_stands_for_its_files_and_a_class_for_one() {
        let edges = edges_of(&[
            ("src/App.cs", "p Shop, c System, c Shop.Core"),
            ("src/Core/One.cs", "p Shop.Core"),
            ("src/Core/Two.cs", "p Shop.Core, c Shop.App"),
            ("src/Other.cs", "p Shop, c Shop.Core.Two"),
        ]);
        assert_eq!(
            edges,
            [
                "src/App.cs > src/Core/One.cs",
                "src/App.cs > src/Core/Two.cs",
                "src/Core/Two.cs > src/App.cs",
                "src/Other.cs > src/Core/Two.cs",
            ]
        );
    }
}
