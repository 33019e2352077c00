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
pub(super) struct Redactor;
pub(super) struct Redacted {
    pub(super) text: std::borrow::Cow<'static, str>,
    pub(super) hits: Vec<(&'static str, usize)>,
}
impl Redactor {
    pub(super) fn new(_k: [u8; 16]) -> Self {
        Self
    }
    pub(super) fn redact(&self, t: &str) -> Redacted {
        Redacted {
            text: t.to_owned().into(),
            hits: vec![],
        }
    }
}
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
pub(super) fn freshness(_m: &Memory, _t: &dyn crate::retrieve::Tree) -> Result<Freshness> {
    Ok(Freshness::Unanchored)
}
pub(super) fn pack(mut r: Recall, _q: &Query) -> Recall {
    r.text = r
        .hits
        .iter()
        .map(|h| format!("- {}\n", h.memory.text))
        .collect();
    r.tokens = tokens_of(&r.text);
    r
}
pub(super) struct Salvaged {
    pub(super) rows: u64,
    pub(super) lost: u64,
}
pub(super) trait Shim {
    fn salvage_if_damaged(&self) -> Result<Option<Salvaged>> {
        Ok(None)
    }
    fn test_locks(&self) -> Result<String> {
        Ok("not tested".into())
    }
}
impl Shim for crate::store::Redb {}
