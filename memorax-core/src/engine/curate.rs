//! What people do with memories: list, show, edit, forget, rate, and read the log.

use super::handle::{Inner, Memorax, Place};
use super::sources::waiting_by_id;
use super::write::one;
use crate::store::LogEntry;
use crate::{
    Action, Citation, Draft, Error, ErrorKind, Fields, Filter, Freshness, Memory, MemoryId,
    Outcome, Receipt, ReceiptId, Result, Status, Trust, Verdict,
};

/// Fewest characters of an id that may stand for the whole.
const SHORTEST_ID: usize = 6;
/// Longest note of a feedback, in characters.
const LONGEST_NOTE: usize = 500;

/// A memory with everything that is known about it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Shown {
    /// The memory.
    pub memory: Memory,
    /// Whether it is deleted.
    pub deleted: bool,
    /// Whether it waits in the inbox.
    pub waiting: bool,
    /// How its anchors compare with the code now.
    pub freshness: Freshness,
    /// What it cites that is not as it was, with its new place where that is known.
    pub citations: Vec<Citation>,
    /// Its operations, newest first.
    pub history: Vec<LogEntry>,
}

impl Memorax {
    /// Lists memories that are seen from here, newest first.
    pub fn list(&self, filter: &Filter) -> Result<Vec<Memory>> {
        let inner = self.inner()?;
        let sight = inner.sight()?;
        let sees = |line| match line {
            None => true,
            Some(line) => sight.visible.contains(&line),
        };
        let mut memories = inner.repository.ledger.list(filter, &sees)?;
        memories.extend(inner.user.ledger.list(filter, &sees)?);
        if !filter.deleted && filter.statuses.is_empty() {
            let waiting = inner.waiting_memories()?;
            memories.extend(
                waiting
                    .into_iter()
                    .filter(|memory| filter.matches(memory) && sees(memory.scope.line)),
            );
        }
        memories.sort_by_key(|memory| std::cmp::Reverse((memory.created, memory.id)));
        memories.truncate(filter.limit.unwrap_or(usize::MAX));
        Ok(memories)
    }

    /// Shows one memory, named by an id, or by at least six characters of its start or end.
    ///
    /// # Errors
    /// `NotFound` where there is none; `InvalidInput` where several fit.
    pub fn show(&self, id: &str) -> Result<Shown> {
        let inner = self.inner()?;
        let (place, id) = inner.find(id)?;
        let found = place.ledger.get_deleted(id)?;
        let waiting = found.is_none();
        let (memory, deleted) = if let Some(found) = found {
            found
        } else {
            let memories = inner.waiting_memories()?;
            let memory = waiting_by_id(&memories, id).ok_or_else(|| {
                Error::new(ErrorKind::NotFound, format!("memory `{id}` was purged"))
            })?;
            (memory.clone(), false)
        };
        let found = inner.compare(&memory)?;
        let history = place.ledger.log(Some(memory.id), usize::MAX)?;
        Ok(Shown {
            memory,
            deleted,
            waiting,
            freshness: found.freshness,
            citations: found.citations,
            history,
        })
    }

    /// Changes fields of a memory.
    pub fn edit(&self, id: &str, fields: Fields) -> Result<Outcome> {
        let inner = self.inner()?;
        let fields = inner.checked_fields(&fields)?;
        if let Some(Status::Superseded { by }) = fields.status
            && inner.is_same(id, by)?
        {
            return Err(Error::new(
                ErrorKind::InvalidInput,
                format!("memory `{id}` cannot be superseded by itself"),
            )
            .with_hint("name the memory that takes its place: memorax list"));
        }
        self.change(id, |memory| Action::Edit {
            memory,
            fields: Box::new(fields),
            version: None,
        })
    }

    /// Puts a tombstone on a memory: it is no longer listed or recalled, and can be brought back.
    pub fn forget(&self, id: &str) -> Result<Outcome> {
        self.change(id, |memory| Action::Delete { memory })
    }

    /// Brings a forgotten memory back.
    pub fn unforget(&self, id: &str) -> Result<Outcome> {
        self.change(id, |memory| Action::Restore { memory })
    }

    /// Says whether a memory helped or did harm.
    pub fn feedback(&self, id: &str, verdict: Verdict, note: Option<String>) -> Result<Outcome> {
        let inner = self.inner()?;
        let note = note
            .map(|note| {
                inner
                    .redactor()
                    .redact(note.trim())
                    .text
                    .chars()
                    .take(LONGEST_NOTE)
                    .collect::<String>()
            })
            .filter(|note| !note.is_empty());
        self.change(id, |memory| Action::Feedback {
            memory,
            verdict,
            note,
            receipt: None,
        })
    }

    /// Returns the secrets that a text has, by the name of the rule: what is taken out before the text is written.
    pub fn secrets_in(&self, text: &str) -> Result<Vec<(String, usize)>> {
        Ok(self.inner()?.secrets_in(text))
    }

