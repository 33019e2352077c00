//! The trait that understands a repository, and the view that it gives.

use std::fmt::Debug;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::Serialize;

use super::Trail;
use crate::{Clock, CommitInfo, Embedder, FileInfo, Milestone, Result, Revert, Symbol, ViewInfo};

/// Understands repositories: reads the folder and its history into a derived index, and opens what was read before.
///
/// The default implementation is content-addressed: what is learned from a file is kept once per blob, so that
/// a second run with nothing changed reads almost nothing.
pub trait RepoIndexer: Send + Sync + 'static {
    /// Brings the index up to date and returns the view of the working tree.
    ///
    /// Called by `init` and by background work, never by a hook. Long; polls `request.interrupt`.
    fn index(&self, request: &IndexRequest<'_>) -> Result<Arc<dyn RepositoryView>>;

    /// Opens the view that was stored last for the working tree at `root`, without indexing anything.
    ///
    /// Called for every recall; must take a few milliseconds at most. `None` when there is none yet.
    fn open(&self, root: &Path, cache: &Path) -> Result<Option<Arc<dyn RepositoryView>>>;

    /// Makes vectors of an embedder for chunks of the stored view that have none, what matters most first.
    ///
    /// Called by `init`, never by a recall. Long; polls `request.interrupt`. An implementation that compares nothing by
    /// meaning has nothing to do.
    fn embed(&self, _request: &EmbedRequest<'_>) -> Result<VectorCount> {
        Ok(VectorCount::default())
    }

    /// Removes from the cache what no working tree needs any more, but never the view of the one at `root`.
    ///
    /// Called by `gc`. An implementation that keeps nothing on disk has nothing to do.
    fn sweep(&self, _root: &Path, _cache: &Path) -> Result<IndexSwept> {
        Ok(IndexSwept::default())
    }
}

/// What a clean-up of the index did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct IndexSwept {
    /// Bytes of the cache before.
    pub before: u64,
    /// Bytes of the cache now.
    pub after: u64,
    /// Views that were dropped: of folders that are gone, or used least recently where the cache was too large.
    pub views: usize,
}

impl IndexSwept {
    /// Creates a report.
    pub fn new(before: u64, after: u64, views: usize) -> Self {
        Self {
            before,
            after,
            views,
        }
    }
}

/// What an indexing run needs.
#[derive(Clone, Copy)]
pub struct IndexRequest<'a> {
    /// Root of the working tree, of the bare repository, or of the folder without git.
    pub root: &'a Path,
    /// Folder of the derived index; it may be deleted at any time.
    pub cache: &'a Path,
    /// Raised by the caller to stop; the work done so far is kept.
    pub interrupt: &'a AtomicBool,
    /// Called now and then with what is being done.
    pub progress: &'a (dyn Fn(Progress) + Sync),
    /// The current time.
    pub clock: &'a dyn Clock,
}

impl Debug for IndexRequest<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("IndexRequest")
            .field("root", &self.root)
            .field("cache", &self.cache)
            .finish_non_exhaustive()
    }
}

/// What making vectors needs.
#[derive(Clone, Copy)]
pub struct EmbedRequest<'a> {
    /// Root of the working tree, of the bare repository, or of the folder without git.
    pub root: &'a Path,
    /// Folder of the derived index.
    pub cache: &'a Path,
    /// What makes the vectors.
    pub embedder: &'a dyn Embedder,
    /// Most chunks that are embedded; what is left is for another call.
    pub most: usize,
    /// Raised by the caller to stop; the work done so far is kept.
    pub interrupt: &'a AtomicBool,
    /// Called now and then with what is being done.
    pub progress: &'a (dyn Fn(Progress) + Sync),
}

impl Debug for EmbedRequest<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("EmbedRequest")
            .field("root", &self.root)
            .field("cache", &self.cache)
            .field("embedder", &self.embedder.id())
            .field("most", &self.most)
            .finish_non_exhaustive()
    }
}

/// How many chunks of a view have vectors of an embedder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct VectorCount {
    /// Chunks that can have vectors: all but those of files that programs wrote.
    pub chunks: u64,
    /// Chunks that have them.
    pub embedded: u64,
}

impl VectorCount {
    /// Creates a count.
    pub fn new(chunks: u64, embedded: u64) -> Self {
        Self { chunks, embedded }
    }
}

/// A step of long work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// What is being done, such as `reading files`.
    pub stage: &'static str,
    /// How many are done.
    pub done: u64,
    /// How many there are, if that is known.
    pub total: Option<u64>,
}

impl Progress {
    /// Creates a step.
    pub fn new(stage: &'static str, done: u64, total: Option<u64>) -> Self {
        Self { stage, done, total }
    }
}

/// A searchable view of one state of a repository: files of the working tree, and the history behind it.
///
/// Files are named by their position in [`files`](Self::files). Scores are comparable within one call only.
pub trait RepositoryView: Send + Sync + Debug {
    /// Says what the view is of.
    fn info(&self) -> &ViewInfo;

    /// Returns the files, sorted by path.
    fn files(&self) -> Result<&[FileInfo]>;

    /// Finds files by words in one field; best first, ties by path.
    fn search(&self, field: Field, words: &[QueryWord], limit: usize) -> Result<Vec<FileScore>>;

