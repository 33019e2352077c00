//! The files of a view by path, and the edges between them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{c, csharp, go, java, php, python, ruby, rust, script, shell};
use crate::repo::facts::Language;

/// A file with its import entries: a letter that says of what kind, a space, and what is imported.
#[derive(Clone, Debug)]
pub(in crate::repo) struct Source<'a> {
    pub(in crate::repo) path: &'a str,
    pub(in crate::repo) language: Language,
    pub(in crate::repo) entries: Vec<String>,
}

/// Most files that one import stands for, where it names a whole package.
pub(super) const PACKAGE: usize = 40;

/// What all languages resolve with.
pub(super) struct Files<'a> {
    pub(super) sources: &'a [Source<'a>],
    by_path: HashMap<&'a str, u32>,
    by_folder: BTreeMap<&'a str, Vec<u32>>,
}

impl<'a> Files<'a> {
    fn new(sources: &'a [Source<'a>]) -> Self {
        let mut by_path = HashMap::with_capacity(sources.len());
        let mut by_folder: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
        for (number, source) in sources.iter().enumerate() {
            by_path.insert(source.path, number as u32);
            by_folder
                .entry(folder_of(source.path))
                .or_default()
                .push(number as u32);
        }
        Self {
            sources,
            by_path,
            by_folder,
        }
    }

    /// Finds a file by its path.
    pub(super) fn find(&self, path: &str) -> Option<u32> {
        self.by_path.get(path).copied()
    }

    /// Returns the files directly in a folder.
    pub(super) fn in_folder(&self, folder: &str) -> &[u32] {
        self.by_folder.get(folder).map_or(&[], Vec::as_slice)
    }

    /// Returns the files of one language, with their numbers.
    pub(super) fn of_language(
        &self,
        languages: &'a [Language],
    ) -> impl Iterator<Item = (u32, &Source<'a>)> {
        self.sources
            .iter()
            .enumerate()
            .filter(|(_, source)| languages.contains(&source.language))
            .map(|(number, source)| (number as u32, source))
    }

    /// Returns the names that manifests of a language give to the folders in which they stand.
    pub(super) fn packages(
        &self,
        language: Language,
        manifest: &str,
    ) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.sources.iter().filter_map(move |source| {
            let folder = source.path.strip_suffix(manifest)?;
            if source.language != language || !(folder.is_empty() || folder.ends_with('/')) {
                return None;
            }
            let name = source
                .entries
                .iter()
                .find_map(|entry| entry.strip_prefix("n "))?;
            Some((name, folder.trim_end_matches('/')))
        })
    }
}

/// Returns the pairs of files of which the first imports the second, sorted, none with itself.
pub(in crate::repo) fn resolve(sources: &[Source<'_>]) -> Vec<(u32, u32)> {
    let files = Files::new(sources);
    let mut edges = BTreeSet::new();
    rust::resolve(&files, &mut edges);
    python::resolve(&files, &mut edges);
    script::resolve(&files, &mut edges);
    go::resolve(&files, &mut edges);
    java::resolve(&files, &mut edges);
    c::resolve(&files, &mut edges);
    csharp::resolve(&files, &mut edges);
    ruby::resolve(&files, &mut edges);
    php::resolve(&files, &mut edges);
    shell::resolve(&files, &mut edges);
    edges.into_iter().filter(|(from, to)| from != to).collect()
}

/// Returns the folder of a path, without a slash at its end.
pub(super) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Joins a folder and a relative path, `.` and `..` worked out; `None` if it leaves the root.
pub(super) fn join(folder: &str, relative: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Finds edges of sources given as path, and entries parted by commas; for tests.
#[cfg(test)]
pub(super) fn edges_of(sources: &[(&str, &str)]) -> Vec<String> {
    let mut list: Vec<Source<'_>> = sources
        .iter()
        .map(|(path, entries)| Source {
            path,
            language: Language::of_path(path),
            entries: entries
                .split(", ")
                .filter(|entry| !entry.is_empty())
                .map(str::to_owned)
                .collect(),
        })
        .collect();
    list.sort_by(|left, right| left.path.cmp(right.path));
    resolve(&list)
        .into_iter()
        .map(|(from, to)| format!("{} > {}", list[from as usize].path, list[to as usize].path))
        .collect()
}
