//! What a ledger offers of vectors: embedding what waits, and the nearest memories to a question.

use super::Graph;
use super::follow;
use super::ready::Ready;
use super::rows::{EmbedderKey, Known};
use super::search::Asked;
use crate::embed::Embedder;
use crate::store::{Ledger, postings};
use crate::{LineId, Memory, MemoryKind, Result};

/// Memories that one transaction gives a vector of a quick embedder, and of another one: few enough not to keep a writer
/// waiting, and what was embedded slowly is not lost with an interrupt.
const BATCHES: [usize; 2] = [500, 16];

/// Which memories are looked for.
struct Filtered<'a> {
    kinds: &'a [MemoryKind],
    limit: usize,
    sees: &'a dyn Fn(Option<LineId>) -> bool,
}

impl Ledger {
    /// Gives memories that have no vector of an embedder yet one, the newest first, at most `limit`; returns how many got
    /// one.
    ///
    /// # Errors
    /// What the embedder says where it cannot embed a text; what was embedded before is kept.
    pub fn embed(&self, embedder: &dyn Embedder, limit: usize) -> Result<usize> {
        let key = EmbedderKey::of(embedder);
        let batch = BATCHES[usize::from(!embedder.is_quick())];
        let mut embedded = 0;
        while embedded < limit {
            let waiting = self.without_vector(key, batch.min(limit - embedded))?;
            if waiting.is_empty() {
                break;
            }
            let texts: Vec<String> = waiting.iter().map(|memory| memory.text.clone()).collect();
            let mut ready = Ready::default();
            ready.embed(embedder, &texts)?;
            let mut put = 0;
            self.write(&mut |rows, _| {
                put = 0;
                for memory in &waiting {
                    put += usize::from(ready.put(rows, memory.id)?);
                }
                Ok(())
            })?;
            if put == 0 {
                // Another process was faster, or changes them faster than they are embedded.
                break;
            }
            embedded += put;
        }
        Ok(embedded)
    }

    /// Drops the vectors of all embedders but some; returns how many there were.
    pub fn drop_vectors_but(&self, embedders: &[&dyn Embedder]) -> Result<u64> {
        let kept: Vec<EmbedderKey> = embedders
            .iter()
            .map(|embedder| EmbedderKey::of(*embedder))
            .collect();
        let mut dropped = 0;
        self.write(&mut |rows, _| {
            dropped = 0;
            for known in Known::all(rows.as_rows())? {
                if !kept.contains(&known.key()) {
                    dropped += known.vectors;
                    follow::forget(rows, known.key())?;
                }
            }
            Ok(())
        })?;
        Ok(dropped)
    }

    /// Finds the memories in force that are nearest in meaning to a question, with their cosines, nearest first; of some
    /// kinds, or of all where none is named. `sees` says which lines are seen.
    ///
    /// Only memories that have a vector of this embedder are found.
    pub fn nearest(
        &self,
        embedder: &dyn Embedder,
        question: &str,
        kinds: &[MemoryKind],
        limit: usize,
        sees: &dyn Fn(Option<LineId>) -> bool,
    ) -> Result<Vec<(Memory, f32)>> {
        let filter = Filtered { kinds, limit, sees };
        self.nearest_with(None, embedder, question, &filter)
    }

    /// Finds the same with graphs that are in memory; where they know too little of the store, or the filters leave little,
    /// all vectors are compared.
    #[cfg(feature = "hnsw")]
    pub fn nearest_by(
        &self,
        graph: &Graph,
        embedder: &dyn Embedder,
        question: &str,
        kinds: &[MemoryKind],
        limit: usize,
        sees: &dyn Fn(Option<LineId>) -> bool,
    ) -> Result<Vec<(Memory, f32)>> {
        let filter = Filtered { kinds, limit, sees };
        self.nearest_with(Some(graph), embedder, question, &filter)
    }

    fn nearest_with(
        &self,
        graph: Option<&Graph>,
        embedder: &dyn Embedder,
        question: &str,
        filter: &Filtered<'_>,
    ) -> Result<Vec<(Memory, f32)>> {
        let vectors = embedder.embed(&[question])?;
        let Some(vector) = vectors.first() else {
            return Ok(Vec::new());
        };
        let asked = Asked {
            embedder: EmbedderKey::of(embedder),
            vector,
            kinds: filter.kinds,
            limit: filter.limit,
            graph,
        };
        self.reading(|reading| reading.nearest(&asked, &|card| (filter.sees)(card.line)))
    }

    /// Returns how many memories have a vector of an embedder, and how many wait for one.
    pub fn embedded(&self, embedder: &dyn Embedder) -> Result<(u64, u64)> {
        let key = EmbedderKey::of(embedder);
        self.reading(|reading| {
            let vectors = Known::read(reading.rows, key)?.map_or(0, |known| known.vectors);
            let memories = postings::documents(reading.rows)?;
            Ok((vectors, memories.saturating_sub(vectors)))
        })
    }
}
