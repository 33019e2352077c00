//! Receipts and what they count: kept beside the log, because recalls are many and say nothing to other replicas.

use std::ops::ControlFlow;

use super::ledger::Ledger;
use super::record::{decode, encode};
use super::rows::{Rows, RowsMut, Table};
use super::{postings, state};
use crate::{MemoryId, Receipt, ReceiptId, ReceiptKind, Result, Timestamp, text};

/// Most receipts that are kept; the oldest go first. At 300 bytes each, 1.5 MB.
pub const RECEIPTS_KEPT: usize = 5000;
/// How many receipts beyond the bound are let grow before the oldest are removed.
const SLACK: usize = 200;
const RECEIPTS: &[u8] = b"receipts";
const UNREAD: &[u8] = b"unread_lines";

/// What was put in front of agents in a time.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Injections {
    /// Answers that were not empty.
    pub answers: usize,
    /// Answers that were empty.
    pub empty: usize,
    /// Tokens of all answers.
    pub tokens: usize,
}

impl Injections {
    /// Counts a receipt, unless it is older than `since` or of a check.
    pub(crate) fn count(&mut self, receipt: &Receipt, since: Timestamp) {
        if receipt.at < since || receipt.kind == ReceiptKind::Check {
            return;
        }
        if receipt.tokens == 0 {
            self.empty += 1;
        } else {
            self.answers += 1;
            self.tokens += receipt.tokens;
        }
    }
}

/// A piece of a spool file to be folded in: the file's id, the bytes folded so far with it, and its receipts.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fold {
    pub(crate) spool: String,
    pub(crate) from: u64,
    pub(crate) to: u64,
    pub(crate) receipts: Vec<Receipt>,
    /// Lines that were cut off by a kill, or are of a kind that this version does not know.
    pub(crate) unread: usize,
}

impl Ledger {
    /// Returns how often a memory was shown.
    pub(crate) fn usage(&self, id: MemoryId) -> Result<u32> {
        self.read(|rows| usage_of(rows, id))
    }

    /// Returns how far a spool file was folded in.
    pub(crate) fn folded(&self, spool: &str) -> Result<u64> {
        self.read(|rows| offset(rows, spool))
    }

    /// Returns how many lines of spools could not be read since the store was made.
    pub fn unread_lines(&self) -> Result<u64> {
        self.read(|rows| Ok(number(rows.get(Table::Meta, UNREAD)?)))
    }

    /// Returns a receipt.
    pub fn receipt(&self, id: ReceiptId) -> Result<Option<Receipt>> {
        self.read(|rows| {
            rows.get(Table::Receipt, id.as_bytes())?
                .map(|bytes| decode(&bytes, || format!("receipt `{id}`")))
                .transpose()
        })
    }

    /// Returns receipts, newest first, at most `limit`.
    pub fn receipts(&self, limit: usize) -> Result<Vec<Receipt>> {
        let mut all = self.read(|rows| {
            let mut all = Vec::new();
            rows.range(Table::Receipt, &[], &[], &mut |_, bytes| {
                all.push(decode::<Receipt>(bytes, || "a receipt".to_owned())?);
                Ok(ControlFlow::Continue(()))
            })?;
            Ok(all)
        })?;
        all.reverse();
        all.truncate(limit);
        Ok(all)
    }

    /// Sums up what was injected since a moment; checks cost nothing and do not count.
    pub fn injected_since(&self, since: Timestamp) -> Result<Injections> {
        let mut sum = Injections::default();
        for receipt in self.receipts(usize::MAX)? {
            sum.count(&receipt, since);
        }
        Ok(sum)
    }
}

/// Folds a piece of a spool in; a piece that was folded before changes nothing.
pub(crate) fn fold(rows: &mut dyn RowsMut, piece: &Fold) -> Result<()> {
    if offset(rows.as_rows(), &piece.spool)? != piece.from {
        return Ok(());
    }
    for receipt in &piece.receipts {
        put_receipt(rows, receipt)?;
    }
    rows.put(
        Table::Spool,
        piece.spool.as_bytes(),
        &piece.to.to_be_bytes(),
    )?;
    shrink(rows)
}

