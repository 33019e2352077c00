//! Keeps the cache small: removes what no view needs, views of folders that are gone, and, above the limit, the views that
//! were used least recently.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;
use std::time::SystemTime;

use super::cache::{Cache, ENDING, FileKind, label_of};
use crate::disk;
use crate::repo::IndexSwept;
use crate::repo::code::VECTORS_KIND;
use crate::repo::format::Container;
use crate::repo::view::{VIEW_KIND, View};

/// Embedders whose vectors stay: the one in use, and the one before it.
const EMBEDDERS: usize = 2;

/// A view that may stay.
struct Live {
    /// The view's own file and those that it names.
    files: Vec<String>,
    used: SystemTime,
    present: bool,
}

impl Cache {
    /// Removes what is not needed. The view of `present` stays, and so does everything that it needs, even where that
    /// alone is more than `limit` bytes.
    pub(super) fn sweep(&self, present: &Path, limit: u64) -> IndexSwept {
        let sizes = self.sizes();
        let (mut live, mut dropped) = self.live(&label_of(present));
        live.sort_by_key(|view| (view.present, view.used));
        let mut first = 0;
        while total(&live[first..], &sizes) > limit && !live[first].present {
            first += 1;
            dropped += 1;
        }
        let kept = self.kept_vectors(limit.saturating_sub(total(&live[first..], &sizes)), &sizes);
        let mut needed: HashSet<&str> = names(&live[first..]).collect();
        needed.extend(kept.iter().map(String::as_str));
        for name in sizes.keys() {
            if !needed.contains(name.as_str()) {
                self.remove(name);
            }
        }
        IndexSwept {
            before: sizes.values().sum(),
            after: self.sizes().values().sum(),
            views: dropped,
        }
    }

    /// Counts the bytes of a view and of all vectors.
    pub(super) fn bytes_needed(&self, label: &str) -> u64 {
        let sizes = self.sizes();
        let (mut live, _) = self.live(label);
        live.retain(|view| view.present);
        let vectors = self.names_of(FileKind::Vectors);
        total(&live, &sizes)
            + vectors
                .iter()
                .filter_map(|name| sizes.get(name))
                .sum::<u64>()
    }

    /// Chooses the vectors of other embedders that stay: of the two that were used last, the newest first, as long as there is
    /// room, and only where they are of chunks as they are cut now.
    fn kept_vectors(&self, mut room: u64, sizes: &BTreeMap<String, u64>) -> Vec<String> {
        let mut embedders: BTreeMap<String, (SystemTime, Vec<String>)> = BTreeMap::new();
        for name in self.names_of(FileKind::Vectors) {
            let path = self.folder.join(&name);
            let current = Container::open(&path, VECTORS_KIND);
            let (true, Some(label)) = (
                current.is_ok_and(|container| container.is_current()),
                name.split('-').nth(1).map(str::to_owned),
            ) else {
                continue;
            };
            let used = path.metadata().and_then(|data| data.modified());
            let (last, names) = embedders
                .entry(label)
                .or_insert((SystemTime::UNIX_EPOCH, Vec::new()));
            *last = used.map_or(*last, |used| used.max(*last));
            names.push(name);
        }
        let mut embedders: Vec<_> = embedders.into_values().collect();
        embedders.sort_by_key(|(used, _)| std::cmp::Reverse(*used));
        let mut kept = Vec::new();
        for name in embedders
            .into_iter()
            .take(EMBEDDERS)
            .flat_map(|(_, names)| names)
        {
            let size = sizes.get(&name).copied().unwrap_or(0);
            if size <= room {
                room -= size;
                kept.push(name);
            }
        }
        kept
    }

    /// Returns the files of ours in the folder, also those that a killed run left half written, and their sizes.
    fn sizes(&self) -> BTreeMap<String, u64> {
        let names = self.names().into_iter();
        names
            .filter(|name| name.ends_with(ENDING) || disk::is_temporary(Path::new(name)))
            .map(|name| {
                let size = self.folder.join(&name).metadata();
                (name, size.map_or(0, |data| data.len()))
            })
            .collect()
    }

    /// Returns the newest view of each root that is still there, and how many roots are gone.
    fn live(&self, present: &str) -> (Vec<Live>, usize) {
        let mut newest: HashMap<String, String> = HashMap::new();
        for name in self.names_of(FileKind::View) {
            if let Some(label) = name.split('-').nth(1) {
                newest.insert(label.to_owned(), name);
            }
        }
        let (mut live, mut gone) = (Vec::new(), 0);
        for (label, name) in newest {
            let path = self.folder.join(&name);
            let meta = Container::open(&path, VIEW_KIND).and_then(|own| View::meta(&own));
            let Ok(meta) = meta else { continue };
            let present = label == present;
            // A folder that cannot be looked at may be there.
            let is_gone = |root: &str| matches!(Path::new(root).try_exists(), Ok(false));
            if !present && meta.root.as_deref().is_some_and(is_gone) {
                gone += 1;
                continue;
            }
            let used = path.metadata().and_then(|data| data.modified());
            let mut files = vec![name, meta.tree];
            files.extend(meta.code);
            files.extend(meta.history);
            live.push(Live {
                files,
                used: used.unwrap_or(SystemTime::UNIX_EPOCH),
                present,
            });
        }
        (live, gone)
    }
}

fn names(views: &[Live]) -> impl Iterator<Item = &str> {
    views
        .iter()
        .flat_map(|view| &view.files)
        .map(String::as_str)
}

/// Counts the bytes of all files that the views need; what they share counts once.
fn total(views: &[Live], sizes: &BTreeMap<String, u64>) -> u64 {
    let needed: HashSet<&str> = names(views).collect();
    needed.iter().filter_map(|name| sizes.get(*name)).sum()
}
