//! The one gate to the stores: redaction, the branch's line, the inbox and the spool, then one transaction.

use super::ask::seen_from;
use super::handle::{Inner, Memorax, Place};
use super::note::{Note, Remembered};
use crate::disk::SpoolFile;
use crate::repo::{Checkout, observe_head, with_changes};
use crate::store::{Fold, Head, RowsMut, Table, apply, fold, forget_spool, lines_of};
use crate::{
    Action, Anchor, Draft, Error, ErrorKind, Fields, LineId, MemoryKind, NewMemory, Outcome,
    Receipt, Result, Scope, Status, text,
};

/// Longest text of a memory, in characters. A memory is a few sentences; what is longer belongs into a file.
const LONGEST_TEXT: usize = 20_000;
/// Most paths of a text that become anchors.
const MOST_ANCHORS: usize = 16;
/// Longest tag, in characters.
const LONGEST_TAG: usize = 60;

impl Memorax {
    /// Writes down a text.
    ///
    /// # Errors
    /// `InvalidInput` for a text without words or of more than 20,000 characters; `ReadOnly` where nothing can be
    /// written.
    pub fn remember(&self, text: &str, kind: MemoryKind) -> Result<Remembered> {
        self.remember_with(Note::new(text, kind))
    }

    /// Writes down a note.
    ///
    /// A note that says what a memory in force says already joins it: its id is an alias from then on. Where another
    /// process holds the write lock for longer than two seconds, the note waits in the inbox, safe and visible.
    pub fn remember_with(&self, note: Note) -> Result<Remembered> {
        let inner = self.settled()?;
        let now = inner.clock.now();
        let checkout = inner.checkout()?;
        let (memory, redacted) = inner.new_memory(&note, &checkout)?;
        let id = memory.id;
        let provenance = inner
            .actor
            .provenance(now, checkout.head().commit.as_deref());
        let draft = Draft::new(
            Action::Remember {
                memory: Box::new(memory),
            },
            provenance,
        );
        let place = if note.everywhere {
            &inner.user
        } else {
            &inner.repository
        };
        let outcome = one(inner.commit(place, &checkout, vec![draft])?)?;
        Ok(Remembered {
            id,
            outcome,
            redacted,
        })
    }
}

impl Inner {
    fn new_memory(
        &self,
        note: &Note,
        checkout: &Checkout,
    ) -> Result<(NewMemory, Vec<(String, usize)>)> {
        let redacted = self.redactor().redact(&note.text);
        let hits = named(&redacted);
        let words = checked_text(&redacted.text)?;
        let scope = if note.everywhere {
            Scope::everywhere()
        } else {
            Scope::repository(self.identity.id)
        };
        let mut memory = NewMemory::new(note.kind, words, scope, self.actor.trust);
        if let Some(title) = &note.title {
            memory.title = crate::title_of(&self.redactor().redact(title).text);
        }
        memory.scope.path = note
            .path
            .as_deref()
            .map(|path| self.relative_path(path))
            .transpose()?;
        if let Some(path) = &mut memory.scope.path {
            *path = self.redactor().redact(path).text.into_owned();
        }
        memory.tags = self.checked_tags(&note.tags)?;
        memory.expires = note.expires;
        memory.anchors.clone_from(&note.anchors);
        if !note.everywhere {
            for anchor in cited(&memory.text, checkout) {
                if !memory.anchors.contains(&anchor) {
                    memory.anchors.push(anchor);
                }
            }
        }
        Ok((memory, hits))
    }

    /// Returns the secrets of a text, by rule.
    pub(super) fn secrets_in(&self, text: &str) -> Vec<(String, usize)> {
        named(&self.redactor().redact(text))
    }

