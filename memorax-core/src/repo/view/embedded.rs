//! A view that is asked with another embedder than the built-in one.

use std::fmt;
use std::sync::Arc;

use crate::repo::{
    CommitHit, CommitSelection, Field, FileScore, IssueHit, QueryWord, RepositoryView, Structure,
    Trail, VectorCount,
};
use crate::{Embedder, FileInfo, Milestone, Result, Revert, StoryIssue, Symbol, ViewInfo};

/// A view whose [`nearness`](RepositoryView::nearness) is by an embedder of your own, or by none.
///
/// It runs the embedder for every question whose files have vectors of it.
#[derive(Clone, Copy)]
pub struct EmbeddedView<'a> {
    view: &'a dyn RepositoryView,
    embedder: Option<&'a dyn Embedder>,
}

impl<'a> EmbeddedView<'a> {
    /// Creates a view that compares by this embedder; without one, nothing is compared by meaning.
    pub fn new(view: &'a dyn RepositoryView, embedder: Option<&'a dyn Embedder>) -> Self {
        Self { view, embedder }
    }
}

impl fmt::Debug for EmbeddedView<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("EmbeddedView")
            .field("view", &self.view)
            .field("embedder", &self.embedder.map(Embedder::id))
            .finish()
    }
}

impl RepositoryView for EmbeddedView<'_> {
    fn info(&self) -> &ViewInfo {
        self.view.info()
    }

    fn files(&self) -> Result<&[FileInfo]> {
        self.view.files()
    }

    fn search(&self, field: Field, words: &[QueryWord], limit: usize) -> Result<Vec<FileScore>> {
        self.view.search(field, words, limit)
    }

    fn nearness(&self, text: &str, files: &[u32]) -> Result<Vec<FileScore>> {
        match self.embedder {
            Some(embedder) => self.view.nearness_by(embedder, text, files),
            None => Ok(Vec::new()),
        }
    }

    fn nearness_by(
        &self,
        embedder: &dyn Embedder,
        text: &str,
        files: &[u32],
    ) -> Result<Vec<FileScore>> {
        self.view.nearness_by(embedder, text, files)
    }

    fn vectors_of(&self, embedder: &str) -> Result<VectorCount> {
        self.view.vectors_of(embedder)
    }

    fn commits(&self, selection: &CommitSelection<'_>, limit: usize) -> Result<Vec<CommitHit>> {
        self.view.commits(selection, limit)
    }

    fn structure(&self) -> Result<Arc<Structure>> {
        self.view.structure()
    }

    fn files_with(&self, words: &[QueryWord]) -> Result<Vec<Vec<u32>>> {
        self.view.files_with(words)
    }

    fn commits_with(&self, words: &[QueryWord]) -> Result<Vec<usize>> {
        self.view.commits_with(words)
    }

    fn moved(&self, path: &str) -> Result<Option<String>> {
        self.view.moved(path)
    }

    fn issues(&self, words: &[QueryWord], limit: usize) -> Result<Vec<IssueHit>> {
        self.view.issues(words, limit)
    }

    fn issue(&self, number: u64, request: bool) -> Result<Option<StoryIssue>> {
        self.view.issue(number, request)
    }

    fn milestones(&self) -> Result<Vec<Milestone>> {
        self.view.milestones()
    }

    fn reverts(&self) -> Result<Vec<Revert>> {
        self.view.reverts()
    }

    fn trail(&self, path: &str) -> Result<Option<Trail>> {
        self.view.trail(path)
    }

    fn past_paths(&self) -> Result<Vec<String>> {
        self.view.past_paths()
    }

    fn symbols(&self, file: u32) -> Result<Vec<Symbol>> {
        self.view.symbols(file)
    }
}
