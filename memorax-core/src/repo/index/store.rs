//! The segments of code that a run knows and adds to.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::cache::{Cache, FileKind};
use crate::Result;
use crate::repo::code::{BlobKey, CodeSegment, merge};

/// Most segments of code that a view is spread over before they are joined.
const MOST: usize = 8;
/// How many are left then.
const LEFT: usize = 4;

/// Segments by name, and where each blob is.
#[derive(Debug, Default)]
pub(super) struct CodeStore {
    pub(super) segments: Vec<(String, Arc<CodeSegment>)>,
    known: HashMap<BlobKey, (u32, u32)>,
}

impl CodeStore {
    /// Reads the keys of all segments.
    pub(super) fn new(segments: Vec<(String, Arc<CodeSegment>)>) -> Result<Self> {
        let mut store = Self::default();
        for (name, segment) in segments {
            store.add(name, segment)?;
        }
        Ok(store)
    }

    fn add(&mut self, name: String, segment: Arc<CodeSegment>) -> Result<()> {
        let number = self.segments.len() as u32;
        for (ordinal, key) in segment.keys()?.into_iter().enumerate() {
            self.known.insert(key, (number, ordinal as u32));
        }
        self.segments.push((name, segment));
        Ok(())
    }

    /// Opens segments that were just written.
    pub(super) fn open(&mut self, cache: &Cache, names: Vec<String>) -> Result<()> {
        for name in names {
            let segment = cache.code(&name)?;
            self.add(name, segment)?;
        }
        Ok(())
    }

    /// Returns where a blob is.
    pub(super) fn place(&self, key: &BlobKey) -> Option<(u32, u32)> {
        self.known.get(key).copied()
    }

    /// Drops the segments that have none of the `live` blobs; joins those that are many or mostly dead.
    pub(super) fn tidy(&mut self, cache: &Cache, live: &HashSet<BlobKey>) -> Result<()> {
        let mut counts = vec![0_usize; self.segments.len()];
        for key in live {
            if let Some((segment, _)) = self.place(key) {
                counts[segment as usize] += 1;
            }
        }
        let mut used: Vec<(usize, usize)> = counts
            .iter()
            .enumerate()
            .filter(|(_, count)| **count > 0)
            .map(|(number, count)| (*count, number))
            .collect();
        used.sort_unstable();
        let mut joined: Vec<usize> = used
            .iter()
            .filter(|(count, number)| count * 2 < self.segments[*number].1.len())
            .map(|(_, number)| *number)
            .collect();
        if used.len() > MOST {
            joined.extend(used[..=used.len() - LEFT].iter().map(|(_, number)| number));
        }
        joined.sort_unstable();
        joined.dedup();
        let keep: Vec<usize> = used
            .iter()
            .map(|(_, number)| *number)
            .filter(|number| !joined.contains(number))
            .collect();
        if joined.is_empty() && keep.len() == self.segments.len() {
            return Ok(());
        }
        let old = std::mem::take(self);
        for number in 0..old.segments.len() {
            if keep.contains(&number) {
                let (name, segment) = &old.segments[number];
                self.add(name.clone(), Arc::clone(segment))?;
            }
        }
        if !joined.is_empty() {
            let parts: Vec<&CodeSegment> = joined
                .iter()
                .map(|number| &*old.segments[*number].1)
                .collect();
            let mut written = HashSet::new();
            let bytes = merge(&parts, |key| {
                live.contains(key) && !self.known.contains_key(key) && written.insert(*key)
            })?;
            let name = cache.write(FileKind::Code, "", &bytes)?;
            self.open(cache, vec![name])?;
        }
        Ok(())
    }
}
