//! Stand-ins until the parts are merged.
#![expect(
    missing_docs,
    clippy::pedantic,
    reason = "removed with the next merges"
)]
use crate::repo::*;
use crate::*;
use std::path::Path;
use std::sync::Arc;
pub(super) struct Indexer;
impl Indexer {
    pub(super) fn new() -> Self {
        Self
    }
    pub(super) fn redact(self, _f: impl Fn(&str) -> String + Send + Sync + 'static) -> Self {
        self
    }
}
impl RepoIndexer for Indexer {
    fn index(&self, _r: &IndexRequest<'_>) -> Result<Arc<dyn RepositoryView>> {
        Err(Error::new(
            ErrorKind::NotFound,
            "the index is not merged yet",
        ))
    }
    fn open(&self, _r: &Path, _c: &Path) -> Result<Option<Arc<dyn RepositoryView>>> {
        Ok(None)
    }
}
pub(super) fn definitions(_p: &str, _b: &[u8]) -> Option<Vec<Symbol>> {
    None
}
