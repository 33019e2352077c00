//! The state derived from the log: records, aliases, lines, and the cards and words that a search needs.

use super::card::Card;
use super::chain::{self, Head};
use super::postings::{self, Document};
use super::record::{LineRecord, Record, decode, encode};
use super::rows::{Rows, RowsMut, Table};
use super::vectors;
use crate::{Anchor, Change, LineId, Memory, MemoryId, Operation, Payload, Result, Stamp};

/// Most aliases that are followed; more would be a loop.
const ALIAS_DEPTH: usize = 16;

/// Writes an operation to the log and joins it into the state, in the caller's transaction.
pub(crate) fn append(
    rows: &mut dyn RowsMut,
    head: &mut Head,
    operation: &Operation,
    payload: Option<&Payload>,
) -> Result<()> {
    let sequence = chain::store(rows, head, operation)?;
    let about = payload
        .and_then(|payload| payload.change.memory())
        .or(operation.purged);
    if let Some(memory) = about {
        let mut key = memory.as_bytes().to_vec();
        key.extend_from_slice(&sequence.to_be_bytes());
        rows.put(Table::ByMemory, &key, operation.id.as_bytes())?;
    }
    match payload {
        Some(payload) => join(rows, head, operation, payload),
        None => Ok(()),
    }
}

/// Joins an operation into the state.
fn join(
    rows: &mut dyn RowsMut,
    head: &mut Head,
    operation: &Operation,
    payload: &Payload,
) -> Result<()> {
    match &payload.change {
        Change::Line { line, .. } => {
            let mut record = line_record(rows.as_rows(), *line)?.unwrap_or_default();
            record.join(operation, payload);
            rows.put(Table::Line, line.as_bytes(), &record.encode()?)
        }
        change => {
            if let Change::Join { alias, into, .. } = change {
                put_alias(rows, *alias, *into, operation.stamp())?;
            }
            let Some(id) = change.memory() else {
                return Ok(());
            };
            let before = record(rows.as_rows(), id)?.unwrap_or_default();
            let mut after = before.clone();
            after.join(operation, payload);
            if after.is_purged() && !before.is_purged() {
                drop_bodies(rows, id)?;
            }
            rows.put(Table::Record, id.as_bytes(), &after.encode()?)?;
            reindex(rows, head, id, &before, &after)
        }
    }
}

/// Keeps the earliest of two aliases with one name, so that replicas agree.
fn put_alias(rows: &mut dyn RowsMut, alias: MemoryId, into: MemoryId, stamp: Stamp) -> Result<()> {
    if let Some(bytes) = rows.get(Table::Alias, alias.as_bytes())? {
        let (known, _): (Stamp, MemoryId) = decode(&bytes, || format!("alias `{alias}`"))?;
        if known <= stamp {
            return Ok(());
        }
    }
    rows.put(Table::Alias, alias.as_bytes(), &encode(&(stamp, into))?)
}

/// Drops salt and body of every operation about a memory, except of the purges themselves.
fn drop_bodies(rows: &mut dyn RowsMut, id: MemoryId) -> Result<()> {
    for operation in operations_about(rows.as_rows(), id)? {
        let is_purge = chain::payload(&operation)?
            .is_some_and(|payload| matches!(payload.change, Change::Purge { .. }));
        if !is_purge {
            chain::drop_body(rows, &operation, id)?;
        }
    }
    Ok(())
}

