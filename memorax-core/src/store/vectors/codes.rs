//! All codes of an embedder's vectors: visited in the store, or read once into memory.

use std::ops::ControlFlow;

use super::block::{BLOCK, codes};
use super::rows::{Known, damaged, number_of};
use crate::Result;
use crate::store::{Rows, Table};

/// What is done with each code: the memory's ordinal, the greatest number of its vector, and the numbers as shares of it.
type Visitor<'a> = dyn FnMut(u32, f32, &[u8]) + 'a;

/// All codes of an embedder, side by side.
#[derive(Debug)]
pub(in crate::store) struct Codes {
    known: Known,
    entries: Vec<(u32, f32)>,
    bytes: Vec<u8>,
}

impl Codes {
    /// Visits all codes of an embedder in the store.
    pub(super) fn scan(rows: &dyn Rows, known: &Known, visit: &mut Visitor<'_>) -> Result<()> {
        let key = known.key();
        rows.prefix(Table::Code, key.as_bytes(), &mut |row_key, row| {
            let first = number_of(row_key)?
                .checked_mul(BLOCK)
                .ok_or_else(|| damaged(row_key))?;
            for entry in codes(row_key, row, known.dimensions as usize)? {
                visit(first + u32::from(entry.place), entry.greatest, entry.bytes);
            }
            Ok(ControlFlow::Continue(()))
        })
    }

    /// Reads all codes of an embedder.
    pub(super) fn read(rows: &dyn Rows, known: &Known) -> Result<Self> {
        let mut all = Self {
            known: known.clone(),
            entries: Vec::new(),
            bytes: Vec::new(),
        };
        Self::scan(rows, known, &mut |ordinal, greatest, bytes| {
            all.entries.push((ordinal, greatest));
            all.bytes.extend_from_slice(bytes);
        })?;
        Ok(all)
    }

    /// Says whether these are the codes of an embedder as it is in the store now.
    pub(in crate::store) fn is_of(&self, known: &Known) -> bool {
        self.known == *known
    }

    /// Visits the codes.
    pub(super) fn visit(&self, visit: &mut Visitor<'_>) {
        let codes = self.bytes.chunks_exact(self.known.dimensions as usize);
        for ((ordinal, greatest), bytes) in self.entries.iter().zip(codes) {
            visit(*ordinal, *greatest, bytes);
        }
    }
}