    /// Redacts and checks the texts of an edit.
    pub(super) fn checked_fields(&self, fields: &Fields) -> Result<Fields> {
        let mut fields = fields.clone();
        if let Some(text) = &fields.text {
            let redacted = self.redactor().redact(text).text.into_owned();
            fields.text = Some(checked_text(&redacted)?);
            if fields.title.is_none() {
                fields.title = fields.text.as_deref().map(crate::title_of);
            }
        }
        if let Some(title) = &fields.title {
            let title = crate::title_of(&self.redactor().redact(title).text);
            if title.is_empty() {
                return Err(Error::new(
                    ErrorKind::InvalidInput,
                    "a title needs at least one word",
                ));
            }
            fields.title = Some(title);
        }
        fields.add_tags = self.checked_tags(&fields.add_tags)?;
        if let Some(Status::Invalid { reason }) = &mut fields.status {
            *reason = self.redactor().redact(reason.trim()).text.into_owned();
        }
        if let Some(path) = fields.scope.as_mut().and_then(|scope| scope.path.as_mut()) {
            *path = self.redactor().redact(path).text.into_owned();
        }
        Ok(fields)
    }

    fn checked_tags(&self, tags: &[String]) -> Result<Vec<String>> {
        let mut checked = Vec::with_capacity(tags.len());
        for tag in tags {
            let tag = self.redactor().redact(tag.trim()).text.into_owned();
            if tag.is_empty()
                || tag.chars().count() > LONGEST_TAG
                || tag.chars().any(char::is_control)
            {
                return Err(Error::new(
                    ErrorKind::InvalidInput,
                    format!("tag `{tag}` must have 1 to {LONGEST_TAG} printable characters"),
                ));
            }
            checked.push(tag);
        }
        checked.sort();
        checked.dedup();
        Ok(checked)
    }

    /// Returns a path relative to the root, with `/` between parts.
    pub(super) fn relative_path(&self, path: &str) -> Result<String> {
        let outside = || {
            Error::new(
                ErrorKind::InvalidInput,
                format!("path `{path}` is not below `{}`", self.root.display()),
            )
            .with_hint("give a path relative to the root of the repository")
        };
        let given = std::path::Path::new(path);
        let relative = if given.is_absolute() {
            given
                .strip_prefix(&self.root)
                .map_err(|_| outside())?
                .to_path_buf()
        } else {
            given.to_path_buf()
        };
        let mut parts: Vec<String> = Vec::new();
        for component in relative.components() {
            match component {
                std::path::Component::Normal(part) => {
                    parts.push(part.to_string_lossy().into_owned());
                }
                std::path::Component::CurDir => {}
                std::path::Component::ParentDir => {
                    parts.pop().ok_or_else(outside)?;
                }
                _ => return Err(outside()),
            }
        }
        if parts.is_empty() {
            return Err(Error::new(
                ErrorKind::InvalidInput,
                "a path scope needs a file or folder below the root",
            ));
        }
        Ok(parts.join("/"))
    }

    /// Applies drafts to a store, together with what waits in its inbox and spool.
    ///
    /// Memories of kinds that follow the branch get the line of what is checked out.
    pub(super) fn commit(
        &self,
        place: &Place,
        checkout: &Checkout,
        drafts: Vec<Draft>,
    ) -> Result<Vec<Outcome>> {
        let follows = std::ptr::eq(place, &raw const self.repository);
        let waiting = Waiting::of(place)?;
        let prepared = self.prepare(place, waiting.drafts().chain(&drafts))?;
        let mut outcomes = Vec::new();
        let result = place.ledger.write(&mut |rows, head| {
            waiting.apply(rows, head)?;
            let own = if follows {
                self.observe_lines(rows, head, checkout)?
            } else {
                None
            };
            outcomes.clear();
            for draft in &drafts {
                outcomes.push(apply(rows, head, &on_line(draft, own))?);
            }
            prepared.put(rows)
        });
        match result {
            Ok(()) => {
                waiting.clear(place);
                self.embed_after_write(place);
                Ok(outcomes)
            }
            Err(error) if error.kind() == ErrorKind::Locked => {
                let own = if follows {
                    self.seen(checkout)?.visibility.own
                } else {
                    None
                };
                for draft in &drafts {
                    let draft = on_line(draft, own);
                    place.inbox().put(&draft.id.to_string(), &encode(&draft)?)?;
                }
                Ok(drafts.iter().map(|_| Outcome::Queued).collect())
            }
            Err(error) => Err(error),
        }
    }

