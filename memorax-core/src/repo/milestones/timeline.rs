//! What milestones are found in.

use std::collections::HashSet;

use super::Tag;
use crate::Result;
use crate::repo::history::{Graph, History, Place, Undoing, request_of, undone_by};
use crate::repo::manifest::Note;

/// A history up to one commit.
pub(in crate::repo) struct Timeline<'a> {
    pub(in crate::repo) history: &'a History,
    /// Newest first.
    pub(in crate::repo) order: &'a [Place],
    /// Path of the root inside the repository, with a slash at its end.
    pub(in crate::repo) prefix: &'a str,
    /// Files now, relative to the root.
    pub(in crate::repo) files: &'a [&'a str],
    pub(in crate::repo) tags: &'a [Tag],
}

/// What is kept of a commit while milestones are found.
#[derive(Clone, Debug, Default)]
pub(super) struct Told {
    pub(super) committed: i64,
    pub(super) subject: String,
    /// The merge that brought it, or the commit itself: turns of one event have the same.
    pub(super) event: u32,
    pub(super) request: Option<u64>,
    /// It goes back to the root of the main line.
    pub(super) native: bool,
    pub(super) notes: Vec<Note>,
    /// Start of the rest of its message, in lower case; only where dependencies changed.
    pub(super) body: String,
    pub(super) author: String,
    pub(super) undoing: Option<Undoing>,
}

impl Timeline<'_> {
    /// Reads what all commits say, by age.
    pub(super) fn told(&self) -> Result<Vec<Told>> {
        let mut ages: Vec<Vec<Option<u32>>> = self
            .history
            .segments
            .iter()
            .map(|segment| vec![None; segment.len()])
            .collect();
        for (age, place) in self.order.iter().enumerate() {
            ages[place.segment as usize][place.ordinal as usize] = Some(age as u32);
        }
        let mut all = vec![Told::default(); self.order.len()];
        for (segment, ages) in self.history.segments.iter().zip(&ages) {
            segment.each_told(|ordinal, told| {
                let Some(age) = ages[ordinal as usize] else {
                    return;
                };
                let body = if told.notes.is_empty() { "" } else { told.body };
                all[age as usize] = Told {
                    committed: told.committed,
                    subject: told.subject.to_owned(),
                    event: age,
                    request: request_of(told.subject, told.body).map(|(number, _)| number),
                    native: true,
                    notes: told.notes,
                    body: body.to_lowercase(),
                    author: told.author.to_owned(),
                    undoing: undone_by(told.subject, told.body),
                };
            })?;
        }
        let graph = Graph::new(self.history, self.order);
        for (age, native) in graph.native().into_iter().enumerate() {
            all[age].native = native;
        }
        for (age, merge) in graph.brought().into_iter().enumerate() {
            if let Some(merge) = merge {
                let request = all[merge as usize].request;
                all[age].event = merge;
                all[age].request = all[age].request.or(request);
            }
        }
        Ok(all)
    }

    /// Returns the part of a path that is below the root.
    pub(super) fn below<'p>(&self, path: &'p str) -> Option<&'p str> {
        path.strip_prefix(self.prefix)
    }

    /// Returns the folders that have code now.
    pub(super) fn folders(&self) -> HashSet<&str> {
        let mut folders = HashSet::new();
        for path in self.files {
            if super::names::is_module_code(path) {
                folders.extend(path.match_indices('/').map(|(at, _)| &path[..at]));
            }
        }
        folders
    }
}
