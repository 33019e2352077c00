//! The trait that decides what is recalled, and the read side that it decides on.

use std::collections::BTreeSet;
use std::fmt::Debug;

use crate::repo::{QueryWord, RepositoryView};
use crate::{Check, LineId, Memory, MemoryKind, Query, Recall, Result, Scope, Symbol, Timestamp};

/// Decides which memories and files fit a query, and whether a proposal repeats a rejection.
///
/// Both methods are called on the caller's thread, once for each recall or check, also by hooks: they read, never
/// write, and must end within milliseconds on 10,000 memories. The same context and query give the same answer.
pub trait Retriever: Send + Sync + 'static {
    /// Finds what fits, best first, without the packet's text; empty when nothing fits.
    fn retrieve(&self, context: &Context<'_>, query: &Query) -> Result<Recall>;

    /// Finds the rejections that a proposal (a sentence, a command or a patch) repeats, best first.
    fn check(&self, context: &Context<'_>, proposal: &str) -> Result<Check>;
}

/// What a retrieval reads.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Context<'a> {
    /// Memories that may be shown.
    pub memories: &'a dyn MemorySource,
    /// Files and history, if the repository was indexed.
    pub view: Option<&'a dyn RepositoryView>,
    /// The working tree as it is now.
    pub tree: &'a dyn Tree,
    /// What is seen from here.
    pub sight: &'a Sight,
    /// The current time.
    pub now: Timestamp,
}

impl<'a> Context<'a> {
    /// Creates a context without a repository view.
    pub fn new(
        memories: &'a dyn MemorySource,
        tree: &'a dyn Tree,
        sight: &'a Sight,
        now: Timestamp,
    ) -> Self {
        Self {
            memories,
            view: None,
            tree,
            sight,
            now,
        }
    }

    /// Adds the repository view.
    #[must_use]
    pub fn view(mut self, view: &'a dyn RepositoryView) -> Self {
        self.view = Some(view);
        self
    }
}

impl Debug for Context<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Context")
            .field("view", &self.view.map(RepositoryView::info))
            .field("sight", &self.sight)
            .field("now", &self.now)
            .finish_non_exhaustive()
    }
}

/// Which lines are seen from the one that is checked out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sight {
    /// The line that is checked out, if there is one.
    pub own: Option<LineId>,
    /// Every line that is seen, the own one included.
    pub visible: BTreeSet<LineId>,
}

impl Sight {
    /// Creates a sight of the given lines and of `own`.
    pub fn new(own: Option<LineId>, visible: impl IntoIterator<Item = LineId>) -> Self {
        Self {
            own,
            visible: visible.into_iter().chain(own).collect(),
        }
    }

    /// Says whether something of this scope is seen from here.
    pub fn sees(&self, scope: &Scope) -> bool {
        scope.line.is_none_or(|line| self.visible.contains(&line))
    }
}

/// From which lines memories are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reach {
    /// What is seen from here: no line, the own line, its parents, and what landed in them.
    Visible,
    /// Only what is *not* seen from here and belongs to a line that is alive (open).
    Elsewhere,
}

/// Which memories are searched.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct MemorySelection<'a> {
    /// Words of which at least one must be in title, text or tags. Empty: every memory, newest first.
    pub words: &'a [QueryWord],
    /// Only these kinds; empty for all.
    pub kinds: &'a [MemoryKind],
    /// From which lines.
    pub reach: Reach,
}

impl<'a> MemorySelection<'a> {
    /// Selects what is seen from here by words, of every kind.
    pub fn words(words: &'a [QueryWord]) -> Self {
        Self {
            words,
            kinds: &[],
            reach: Reach::Visible,
        }
    }

    /// Restricts to kinds.
    #[must_use]
    pub fn kinds(mut self, kinds: &'a [MemoryKind]) -> Self {
        self.kinds = kinds;
        self
    }

    /// Says from which lines.
    #[must_use]
    pub fn reach(mut self, reach: Reach) -> Self {
        self.reach = reach;
        self
    }
}

