//! Reading the ledger: memories by id, filter or words; lines; the log.

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::ControlFlow;

use super::card::Card;
use super::chain::{self, Link};
use super::ledger::Ledger;
use super::record::{LineRecord, Record};
use super::rows::{Rows, Table};
use super::usage::usage_of;
use super::warm::Warm;
use super::{postings, state};
use crate::{
    Error, ErrorKind, Filter, Line, LineId, Memory, MemoryId, MemoryKind, Operation, Payload,
    Result,
};

/// One entry of the log, with its words unless they were purged.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LogEntry {
    /// Place in the order in which operations were applied here.
    pub sequence: u64,
    /// The link of the chain, without its body.
    pub operation: Operation,
    /// Who, when and what; `None` after a purge.
    pub payload: Option<Payload>,
}

/// How many memories there are, by kind and state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// Memories by kind and the name of their state; deleted ones under `deleted`.
    pub by_kind: BTreeMap<(MemoryKind, &'static str), usize>,
    /// Memories in force.
    pub in_force: usize,
    /// Memories with a text conflict.
    pub conflicts: usize,
    /// Operations in the log.
    pub operations: u64,
    /// Why drafts that waited could not be applied.
    pub refused: Vec<String>,
}

impl Ledger {
    /// Runs `work` on one consistent state.
    pub(crate) fn reading<T>(&self, mut work: impl FnMut(&Reading<'_>) -> Result<T>) -> Result<T> {
        let mut result = None;
        self.store().read(&mut |rows| {
            result = Some(work(&Reading::new(rows, self.warm()))?);
            Ok(())
        })?;
        result.ok_or_else(|| Error::new(ErrorKind::Corrupted, "the store did not run the read"))
    }

    /// Returns a memory by any of its ids; `None` where there is none, or it is deleted.
    pub fn get(&self, id: MemoryId) -> Result<Option<Memory>> {
        Ok(self
            .get_deleted(id)?
            .filter(|(_, deleted)| !deleted)
            .map(|(memory, _)| memory))
    }

    /// Returns a memory even if it is deleted, and whether it is.
    pub fn get_deleted(&self, id: MemoryId) -> Result<Option<(Memory, bool)>> {
        self.reading(|reading| reading.get_deleted(id))
    }

    /// Returns the memories whose ids start or end with the given characters, as lower-case hexadecimal digits.
    pub(crate) fn ids_like(&self, digits: &str) -> Result<Vec<MemoryId>> {
        self.reading(|reading| reading.ids_like(digits))
    }

    /// Lists memories, newest first. `sees` says which lines are seen; it is not asked where the filter wants all.
    pub fn list(
        &self,
        filter: &Filter,
        sees: &dyn Fn(Option<LineId>) -> bool,
    ) -> Result<Vec<Memory>> {
        self.reading(|reading| reading.list(filter, sees))
    }

    /// Returns all lines, in the order of their ids.
    pub fn lines(&self) -> Result<Vec<Line>> {
        self.reading(|reading| lines_of(reading.rows))
    }

    /// Counts memories and operations.
    pub fn counts(&self) -> Result<Counts> {
        #[expect(
            clippy::redundant_closure_for_method_calls,
            reason = "the path has too narrow a lifetime"
        )]
        self.reading(|reading| reading.counts())
    }

    /// Returns entries of the log, newest first, at most `limit`; with `about`, only those about one memory.
    pub fn log(&self, about: Option<MemoryId>, limit: usize) -> Result<Vec<LogEntry>> {
        self.reading(|reading| reading.log(about, limit))
    }
}

