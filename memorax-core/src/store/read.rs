//! Reading the ledger: memories by id, filter or words; lines; the log.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::card::Card;
use super::chain::{self, Link};
use super::ledger::Ledger;
use super::record::{LineRecord, Record};
use super::rows::{Rows, Table};
use super::usage::usage_of;
use super::{postings, state};
use crate::{
    Error, ErrorKind, Filter, Line, LineId, Memory, MemoryId, MemoryKind, Operation, Payload,
    Result, Timestamp,
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
}

/// Fewest characters of an id that may stand for the whole.
const SHORTEST_ID: usize = 6;

impl Ledger {
    /// Returns a memory by any of its ids; `None` where there is none, or it is deleted.
    pub fn get(&self, id: MemoryId) -> Result<Option<Memory>> {
        self.read(|rows| {
            let id = state::resolve(rows, id)?;
            let record = state::record(rows, id)?.filter(|record| !record.is_deleted());
            record
                .and_then(|record| record.memory(id))
                .map(|memory| with_usage(rows, memory))
                .transpose()
        })
    }

    /// Returns a memory even if it is deleted, and whether it is.
    pub fn get_deleted(&self, id: MemoryId) -> Result<Option<(Memory, bool)>> {
        self.read(|rows| {
            let id = state::resolve(rows, id)?;
            let Some(record) = state::record(rows, id)? else {
                return Ok(None);
            };
            let deleted = record.is_deleted();
            record
                .memory(id)
                .map(|memory| Ok((with_usage(rows, memory)?, deleted)))
                .transpose()
        })
    }

