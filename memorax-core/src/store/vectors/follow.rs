//! Keeps vectors in step with the texts: what is changed or gone loses its vector in the same transaction.

use std::ops::ControlFlow;

use super::block;
use super::exact::{Exact, TextHash, label_of};
use super::ready::hash_of;
use super::rows::{EmbedderKey, Known, damaged};
use crate::store::chain::{self, Link};
use crate::store::{Rows, RowsMut, Table, state};
use crate::{Memory, MemoryId, Result};

/// Key of the row of [`Table::Meta`] that says up to where in the log the vectors followed.
const PLACE: &[u8] = b"vectors";

/// Takes the vectors of a memory away, of all embedders, unless they are of the text that it has now.
pub(in crate::store) fn withdraw(
    rows: &mut dyn RowsMut,
    ordinal: u32,
    memory: Option<&Memory>,
) -> Result<()> {
    let known = Known::all(rows.as_rows())?;
    if known.is_empty() {
        return Ok(());
    }
    let text = memory.map(hash_of);
    for embedder in known {
        let key = embedder.key();
        let row = rows.get(Table::Vector, &key.with(ordinal))?;
        let Some(row) = row else { continue };
        let label = label_of(&key.with(ordinal), &row)?;
        if Some(label.text) != text {
            remove(rows, embedder, ordinal, label.place)?;
        }
    }
    Ok(())
}

/// Looks at what was written by a version that keeps no vectors: from where the vectors followed the log up to `end`.
pub(in crate::store) fn follow(rows: &mut dyn RowsMut, end: u64) -> Result<()> {
    let place = place(rows.as_rows())?;
    if place >= end || Known::all(rows.as_rows())?.is_empty() {
        return Ok(());
    }
    for id in changed(rows.as_rows(), place, end)? {
        let Some(ordinal) = state::ordinal(rows.as_rows(), id)? else {
            continue;
        };
        let memory = state::shown(rows.as_rows(), id)?;
        withdraw(rows, ordinal, memory.as_ref())?;
    }
    keep_place(rows, end)
}

/// Writes down that the vectors followed the log up to here.
pub(in crate::store) fn keep_place(rows: &mut dyn RowsMut, end: u64) -> Result<()> {
    rows.put(Table::Meta, PLACE, &end.to_be_bytes())
}

/// Removes all vectors, for a state that is derived anew: memories get other ordinals.
pub(in crate::store) fn forget_all(rows: &mut dyn RowsMut) -> Result<()> {
    remove_below(rows, &[])?;
    rows.remove(Table::Meta, PLACE)
}

/// Removes all vectors of an embedder.
pub(super) fn forget(rows: &mut dyn RowsMut, key: EmbedderKey) -> Result<()> {
    remove_below(rows, key.as_bytes())
}

/// Removes what begins with a key from all tables of vectors.
fn remove_below(rows: &mut dyn RowsMut, prefix: &[u8]) -> Result<()> {
    for table in [
        Table::Embedder,
        Table::Vector,
        Table::Code,
        Table::VectorOrder,
    ] {
        let mut keys = Vec::new();
        rows.prefix(table, prefix, &mut |key, _| {
            keys.push(key.to_vec());
            Ok(ControlFlow::Continue(()))
        })?;
        for key in keys {
            rows.remove(table, &key)?;
        }
    }
    Ok(())
}

/// Puts a vector in place of an older one.
pub(super) fn put(
    rows: &mut dyn RowsMut,
    embedder: &Known,
    ordinal: u32,
    text: TextHash,
    vector: &Exact,
) -> Result<()> {
    let key = embedder.key();
    let row_key = key.with(ordinal);
    let mut known = Known::read(rows.as_rows(), key)?.unwrap_or_else(|| embedder.clone());
    match rows.get(Table::Vector, &row_key)? {
        Some(row) => {
            let place = label_of(&row_key, &row)?.place;
            rows.remove(Table::VectorOrder, &key.at(place))?;
        }
        None => known.vectors += 1,
    }
    let place = known.next;
    known.next += 1;
    known.save(rows)?;
    rows.put(Table::Vector, &row_key, &vector.encode(text, place))?;
    rows.put(Table::VectorOrder, &key.at(place), &ordinal.to_be_bytes())?;
    block::put(rows, key, ordinal, vector)
}

fn remove(rows: &mut dyn RowsMut, mut embedder: Known, ordinal: u32, place: u64) -> Result<()> {
    let key = embedder.key();
    rows.remove(Table::Vector, &key.with(ordinal))?;
    rows.remove(Table::VectorOrder, &key.at(place))?;
    block::remove(rows, key, ordinal, embedder.dimensions as usize)?;
    embedder.vectors = embedder.vectors.saturating_sub(1);
    embedder.save(rows)
}

/// Returns up to where in the log the vectors followed.
fn place(rows: &dyn Rows) -> Result<u64> {
    let Some(row) = rows.get(Table::Meta, PLACE)? else {
        return Ok(0);
    };
    let place = row.try_into().map_err(|_| damaged(PLACE))?;
    Ok(u64::from_be_bytes(place))
}

/// Returns the memories that operations of the log are about.
pub(super) fn changed(rows: &dyn Rows, from: u64, to: u64) -> Result<Vec<MemoryId>> {
    let mut links = Vec::new();
    let (from, to) = (from.to_be_bytes(), to.to_be_bytes());
    rows.range(Table::Sequence, &from, &to, &mut |_, link| {
        links.push(Link::from_key(link)?);
        Ok(ControlFlow::Continue(()))
    })?;
    let mut changed = Vec::new();
    for link in links {
        // What cannot be read is passed over: `verify` names it, and it must not keep anybody from writing.
        let Ok(Some(operation)) = chain::load(rows, link) else {
            continue;
        };
        let payload = chain::payload(&operation).ok().flatten();
        let memory = payload.and_then(|payload| payload.change.memory());
        changed.extend(memory.or(operation.purged));
    }
    changed.sort_unstable();
    changed.dedup();
    Ok(changed)
}