/// Brings card and words of a memory in line with its record.
fn reindex(
    rows: &mut dyn RowsMut,
    head: &mut Head,
    id: MemoryId,
    before: &Record,
    after: &Record,
) -> Result<()> {
    let shown = |record: &Record| {
        if record.is_deleted() {
            None
        } else {
            record.memory(id)
        }
    };
    let (before, after) = (shown(before), shown(after));
    let ordinal = ordinal(rows.as_rows(), id)?;
    if let (Some(ordinal), Some(before)) = (ordinal, &before)
        && after.as_ref().map(|after| after.kind) != Some(before.kind)
    {
        rows.remove(Table::Kind, &Card::kind_key(before.kind, ordinal))?;
    }
    let Some(memory) = after else {
        if let Some(ordinal) = ordinal {
            postings::remove(rows, ordinal)?;
            vectors::withdraw(rows, ordinal, None)?;
            rows.remove(Table::Card, &ordinal.to_be_bytes())?;
        }
        return Ok(());
    };
    let ordinal = if let Some(ordinal) = ordinal {
        ordinal
    } else {
        let ordinal = head.ordinal;
        head.ordinal += 1;
        rows.put(Table::Ordinal, id.as_bytes(), &ordinal.to_be_bytes())?;
        ordinal
    };
    if before.as_ref().map(|before| before.kind) != Some(memory.kind) {
        rows.put(Table::Kind, &Card::kind_key(memory.kind, ordinal), &[])?;
    }
    rows.put(
        Table::Card,
        &ordinal.to_be_bytes(),
        &Card::of(&memory).encode(),
    )?;
    if before
        .as_ref()
        .is_some_and(|before| before.title != memory.title || before.text != memory.text)
    {
        vectors::withdraw(rows, ordinal, Some(&memory))?;
    }
    let document = document_of(&memory);
    if before.as_ref().map(document_of).as_ref() != Some(&document) {
        postings::remove(rows, ordinal)?;
        postings::index(rows, ordinal, &document)?;
    }
    Ok(())
}

/// Returns the words by which a memory is found.
pub(crate) fn document_of(memory: &Memory) -> Document {
    Document::of(
        &memory.title,
        &memory.text,
        &memory.tags,
        memory.anchors.iter().filter_map(Anchor::cited_words),
    )
}

/// Reads the record of a memory.
pub(crate) fn record(rows: &dyn Rows, id: MemoryId) -> Result<Option<Record>> {
    rows.get(Table::Record, id.as_bytes())?
        .map(|bytes| Record::decode(id, &bytes))
        .transpose()
}

/// Returns a memory unless it is deleted or purged; the id must be the one under which it is kept.
pub(crate) fn shown(rows: &dyn Rows, id: MemoryId) -> Result<Option<Memory>> {
    let record = record(rows, id)?.filter(|record| !record.is_deleted());
    Ok(record.and_then(|record| record.memory(id)))
}

/// Reads the record of a line.
pub(crate) fn line_record(rows: &dyn Rows, id: LineId) -> Result<Option<LineRecord>> {
    rows.get(Table::Line, id.as_bytes())?
        .map(|bytes| LineRecord::decode(id, &bytes))
        .transpose()
}

/// Follows aliases to the id under which a memory is kept.
pub(crate) fn resolve(rows: &dyn Rows, id: MemoryId) -> Result<MemoryId> {
    let mut id = id;
    for _ in 0..ALIAS_DEPTH {
        let Some(bytes) = rows.get(Table::Alias, id.as_bytes())? else {
            break;
        };
        let (_, into): (Stamp, MemoryId) = decode(&bytes, || format!("alias `{id}`"))?;
        id = into;
    }
    Ok(id)
}

/// Returns the number under which a memory is indexed.
pub(crate) fn ordinal(rows: &dyn Rows, id: MemoryId) -> Result<Option<u32>> {
    Ok(rows
        .get(Table::Ordinal, id.as_bytes())?
        .and_then(|bytes| Some(u32::from_be_bytes(bytes.try_into().ok()?))))
}

/// Returns the operations about a memory, in the order in which they were applied here.
pub(crate) fn operations_about(rows: &dyn Rows, id: MemoryId) -> Result<Vec<Operation>> {
    let mut ids = Vec::new();
    rows.prefix(Table::ByMemory, id.as_bytes(), &mut |_, operation| {
        if let Ok(bytes) = operation.try_into() {
            ids.push(crate::OperationId::from_bytes(bytes));
        }
        Ok(std::ops::ControlFlow::Continue(()))
    })?;
    let mut operations = Vec::with_capacity(ids.len());
    for id in ids {
        operations.extend(chain::load_by_id(rows, id)?);
    }
    Ok(operations)
}
