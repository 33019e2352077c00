//! What was compared before and led to nothing, so that the same question is not asked twice; and how much may be compared
//! at once.

use std::collections::BTreeSet;

use sha2::{Digest, Sha256};

use super::evidence::Target;
use crate::Line;

/// Which way of looking the remembered answers are of: raised when landings are found that were not found before.
const METHOD: u8 = 1;

/// Units of work of one call. A commit that is compared is one unit; 300 branches compared with the newest 2,000 commits of a
/// target took a million of them and two seconds.
const LIMIT: usize = 5_000_000;

/// Answers of earlier calls of [`decide`](super::decide), to be kept between them by the caller.
#[derive(Clone, Debug)]
pub struct Compared {
    before: BTreeSet<u64>,
    now: BTreeSet<u64>,
    limit: usize,
    work: usize,
    left: usize,
}

impl Default for Compared {
    fn default() -> Self {
        Self {
            before: BTreeSet::new(),
            now: BTreeSet::new(),
            limit: LIMIT,
            work: 0,
            left: 0,
        }
    }
}

impl Compared {
    /// Reads what [`to_bytes`](Self::to_bytes) wrote; bytes that were cut lose answers and nothing else.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        let (numbers, _) = bytes.as_chunks::<8>();
        Self {
            before: numbers.iter().copied().map(u64::from_le_bytes).collect(),
            ..Self::default()
        }
    }

    /// Writes the answers of the last call, those from before that still held included.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.now
            .iter()
            .flat_map(|answer| answer.to_le_bytes())
            .collect()
    }

    /// Says whether the last call learned or forgot anything.
    pub fn is_changed(&self) -> bool {
        self.before != self.now
    }

    /// Sets how much work one call may do.
    #[must_use]
    pub fn limit(mut self, work: usize) -> Self {
        self.limit = work;
        self
    }

    /// Returns how many lines the last call did not come to, because others took all the work that it may do.
    pub fn left(&self) -> usize {
        self.left
    }

    pub(super) fn begin(&mut self) {
        self.before.append(&mut self.now);
        (self.work, self.left) = (0, 0);
    }

    /// Says whether a question led to nothing before; then it still does.
    pub(super) fn knows(&mut self, question: u64) -> bool {
        let known = self.before.contains(&question);
        if known {
            self.now.insert(question);
        }
        known
    }

    pub(super) fn found_nothing(&mut self, question: u64) {
        self.now.insert(question);
    }

    pub(super) fn count(&mut self, work: usize) {
        self.work = self.work.saturating_add(work);
    }

    /// Says whether there is no work left for a line, and counts the line then.
    pub(super) fn is_spent(&mut self) -> bool {
        let spent = self.work >= self.limit;
        self.left += usize::from(spent);
        spent
    }
}

/// Names the question whether a line landed in a target by everything that the answer depends on.
pub(super) fn question(line: &Line, target: &Target, pull_request: Option<u64>) -> u64 {
    let mut hasher = Sha256::new();
    let mut add = |part: &str| {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    };
    add(&line.id.to_string());
    add(&line.reference);
    add(line.tip.as_deref().unwrap_or_default());
    add(line.fork.as_deref().unwrap_or_default());
    add(&target.line.to_string());
    for tip in &target.tips {
        add(tip);
    }
    hasher.update([METHOD, u8::from(line.held)]);
    hasher.update(pull_request.unwrap_or(0).to_le_bytes());
    let digest = hasher.finalize();
    u64::from_le_bytes(std::array::from_fn(|index| digest[index]))
}
