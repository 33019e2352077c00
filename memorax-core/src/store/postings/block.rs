//! Rows of postings: one for each word and each 256 ordinals that have it.

use crate::store::{Rows, Table};
use crate::{Error, ErrorKind, Result};

/// Ordinals of a block.
pub(super) const BLOCK: u32 = 256;

/// Bytes of an entry: place in the block, frequency, length of the document.
pub(super) const ENTRY: usize = 3;

/// Key of the row of [`Table::Meta`] with the totals.
pub(super) const TOTALS: &[u8] = b"words";

/// A word in one document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Number of the document.
    pub(super) ordinal: u32,
    /// Frequency, 1 to 255.
    pub(super) frequency: u8,
    /// Length of the document, see [`quantised`].
    pub(super) length: u8,
}

/// Returns what the keys of all blocks of a word begin with. No word has a zero byte.
pub(super) fn prefix_of(word: &str) -> Vec<u8> {
    let mut key = Vec::with_capacity(word.len() + 5);
    key.extend_from_slice(word.as_bytes());
    key.push(0);
    key
}

/// Returns the key of the block of a word that holds an ordinal.
pub(super) fn key_of(word: &str, ordinal: u32) -> Vec<u8> {
    let mut key = prefix_of(word);
    key.extend_from_slice(&(ordinal / BLOCK).to_be_bytes());
    key
}

/// Reads the number of the block from a key.
pub(super) fn block_of(key: &[u8]) -> Result<u32> {
    key.last_chunk::<4>()
        .map(|block| u32::from_be_bytes(*block))
        .ok_or_else(|| damaged(key))
}

/// Visits the entries of a row.
pub(super) fn entries(key: &[u8], row: &[u8]) -> Result<impl Iterator<Item = Entry>> {
    let first = block_of(key)?
        .checked_mul(BLOCK)
        .filter(|_| row.len().is_multiple_of(ENTRY))
        .ok_or_else(|| damaged(key))?;
    Ok(row.chunks_exact(ENTRY).map(move |entry| Entry {
        ordinal: first + u32::from(entry[0]),
        frequency: entry[1],
        length: entry[2],
    }))
}

/// Finds an ordinal in a row: its place, or where it would be.
pub(super) fn find(row: &[u8], ordinal: u32) -> std::result::Result<usize, usize> {
    let wanted = (ordinal % BLOCK) as u8;
    let (mut low, mut high) = (0, row.len() / ENTRY);
    while low < high {
        let middle = usize::midpoint(low, high);
        match row[middle * ENTRY].cmp(&wanted) {
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Equal => return Ok(middle * ENTRY),
            std::cmp::Ordering::Greater => high = middle,
        }
    }
    Err(low * ENTRY)
}

/// Writes an entry into a row, in the order of the ordinals.
pub(super) fn put(row: &mut Vec<u8>, entry: Entry) {
    let bytes = [(entry.ordinal % BLOCK) as u8, entry.frequency, entry.length];
    match find(row, entry.ordinal) {
        Ok(at) => row[at..at + ENTRY].copy_from_slice(&bytes),
        Err(at) => {
            row.splice(at..at, bytes);
        }
    }
}

/// Puts a length into one byte: exact up to 31, then eight steps for each doubling, so at most 6.25 % off.
pub(super) fn quantised(length: u32) -> u8 {
    if length < 32 {
        return length as u8;
    }
    let exponent = length.ilog2(); // 5 to 31
    let step = (length >> (exponent - 3)) & 7;
    (32 + (exponent - 5) * 8 + step) as u8
}

/// Returns the middle of the lengths that share a byte.
pub(super) fn length_of(quantised: u8) -> f32 {
    if quantised < 32 {
        return f32::from(quantised);
    }
    let code = u32::from(quantised) - 32;
    let width = ((code / 8 + 2) as f32).exp2();
    ((8 + code % 8) as f32 + 0.5) * width - 0.5
}

/// Number and total length of the documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Totals {
    pub(super) documents: u64,
    pub(super) length: u64,
}

impl Totals {
    pub(super) fn read(rows: &dyn Rows) -> Result<Self> {
        let Some(row) = rows.get(Table::Meta, TOTALS)? else {
            return Ok(Self::default());
        };
        let Some((documents, length)) = row
            .split_first_chunk::<8>()
            .and_then(|(documents, rest)| Some((documents, rest.first_chunk::<8>()?)))
        else {
            return Err(damaged(TOTALS));
        };
        Ok(Self {
            documents: u64::from_be_bytes(*documents),
            length: u64::from_be_bytes(*length),
        })
    }

    pub(super) fn encode(self) -> [u8; 16] {
        let mut row = [0; 16];
        row[..8].copy_from_slice(&self.documents.to_be_bytes());
        row[8..].copy_from_slice(&self.length.to_be_bytes());
        row
    }
}

pub(super) fn damaged(key: &[u8]) -> Error {
    Error::new(
        ErrorKind::Corrupted,
        format!("cannot read the word row `{}`", key.escape_ascii()),
    )
    .with_hint("memorax repair")
}

#[cfg(test)]
mod tests {
    use super::{length_of, quantised};

    #[test]
    fn a_quantised_length_is_off_by_a_sixteenth_at_most_and_keeps_the_order() {
        let mut before = 0;
        for length in (0..5000).chain((5000..u32::MAX - 100_000_000).step_by(99_999_989)) {
            let code = quantised(length);
            assert!(code >= before, "{length}");
            before = code;
            let error = (f64::from(length_of(code)) - f64::from(length)).abs();
            assert!(
                error <= f64::from(length) / 16.0,
                "{length} reads {}",
                length_of(code)
            );
        }
        assert_eq!(quantised(u32::MAX), 247);
    }
}
