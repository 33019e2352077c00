//! What was tried and taken back, and not done again since.

use std::collections::HashMap;

use super::timeline::{Timeline, Told};
use crate::repo::history::{CommitId, done_again, hex, without_number};
use crate::{Revert, Timestamp};

/// Most reverts that are kept, the newest.
const MOST: usize = 200;

/// Returns the reverts that still hold, newest first.
pub(super) fn reverts(timeline: &Timeline<'_>, told: &[Told]) -> Vec<Revert> {
    if told.iter().all(|told| told.undoing.is_none()) {
        return Vec::new();
    }
    let known = Known::new(timeline, told);
    let mut targets: HashMap<u32, u32> = HashMap::new();
    // What stands again: by a revert of the revert, or because it was done anew.
    let mut lifted: Vec<bool> = vec![false; told.len()];
    let mut found = Vec::new();
    for (age, commit) in told.iter().enumerate() {
        let age = age as u32;
        let Some(undoing) = &commit.undoing else {
            continue;
        };
        let target = known.target(undoing, age);
        if let Some(target) = target {
            targets.insert(age, target);
            if !lifted[age as usize] {
                lifted[target as usize] = true;
            }
        }
    }
    for (age, commit) in told.iter().enumerate() {
        let Some(undoing) = &commit.undoing else {
            continue;
        };
        let target = targets.get(&(age as u32)).copied();
        let subject = match (target, &undoing.subject) {
            (Some(target), _) => without_number(&told[target as usize].subject),
            (None, Some(subject)) => subject.clone(),
            (None, None) => continue,
        };
        // A revert of a revert does something again, a merge is no idea.
        let is_idea = target.is_none_or(|target| told[target as usize].undoing.is_none())
            && !subject.starts_with("Revert")
            && !subject.starts_with("Merge ");
        // What a branch took back before it was merged, nobody else saw.
        let within = target.is_some_and(|target| {
            let event = told[target as usize].event;
            event == commit.event && event != age as u32
        });
        if !is_idea || within || lifted[age] || known.is_done_again(&subject, age as u32) {
            continue;
        }
        let at = Timestamp::from_millis(commit.committed.saturating_mul(1000));
        let mut revert = Revert::new(known.id(age as u32), at, subject);
        revert.author.clone_from(&commit.author);
        revert.reverted = target.map(|target| known.id(target));
        revert.reason.clone_from(&undoing.reason);
        revert.request = commit.request;
        found.push(revert);
        if found.len() == MOST {
            break;
        }
    }
    found
}

/// Commits by what a revert may call them.
struct Known<'a> {
    ids: Vec<CommitId>,
    /// Sorted ids with their ages.
    sorted: Vec<(CommitId, u32)>,
    /// Ages by subject without number, newest first.
    subjects: HashMap<String, Vec<u32>>,
    requests: HashMap<u64, Vec<u32>>,
    /// Subjects that were done again, with the age of the newest commit that did.
    again: HashMap<String, u32>,
    told: &'a [Told],
}

impl<'a> Known<'a> {
    fn new(timeline: &Timeline<'_>, told: &'a [Told]) -> Self {
        let ids: Vec<CommitId> = timeline
            .order
            .iter()
            .map(|place| timeline.history.id(*place))
            .collect();
        let mut sorted: Vec<(CommitId, u32)> = ids
            .iter()
            .enumerate()
            .map(|(age, id)| (*id, age as u32))
            .collect();
        sorted.sort_unstable();
        let mut known = Self {
            ids,
            sorted,
            subjects: HashMap::new(),
            requests: HashMap::new(),
            again: HashMap::new(),
            told,
        };
        for (age, commit) in told.iter().enumerate() {
            let age = age as u32;
            let subject = key_of(&commit.subject);
            known.subjects.entry(subject).or_default().push(age);
            if let Some(request) = commit.request {
                known.requests.entry(request).or_default().push(age);
            }
            if let Some(again) = done_again(&commit.subject) {
                known.again.entry(key_of(&again)).or_insert(age);
            }
        }
        known
    }

    fn id(&self, age: u32) -> String {
        hex(&self.ids[age as usize])
    }

    /// Finds the commit that is taken back; it is older than the revert.
    fn target(&self, undoing: &crate::repo::history::Undoing, age: u32) -> Option<u32> {
        let by_id = undoing
            .commit
            .as_deref()
            .and_then(|start| self.by_start(start));
        let older = |ages: &Vec<u32>| ages.iter().copied().find(|other| *other > age);
        by_id
            .filter(|target| *target > age)
            .or_else(|| older(self.requests.get(&undoing.request?)?))
            .or_else(|| older(self.subjects.get(&key_of(undoing.subject.as_deref()?))?))
    }

    fn by_start(&self, start: &str) -> Option<u32> {
        let at = self
            .sorted
            .partition_point(|(id, _)| hex(id).as_str() < start);
        let (id, age) = self.sorted.get(at)?;
        hex(id).starts_with(start).then_some(*age)
    }

    /// Says whether a later commit than the revert did the same again.
    fn is_done_again(&self, subject: &str, revert: u32) -> bool {
        let key = key_of(subject);
        let again = self.again.get(&key).is_some_and(|age| *age < revert);
        let anew = self.subjects.get(&key).is_some_and(|ages| {
            ages.iter()
                .any(|age| *age < revert && self.told[*age as usize].undoing.is_none())
        });
        again || anew
    }
}

fn key_of(subject: &str) -> String {
    without_number(subject).to_lowercase()
}
