//! Finds files by the end of their path, where an import leaves out the folder that a build adds in front.

use std::collections::HashMap;

use super::paths::Files;
use crate::repo::facts::Language;

/// Files of some languages by their name.
pub(super) struct Suffixes<'a> {
    by_name: HashMap<&'a str, Vec<(&'a str, u32)>>,
}

impl<'a> Suffixes<'a> {
    pub(super) fn new(files: &Files<'a>, languages: &'a [Language]) -> Self {
        let mut by_name: HashMap<&str, Vec<(&str, u32)>> = HashMap::new();
        for (number, source) in files.sources.iter().enumerate() {
            if languages.contains(&source.language) {
                let name = source.path.rsplit('/').next().unwrap_or(source.path);
                by_name
                    .entry(name)
                    .or_default()
                    .push((source.path, number as u32));
            }
        }
        Self { by_name }
    }

    /// Finds the file whose path ends with `wanted`: of several the one that shares most folders with `from`, then the
    /// one that is least deep. `fits` says which of the folders before `wanted` may be meant.
    pub(super) fn find(
        &self,
        from: &str,
        wanted: &str,
        fits: impl Fn(&str) -> bool,
    ) -> Option<u32> {
        let wanted = wanted.trim_start_matches("./");
        let name = wanted.rsplit('/').next()?;
        let mut best: Option<((usize, std::cmp::Reverse<usize>), u32)> = None;
        for (path, number) in self.by_name.get(name)? {
            let Some(before) = path.strip_suffix(wanted) else {
                continue;
            };
            let whole = before.is_empty() || before.ends_with('/');
            if !whole || *path == from || !fits(before.trim_end_matches('/')) {
                continue;
            }
            let rank = (
                shared(from, path),
                std::cmp::Reverse(path.matches('/').count()),
            );
            if best.as_ref().is_none_or(|(known, _)| rank > *known) {
                best = Some((rank, *number));
            }
        }
        best.map(|(_, number)| number)
    }
}

/// Counts the folders that two paths begin with in common.
fn shared(left: &str, right: &str) -> usize {
    left.split('/')
        .zip(right.split('/'))
        .take_while(|(left, right)| left == right)
        .count()
}