    /// Writes down what is new about the branches' lines; returns the line that is checked out.
    pub(super) fn observe_lines(
        &self,
        rows: &mut dyn RowsMut,
        head: &mut Head,
        checkout: &Checkout,
    ) -> Result<Option<LineId>> {
        let now = self.clock.now();
        let known = lines_of(rows.as_rows())?;
        let changes = observe_head(checkout, &known, now)?;
        let provenance = self
            .actor
            .provenance(now, checkout.head().commit.as_deref());
        for change in &changes {
            let action = Action::Line {
                line: change.line,
                fields: Box::new(change.fields.clone()),
            };
            apply(rows, head, &Draft::new(action, provenance.clone()))?;
        }
        let lines = with_changes(&known, &changes, now);
        Ok(seen_from(checkout, &lines, now).visibility.own)
    }

    /// Returns drafts that wait in the inbox of a store, oldest first.
    pub(super) fn waiting_drafts(place: &Place) -> Result<Vec<Draft>> {
        Ok(read_inbox(place)?
            .into_iter()
            .map(|(_, draft)| draft)
            .collect())
    }

    /// Appends a receipt to the spool; a failure is not the caller's concern, `status` counts what is missing.
    pub(super) fn leave_receipt(&self, receipt: &Receipt) -> Result<()> {
        let line = serde_json::to_string(receipt).map_err(|error| {
            Error::new(ErrorKind::InvalidInput, "cannot encode a receipt").with_source(error)
        })?;
        self.repository
            .spool()
            .append(&self.actor.spool(), line.as_bytes())
    }
}

impl Place {
    /// Folds inbox and spool of a store in, without writing anything else. Says how many drafts were applied.
    pub(super) fn drain(&self) -> Result<usize> {
        let waiting = Waiting::of(self)?;
        if waiting.is_empty() {
            return Ok(0);
        }
        let applied = waiting.drafts.len();
        self.ledger
            .write(&mut |rows, head| waiting.apply(rows, head))?;
        waiting.clear(self);
        Ok(applied)
    }
}

/// What waits beside a store to be written by whoever writes next.
struct Waiting {
    drafts: Vec<(String, Draft)>,
    spools: Vec<(SpoolFile, Fold)>,
}

impl Waiting {
    fn of(place: &Place) -> Result<Self> {
        let mut spools = Vec::new();
        for file in place.spool().pending()? {
            let from = place.ledger.folded(file.id())?;
            let read = file.lines(from)?;
            let mut receipts = Vec::new();
            let mut unread = read.torn;
            for line in &read.lines {
                match serde_json::from_slice::<Receipt>(line) {
                    Ok(receipt) => receipts.push(receipt),
                    Err(_) => unread += 1,
                }
            }
            let fold = Fold {
                spool: file.id().to_owned(),
                from,
                to: read.offset,
                receipts,
                unread,
            };
            spools.push((file, fold));
        }
        Ok(Self {
            drafts: read_inbox(place)?,
            spools,
        })
    }

    fn drafts(&self) -> impl Iterator<Item = &Draft> {
        self.drafts.iter().map(|(_, draft)| draft)
    }

    fn is_empty(&self) -> bool {
        self.drafts.is_empty() && self.spools.iter().all(|(_, fold)| fold.from == fold.to)
    }

    fn apply(&self, rows: &mut dyn RowsMut, head: &mut Head) -> Result<()> {
        for (_, draft) in &self.drafts {
            if let Outcome::Refused(reason) = apply(rows, head, draft)? {
                rows.put(Table::Refused, draft.id.as_bytes(), reason.as_bytes())?;
            }
        }
        for (_, piece) in self
            .spools
            .iter()
            .filter(|(_, piece)| piece.from != piece.to)
        {
            fold(rows, piece)?;
        }
        Ok(())
    }