/// Returns all lines.
pub(crate) fn lines_of(rows: &dyn Rows) -> Result<Vec<Line>> {
    let mut lines = Vec::new();
    rows.range(Table::Line, &[], &[], &mut |key, bytes| {
        if let Ok(key) = key.try_into() {
            let id = LineId::from_bytes(key);
            lines.extend(LineRecord::decode(id, bytes)?.line(id));
        }
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(lines)
}

/// One consistent state of a ledger.
pub(crate) struct Reading<'a> {
    pub(super) rows: &'a dyn Rows,
    pub(super) warm: &'a Warm,
    /// The head of the log; read when first asked for.
    head: OnceCell<Vec<u8>>,
}

impl<'a> Reading<'a> {
    fn new(rows: &'a dyn Rows, warm: &'a Warm) -> Self {
        Self {
            rows,
            warm,
            head: OnceCell::new(),
        }
    }
}

impl Reading<'_> {
    /// Returns a memory unless it is deleted or purged, without how often it was shown; the id must be the one under which
    /// it is kept.
    pub(super) fn shown(&self, id: MemoryId) -> Result<Option<Memory>> {
        let head = if let Some(head) = self.head.get() {
            head
        } else {
            let head = chain::head_row(self.rows)?;
            self.head.get_or_init(|| head)
        };
        if let Some(memory) = self.warm.memory(head, id) {
            return Ok(Some(memory));
        }
        let memory = state::shown(self.rows, id)?;
        if let Some(memory) = &memory {
            self.warm.keep(head, memory);
        }
        Ok(memory)
    }

    pub(crate) fn lines(&self) -> Result<Vec<Line>> {
        lines_of(self.rows)
    }

    pub(crate) fn get_deleted(&self, id: MemoryId) -> Result<Option<(Memory, bool)>> {
        let id = state::resolve(self.rows, id)?;
        let Some(record) = state::record(self.rows, id)? else {
            return Ok(None);
        };
        let deleted = record.is_deleted();
        record
            .memory(id)
            .map(|memory| Ok((self.with_usage(memory)?, deleted)))
            .transpose()
    }

    fn ids_like(&self, digits: &str) -> Result<Vec<MemoryId>> {
        let mut found = Vec::new();
        for table in [Table::Record, Table::Alias] {
            self.rows.range(table, &[], &[], &mut |key, _| {
                if let Ok(bytes) = key.try_into() {
                    let id = MemoryId::from_bytes(bytes);
                    let text: String = id
                        .to_string()
                        .chars()
                        .filter(|letter| *letter != '-')
                        .collect();
                    if text.starts_with(digits) || text.ends_with(digits) {
                        found.push(id);
                    }
                }
                Ok(ControlFlow::Continue(()))
            })?;
        }
        let mut resolved = Vec::with_capacity(found.len());
        for id in found {
            resolved.push(state::resolve(self.rows, id)?);
        }
        resolved.sort_unstable();
        resolved.dedup();
        Ok(resolved)
    }

    fn list(&self, filter: &Filter, sees: &dyn Fn(Option<LineId>) -> bool) -> Result<Vec<Memory>> {
        let mut memories = Vec::new();
        self.rows
            .range(Table::Record, &[], &[], &mut |key, bytes| {
                let Ok(key) = key.try_into() else {
                    return Ok(ControlFlow::Continue(()));
                };
                let id = MemoryId::from_bytes(key);
                let record = Record::decode(id, bytes)?;
                if record.is_deleted() != filter.deleted {
                    return Ok(ControlFlow::Continue(()));
                }
                if let Some(memory) = record.memory(id)
                    && filter.matches(&memory)
                    && (filter.all_lines || sees(memory.scope.line))
                {
                    memories.push(self.with_usage(memory)?);
                }
                Ok(ControlFlow::Continue(()))
            })?;
        memories.sort_by_key(|memory| std::cmp::Reverse((memory.created, memory.id)));
        memories.truncate(filter.limit.unwrap_or(usize::MAX));
        Ok(memories)
    }

    /// Finds memories in force by words, best first, with their BM25 scores and the words that matched; of some kinds,
    /// or of all where none is named.
    pub(crate) fn search(
        &self,
        words: &[(String, f32)],
        kinds: &[MemoryKind],
        limit: usize,
        accept: &dyn Fn(&Card) -> bool,
    ) -> Result<Vec<(Memory, f32, Vec<String>)>> {
        let of_kind = if kinds.is_empty() {
            None
        } else {
            Some(self.ordinals(kinds)?)
        };
        if of_kind.as_ref().is_some_and(HashSet::is_empty) {
            return Ok(Vec::new());
        }
        let mut accepted = HashMap::new();
        let hits = postings::search(self.rows, words, limit, &mut |ordinal| {
            if of_kind
                .as_ref()
                .is_some_and(|known| !known.contains(&ordinal))
            {
                return Ok(false);
            }
            let card = self
                .card(ordinal)?
                .filter(|card| card.in_force && accept(card));
            Ok(card.is_some_and(|card| accepted.insert(ordinal, card.id).is_none()))
        })?;
        let mut found = Vec::with_capacity(hits.len());
        for hit in hits {
            let Some(id) = accepted.get(&hit.ordinal) else {
                continue;
            };
            // How often it was shown is read for what is shown in the end, not for every candidate.
            if let Some(memory) = self.shown(*id)? {
                found.push((memory, hit.score, hit.words));
            }
        }
        Ok(found)
    }

    /// Returns memories in force of some kinds, last changed first, at most `limit`.
    pub(crate) fn newest(
        &self,
        kinds: &[MemoryKind],
        limit: usize,
        accept: &dyn Fn(&Card) -> bool,
    ) -> Result<Vec<Memory>> {
        let mut cards = Vec::new();
        for ordinal in self.ordinals(if kinds.is_empty() {
            MemoryKind::ALL
        } else {
            kinds
        })? {
            if let Some(card) = self
                .card(ordinal)?
                .filter(|card| card.in_force && accept(card))
            {
                cards.push(card);
            }
        }
        cards.sort_by(|a, b| b.updated.cmp(&a.updated).then(a.id.cmp(&b.id)));
        cards.truncate(limit);
        let mut memories = Vec::with_capacity(cards.len());
        for card in cards {
            memories.extend(self.memory(card.id)?);
        }
        Ok(memories)
    }

    /// Returns the ordinals of the memories of some kinds.
    pub(super) fn ordinals(&self, kinds: &[MemoryKind]) -> Result<HashSet<u32>> {
        let mut ordinals = HashSet::new();
        for kind in kinds {
            let mut prefix = kind.as_str().as_bytes().to_vec();
            prefix.push(0);
            self.rows.prefix(Table::Kind, &prefix, &mut |key, _| {
                if let Some(ordinal) = key.last_chunk::<4>() {
                    ordinals.insert(u32::from_be_bytes(*ordinal));
                }
                Ok(ControlFlow::Continue(()))
            })?;
        }
        Ok(ordinals)
    }

    /// Counts in how many memories each word is, and how many memories there are.
    pub(crate) fn frequencies<'w>(
        &self,
        words: impl Iterator<Item = &'w str>,
    ) -> Result<(u64, Vec<u64>)> {
        let counts = words
            .map(|word| postings::count(self.rows, word))
            .collect::<Result<_>>()?;
        Ok((postings::documents(self.rows)?, counts))
    }

    fn counts(&self) -> Result<Counts> {
        let mut counts = Counts::default();
        self.rows
            .range(Table::Record, &[], &[], &mut |key, bytes| {
                let Ok(key) = key.try_into() else {
                    return Ok(ControlFlow::Continue(()));
                };
                let record = Record::decode(MemoryId::from_bytes(key), bytes)?;
                if let Some(memory) = record.memory(MemoryId::from_bytes(key)) {
                    let state = if record.is_deleted() {
                        "deleted"
                    } else {
                        memory.status.as_str()
                    };
                    counts.in_force += usize::from(matches!(state, "active" | "pending"));
                    counts.conflicts +=
                        usize::from(state != "deleted" && !memory.conflicts.is_empty());
                    *counts.by_kind.entry((memory.kind, state)).or_default() += 1;
                }
                Ok(ControlFlow::Continue(()))
            })?;
        counts.operations = chain::Head::load(self.rows)?.map_or(0, |head| head.sequence);
        self.rows
            .range(Table::Refused, &[], &[], &mut |_, reason| {
                counts
                    .refused
                    .push(String::from_utf8_lossy(reason).into_owned());
                Ok(ControlFlow::Continue(()))
            })?;
        Ok(counts)
    }

    fn log(&self, about: Option<MemoryId>, limit: usize) -> Result<Vec<LogEntry>> {
        let mut places = Vec::new();
        if let Some(id) = about {
            let id = state::resolve(self.rows, id)?;
            self.rows
                .prefix(Table::ByMemory, id.as_bytes(), &mut |key, _| {
                    places.push(key[16..].to_vec());
                    Ok(ControlFlow::Continue(()))
                })?;
        } else {
            let next = chain::Head::load(self.rows)?.map_or(0, |head| head.sequence);
            let first = next.saturating_sub(limit as u64);
            places.extend((first..next).map(|place| place.to_be_bytes().to_vec()));
        }
        let mut entries = Vec::new();
        for place in places.iter().rev().take(limit) {
            entries.extend(entry(self.rows, place)?);
        }
        Ok(entries)
    }

    /// Returns the cards of all memories, by ordinal.
    pub(super) fn cards(&self) -> Result<HashMap<u32, Card>> {
        let mut cards = HashMap::new();
        self.rows.range(Table::Card, &[], &[], &mut |key, card| {
            if let Ok(ordinal) = key.try_into() {
                cards.insert(u32::from_be_bytes(ordinal), Card::decode(card)?);
            }
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(cards)
    }

    pub(super) fn card(&self, ordinal: u32) -> Result<Option<Card>> {
        self.rows
            .get(Table::Card, &ordinal.to_be_bytes())?
            .map(|bytes| Card::decode(&bytes))
            .transpose()
    }

    fn memory(&self, id: MemoryId) -> Result<Option<Memory>> {
        let memory = state::record(self.rows, id)?.and_then(|record| record.memory(id));
        memory.map(|memory| self.with_usage(memory)).transpose()
    }

    /// Adds how often a memory was shown.
    pub(crate) fn with_usage(&self, mut memory: Memory) -> Result<Memory> {
        memory.stats.recalled = usage_of(self.rows, memory.id)?;
        Ok(memory)
    }
}

fn entry(rows: &dyn Rows, place: &[u8]) -> Result<Option<LogEntry>> {
    let Some(link) = rows.get(Table::Sequence, place)? else {
        return Ok(None);
    };
    let Some(mut operation) = chain::load(rows, Link::from_key(&link)?)? else {
        return Ok(None);
    };
    let payload = chain::payload(&operation)?;
    operation.body = None;
    let sequence = place.try_into().map(u64::from_be_bytes).unwrap_or_default();
    Ok(Some(LogEntry {
        sequence,
        operation,
        payload,
    }))
}
