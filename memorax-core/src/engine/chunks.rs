//! Vectors of the chunks of files by another embedder than the built-in one: made by `init`, counted by the status.

use serde::Serialize;

use super::InitOptions;
use super::handle::Inner;
use crate::Result;
use crate::embed::Embedder;
use crate::embed::quantised::is_built_in;
use crate::repo::{EmbedRequest, RepositoryView, VectorCount};

/// Chunks that one `init` embeds: some ten minutes of a sentence model.
const WITH_INIT: usize = 20_000;

/// How many chunks of the indexed files have vectors of an embedder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ChunkReport {
    /// Id of the embedder.
    pub embedder: String,
    /// Chunks that can have vectors: all but those of files that programs wrote.
    pub chunks: u64,
    /// Chunks that have them; files without are compared by the built-in embedder until `init` gets to them.
    pub embedded: u64,
}

impl ChunkReport {
    fn new(embedder: &dyn Embedder, count: VectorCount) -> Self {
        Self {
            embedder: embedder.id().to_owned(),
            chunks: count.chunks,
            embedded: count.embedded,
        }
    }
}

impl Inner {
    /// Returns the chosen embedder, unless it is the one whose vectors the index always has.
    fn model(&self) -> Option<&dyn Embedder> {
        let chosen = self.embedders.chosen();
        chosen.filter(|embedder| !is_built_in(embedder.id()))
    }

    /// Embeds chunks that wait, what matters most first; what was done is kept when the caller stops it.
    pub(super) fn embed_chunks(&self, options: &InitOptions<'_>) -> Result<Option<ChunkReport>> {
        let Some(embedder) = self.model() else {
            return Ok(None);
        };
        let count = self.indexer().embed(&EmbedRequest {
            root: &self.root,
            cache: &self.cache(),
            embedder,
            most: WITH_INIT,
            interrupt: options.interrupt,
            progress: options.progress,
        })?;
        Ok(Some(ChunkReport::new(embedder, count)))
    }

    /// Counts the chunks of a view.
    pub(super) fn chunk_report(&self, view: &dyn RepositoryView) -> Result<Option<ChunkReport>> {
        let Some(embedder) = self.model() else {
            return Ok(None);
        };
        let count = view.vectors_of(embedder.id())?;
        Ok(Some(ChunkReport::new(embedder, count)))
    }
}
