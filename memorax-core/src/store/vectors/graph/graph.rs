//! The graphs of one embedder's vectors in one store, and up to where in the order of the vectors they know them.

use std::ops::ControlFlow;

use super::files::Saved;
use super::shard::{FULL, Shard, code};
use crate::embed::Embedder;
use crate::store::postings::Candidate;
use crate::store::vectors::exact::Exact;
use crate::store::vectors::rows::{EmbedderKey, Known, damaged};
use crate::store::{Ledger, Reading, Table};
use crate::{Error, ErrorKind, Result};

/// Vectors that a search compares one by one because the graphs do not know them yet; with more of them it does not use
/// the graphs.
const MOST_UNKNOWN: usize = 2_000;
/// Share of codes of removed vectors from which on the graphs are built anew.
const MOST_DEAD: f64 = 0.2;
/// Vectors that are read at once to be inserted.
const BATCH: usize = 512;
/// Candidates of each graph for each that is wanted, so that what a filter refuses leaves enough.
const WIDER: usize = 2;

/// Graphs of the vectors of one embedder in one store, for very many memories: candidates are found by them in place of a
/// scan.
///
/// A graph finds candidates only: each is compared again by its exact vector, and checked against the filters.
pub struct Graph {
    pub(super) embedder: Known,
    pub(super) shards: Vec<Shard>,
    /// The files of each, where they are as it is.
    pub(super) saved: Vec<Option<Saved>>,
    /// Place in the order of the vectors up to which they are known.
    pub(super) covered: u64,
}

impl std::fmt::Debug for Graph {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Graph")
            .field("embedder", &self.embedder.id)
            .field("points", &self.points())
            .field("covered", &self.covered)
            .finish_non_exhaustive()
    }
}

impl Graph {
    fn new(embedder: Known) -> Self {
        Self {
            embedder,
            shards: Vec::new(),
            saved: Vec::new(),
            covered: 0,
        }
    }

    /// Returns how many codes there are, also those of removed vectors.
    pub fn points(&self) -> usize {
        self.shards.iter().map(Shard::points).sum()
    }

    /// Says whether the graphs are of this order of vectors.
    pub(super) fn fits(&self, known: &Known) -> bool {
        self.embedder.order == known.order
            && self.embedder.key() == known.key()
            && self.covered <= known.next
    }

    /// Brings graphs up to the vectors of a store, by at most `limit` of them; begins anew where they are of another order or
    /// know too much that was removed. `None` where the store has fewer vectors than `threshold`.
    pub fn brought_up(
        graph: Option<Self>,
        ledger: &Ledger,
        embedder: &dyn Embedder,
        threshold: u64,
        limit: usize,
    ) -> Result<Option<Self>> {
        let key = EmbedderKey::of(embedder);
        let known = ledger.reading(|reading| Known::read(reading.rows, key))?;
        let Some(known) = known.filter(|known| known.vectors >= threshold.max(1)) else {
            return Ok(None);
        };
        let mut graph = graph
            .filter(|graph| graph.fits(&known))
            .unwrap_or_else(|| Self::new(known.clone()));
        let unknown =
            ledger.reading(|reading| reading.put_since(key, graph.covered, usize::MAX))?;
        let alive = known.vectors.saturating_sub(unknown.len() as u64);
        let dead = (graph.points() as u64).saturating_sub(alive);
        if dead as f64 > graph.points() as f64 * MOST_DEAD {
            graph = Self::new(known);
        }
        let mut left = limit;
        while left > 0 {
            let batch = ledger
                .reading(|reading| reading.vectors_since(key, graph.covered, BATCH.min(left)))?;
            let Some((last, _, _)) = batch.last() else {
                break;
            };
            left -= batch.len().min(left);
            let covered = last + 1;
            for (_, ordinal, vector) in &batch {
                graph.insert(*ordinal, vector);
            }
            graph.covered = covered;
        }
        Ok(Some(graph))
    }

    fn insert(&mut self, ordinal: u32, vector: &Exact) {
        if self
            .shards
            .last()
            .is_none_or(|shard| shard.points() >= FULL)
        {
            self.shards.push(Shard::new());
            self.saved.push(None);
        }
        if let (Some(shard), Some(saved)) = (self.shards.last(), self.saved.last_mut()) {
            shard.insert(ordinal, vector);
            *saved = None;
        }
    }

    /// Returns candidates for a question, each once; `None` where the graphs know too little of the store.
    pub(in crate::store::vectors) fn candidates(
        &self,
        reading: &Reading<'_>,
        known: &Known,
        question: &[f32],
        depth: usize,
    ) -> Result<Option<Vec<Candidate>>> {
        if !self.fits(known) {
            return Ok(None);
        }
        let key = known.key();
        let unknown = reading.put_since(key, self.covered, MOST_UNKNOWN + 1)?;
        if unknown.len() > MOST_UNKNOWN {
            return Ok(None);
        }
        let code = code(question);
        let mut candidates: Vec<Candidate> = Vec::new();
        for shard in &self.shards {
            let near = shard.search(&code, depth.saturating_mul(WIDER));
            candidates.extend(
                near.into_iter()
                    .map(|(ordinal, score)| Candidate { score, ordinal }),
            );
        }
        for (_, ordinal) in unknown {
            let row_key = key.with(ordinal);
            if let Some(row) = reading.rows.get(Table::Vector, &row_key)? {
                let score = Exact::decode(&row_key, &row)?.cosine(question);
                candidates.push(Candidate { score, ordinal });
            }
        }
        // A vector that was put again may be known twice: the later one counts.
        candidates.sort_by_key(|candidate| candidate.ordinal);
        candidates.reverse();
        candidates.dedup_by_key(|candidate| candidate.ordinal);
        Ok(Some(candidates))
    }
}

impl Reading<'_> {
    /// Returns places and ordinals of the vectors that were put from a place on, at most `limit`.
    fn put_since(&self, key: EmbedderKey, place: u64, limit: usize) -> Result<Vec<(u64, u32)>> {
        let mut put = Vec::new();
        let end = crate::store::after_prefix(key.as_bytes());
        let from = key.at(place);
        self.rows
            .range(Table::VectorOrder, &from, &end, &mut |row_key, ordinal| {
                if put.len() == limit {
                    return Ok(ControlFlow::Break(()));
                }
                let place = row_key.last_chunk().ok_or_else(|| damaged(row_key))?;
                let ordinal = ordinal.try_into().map_err(|_| damaged(row_key))?;
                put.push((u64::from_be_bytes(*place), u32::from_be_bytes(ordinal)));
                Ok(ControlFlow::Continue(()))
            })?;
        Ok(put)
    }

    /// Returns places, ordinals and vectors that were put from a place on, at most `limit`.
    fn vectors_since(
        &self,
        key: EmbedderKey,
        place: u64,
        limit: usize,
    ) -> Result<Vec<(u64, u32, Exact)>> {
        let mut vectors = Vec::new();
        for (place, ordinal) in self.put_since(key, place, limit)? {
            let row_key = key.with(ordinal);
            let row = self.rows.get(Table::Vector, &row_key)?;
            let row = row.ok_or_else(|| {
                Error::new(
                    ErrorKind::Corrupted,
                    format!("memory number {ordinal} has a place among the vectors and no vector"),
                )
                .with_hint("memorax repair")
            })?;
            vectors.push((place, ordinal, Exact::decode(&row_key, &row)?));
        }
        Ok(vectors)
    }
}
