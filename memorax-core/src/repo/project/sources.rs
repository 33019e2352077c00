//! The files that facts are read from: which exist, and their text.

use std::collections::BTreeMap;
use std::ops::Bound;

use super::Tree;
use crate::FileInfo;

/// The files of a view, findable by path, and the tree that holds their bytes.
pub(super) struct Sources<'a> {
    tree: &'a dyn Tree,
    files: BTreeMap<&'a str, &'a FileInfo>,
}

impl<'a> Sources<'a> {
    pub(super) fn new(tree: &'a dyn Tree, files: &'a [FileInfo]) -> Self {
        let files = files
            .iter()
            .map(|file| (file.path.as_str(), file))
            .collect();
        Self { tree, files }
    }

    pub(super) fn has(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// Says whether a folder has files in it; the root always has.
    pub(super) fn has_folder(&self, folder: &str) -> bool {
        folder.is_empty() || self.below(folder).next().is_some()
    }

    /// Returns the text of a file of the view; bytes that are not UTF-8 are replaced.
    pub(super) fn text(&self, path: &str) -> Option<String> {
        if !self.has(path) {
            return None;
        }
        let bytes = self.tree.read(path)?;
        let text = String::from_utf8_lossy(&bytes);
        Some(text.trim_start_matches('\u{feff}').replace("\r\n", "\n"))
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &'a FileInfo> + '_ {
        self.files.values().copied()
    }

    /// Returns the files below a folder, at any depth.
    pub(super) fn below(&self, folder: &str) -> impl Iterator<Item = &'a FileInfo> + '_ {
        let prefix = if folder.is_empty() {
            String::new()
        } else {
            format!("{folder}/")
        };
        self.files
            .range::<str, _>((Bound::Included(prefix.as_str()), Bound::Unbounded))
            .take_while({
                let prefix = prefix.clone();
                move |(path, _)| path.starts_with(&prefix)
            })
            .map(|(_, file)| *file)
    }

    /// Returns the folders that hold a file of this name and match a workspace pattern such as `packages/*`.
    pub(super) fn folders_with(&self, name: &str, pattern: &str) -> Vec<String> {
        let pattern = pattern.trim_start_matches("./").trim_end_matches('/');
        self.files
            .keys()
            .filter_map(|path| path.strip_suffix(name)?.strip_suffix('/'))
            .filter(|folder| matches(pattern, folder))
            .map(str::to_owned)
            .collect()
    }

    /// Returns the first of the paths that exists.
    pub(super) fn first<'p>(&self, paths: &[&'p str]) -> Option<&'p str> {
        paths.iter().copied().find(|path| self.has(path))
    }
}

/// Returns what stands after the last dot of a path; nothing where there is none.
pub(crate) fn ending(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(_, ending)| ending)
}

/// Joins a folder and a path; the folder may be empty, the path may begin with `./`.
pub(super) fn join(folder: &str, path: &str) -> String {
    let path = path.trim_start_matches("./").trim_end_matches('/');
    if folder.is_empty() {
        path.to_owned()
    } else if path.is_empty() || path == "." {
        folder.to_owned()
    } else {
        format!("{folder}/{path}")
    }
}

/// Matches a folder with a pattern of `*` (within a part) and `**` (any parts).
fn matches(pattern: &str, folder: &str) -> bool {
    fn parts(pattern: &[&str], folder: &[&str]) -> bool {
        match (pattern.first(), folder.first()) {
            (None, None) => true,
            (Some(&"**"), _) => {
                parts(&pattern[1..], folder) || (!folder.is_empty() && parts(pattern, &folder[1..]))
            }
            (Some(left), Some(right)) => part(left, right) && parts(&pattern[1..], &folder[1..]),
            _ => false,
        }
    }
    fn part(pattern: &str, name: &str) -> bool {
        let mut pieces = pattern.split('*');
        let first = pieces.next().unwrap_or_default();
        let Some(mut rest) = name.strip_prefix(first) else {
            return false;
        };
        let mut last = None;
        for piece in pieces {
            if let Some(previous) = last.replace(piece) {
                match rest.find(previous) {
                    Some(at) => rest = &rest[at + previous.len()..],
                    None => return false,
                }
            }
        }
        last.map_or(rest.is_empty(), |last| rest.ends_with(last))
    }
    let pattern: Vec<&str> = pattern.split('/').collect();
    // A hostile manifest must not make matching exponential.
    if pattern.iter().filter(|part| **part == "**").count() > 2 {
        return false;
    }
    parts(&pattern, &folder.split('/').collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workspace_patterns_match_whole_parts() {
        for (pattern, folder, expected) in [
            ("crates/*", "crates/cli", true),
            ("crates/*", "crates/cli/sub", false),
            ("crates/*-core", "crates/my-core", true),
            ("crates/*-core", "crates/my-cli", false),
            ("packages/**", "packages/a/b", true),
            ("tokio", "tokio-util", false),
        ] {
            assert_eq!(
                matches(pattern, folder),
                expected,
                "{pattern} with {folder}"
            );
        }
    }
}
