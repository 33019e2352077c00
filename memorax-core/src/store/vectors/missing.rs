//! Memories that wait for a vector.

use super::block::{self, BLOCK, codes};
use super::ready::embedded_text;
use super::rows::{EmbedderKey, Known};
use crate::store::chain::Head;
use crate::store::{Card, Ledger, Reading, Table, postings, state};
use crate::{MemoryId, Result};

/// A memory that has no vector of an embedder yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Waiting {
    /// The memory.
    pub(super) id: MemoryId,
    /// What of it is to be embedded.
    pub(super) text: String,
}

impl Ledger {
    /// Returns memories that have no vector of an embedder yet, newest first, at most `limit`.
    pub(super) fn without_vector(&self, key: EmbedderKey, limit: usize) -> Result<Vec<Waiting>> {
        self.reading(|reading| reading.without_vector(key, limit))
    }
}

impl Reading<'_> {
    /// Says whether there are memories that have a vector of none of some embedders.
    pub(crate) fn lacks_vectors(&self, embedders: &[EmbedderKey]) -> Result<bool> {
        for key in embedders {
            if !self.is_waiting(Known::read(self.rows, *key)?.as_ref())? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Says whether a memory has a vector of one of some embedders.
    pub(crate) fn has_vector(&self, embedders: &[EmbedderKey], id: MemoryId) -> Result<bool> {
        if embedders.is_empty() {
            return Ok(false);
        }
        let Some(ordinal) = state::ordinal(self.rows, id)? else {
            return Ok(false);
        };
        for key in embedders {
            if self.rows.get(Table::Vector, &key.with(ordinal))?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Says whether memories wait for a vector of an embedder; costs nothing where none does.
    fn is_waiting(&self, known: Option<&Known>) -> Result<bool> {
        Ok(postings::documents(self.rows)? > known.map_or(0, |known| known.vectors))
    }

    fn without_vector(&self, key: EmbedderKey, limit: usize) -> Result<Vec<Waiting>> {
        let mut waiting = Vec::new();
        let known = Known::read(self.rows, key)?;
        if limit == 0 || !self.is_waiting(known.as_ref())? {
            return Ok(waiting);
        }
        let ordinals = Head::load(self.rows)?.map_or(0, |head| head.ordinal);
        for number in (0..ordinals.div_ceil(BLOCK)).rev() {
            let mut has = [false; BLOCK as usize];
            if let Some(known) = &known {
                let row = block::read(self.rows, key, number)?;
                for code in codes(&key.with(number), &row, known.dimensions as usize)? {
                    if let Some(place) = has.get_mut(usize::from(code.place)) {
                        *place = true;
                    }
                }
            }
            for place in (0..BLOCK).rev().filter(|place| !has[*place as usize]) {
                let ordinal = number * BLOCK + place;
                let Some(card) = self.rows.get(Table::Card, &ordinal.to_be_bytes())? else {
                    continue;
                };
                let id = Card::decode(&card)?.id;
                if let Some(memory) = state::shown(self.rows, id)? {
                    let text = embedded_text(&memory.title, &memory.text);
                    waiting.push(Waiting { id, text });
                }
                if waiting.len() == limit {
                    return Ok(waiting);
                }
            }
        }
        Ok(waiting)
    }
}
