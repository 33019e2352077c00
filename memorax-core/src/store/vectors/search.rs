//! Finds the memories whose vectors are nearest to a question's: all codes are compared, the best again by exact vectors.

use std::collections::{BinaryHeap, HashMap};
use std::sync::Arc;

use super::Graph;
use super::codes::Codes;
use super::exact::{Exact, normalised};
use super::rows::{EmbedderKey, Known};
use crate::store::postings::Candidate;
use crate::store::{Card, Reading, Table};
use crate::{Memory, MemoryId, MemoryKind, Result};

/// Candidates by code for each memory that is wanted, and the fewest: codes are right to a hundredth, so the best ones by
/// exact vectors are among them.
const DEEPER: usize = 2;
const SHALLOWEST: usize = 40;
/// Cards that are looked up one by one before all of them are read at once.
const ONE_BY_ONE: usize = 200;
/// Greatest number of a question's code: the sum over 8,000 numbers still fits.
const FINEST: f32 = 2047.0;

/// What is asked for.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    /// The embedder that made the question's vector.
    pub(crate) embedder: EmbedderKey,
    /// The question's vector.
    pub(crate) vector: &'a [f32],
    /// Only these kinds; empty for all.
    pub(crate) kinds: &'a [MemoryKind],
    /// Most memories that are found.
    pub(crate) limit: usize,
    /// Graphs of the vectors, where there are some in memory.
    pub(crate) graph: Option<&'a Graph>,
}

impl Reading<'_> {
    /// Finds the memories in force that are nearest to a question's vector, with their cosines, nearest first.
    ///
    /// What is not accepted never takes the place of what is.
    pub(crate) fn nearest(
        &self,
        asked: &Asked<'_>,
        accept: &dyn Fn(&Card) -> bool,
    ) -> Result<Vec<(Memory, f32)>> {
        let question = normalised(asked.vector);
        let Some(known) = Known::read(self.rows, asked.embedder)? else {
            return Ok(Vec::new());
        };
        if asked.limit == 0
            || known.dimensions as usize != question.len()
            || question.iter().all(|value| *value == 0.0)
        {
            return Ok(Vec::new());
        }
        let of_kind = if asked.kinds.is_empty() {
            None
        } else {
            Some(self.ordinals(asked.kinds)?)
        };
        let depth = SHALLOWEST.max(asked.limit.saturating_mul(DEEPER));
        let accept = |ordinal: u32, card: &Card| {
            card.in_force
                && accept(card)
                && of_kind
                    .as_ref()
                    .is_none_or(|known| known.contains(&ordinal))
        };
        let candidates = match asked.graph {
            Some(graph) => graph.candidates(self, &known, &question, depth)?,
            None => None,
        };
        let mut found = Vec::new();
        if let Some(candidates) = candidates {
            found = self.best(asked.embedder, &question, candidates, depth, &accept)?;
        }
        // A graph looks at few memories: where a filter refuses most of them, or there is none, all are compared.
        if found.len() < depth {
            let candidates = self.compare(&known, &question)?;
            found = self.best(asked.embedder, &question, candidates, depth, &accept)?;
        }
        found.truncate(asked.limit);
        let mut nearest = Vec::with_capacity(found.len());
        for (cosine, id) in found {
            if let Some(memory) = self.shown(id)? {
                nearest.push((memory, cosine));
            }
        }
        Ok(nearest)
    }

    /// Takes the best candidates that are accepted, and compares them again by their exact vectors; nearest first.
    fn best(
        &self,
        embedder: EmbedderKey,
        question: &[f32],
        candidates: Vec<Candidate>,
        depth: usize,
        accept: &dyn Fn(u32, &Card) -> bool,
    ) -> Result<Vec<(f32, MemoryId)>> {
        let mut candidates = BinaryHeap::from(candidates);
        let mut cards = Cards::new(self);
        let mut found = Vec::new();
        while found.len() < depth
            && let Some(Candidate { ordinal, .. }) = candidates.pop()
        {
            let card = cards.get(ordinal)?;
            let Some(card) = card.filter(|card| accept(ordinal, card)) else {
                continue;
            };
            let key = embedder.with(ordinal);
            // A graph may know what was removed.
            if let Some(row) = self.rows.get(Table::Vector, &key)? {
                let vector = Exact::decode(&key, &row)?;
                found.push((vector.cosine(question), card.id));
            }
        }
        found.sort_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1)));
        Ok(found)
    }

    /// Compares a question with all codes.
    fn compare(&self, known: &Known, question: &[f32]) -> Result<Vec<Candidate>> {
        let greatest = question
            .iter()
            .fold(0.0_f32, |most, value| most.max(value.abs()));
        let code: Vec<i16> = question
            .iter()
            .map(|value| (value / greatest * FINEST).round() as i16)
            .collect();
        let scale = greatest / FINEST / 127.0;
        let mut candidates = Vec::with_capacity(known.vectors as usize);
        let mut compare = |ordinal: u32, length: f32, bytes: &[u8]| {
            candidates.push(Candidate {
                score: product(&code, bytes) as f32 * length * scale,
                ordinal,
            });
        };
        if let Some(codes) = self.warm.codes(known) {
            codes.visit(&mut compare);
        } else if self.warm.wants_codes(known) {
            let codes = Arc::new(Codes::read(self.rows, known)?);
            codes.visit(&mut compare);
            self.warm.keep_codes(codes);
        } else {
            Codes::scan(self.rows, known, &mut compare)?;
        }
        Ok(candidates)
    }
}

/// Multiplies a question's code with a memory's.
fn product(question: &[i16], code: &[u8]) -> i32 {
    question
        .iter()
        .zip(code)
        .map(|(one, other)| i32::from(*one) * i32::from(i16::from(other.cast_signed())))
        .sum()
}

/// Cards by ordinal: few are looked up, many are read in one go.
struct Cards<'a> {
    reading: &'a Reading<'a>,
    looked_up: usize,
    all: Option<HashMap<u32, Card>>,
}

impl<'a> Cards<'a> {
    fn new(reading: &'a Reading<'a>) -> Self {
        Self {
            reading,
            looked_up: 0,
            all: None,
        }
    }

    fn get(&mut self, ordinal: u32) -> Result<Option<Card>> {
        if self.looked_up < ONE_BY_ONE {
            self.looked_up += 1;
            return self.reading.card(ordinal);
        }
        if self.all.is_none() {
            self.all = Some(self.reading.cards()?);
        }
        Ok(self
            .all
            .as_ref()
            .and_then(|cards| cards.get(&ordinal).cloned()))
    }
}
