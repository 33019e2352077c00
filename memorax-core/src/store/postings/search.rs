//! Scores memories by BM25.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

use super::block::{BLOCK, ENTRY, Totals, block_of, damaged, find, length_of, prefix_of};
use crate::Result;
use crate::store::{Rows, Table};

/// How fast more of the same word stops to matter (Robertson and Zaragoza 2009; also the default of Lucene).
const K1: f32 = 1.2;

/// How far a long text is held against it (ibidem).
const B: f32 = 0.75;

/// Counts the memories that have a word.
pub(in crate::store) fn count(rows: &dyn Rows, word: &str) -> Result<u64> {
    Ok(List::read(rows, word)?.documents() as u64)
}

/// Counts the memories that are indexed.
pub(in crate::store) fn documents(rows: &dyn Rows) -> Result<u64> {
    Ok(Totals::read(rows)?.documents)
}

/// A memory that has words of the query.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::store) struct WordHit {
    /// Its number.
    pub(in crate::store) ordinal: u32,
    /// Its BM25 score, above 0.
    pub(in crate::store) score: f32,
    /// The words of the query that it has, in the order of the query.
    pub(in crate::store) words: Vec<String>,
}

/// Finds the memories that fit the words best; best first, ties by ordinal.
///
/// `accept` is asked for each candidate, best first, until `limit` are accepted, so that a filter costs nothing for
/// memories that would not be shown.
pub(in crate::store) fn search(
    rows: &dyn Rows,
    words: &[(String, f32)],
    limit: usize,
    accept: &mut dyn FnMut(u32) -> Result<bool>,
) -> Result<Vec<WordHit>> {
    let totals = Totals::read(rows)?;
    if totals.documents == 0 || limit == 0 {
        return Ok(Vec::new());
    }
    // Documents without a word count too; where no document has one, nothing is found and any average will do.
    let average = (totals.length.max(1) as f64 / totals.documents as f64) as f32;
    let norms: Vec<f32> = (0..=u8::MAX)
        .map(|length| K1 * (1.0 - B + B * length_of(length) / average))
        .collect();
    let mut scores: Vec<f32> = Vec::new();
    let mut lists = Vec::with_capacity(words.len());
    for (word, weight) in words.iter().filter(|(_, weight)| *weight > 0.0) {
        let list = List::read(rows, word)?;
        if list.entries.is_empty() {
            continue;
        }
        let weight = weight * rarity(list.documents(), totals.documents);
        list.add_scores(weight, &norms, &mut scores);
        lists.push((word, list));
    }
    let mut candidates: BinaryHeap<Candidate> = scores
        .iter()
        .enumerate()
        .filter(|(_, score)| **score > 0.0)
        .map(|(ordinal, score)| Candidate {
            score: *score,
            ordinal: ordinal as u32,
        })
        .collect();
    let mut hits = Vec::with_capacity(limit.min(candidates.len()));
    while hits.len() < limit
        && let Some(Candidate { score, ordinal }) = candidates.pop()
    {
        if accept(ordinal)? {
            hits.push(WordHit {
                ordinal,
                score,
                words: lists
                    .iter()
                    .filter(|(_, list)| list.contains(ordinal))
                    .map(|(word, _)| (*word).clone())
                    .collect(),
            });
        }
    }
    Ok(hits)
}

/// Inverse document frequency, in the form that is never negative.
fn rarity(documents_with_word: usize, documents: u64) -> f32 {
    let with = documents_with_word as f32;
    (1.0 + (documents as f32 - with + 0.5).max(0.0) / (with + 0.5)).ln()
}

/// All postings of a word.
#[derive(Debug, Default)]
pub(super) struct List {
    /// Number of a block and where its entries end.
    blocks: Vec<(u32, usize)>,
    entries: Vec<u8>,
}

impl List {
    pub(super) fn read(rows: &dyn Rows, word: &str) -> Result<Self> {
        Self::read_some(rows, word, usize::MAX)
    }

    /// Reads whole blocks until there are more documents than `most`.
    pub(super) fn read_some(rows: &dyn Rows, word: &str, most: usize) -> Result<Self> {
        let mut list = Self::default();
        rows.prefix(Table::Posting, &prefix_of(word), &mut |key, row| {
            // A larger block would overflow the ordinals.
            if !row.len().is_multiple_of(ENTRY)
                || row.is_empty()
                || block_of(key)? > u32::MAX / BLOCK
            {
                return Err(damaged(key));
            }
            list.entries.extend_from_slice(row);
            list.blocks.push((block_of(key)?, list.entries.len()));
            Ok(if list.documents() > most {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            })
        })?;
        Ok(list)
    }

    pub(super) fn documents(&self) -> usize {
        self.entries.len() / ENTRY
    }

    /// Visits ordinal, frequency and length of every document.
    pub(super) fn each(&self, mut visit: impl FnMut(u32, u8, u8)) {
        let mut start = 0;
        for (block, end) in &self.blocks {
            for entry in self.entries[start..*end].chunks_exact(ENTRY) {
                visit(block * BLOCK + u32::from(entry[0]), entry[1], entry[2]);
            }
            start = *end;
        }
    }

    fn add_scores(&self, weight: f32, norms: &[f32], scores: &mut Vec<f32>) {
        let Some((last, _)) = self.blocks.last() else {
            return;
        };
        let size = (*last as usize + 1) * BLOCK as usize;
        if scores.len() < size {
            scores.resize(size, 0.0);
        }
        self.each(|ordinal, frequency, length| {
            let frequency = f32::from(frequency);
            scores[ordinal as usize] +=
                weight * frequency * (K1 + 1.0) / (frequency + norms[usize::from(length)]);
        });
    }

    fn contains(&self, ordinal: u32) -> bool {
        let Ok(at) = self
            .blocks
            .binary_search_by_key(&(ordinal / BLOCK), |(block, _)| *block)
        else {
            return false;
        };
        let start = at.checked_sub(1).map_or(0, |before| self.blocks[before].1);
        find(&self.entries[start..self.blocks[at].1], ordinal).is_ok()
    }
}

/// A memory with a score; the greatest has the highest score, and the lowest ordinal among equals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::store) struct Candidate {
    pub(in crate::store) score: f32,
    pub(in crate::store) ordinal: u32,
}

impl Eq for Candidate {}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score
            .total_cmp(&other.score)
            .then(other.ordinal.cmp(&self.ordinal))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
