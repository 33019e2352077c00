//! All commits that the index knows, and the order in which those behind one commit are told.

use std::collections::{BinaryHeap, HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use super::{CommitId, HistorySegment, NumberedChange, commit_mark};
use crate::Result;

/// Commits of all segments, in memory.
#[derive(Debug, Default)]
pub(in crate::repo) struct History {
    pub(in crate::repo) segments: Vec<Arc<HistorySegment>>,
    commits: Vec<Known>,
    numbers: HashMap<CommitId, u32>,
    /// Ids by segment and ordinal.
    ids: Vec<Vec<CommitId>>,
    changes: OnceLock<Changes>,
}

/// What all commits changed, with one number per path over all segments.
#[derive(Debug, Default)]
pub(in crate::repo) struct Changes {
    /// Number of a path relative to the repository's root.
    pub(in crate::repo) numbers: HashMap<String, u32>,
    by_segment: Vec<Vec<Vec<NumberedChange>>>,
}

impl Changes {
    /// Returns what a commit changed.
    pub(in crate::repo) fn of(&self, place: Place) -> &[NumberedChange] {
        self.by_segment
            .get(place.segment as usize)
            .and_then(|segment| segment.get(place.ordinal as usize))
            .map_or(&[], Vec::as_slice)
    }
}

#[derive(Debug)]
struct Known {
    place: Place,
    committed: i64,
    id: CommitId,
    marks: u8,
    parents: Vec<CommitId>,
}

/// Where a commit is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::repo) struct Place {
    pub(in crate::repo) segment: u32,
    pub(in crate::repo) ordinal: u32,
}

impl History {
    /// Reads the outlines of all commits; of a commit that is kept twice, the later one counts.
    pub(in crate::repo) fn load(segments: Vec<Arc<HistorySegment>>) -> Result<Self> {
        let mut history = Self::default();
        for segment in segments {
            history.add(segment)?;
        }
        Ok(history)
    }

    /// Adds a segment.
    pub(in crate::repo) fn add(&mut self, segment: Arc<HistorySegment>) -> Result<()> {
        let number = self.segments.len() as u32;
        let mut ids = Vec::with_capacity(segment.len());
        for (ordinal, outline) in segment.outlines()?.into_iter().enumerate() {
            let known = Known {
                place: Place {
                    segment: number,
                    ordinal: ordinal as u32,
                },
                committed: outline.committed,
                id: outline.id,
                marks: outline.marks,
                parents: outline.parents,
            };
            ids.push(outline.id);
            if let Some(&old) = self.numbers.get(&outline.id) {
                self.commits[old as usize] = known;
            } else {
                self.numbers.insert(outline.id, self.commits.len() as u32);
                self.commits.push(known);
            }
        }
        self.ids.push(ids);
        self.segments.push(segment);
        self.changes = OnceLock::new();
        Ok(())
    }

    /// Returns what all commits changed; decoded when first asked for.
    pub(in crate::repo) fn changes(&self) -> Result<&Changes> {
        if let Some(changes) = self.changes.get() {
            return Ok(changes);
        }
        let mut all = Changes::default();
        for segment in &self.segments {
            let paths = segment.paths()?;
            let mut numbers = Vec::with_capacity(paths.len());
            for local in 0..paths.len() as u32 {
                let path = paths.get(local).ok_or_else(|| segment.container.damage())?;
                let next = all.numbers.len() as u32;
                let number = match all.numbers.get(path) {
                    Some(number) => *number,
                    None => *all.numbers.entry(path.to_owned()).or_insert(next),
                };
                numbers.push(number);
            }
            let number = |local: u32| numbers.get(local as usize).copied();
            let mut changes = segment.changes()?;
            for change in changes.iter_mut().flatten() {
                let from = change.from.and_then(number);
                change.path = number(change.path).ok_or_else(|| segment.container.damage())?;
                change.from = from;
            }
            all.by_segment.push(changes);
        }
        Ok(self.changes.get_or_init(|| all))
    }