/// Forgets a spool file that was deleted.
pub(crate) fn forget_spool(rows: &mut dyn RowsMut, spool: &str) -> Result<()> {
    rows.remove(Table::Spool, spool.as_bytes())
}

/// Clears what receipts kept of the words of a purged memory: queries that showed it or have a word that now nothing
/// else has, and the reasons.
pub(crate) fn scrub_receipts(rows: &mut dyn RowsMut, id: MemoryId, words: &[String]) -> Result<()> {
    let mut rare = Vec::new();
    for word in words {
        if postings::count(rows.as_rows(), word)? == 0 {
            rare.push(word.as_str());
        }
    }
    let mut affected = Vec::new();
    rows.range(Table::Receipt, &[], &[], &mut |_, bytes| {
        let receipt: Receipt = decode(bytes, || "a receipt".to_owned())?;
        let showed = receipt.memories.iter().any(|memory| memory.id == id);
        if showed
            || text::words(&receipt.query)
                .iter()
                .any(|word| rare.contains(&word.as_str()))
        {
            affected.push(receipt);
        }
        Ok(ControlFlow::Continue(()))
    })?;
    for mut receipt in affected {
        receipt.query.clear();
        for memory in &mut receipt.memories {
            memory.why.clear();
        }
        rows.put(Table::Receipt, receipt.id.as_bytes(), &encode(&receipt)?)?;
    }
    Ok(())
}

fn put_receipt(rows: &mut dyn RowsMut, receipt: &Receipt) -> Result<()> {
    if rows.get(Table::Receipt, receipt.id.as_bytes())?.is_some() {
        return Ok(());
    }
    rows.put(Table::Receipt, receipt.id.as_bytes(), &encode(receipt)?)?;
    let kept = kept(rows.as_rows())? + 1;
    rows.put(Table::Meta, RECEIPTS, &(kept as u64).to_be_bytes())?;
    if receipt.kind == ReceiptKind::Check {
        return Ok(());
    }
    for memory in &receipt.memories {
        let id = state::resolve(rows.as_rows(), memory.id)?;
        let count = usage_of(rows.as_rows(), id)?.saturating_add(1);
        put_usage(rows, id, count)?;
    }
    Ok(())
}

fn shrink(rows: &mut dyn RowsMut) -> Result<()> {
    let kept = kept(rows.as_rows())?;
    if kept <= RECEIPTS_KEPT + SLACK {
        return Ok(());
    }
    let surplus = kept - RECEIPTS_KEPT;
    let mut oldest = Vec::with_capacity(surplus);
    rows.range(Table::Receipt, &[], &[], &mut |key, _| {
        oldest.push(key.to_vec());
        Ok(if oldest.len() < surplus {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        })
    })?;
    for key in &oldest {
        rows.remove(Table::Receipt, key)?;
    }
    rows.put(
        Table::Meta,
        RECEIPTS,
        &((kept - oldest.len()) as u64).to_be_bytes(),
    )
}

fn kept(rows: &dyn Rows) -> Result<usize> {
    Ok(number(rows.get(Table::Meta, RECEIPTS)?) as usize)
}

fn offset(rows: &dyn Rows, spool: &str) -> Result<u64> {
    Ok(number(rows.get(Table::Spool, spool.as_bytes())?))
}

fn number(bytes: Option<Vec<u8>>) -> u64 {
    bytes
        .and_then(|bytes| Some(u64::from_be_bytes(bytes.try_into().ok()?)))
        .unwrap_or(0)
}

/// Writes how often a memory was shown.
pub(super) fn put_usage(rows: &mut dyn RowsMut, id: MemoryId, count: u32) -> Result<()> {
    rows.put(Table::Usage, id.as_bytes(), &count.to_be_bytes())
}

/// Returns how often a memory was shown.
pub(crate) fn usage_of(rows: &dyn Rows, id: MemoryId) -> Result<u32> {
    Ok(rows
        .get(Table::Usage, id.as_bytes())?
        .and_then(|bytes| Some(u32::from_be_bytes(bytes.try_into().ok()?)))
        .unwrap_or(0))
}
