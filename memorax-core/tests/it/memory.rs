//! What the engine does with lines, without a store: observe, write, look again.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use memorax_core::repo::{Checkout, LandingContext, decide, observe, observe_head, with_changes};
use memorax_core::store::{HeadFacts, Visibility, visible};
use memorax_core::{Landing, Line, LineId, LineState, Timestamp};

use crate::fixture::{Repository, prose};

const DAY: i64 = 24 * 60 * 60 * 1_000;

/// What the engine keeps: the lines, written after every observation.
pub(crate) struct Memory {
    pub(crate) lines: Vec<Line>,
    pub(crate) now: Timestamp,
    pub(crate) pull_requests: BTreeMap<LineId, u64>,
}

impl Memory {
    pub(crate) fn new() -> Self {
        Self {
            lines: Vec::new(),
            now: Timestamp::from_millis(1_700_000_000_000),
            pull_requests: BTreeMap::new(),
        }
    }

    pub(crate) fn pass(&mut self, days: i64) {
        self.now = Timestamp::from_millis(self.now.as_millis() + days * DAY);
    }

    pub(crate) fn observe(&mut self, repository: &Repository) -> Checkout {
        let later = Timestamp::from_millis(self.now.as_millis() + 1_000);
        self.now = later.max(repository.now());
        let checkout = repository.checkout();
        let changes = observe(&checkout, &self.lines, self.now).expect("history can be read");
        self.lines = with_changes(&self.lines, &changes, self.now);
        let again = observe(&checkout, &self.lines, self.now).expect("history can be read");
        assert_eq!(again, [], "what was written is not written again");
        checkout
    }

    /// Observes, decides what landed, and returns the sentences.
    pub(crate) fn decide(&mut self, repository: &Repository) -> Vec<String> {
        let checkout = self.observe(repository);
        let context = LandingContext {
            now: self.now,
            interrupt: &AtomicBool::new(false),
            pull_requests: &self.pull_requests,
        };
        let changes = decide(&checkout, &self.lines, &context).expect("history can be read");
        self.lines = with_changes(&self.lines, &changes, self.now);
        changes.into_iter().map(|change| change.why).collect()
    }

    pub(crate) fn seen(&self, repository: &Repository) -> Visibility {
        let checkout = repository.checkout();
        let changes = observe_head(&checkout, &self.lines, self.now).expect("history can be read");
        let lines = with_changes(&self.lines, &changes, self.now);
        let head = HeadFacts::read(&checkout, &lines).expect("history can be read");
        visible(&lines, &head)
    }

    /// Observes, and returns the line that a memory written now belongs to.
    pub(crate) fn remember(&mut self, repository: &Repository) -> LineId {
        self.observe(repository);
        self.seen(repository).own.expect("a branch has a line")
    }

    pub(crate) fn sees(&self, repository: &Repository, line: LineId) -> bool {
        self.seen(repository).sees(Some(line))
    }

    pub(crate) fn line(&self, id: LineId) -> &Line {
        let mut lines = self.lines.iter();
        lines
            .find(|line| line.id == id)
            .expect("the line was written")
    }

    pub(crate) fn evidence(&self, id: LineId) -> Option<Landing> {
        match self.line(id).state {
            LineState::Landed { evidence, .. } => Some(evidence),
            _ => None,
        }
    }
}

/// A repository with `main`, and `feature` checked out with one commit of its own; a memory on each.
pub(crate) fn feature() -> (Repository, Memory, LineId, LineId) {
    let repository = Repository::with_commit();
    let mut memory = Memory::new();
    let main = memory.remember(&repository);
    repository.git(&["switch", "--quiet", "--create", "feature"]);
    repository.commit("feature.txt", &prose("the feature", 10));
    let feature = memory.remember(&repository);
    assert_ne!(main, feature, "a branch has a line of its own");
    (repository, memory, main, feature)
}