    /// Returns a commit's parents, if the commit is known in full.
    pub(super) fn parents(&self, id: &CommitId) -> Option<&[CommitId]> {
        let known = &self.commits[*self.numbers.get(id)? as usize];
        (known.marks & commit_mark::INCOMPLETE == 0).then_some(&known.parents)
    }

    /// Returns where a commit is kept, in full or not.
    pub(in crate::repo) fn place(&self, id: &CommitId) -> Option<Place> {
        let number = *self.numbers.get(id)?;
        Some(self.commits[number as usize].place)
    }

    /// Returns the id of the commit that is kept at a place.
    pub(in crate::repo) fn id(&self, place: Place) -> CommitId {
        self.ids[place.segment as usize][place.ordinal as usize]
    }

    /// Returns the parents of the commit that is kept at a place.
    pub(in crate::repo) fn parents_at(&self, place: Place) -> &[CommitId] {
        let number = self.numbers.get(&self.id(place));
        number.map_or(&[], |number| &self.commits[*number as usize].parents)
    }

    /// Returns the first parent of a commit.
    pub(in crate::repo) fn first_parent(&self, id: &CommitId) -> Option<CommitId> {
        let number = *self.numbers.get(id)?;
        let parent = *self.commits[number as usize].parents.first()?;
        self.numbers.contains_key(&parent).then_some(parent)
    }

    /// Returns the commits reachable from `tip`, newest first: no commit before one that it is a parent of, otherwise by
    /// the committer's time, then by id.
    pub(in crate::repo) fn order(&self, tip: &CommitId) -> Vec<Place> {
        let Some(&tip) = self.numbers.get(tip) else {
            return Vec::new();
        };
        let mut children = HashMap::from([(tip, 0_u32)]);
        let mut open = vec![tip];
        while let Some(number) = open.pop() {
            for parent in self.parent_numbers(number) {
                let count = children.entry(parent).or_insert_with(|| {
                    open.push(parent);
                    0
                });
                *count += 1;
            }
        }
        let mut order = Vec::with_capacity(children.len());
        let mut ready = BinaryHeap::from([self.rank(tip)]);
        while let Some((_, _, number)) = ready.pop() {
            order.push(self.commits[number as usize].place);
            for parent in self.parent_numbers(number) {
                if let Some(count) = children.get_mut(&parent) {
                    *count -= 1;
                    if *count == 0 {
                        ready.push(self.rank(parent));
                    }
                }
            }
        }
        order
    }

    fn rank(&self, number: u32) -> (i64, CommitId, u32) {
        let known = &self.commits[number as usize];
        (known.committed, known.id, number)
    }

    fn parent_numbers(&self, number: u32) -> impl Iterator<Item = u32> {
        let mut seen = HashSet::new();
        self.commits[number as usize]
            .parents
            .iter()
            .filter_map(|parent| self.numbers.get(parent).copied())
            .filter(move |parent| seen.insert(*parent))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::{HISTORY_KIND, HistorySegment, HistoryWriter, Record};
    use super::History;
    use crate::Result;
    use crate::repo::format::Container;

    #[test]
    fn children_come_before_parents_whatever_the_clocks_say() -> Result<()> {
        let mut writer = HistoryWriter::default();
        // 1 <- 2 <- 4 and 1 <- 3 <- 4; the clock of 2 was far behind, 5 is on no line of 4.
        for (id, parents, committed) in [
            (1, vec![], 100),
            (2, vec![1], 50),
            (3, vec![1], 200),
            (4, vec![2, 3], 300),
            (5, vec![1], 400),
        ] {
            writer.add(&Record {
                id: [id; 20],
                parents: parents.into_iter().map(|parent| [parent; 20]).collect(),
                committed,
                ..Record::default()
            });
        }
        let segment = HistorySegment::new(Container::in_memory(writer.finish(), HISTORY_KIND)?);
        let history = History::load(vec![Arc::new(segment)])?;
        let order: Vec<u32> = history
            .order(&[4; 20])
            .iter()
            .map(|place| place.ordinal + 1)
            .collect();
        assert_eq!(order, [4, 3, 2, 1]);
        assert!(history.order(&[9; 20]).is_empty());
        Ok(())
    }
}