    /// Returns the memories whose ids start or end with the given characters.
    ///
    /// # Errors
    /// `InvalidInput` for fewer than six characters or for characters that no id has.
    pub fn ids_like(&self, part: &str) -> Result<Vec<MemoryId>> {
        let part = part.trim().to_ascii_lowercase();
        let digits: String = part.chars().filter(|letter| *letter != '-').collect();
        if digits.len() < SHORTEST_ID || !digits.chars().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(Error::new(
                ErrorKind::InvalidInput,
                format!("`{part}` is not a memory id: give all of it, or at least {SHORTEST_ID} characters of its start or end"),
            )
            .with_hint("memorax list"));
        }
        self.read(|rows| {
            let mut found = Vec::new();
            for table in [Table::Record, Table::Alias] {
                rows.range(table, &[], &[], &mut |key, _| {
                    if let Ok(bytes) = key.try_into() {
                        let id = MemoryId::from_bytes(bytes);
                        let text: String = id
                            .to_string()
                            .chars()
                            .filter(|letter| *letter != '-')
                            .collect();
                        if text.starts_with(&digits) || text.ends_with(&digits) {
                            found.push(id);
                        }
                    }
                    Ok(ControlFlow::Continue(()))
                })?;
            }
            let mut resolved = Vec::with_capacity(found.len());
            for id in found {
                resolved.push(state::resolve(rows, id)?);
            }
            resolved.sort_unstable();
            resolved.dedup();
            Ok(resolved)
        })
    }

    /// Lists memories, newest first. `sees` says which lines are seen; it is not asked where the filter wants all.
    pub fn list(
        &self,
        filter: &Filter,
        sees: &dyn Fn(Option<LineId>) -> bool,
    ) -> Result<Vec<Memory>> {
        let needle = filter.text.as_deref().map(str::to_lowercase);
        let mut memories = self.read(|rows| {
            let mut memories = Vec::new();
            rows.range(Table::Record, &[], &[], &mut |key, bytes| {
                let Ok(key) = key.try_into() else {
                    return Ok(ControlFlow::Continue(()));
                };
                let id = MemoryId::from_bytes(key);
                let record = Record::decode(id, bytes)?;
                if record.is_deleted() != filter.deleted {
                    return Ok(ControlFlow::Continue(()));
                }
                if let Some(memory) = record.memory(id)
                    && accepts(filter, &memory, needle.as_deref())
                    && (filter.all_lines || sees(memory.scope.line))
                {
                    memories.push(with_usage(rows, memory)?);
                }
                Ok(ControlFlow::Continue(()))
            })?;
            Ok(memories)
        })?;
        memories.sort_by(|a, b| (b.created, b.id).cmp(&(a.created, a.id)));
        memories.truncate(filter.limit.unwrap_or(usize::MAX));
        Ok(memories)
    }

    /// Finds memories in force by words, best first, with their BM25 scores and the words that matched.
    pub fn search(
        &self,
        words: &[(String, f32)],
        limit: usize,
        now: Timestamp,
        accept: &dyn Fn(MemoryKind, Option<LineId>) -> bool,
    ) -> Result<Vec<(Memory, f32, Vec<String>)>> {
        self.read(|rows| {
            let hits = postings::search(rows, words, limit, &mut |ordinal| {
                Ok(card(rows, ordinal)?
                    .is_some_and(|card| is_candidate(&card, now) && accept(card.kind, card.line)))
            })?;
            let mut found = Vec::with_capacity(hits.len());
            for hit in hits {
                let Some(card) = card(rows, hit.ordinal)? else {
                    continue;
                };
                if let Some(memory) =
                    state::record(rows, card.id)?.and_then(|record| record.memory(card.id))
                {
                    found.push((with_usage(rows, memory)?, hit.score, hit.words));
                }
            }
            Ok(found)
        })
    }

    /// Returns the memories in force of some kinds, newest first, at most `limit`.
    pub fn of_kinds(
        &self,
        kinds: &[MemoryKind],
        limit: usize,
        now: Timestamp,
        sees: &dyn Fn(Option<LineId>) -> bool,
    ) -> Result<Vec<Memory>> {
        self.read(|rows| {
            let mut cards = Vec::new();
            rows.range(Table::Card, &[], &[], &mut |_, bytes| {
                let card = Card::decode(bytes)?;
                if kinds.contains(&card.kind) && is_candidate(&card, now) && sees(card.line) {
                    cards.push(card);
                }
                Ok(ControlFlow::Continue(()))
            })?;
            cards.sort_by(|a, b| (b.updated, b.id).cmp(&(a.updated, a.id)));
            cards.truncate(limit);
            let mut memories = Vec::with_capacity(cards.len());
            for card in cards {
                if let Some(memory) =
                    state::record(rows, card.id)?.and_then(|record| record.memory(card.id))
                {
                    memories.push(with_usage(rows, memory)?);
                }
            }
            Ok(memories)
        })
    }

    /// Returns all lines, in the order of their ids.
    pub fn lines(&self) -> Result<Vec<Line>> {
        self.read(|rows| {
            let mut lines = Vec::new();
            rows.range(Table::Line, &[], &[], &mut |key, bytes| {
                if let Ok(key) = key.try_into() {
                    let id = LineId::from_bytes(key);
                    lines.extend(LineRecord::decode(id, bytes)?.line(id));
                }
                Ok(ControlFlow::Continue(()))
            })?;
            Ok(lines)
        })
    }

    /// Counts memories and operations.
    pub fn counts(&self) -> Result<Counts> {
        self.read(|rows| {
            let mut counts = Counts::default();
            rows.range(Table::Record, &[], &[], &mut |key, bytes| {
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
            counts.operations = chain::Head::load(rows)?.map_or(0, |head| head.sequence);
            Ok(counts)
        })
    }

    /// Returns entries of the log, newest first, at most `limit`; with `about`, only those about one memory.
    pub fn log(&self, about: Option<MemoryId>, limit: usize) -> Result<Vec<LogEntry>> {
        self.read(|rows| {
            let mut places = Vec::new();
            if let Some(id) = about {
                let id = state::resolve(rows, id)?;
                rows.prefix(Table::ByMemory, id.as_bytes(), &mut |key, _| {
                    places.push(key[16..].to_vec());
                    Ok(ControlFlow::Continue(()))
                })?;
            } else {
                let next = chain::Head::load(rows)?.map_or(0, |head| head.sequence);
                let first = next.saturating_sub(limit as u64);
                places.extend((first..next).map(|place| place.to_be_bytes().to_vec()));
            }
            let mut entries = Vec::new();
            for place in places.iter().rev().take(limit) {
                entries.extend(entry(rows, place)?);
            }
            Ok(entries)
        })
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

fn card(rows: &dyn Rows, ordinal: u32) -> Result<Option<Card>> {
    rows.get(Table::Card, &ordinal.to_be_bytes())?
        .map(|bytes| Card::decode(&bytes))
        .transpose()
}

fn is_candidate(card: &Card, now: Timestamp) -> bool {
    card.in_force && card.expires.is_none_or(|expires| expires > now)
}

fn with_usage(rows: &dyn Rows, mut memory: Memory) -> Result<Memory> {
    memory.stats.recalled = usage_of(rows, memory.id)?;
    Ok(memory)
}

fn accepts(filter: &Filter, memory: &Memory, needle: Option<&str>) -> bool {
    let about_path = |path: &str| {
        memory
            .scope
            .path
            .as_deref()
            .is_some_and(|_| memory.scope.covers(path))
            || memory.anchors.iter().any(|anchor| {
                anchor
                    .cited_path()
                    .is_some_and(|cited| cited == path || cited.starts_with(&format!("{path}/")))
            })
    };
    (filter.kinds.is_empty() || filter.kinds.contains(&memory.kind))
        && filter.accepts_status(&memory.status)
        && filter
            .tag
            .as_ref()
            .is_none_or(|tag| memory.tags.contains(tag))
        && filter.path.as_deref().is_none_or(about_path)
        && needle.is_none_or(|needle| {
            memory.title.to_lowercase().contains(needle)
                || memory.text.to_lowercase().contains(needle)
        })
}
