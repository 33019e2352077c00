//! Shells: a sourced file beside the one that reads it, from the root, or by the end of its path.

use std::collections::BTreeSet;

use super::paths::{Files, folder_of, join};
use super::suffix::Suffixes;
use crate::repo::facts::Language;

const LANGUAGES: &[Language] = &[Language::SHELL];

pub(super) fn resolve(files: &Files<'_>, edges: &mut BTreeSet<(u32, u32)>) {
    let suffixes = Suffixes::new(files, LANGUAGES);
    for (number, source) in files.of_language(LANGUAGES) {
        for entry in &source.entries {
            let Some(path) = entry.strip_prefix("f ") else {
                continue;
            };
            let found = join(folder_of(source.path), path)
                .and_then(|path| files.find(&path))
                .or_else(|| files.find(path.trim_start_matches("./")))
                .or_else(|| {
                    let tail = path.rsplit("../").next().unwrap_or(path);
                    suffixes.find(source.path, tail, |_| true)
                });
            edges.extend(found.map(|found| (number, found)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::paths::edges_of;

    #[test]
    fn sourced_files_are_found_beside_from_the_root_and_by_the_end_of_their_path() {
        let edges = edges_of(&[
            ("bin/run.sh", "f ../lib/a.sh, f b.sh, f lib/a.sh, f none.sh"),
            ("bin/b.sh", "f lib/c.sh"),
            ("lib/a.sh", "f ./c.sh"),
            ("tools/lib/c.sh", ""),
        ]);
        assert_eq!(
            edges,
            [
                "bin/b.sh > tools/lib/c.sh",
                "bin/run.sh > bin/b.sh",
                "bin/run.sh > lib/a.sh",
                "lib/a.sh > tools/lib/c.sh",
            ]
        );
    }
}
