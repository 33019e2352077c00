//! Adds and removes the words of a memory.

use super::block::{ENTRY, Entry, TOTALS, Totals, find, key_of, put, quantised};
use super::document::Document;
use crate::Result;
use crate::store::{RowsMut, Table};

/// Indexes a memory under its ordinal; what was indexed there before is replaced.
pub(in crate::store) fn index(
    rows: &mut dyn RowsMut,
    ordinal: u32,
    document: &Document,
) -> Result<()> {
    remove(rows, ordinal)?;
    for (word, frequency) in &document.words {
        let key = key_of(word, ordinal);
        let mut row = rows.get(Table::Posting, &key)?.unwrap_or_default();
        put(
            &mut row,
            Entry {
                ordinal,
                frequency: *frequency,
                length: quantised(document.length),
            },
        );
        rows.put(Table::Posting, &key, &row)?;
    }
    rows.put(Table::Forward, &ordinal.to_be_bytes(), &document.encode())?;
    let mut totals = Totals::read(rows.as_rows())?;
    totals.documents += 1;
    totals.length += u64::from(document.length);
    rows.put(Table::Meta, TOTALS, &totals.encode())
}

/// Removes the words of a memory. A word that no other memory has leaves no row behind.
pub(in crate::store) fn remove(rows: &mut dyn RowsMut, ordinal: u32) -> Result<()> {
    let forward = ordinal.to_be_bytes();
    let Some(row) = rows.get(Table::Forward, &forward)? else {
        return Ok(());
    };
    let document = Document::decode(ordinal, &row)?;
    for (word, _) in &document.words {
        let key = key_of(word, ordinal);
        let Some(mut row) = rows.get(Table::Posting, &key)? else {
            continue;
        };
        if let Ok(at) = find(&row, ordinal) {
            row.drain(at..at + ENTRY);
        }
        if row.is_empty() {
            rows.remove(Table::Posting, &key)?;
        } else {
            rows.put(Table::Posting, &key, &row)?;
        }
    }
    rows.remove(Table::Forward, &forward)?;
    let mut totals = Totals::read(rows.as_rows())?;
    totals.documents = totals.documents.saturating_sub(1);
    totals.length = totals.length.saturating_sub(u64::from(document.length));
    rows.put(Table::Meta, TOTALS, &totals.encode())
}
/// Forgets the totals, for a store whose postings were all removed.
pub(in crate::store) fn forget_totals(rows: &mut dyn RowsMut) -> Result<()> {
    rows.remove(Table::Meta, TOTALS)
}
