//! Brings the history in the cache up to date.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::cache::{Cache, FileKind};
use crate::Result;
use crate::repo::history::{
    BATCH, CommitId, History, HistorySegment, HistoryWriter, Place, Reading, Unknown, interrupted,
};

/// Most segments of history before they are joined.
const MOST_HISTORY: usize = 8;

/// The history behind the present commit.
pub(super) struct KnownHistory {
    pub(super) history: History,
    /// File names of its segments.
    pub(super) names: Vec<String>,
    /// Newest first.
    pub(super) order: Vec<Place>,
    /// Commits that are not in this clone.
    pub(super) missing: usize,
}

/// Reads what is not known behind `tip` into segments; returns how many commits are not in this clone.
pub(super) fn read_commits(
    cache: &Cache,
    reading: &Reading<'_>,
    tip: &CommitId,
    history: &mut History,
    names: &mut Vec<String>,
) -> Result<usize> {
    let unknown = Unknown::find(reading, tip, history)?;
    for start in (0..unknown.len()).step_by(BATCH) {
        let records = unknown.read(reading, start)?;
        let mut writer = HistoryWriter::default();
        for record in &records {
            writer.add(record);
        }
        if !records.is_empty() {
            let name = cache.write(FileKind::History, "", &writer.finish())?;
            history.add(cache.history(&name)?)?;
            names.push(name);
        }
        if reading.interrupt.load(Ordering::Relaxed) {
            return Err(interrupted());
        }
    }
    Ok(unknown.missing)
}

impl KnownHistory {
    /// Brings the history behind `tip` up to date and drops segments that have no part in it.
    pub(super) fn update(
        cache: &Cache,
        segments: Vec<(String, Arc<HistorySegment>)>,
        reading: Option<&Reading<'_>>,
        tip: Option<&CommitId>,
    ) -> Result<Self> {
        let (names, segments): (Vec<_>, Vec<_>) = segments.into_iter().unzip();
        let mut known = Self {
            history: History::load(segments)?,
            names,
            order: Vec::new(),
            missing: 0,
        };
        if let (Some(reading), Some(tip)) = (reading, tip) {
            known.missing =
                read_commits(cache, reading, tip, &mut known.history, &mut known.names)?;
            known.order = known.history.order(tip);
        }
        known.tidy(cache)?;
        if let Some(tip) = tip {
            known.order = known.history.order(tip);
        }
        Ok(known)
    }

    /// Joins segments that became many; forgets those without a commit of the order.
    fn tidy(&mut self, cache: &Cache) -> Result<()> {
        let used: BTreeSet<u32> = self.order.iter().map(|place| place.segment).collect();
        if used.len() > MOST_HISTORY {
            let mut writer = HistoryWriter::default();
            for place in self.order.iter().rev() {
                let segment = &self.history.segments[place.segment as usize];
                let mut record = segment.record(place.ordinal)?;
                record.parents = self.history.parents_at(*place).to_vec();
                writer.add(&record);
            }
            let name = cache.write(FileKind::History, "", &writer.finish())?;
            self.history = History::load(vec![cache.history(&name)?])?;
            self.names = vec![name];
        } else if used.len() < self.names.len() {
            let kept = || used.iter().map(|segment| *segment as usize);
            self.names = kept().map(|index| self.names[index].clone()).collect();
            let segments = kept().map(|index| Arc::clone(&self.history.segments[index]));
            self.history = History::load(segments.collect())?;
        }
        Ok(())
    }
}
