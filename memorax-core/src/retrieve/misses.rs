//! What came close and was held back, for people who ask why.

use std::collections::BTreeMap;

use crate::{Hit, Memory, MemoryId, NearMiss, Timestamp};

use super::abstain::Evidence;
use super::diversity::Surplus;

/// Most near misses that are told.
const TOLD: usize = 5;

/// Collects near misses, if somebody asks for them.
#[derive(Debug)]
pub(super) struct Misses {
    asked: bool,
    held_back: Vec<(f32, NearMiss)>,
    fitting: BTreeMap<MemoryId, Evidence>,
}

impl Misses {
    pub(super) fn new(asked: bool) -> Self {
        Self {
            asked,
            held_back: Vec::new(),
            fitting: BTreeMap::new(),
        }
    }

    /// Remembers what speaks for a memory that fits: others may still fit better.
    pub(super) fn fitting(&mut self, memory: MemoryId, evidence: &Evidence) {
        if self.asked {
            self.fitting.insert(memory, evidence.clone());
        }
    }

    /// Takes a memory that has too little to do with the question.
    pub(super) fn unfit(&mut self, memory: Memory, evidence: &Evidence) {
        let reason = || evidence.lack();
        self.keep(memory, evidence, reason);
    }

    /// Takes a memory whose time is over.
    pub(super) fn expired(&mut self, memory: Memory, evidence: &Evidence, end: Timestamp) {
        self.keep(memory, evidence, || format!("it expired on {}", end.date()));
    }

    /// Takes a memory that cites what is gone.
    pub(super) fn stale(&mut self, memory: Memory, evidence: &Evidence, remarks: &str) {
        self.keep(memory, evidence, || {
            format!("it cites what is gone: {remarks}")
        });
    }

    /// Takes what fits, and what others fit better.
    pub(super) fn outranked(&mut self, weak: Vec<Hit>, surplus: Vec<(Hit, Surplus)>, top: f32) {
        if !self.asked {
            return;
        }
        let weak = weak.into_iter().map(|hit| {
            let reason = format!(
                "its score of {:.2} is far below the best, {top:.2}",
                hit.score
            );
            (hit, reason)
        });
        let surplus = surplus.into_iter().map(|(hit, why)| {
            let reason = match why {
                Surplus::Repeats => "it says the same as a better one",
                Surplus::More => "enough others fit better",
            };
            (hit, reason.to_owned())
        });
        for (hit, reason) in weak.chain(surplus) {
            let evidence = self.fitting.get(&hit.memory.id);
            let (coverage, words) = evidence.map_or((0.0, Vec::new()), |evidence| {
                (evidence.coverage, evidence.told.words.clone())
            });
            // What fits comes before everything that does not.
            let place = 1.0 + hit.score;
            let miss = NearMiss::new(hit.memory, coverage, words, reason);
            self.held_back.push((place, miss));
        }
    }

    /// Returns the closest ones.
    pub(super) fn closest(mut self) -> Vec<NearMiss> {
        self.held_back.sort_by(|(left, a), (right, b)| {
            right.total_cmp(left).then(a.memory.id.cmp(&b.memory.id))
        });
        self.held_back.truncate(TOLD);
        self.held_back.into_iter().map(|(_, miss)| miss).collect()
    }

    fn keep(&mut self, memory: Memory, evidence: &Evidence, reason: impl Fn() -> String) {
        if self.asked {
            let words = evidence.told.words.clone();
            let miss = NearMiss::new(memory, evidence.coverage, words, reason());
            self.held_back.push((evidence.coverage, miss));
        }
    }
}
