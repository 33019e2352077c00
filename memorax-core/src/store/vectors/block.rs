//! Blocks: the codes of thirty memories in a row, so that one scan reads all codes and nothing else.

use super::exact::Exact;
use super::rows::{EmbedderKey, damaged};
use crate::Result;
use crate::store::{Rows, RowsMut, Table};

/// Version of the row.
const VERSION: u8 = 1;
/// Memories of a block: with vectors of 256 numbers a full row just fits into two pages of the store.
pub(super) const BLOCK: u32 = 30;
/// Bytes before a code: place in the block, greatest number of the vector.
const HEAD: usize = 5;

/// One code of a block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Code<'a> {
    /// Place in the block.
    pub(super) place: u8,
    /// Greatest number of the vector.
    pub(super) greatest: f32,
    /// The numbers as shares of it.
    pub(super) bytes: &'a [u8],
}

/// Visits the codes of a row, in the order of their places.
pub(super) fn codes<'a>(
    key: &[u8],
    row: &'a [u8],
    dimensions: usize,
) -> Result<impl Iterator<Item = Code<'a>>> {
    let entries = row
        .strip_prefix(&[VERSION])
        .filter(|entries| entries.len().is_multiple_of(HEAD + dimensions))
        .ok_or_else(|| damaged(key))?;
    Ok(entries.chunks_exact(HEAD + dimensions).map(|entry| Code {
        place: entry[0],
        greatest: f32::from_be_bytes([entry[1], entry[2], entry[3], entry[4]]),
        bytes: &entry[HEAD..],
    }))
}

/// Writes the code of a memory's vector, in place of an older one.
pub(super) fn put(
    rows: &mut dyn RowsMut,
    key: EmbedderKey,
    ordinal: u32,
    vector: &Exact,
) -> Result<()> {
    let code = vector.code();
    change(rows, key, ordinal, code.len(), |entries, at| {
        let mut entry = vec![(ordinal % BLOCK) as u8];
        entry.extend_from_slice(&vector.greatest().to_be_bytes());
        entry.extend_from_slice(&code);
        entries.splice(at, entry);
    })
}

/// Removes the code of a memory. The last one takes the row with it.
pub(super) fn remove(
    rows: &mut dyn RowsMut,
    key: EmbedderKey,
    ordinal: u32,
    dimensions: usize,
) -> Result<()> {
    change(rows, key, ordinal, dimensions, |entries, at| {
        entries.drain(at);
    })
}

/// Reads the row of a block; empty where there is none.
pub(super) fn read(rows: &dyn Rows, key: EmbedderKey, block: u32) -> Result<Vec<u8>> {
    let row = rows.get(Table::Code, &key.with(block))?;
    Ok(row.unwrap_or_else(|| vec![VERSION]))
}

/// Changes a row where the code of a memory is, or would be.
fn change(
    rows: &mut dyn RowsMut,
    key: EmbedderKey,
    ordinal: u32,
    dimensions: usize,
    change: impl FnOnce(&mut Vec<u8>, std::ops::Range<usize>),
) -> Result<()> {
    let block = key.with(ordinal / BLOCK);
    let mut row = read(rows.as_rows(), key, ordinal / BLOCK)?;
    let wanted = (ordinal % BLOCK) as u8;
    let (mut before, mut there) = (0, 0);
    for code in codes(&block, &row, dimensions)? {
        before += usize::from(code.place < wanted);
        there += usize::from(code.place == wanted);
    }
    let length = HEAD + dimensions;
    let start = 1 + before * length;
    change(&mut row, start..start + there * length);
    if row.len() > 1 {
        rows.put(Table::Code, &block, &row)
    } else {
        rows.remove(Table::Code, &block)
    }
}
