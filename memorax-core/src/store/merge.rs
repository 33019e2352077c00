//! Merging operations of another replica: checked, stored, joined; the order of arrival does not matter.

use super::chain::{self, Head, Link};
use super::ledger::Ledger;
use super::rows::{Rows, RowsMut, Table};
use super::state;
use crate::{Change, Error, ErrorKind, MemoryId, Operation, Payload, Result};

/// What became of merged operations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Merged {
    /// New operations.
    pub applied: usize,
    /// Operations that were known.
    pub known: usize,
}

impl Ledger {
    /// Joins operations of another replica, all or none.
    ///
    /// They may come in any order, twice, and with gaps: the state is the same once the same operations are there.
    ///
    /// # Errors
    /// `Conflict` when two different operations claim one place of a chain, or one continues this store's own chain
    /// (a copied store); `Corrupted` when a hash does not fit.
    pub fn merge(&self, operations: &[Operation]) -> Result<Merged> {
        let mut merged = Merged::default();
        self.write(&mut |rows, head| {
            merged = Merged::default();
            for operation in operations {
                if merge_one(rows, head, operation)? {
                    merged.applied += 1;
                } else {
                    merged.known += 1;
                }
            }
            Ok(())
        })?;
        Ok(merged)
    }

    /// Returns every operation of the log with its body, in the order in which it was applied here.
    pub fn operations(&self) -> Result<Vec<Operation>> {
        self.read(|rows| {
            let next = Head::load(rows)?.map_or(0, |head| head.sequence);
            let mut operations = Vec::new();
            for sequence in 0..next {
                let Some(link) = rows.get(Table::Sequence, &sequence.to_be_bytes())? else {
                    continue;
                };
                operations.extend(chain::load(rows, Link::from_key(&link)?)?);
            }
            Ok(operations)
        })
    }
}

fn merge_one(rows: &mut dyn RowsMut, head: &mut Head, operation: &Operation) -> Result<bool> {
    let link = Link::of(operation);
    if let Some(known) = chain::load(rows.as_rows(), link)? {
        if chain::operation_hash(&known) == chain::operation_hash(operation) {
            return Ok(false);
        }
        return Err(forked(operation));
    }
    if operation.space != head.space {
        return Err(Error::new(
            ErrorKind::InvalidInput,
            format!(
                "operation `{}` is of space `{}`, this is `{}`",
                operation.id,
                operation.space.as_str(),
                head.space.as_str()
            ),
        ));
    }
    if operation.device == head.device && operation.incarnation == head.incarnation {
        return Err(Error::new(
            ErrorKind::Conflict,
            format!(
                "operation `{}` continues this store's own chain: the store was copied",
                operation.id
            ),
        )
        .with_hint("restore the copy with `memorax restore`, which starts a chain of its own"));
    }
    check_links(rows.as_rows(), operation)?;
    let mut operation = operation.clone();
    let payload = checked_payload(&operation)?;
    head.clock = head.clock.max(operation.time);
    if let Some(memory) = purged_subject(rows.as_rows(), payload.as_ref())? {
        operation.body = None;
        operation.purged = Some(memory);
    }
    state::append(rows, head, &operation, payload.as_ref())?;
    Ok(true)
}

/// Checks the operation against its neighbours in the chain, as far as they are known.
fn check_links(rows: &dyn Rows, operation: &Operation) -> Result<()> {
    let link = Link::of(operation);
    if operation.index == 0 && operation.previous != [0; 32] {
        return Err(broken(operation));
    }
    if operation.index > 0
        && let Some(before) = chain::load(rows, link.at(operation.index - 1))?
        && chain::operation_hash(&before) != operation.previous
    {
        return Err(forked(operation));
    }
    if let Some(after) = chain::load(rows, link.at(operation.index + 1))?
        && after.previous != chain::operation_hash(operation)
    {
        return Err(forked(operation));
    }
    Ok(())
}

fn checked_payload(operation: &Operation) -> Result<Option<Payload>> {
    match &operation.body {
        Some(body) if chain::body_hash(body) != operation.body_hash => Err(broken(operation)),
        _ => chain::payload(operation),
    }
}

/// Returns the memory that the payload is about, if its words were dropped for good.
fn purged_subject(rows: &dyn Rows, payload: Option<&Payload>) -> Result<Option<MemoryId>> {
    let Some(change) = payload.map(|payload| &payload.change) else {
        return Ok(None);
    };
    let Some(id) = change
        .memory()
        .filter(|_| !matches!(change, Change::Purge { .. }))
    else {
        return Ok(None);
    };
    Ok(state::record(rows, id)?
        .filter(super::record::Record::is_purged)
        .map(|_| id))
}

fn forked(operation: &Operation) -> Error {
    Error::new(
        ErrorKind::Conflict,
        format!(
            "operation `{}` does not fit the chain at index {}: two histories claim the place",
            operation.id, operation.index
        ),
    )
}

fn broken(operation: &Operation) -> Error {
    Error::new(
        ErrorKind::Corrupted,
        format!(
            "operation `{}` does not have the hash it names",
            operation.id
        ),
    )
}
