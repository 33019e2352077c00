//! Which embedders a handle uses: the chosen one, and a quick one beside it where that one is slow.

use std::sync::Arc;

use super::Embedder;

/// The embedders of a handle. Empty: nothing is embedded, and search goes by words.
#[derive(Clone, Default)]
pub(crate) struct Embedders {
    chosen: Option<Arc<dyn Embedder>>,
    /// Quick, so that a question that may not wait has vectors to compare with; only beside a slow one.
    beside: Option<Arc<dyn Embedder>>,
}

impl Embedders {
    /// Returns the built-in embedder, where it is built in.
    pub(crate) fn built_in() -> Self {
        Self {
            chosen: built_in(),
            beside: None,
        }
    }

    /// Returns an embedder of the caller's, with the built-in one beside it where it is slow.
    pub(crate) fn of(chosen: Arc<dyn Embedder>) -> Self {
        let beside = built_in().filter(|beside| !chosen.is_quick() && chosen.id() != beside.id());
        Self {
            chosen: Some(chosen),
            beside,
        }
    }

    /// Returns the embedder that the caller chose; `None` where there is none.
    pub(crate) fn chosen(&self) -> Option<&dyn Embedder> {
        self.chosen.as_deref()
    }

    /// Returns all embedders, the chosen one first.
    pub(crate) fn all(&self) -> impl Iterator<Item = &dyn Embedder> {
        self.chosen.iter().chain(&self.beside).map(|one| &**one)
    }

    /// Returns the embedders that a question may be compared by, the best first.
    pub(crate) fn for_question(&self, quick: bool) -> impl Iterator<Item = &dyn Embedder> {
        self.all().filter(move |one| !quick || one.is_quick())
    }

    /// Returns the embedders that may be called while somebody waits for milliseconds.
    pub(crate) fn quick(&self) -> impl Iterator<Item = &dyn Embedder> {
        self.all().filter(|one| one.is_quick())
    }
}

#[cfg(feature = "static")]
#[expect(
    clippy::unnecessary_wraps,
    reason = "a build without the feature has none"
)]
fn built_in() -> Option<Arc<dyn Embedder>> {
    Some(Arc::new(super::StaticEmbedder::new()))
}

#[cfg(not(feature = "static"))]
fn built_in() -> Option<Arc<dyn Embedder>> {
    None
}