    /// Removes what was written; what cannot be removed now is found again by the next writer, and changes nothing.
    fn clear(self, place: &Place) {
        let inbox = place.inbox();
        for (name, _) in &self.drafts {
            let _ = inbox.remove(name);
        }
        let mut removed = Vec::new();
        for (file, piece) in self.spools {
            if matches!(file.remove_folded(piece.to), Ok(Some(_))) {
                removed.push(piece.spool);
            }
        }
        if !removed.is_empty() {
            let _ = place.ledger.write(&mut |rows, _| {
                removed
                    .iter()
                    .try_for_each(|spool| forget_spool(rows, spool))
            });
        }
    }
}

fn read_inbox(place: &Place) -> Result<Vec<(String, Draft)>> {
    let inbox = place.inbox();
    let mut drafts = Vec::new();
    for file in inbox.list()? {
        match serde_json::from_slice::<Draft>(&file.bytes) {
            Ok(draft) => drafts.push((file.name, draft)),
            Err(_) => inbox.set_aside(&file.name)?,
        }
    }
    drafts.sort_by_key(|(_, draft)| (draft.provenance.at, draft.id));
    Ok(drafts)
}

/// Puts a new memory of a kind that follows the branch on the line that is checked out.
fn on_line(draft: &Draft, own: Option<LineId>) -> Draft {
    let mut draft = draft.clone();
    if let Action::Remember { memory } = &mut draft.action
        && memory.kind.follows_line()
        && memory.scope.repo.is_some()
        && memory.scope.line.is_none()
        && memory.origin.is_none()
    {
        memory.scope.line = own;
    }
    draft
}

/// Returns the outcome of a single draft; a refusal becomes an error.
pub(super) fn one(outcomes: Vec<Outcome>) -> Result<Outcome> {
    match outcomes.into_iter().next() {
        Some(Outcome::Refused(reason)) => {
            Err(Error::new(ErrorKind::NotFound, reason).with_hint("memorax list"))
        }
        Some(outcome) => Ok(outcome),
        None => Ok(Outcome::Unchanged),
    }
}

fn named(redacted: &text::Redacted<'_>) -> Vec<(String, usize)> {
    let rules = redacted.hits.iter();
    rules
        .map(|(rule, count)| ((*rule).to_owned(), *count))
        .collect()
}

fn encode(draft: &Draft) -> Result<Vec<u8>> {
    serde_json::to_vec(draft).map_err(|error| {
        Error::new(ErrorKind::InvalidInput, "cannot encode a draft").with_source(error)
    })
}

fn checked_text(text: &str) -> Result<String> {
    let text = text.trim();
    let length = text.chars().count();
    if length > LONGEST_TEXT {
        return Err(Error::new(
            ErrorKind::InvalidInput,
            format!("a memory has at most {LONGEST_TEXT} characters, this has {length}"),
        )
        .with_hint("keep the text in a file and remember where it is, and why"));
    }
    if !text.chars().any(char::is_alphanumeric) {
        return Err(Error::new(
            ErrorKind::InvalidInput,
            "a memory needs at least one word",
        ));
    }
    Ok(text
        .chars()
        .filter(|letter| !letter.is_control() || matches!(letter, '\n' | '\t'))
        .collect())
}

/// Returns the files and folders of the working tree that a text names.
fn cited(words: &str, checkout: &Checkout) -> Vec<Anchor> {
    text::path_mentions(words)
        .into_iter()
        .filter(|path| !path.starts_with('/') && !path.split('/').any(|part| part == ".."))
        .filter(|path| checkout.root().join(path).exists())
        .take(MOST_ANCHORS)
        .map(Anchor::path)
        .collect()
}