    /// Says how near in meaning some files are to a text: the cosine of their nearest chunk. Empty where no vectors are kept.
    fn nearness(&self, text: &str, files: &[u32]) -> Result<Vec<FileScore>> {
        let _ = (text, files);
        Ok(Vec::new())
    }

    /// Says the same by vectors of another embedder than the built-in one, for the chunks that have them: files without
    /// are compared as in [`nearness`](Self::nearness), and all scores are made comparable. Runs the embedder once.
    fn nearness_by(
        &self,
        embedder: &dyn Embedder,
        text: &str,
        files: &[u32],
    ) -> Result<Vec<FileScore>> {
        let _ = embedder;
        self.nearness(text, files)
    }

    /// Counts the chunks that have vectors of the embedder with this id.
    fn vectors_of(&self, embedder: &str) -> Result<VectorCount> {
        let _ = embedder;
        Ok(VectorCount::default())
    }

    /// Finds commits; best first, or newest first where the selection has no words.
    fn commits(&self, selection: &CommitSelection<'_>, limit: usize) -> Result<Vec<CommitHit>>;

    /// Returns definitions and imports of the whole view; read when first asked for.
    fn structure(&self) -> Result<Arc<Structure>>;

    /// Returns pairs of files of which the first imports the second, sorted; empty where imports were not resolved.
    ///
    /// Called once a recall: an implementation should not read the whole structure for it.
    fn imports(&self) -> Result<Vec<(u32, u32)>> {
        Ok(self.structure()?.imports.clone())
    }

    /// Returns the turns in the life of the repository that matter most, newest first; empty where none are kept.
    fn milestones(&self) -> Result<Vec<Milestone>> {
        Ok(Vec::new())
    }

    /// Returns what was tried, taken back and not done again since, newest first; empty where none are kept.
    fn reverts(&self) -> Result<Vec<Revert>> {
        Ok(Vec::new())
    }

    /// Follows a file or folder through the history, also one that is gone; `None` where the history knows no such path.
    fn trail(&self, path: &str) -> Result<Option<Trail>> {
        let _ = path;
        Ok(None)
    }

    /// Returns paths of files that the history knows and that are gone, sorted; empty where none are kept.
    fn past_paths(&self) -> Result<Vec<String>> {
        Ok(Vec::new())
    }

    /// Returns the definitions of one file, in the order of their lines; empty for a file that is not there.
    ///
    /// Called for the few files of an answer: an implementation should not read the whole structure for it.
    fn symbols(&self, file: u32) -> Result<Vec<Symbol>> {
        let structure = self.structure()?;
        Ok(structure
            .symbols
            .get(file as usize)
            .cloned()
            .unwrap_or_default())
    }
}

/// What of a file is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Field {
    /// Its text, by chunks: the score is the best chunk's plus half the second's plus a quarter of the third's.
    Code,
    /// Its text as a whole.
    Whole,
    /// Its path.
    Path,
    /// Exact names of its definitions (compared with case): the best of the query's words, 1 for a type, 0.5 for
    /// another, times the word's weight. Headings of documents do not count.
    Symbol,
    /// Exact names of its definitions, all of the query's words added up: the rarity of each among the files, times 1 for
    /// a type, 0.8 for a function, 0.6 for a method, 0.4 for another, times the word's weight. Names that many files
    /// define say nothing.
    Symbols,
    /// Messages of the commits that changed it, those with more than eight files aside (BM25, a file's messages taken as
    /// one text).
    Messages,
    /// Words of the names of its definitions: the best definition's share of the query's rarity, times the square root
    /// of the share of its own words that match. At most 1.
    Definition,
}

/// A word of a query, as [`crate::text`] splits it, with how often it counts.
#[derive(Clone, Debug, PartialEq)]
pub struct QueryWord {
    /// The word.
    pub word: String,
    /// Its weight: its frequency in the query, capped.
    pub weight: f32,
}

/// A file and its score in one field.
#[derive(Clone, Debug, PartialEq)]
pub struct FileScore {
    /// Position in the view's files.
    pub file: u32,
    /// Score, above 0.
    pub score: f32,
    /// First line of the best chunk or definition, from 1; 0 where that means nothing.
    pub line: u32,
}

/// Which commits are wanted.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum CommitSelection<'a> {
    /// Whose messages have these words (BM25). Merges are left out: what they brought in is found itself.
    Words(&'a [QueryWord]),
    /// The newest.
    Newest,
    /// That changed this file.
    Touching(u32),
}

/// A commit that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct CommitHit {
    /// How many commits ago, from 0.
    pub age: u32,
    /// BM25 score; 1 where the selection has no words.
    pub score: f32,
    /// Files of the view that it changed, renames followed; files that are gone are left out.
    pub files: Vec<u32>,
    /// The commit.
    pub commit: CommitInfo,
}

/// Definitions and imports of a view.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Structure {
    /// Definitions by file, in the order of the view's files.
    pub symbols: Vec<Vec<Symbol>>,
    /// Pairs of files of which the first imports the second; sorted.
    pub imports: Vec<(u32, u32)>,
}

impl Structure {
    /// Creates a structure.
    pub fn new(symbols: Vec<Vec<Symbol>>, imports: Vec<(u32, u32)>) -> Self {
        Self { symbols, imports }
    }
}
