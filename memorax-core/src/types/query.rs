//! What is asked of the memory.

use super::{Anchor, Memory, MemoryKind, Status};

/// A question in the words of the task, with a budget.
///
/// ```
/// use memorax_core::{MemoryKind, Query};
/// let query = Query::new("which storage engine?").budget(300).kind(MemoryKind::Decision);
/// assert_eq!((query.budget, query.kinds.len()), (300, 1));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Query {
    /// The task or question.
    pub text: String,
    /// Most tokens that the answer may take (characters / 3.6, see [`crate::tokens_of`]).
    pub budget: usize,
    /// Most memories in the answer.
    pub memories: usize,
    /// Most files in the answer; 0 asks for memories only.
    pub files: usize,
    /// Most past commits in the answer; none where no files are asked for.
    pub commits: usize,
    /// Only these kinds; empty for all.
    pub kinds: Vec<MemoryKind>,
    /// File or folder that is being worked on, relative to the repository's root.
    pub path: Option<String>,
    /// Where files are found for a change, add the commands with which the project checks a change. For the first prompt
    /// of a session: the manifests are read for it, which takes longer the more files there are.
    pub checks: bool,
    /// Explain each hit in full.
    pub explain: bool,
    /// Answer within milliseconds, as a hook must: a slow embedder is not called.
    pub quick: bool,
}

/// Default budget of a recall, in tokens.
pub const RECALL_BUDGET: usize = 800;
/// Default budget of a brief, in tokens.
pub const BRIEF_BUDGET: usize = 1500;

impl Query {
    /// Asks with the default budget.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            budget: RECALL_BUDGET,
            memories: 5,
            files: 5,
            commits: 3,
            kinds: Vec::new(),
            path: None,
            checks: false,
            explain: false,
            quick: false,
        }
    }

    /// Sets the budget in tokens.
    #[must_use]
    pub fn budget(mut self, tokens: usize) -> Self {
        self.budget = tokens;
        self
    }

    /// Sets the greatest number of memories.
    #[must_use]
    pub fn memories(mut self, count: usize) -> Self {
        self.memories = count;
        self
    }

    /// Sets the greatest number of files.
    #[must_use]
    pub fn files(mut self, count: usize) -> Self {
        self.files = count;
        self
    }

    /// Sets the greatest number of past commits.
    #[must_use]
    pub fn commits(mut self, count: usize) -> Self {
        self.commits = count;
        self
    }

    /// Asks for one kind; called again, for one more.
    #[must_use]
    pub fn kind(mut self, kind: MemoryKind) -> Self {
        self.kinds.push(kind);
        self
    }

    /// Names the file or folder that is being worked on.
    #[must_use]
    pub fn path(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// Asks also for the commands with which a change is checked.
    #[must_use]
    pub fn checks(mut self, checks: bool) -> Self {
        self.checks = checks;
        self
    }

    /// Asks for the parts of every score.
    #[must_use]
    pub fn explain(mut self, explain: bool) -> Self {
        self.explain = explain;
        self
    }

    /// Asks to answer within milliseconds, as a hook must: a slow embedder is not called, the built-in one stands in.
    #[must_use]
    pub fn quick(mut self, quick: bool) -> Self {
        self.quick = quick;
        self
    }
}

/// Which memories to list.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Filter {
    /// Most past commits in the answer; none where no files are asked for.
    pub commits: usize,
    /// Only these kinds; empty for all.
    pub kinds: Vec<MemoryKind>,
    /// Only these states, by their lower-case names; empty for active and pending.
    pub statuses: Vec<String>,
    /// Also what other lines know.
    pub all_lines: bool,
    /// Only what was deleted, instead of what was not.
    pub deleted: bool,
    /// Only with this tag.
    pub tag: Option<String>,
    /// Only what holds for or cites this path.
    pub path: Option<String>,
    /// Only with these words in title or text, compared without case.
    pub text: Option<String>,
    /// At most this many, newest first.
    pub limit: Option<usize>,
}

impl Filter {
    /// Lists everything in force that is seen from here.
    pub fn new() -> Self {
        Self::default()
    }

    /// Restricts to one kind; called again, adds one.
    #[must_use]
    pub fn kind(mut self, kind: MemoryKind) -> Self {
        self.kinds.push(kind);
        self
    }

    /// Restricts to one state by name; called again, adds one.
    #[must_use]
    pub fn status(mut self, status: &Status) -> Self {
        self.statuses.push(status.as_str().to_owned());
        self
    }

    /// Says whether a memory passes, except for lines, tombstones and the limit, which the store knows about.
    pub fn matches(&self, memory: &Memory) -> bool {
        let about_path = |path: &str| {
            memory.scope.path.is_some() && memory.scope.covers(path)
                || memory
                    .anchors
                    .iter()
                    .filter_map(Anchor::cited_path)
                    .any(|cited| {
                        cited
                            .strip_prefix(path)
                            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
                    })
        };
        let has_text = |text: &str| {
            let text = text.to_lowercase();
            memory.title.to_lowercase().contains(&text)
                || memory.text.to_lowercase().contains(&text)
        };
        (self.kinds.is_empty() || self.kinds.contains(&memory.kind))
            && self.accepts_status(&memory.status)
            && self
                .tag
                .as_ref()
                .is_none_or(|tag| memory.tags.contains(tag))
            && self.path.as_deref().is_none_or(about_path)
            && self.text.as_deref().is_none_or(has_text)
    }

    /// Says whether a state passes.
    pub fn accepts_status(&self, status: &Status) -> bool {
        if self.statuses.is_empty() {
            return matches!(status, Status::Active | Status::Pending);
        }
        self.statuses.iter().any(|name| name == status.as_str())
    }
}