/// A memory that has words of a selection.
#[derive(Clone, Debug, PartialEq)]
pub struct MemoryScore {
    /// The memory.
    pub memory: Memory,
    /// BM25 score over title, text and tags; comparable within one call only; 0 where the selection has no words.
    pub score: f32,
    /// Which of the selection's words it has, in the order of the selection.
    pub matched: Vec<String>,
}

/// A memory whose meaning is near a question's.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct NearMemory {
    /// The memory.
    pub memory: Memory,
    /// Cosine of its vector with the question's.
    pub cosine: f32,
    /// Id of the embedder whose vectors were compared; cosines of two embedders mean different things.
    pub embedder: String,
}

impl NearMemory {
    /// Creates a finding.
    pub fn new(memory: Memory, cosine: f32, embedder: impl Into<String>) -> Self {
        Self {
            memory,
            cosine,
            embedder: embedder.into(),
        }
    }
}

/// In how many memories words occur.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frequencies {
    /// How many memories there are.
    pub memories: u64,
    /// How many have the word, in the order of the words asked for; 0 for a word that none has.
    pub counts: Vec<u64>,
}

/// The read side of the memories.
///
/// An implementation gives only what is in force (`Active` or `Pending`, no tombstone) and belongs to this repository
/// or to the user everywhere; which line it belongs to is decided by [`Reach`]. Expiry, freshness, ranking and abstention
/// are the retriever's. One consistent state must serve all calls of one retrieval. Results are deterministic: ties
/// go to the smaller id.
pub trait MemorySource {
    /// Finds memories: by words best first, without words newest first (by `updated`, ties by id); at most `limit`.
    ///
    /// Called two or three times a recall with a limit of 100, once or twice a check with kinds = rejection.
    fn search(&self, selection: &MemorySelection<'_>, limit: usize) -> Result<Vec<MemoryScore>>;

    /// Finds visible memories that have an anchor with exactly this path, or a scope path that is this path or a folder
    /// above it; newest first, at most `limit`.
    ///
    /// Called once for each path that a query names, at most eight times. Empty is a correct answer: it costs only those
    /// memories that share no word with the query.
    fn citing(&self, path: &str, limit: usize) -> Result<Vec<Memory>>;

    /// Finds memories by the meaning of a question, nearest first, at most `limit`; the words of the selection do not matter.
    ///
    /// Called once a recall, and not at all by a check. Default: nothing, where there are no vectors.
    fn nearest(
        &self,
        question: &str,
        selection: &MemorySelection<'_>,
        limit: usize,
    ) -> Result<Vec<NearMemory>> {
        let _ = (question, selection, limit);
        Ok(Vec::new())
    }

    /// Counts in how many memories each word occurs; of any kind, state and line, so the postings' own lengths will do.
    fn frequencies(&self, words: &[QueryWord]) -> Result<Frequencies>;
}

/// The working tree as it is now, so that what memories cite can be checked.
pub trait Tree {
    /// Says whether a file or folder exists; the path is relative to the root, with `/` between parts. `None` where
    /// nothing can be known (no working tree), so that what cites it counts as unchecked.
    fn exists(&self, path: &str) -> Option<bool>;

    /// Returns the definitions of a file with the hashes of their bodies; `None` where the file is gone or cannot be
    /// parsed (no grammar, too large), so that nothing can be said about its definitions.
    fn definitions(&self, path: &str) -> Result<Option<Vec<Symbol>>>;
}

/// A tree of which nothing is known, as without a repository.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTree;

impl Tree for NoTree {
    fn exists(&self, _path: &str) -> Option<bool> {
        None
    }

    fn definitions(&self, _path: &str) -> Result<Option<Vec<Symbol>>> {
        Ok(None)
    }
}

/// A source without memories, to recall files only.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoMemories;

impl MemorySource for NoMemories {
    fn search(&self, _selection: &MemorySelection<'_>, _limit: usize) -> Result<Vec<MemoryScore>> {
        Ok(Vec::new())
    }

    fn citing(&self, _path: &str, _limit: usize) -> Result<Vec<Memory>> {
        Ok(Vec::new())
    }

    fn frequencies(&self, words: &[QueryWord]) -> Result<Frequencies> {
        Ok(Frequencies {
            memories: 0,
            counts: vec![0; words.len()],
        })
    }
}