    /// Returns what was written, newest first: of everything, or about one memory.
    pub fn log(&self, about: Option<&str>, limit: usize) -> Result<Vec<LogEntry>> {
        let inner = self.inner()?;
        if let Some(id) = about {
            let (place, id) = inner.find(id)?;
            return place.ledger.log(Some(id), limit);
        }
        let mut entries = inner.repository.ledger.log(None, limit)?;
        entries.extend(inner.user.ledger.log(None, limit)?);
        entries.sort_by_key(|entry| std::cmp::Reverse((entry.operation.time, entry.operation.id)));
        entries.truncate(limit);
        Ok(entries)
    }

    /// Returns receipts of what was put in front of agents, newest first, those that wait in the spool included.
    pub fn receipts(&self, limit: usize) -> Result<Vec<Receipt>> {
        let inner = self.inner()?;
        let mut receipts = inner.spooled_receipts()?;
        receipts.extend(inner.repository.ledger.receipts(limit)?);
        receipts.sort_by_key(|receipt| std::cmp::Reverse((receipt.at, receipt.id)));
        receipts.dedup_by_key(|receipt| receipt.id);
        receipts.truncate(limit);
        Ok(receipts)
    }

    /// Returns one receipt.
    ///
    /// # Errors
    /// `NotFound` where there is none, or it was older than the newest 5,000.
    pub fn receipt(&self, id: &str) -> Result<Receipt> {
        let digits = digits_of(id).map_err(|error| error.with_hint("memorax receipts"))?;
        let fits = |known: ReceiptId| {
            let known = known.to_string().replace('-', "");
            known.starts_with(&digits) || known.ends_with(&digits)
        };
        let mut found = self.receipts(usize::MAX)?;
        found.retain(|receipt| fits(receipt.id));
        match found.len() {
            1 => Ok(found.remove(0)),
            0 => Err(
                Error::new(ErrorKind::NotFound, format!("no receipt `{id}`"))
                    .with_hint("memorax receipts"),
            ),
            several => Err(ambiguous("receipts", id, several)),
        }
    }

    fn change(&self, id: &str, action: impl FnOnce(MemoryId) -> Action) -> Result<Outcome> {
        let inner = self.settled()?;
        let (place, id) = inner.find(id)?;
        let checkout = inner.checkout()?;
        let provenance = inner
            .actor
            .provenance(inner.clock.now(), checkout.head().commit.as_deref());
        one(inner.commit(place, &checkout, vec![Draft::new(action(id), provenance)])?)
    }
}

impl Inner {
    /// Finds a memory by its id or by six or more characters of its start or end.
    pub(super) fn find(&self, id: &str) -> Result<(&Place, MemoryId)> {
        let digits = digits_of(id)?;
        let mut found: Vec<(&Place, MemoryId)> = Vec::new();
        for place in [&self.repository, &self.user] {
            found.extend(
                place
                    .ledger
                    .ids_like(&digits)?
                    .into_iter()
                    .map(|id| (place, id)),
            );
        }
        if found.is_empty() {
            for place in [&self.repository, &self.user] {
                for draft in Self::waiting_drafts(place)? {
                    if let Action::Remember { memory } = &draft.action {
                        let known = memory.id.to_string().replace('-', "");
                        if known.starts_with(&digits) || known.ends_with(&digits) {
                            found.push((place, memory.id));
                        }
                    }
                }
            }
        }
        match found.as_slice() {
            [one] => Ok(*one),
            [] => Err(Error::new(ErrorKind::NotFound, format!("no memory `{id}`"))
                .with_hint("memorax list")),
            several => Err(ambiguous("memories", id, several.len())),
        }
    }

    /// Says whether an id, or a part of one, names the memory that another id names.
    fn is_same(&self, id: &str, other: MemoryId) -> Result<bool> {
        let (place, id) = self.find(id)?;
        let resolved = |id| -> Result<MemoryId> {
            let known = place.ledger.get_deleted(id)?;
            Ok(known.map_or(id, |(memory, _)| memory.id))
        };
        Ok(resolved(id)? == resolved(other)?)
    }

    /// Says whether the caller is a person, for what only a person may do.
    pub(super) fn is_person(&self) -> bool {
        self.actor.trust == Trust::User
    }
}

fn digits_of(id: &str) -> Result<String> {
    let digits: String = id
        .trim()
        .to_ascii_lowercase()
        .chars()
        .filter(|letter| *letter != '-')
        .collect();
    if digits.len() < SHORTEST_ID || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return Err(Error::new(
            ErrorKind::InvalidInput,
            format!("`{id}` is not an id: give all of it, or at least {SHORTEST_ID} characters of its start or end"),
        )
        .with_hint("memorax list"));
    }
    Ok(digits)
}

fn ambiguous(what: &str, id: &str, count: usize) -> Error {
    Error::new(
        ErrorKind::InvalidInput,
        format!("{count} {what} fit `{id}`"),
    )
    .with_hint("give more characters of the id")
}
