//! Export and restore: plain files that a person can read, keep and edit.

use std::io::{self, BufRead, Read as _, Write};

use serde::Deserialize;

use super::handle::{Inner, Memorax};
use crate::{
    Action, Anchor, Draft, Error, ErrorKind, Fields, Filter, Line, LineFields, LineId, LineState,
    Memory, MemoryId, MemoryKind, NewMemory, Outcome, Past, Provenance, Result, Scope, Stats,
    Status, Timestamp, Trust, Visibility,
};

/// Longest line of a file that is restored, in bytes; a memory has at most 20,000 characters.
const LONGEST_LINE: usize = 1 << 20;
/// Drafts of one transaction; larger ones would hold up other writers.
const BATCH: usize = 200;

/// How memories are written out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExportFormat {
    /// One memory a line, as JSON; loses nothing.
    Jsonl,
    /// Headed sections with front matter, for people.
    Markdown,
}

/// What a restore did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Restored {
    /// Memories that were not here.
    pub created: usize,
    /// Memories that were here and are now as in the file.
    pub updated: usize,
    /// Memories that were so already.
    pub unchanged: usize,
    /// Memories that wait in the inbox, because another process holds the write lock.
    pub queued: usize,
    /// Lines that could not be taken, with the reason.
    pub refused: Vec<(usize, String)>,
}

/// A memory as it stands in a file: what is left out has a default.
#[derive(Deserialize)]
struct Entry {
    id: Option<MemoryId>,
    kind: Option<MemoryKind>,
    title: Option<String>,
    text: String,
    scope: Option<Scope>,
    branch: Option<String>,
    #[serde(default)]
    anchors: Vec<Anchor>,
    #[serde(default)]
    tags: Vec<String>,
    status: Option<Status>,
    trust: Option<Trust>,
    provenance: Option<Provenance>,
    expires: Option<Timestamp>,
    updated: Option<Timestamp>,
    stats: Option<Stats>,
}

impl Memorax {
    /// Writes all memories that are not deleted, of every line and state, oldest first; returns how many.
    pub fn export(&self, out: &mut dyn Write, format: ExportFormat) -> Result<usize> {
        let mut filter = Filter::new();
        filter.all_lines = true;
        filter.statuses = ["active", "pending", "superseded", "invalid", "archived"]
            .map(str::to_owned)
            .to_vec();
        let mut memories = self.list(&filter)?;
        memories.sort_by_key(|memory| (memory.created, memory.id));
        let lines = self.inner()?.repository.ledger.lines()?;
        for memory in &memories {
            let line = lines.iter().find(|line| Some(line.id) == memory.scope.line);
            let text = match format {
                ExportFormat::Jsonl => json(memory, line)? + "\n",
                ExportFormat::Markdown => markdown(memory),
            };
            out.write_all(text.as_bytes()).map_err(|error| {
                Error::new(ErrorKind::Io, "cannot write the export").with_source(error)
            })?;
        }
        Ok(memories.len())
    }

    /// Reads memories from lines of JSON: one with a known id changes that memory, one without an id is new.
    ///
    /// A line that cannot be taken (no memory, not UTF-8, longer than a megabyte) is counted with its number and reason
    /// and does not hinder the others; a line is taken whole or not at all. A new memory keeps when it was last changed
    /// and how often it was recalled and rated. What a file says about trust is believed only where a person restores it
    /// at a terminal.
    pub fn restore(&self, input: &mut dyn BufRead) -> Result<Restored> {
        // Scopes name the repository's id: it must be settled before the first line is read.
        let inner = self.settled()?;
        let checkout = inner.checkout()?;
        inner.commit(&inner.repository, &checkout, Vec::new())?;
        let mut lines = inner.repository.ledger.lines()?;
        let mut restored = Restored::default();
        let mut batch: Vec<(usize, bool, Draft)> = Vec::new();
        let mut number = 0;
        let mut line = Vec::new();
        loop {
            let read = read_line(input, &mut line).map_err(|error| {
                Error::new(ErrorKind::Io, format!("cannot read line {}", number + 1))
                    .with_source(error)
                    .with_hint("run it again: what was taken before that line is known then")
            })?;
            number += 1;
            if read > 0 && line.trim_ascii().is_empty() {
                continue;
            }
            if read > 0 {
                match text_of(&line).and_then(|text| self.draft_of(text, &mut lines)) {
                    Ok(Some((everywhere, draft))) => batch.push((number, everywhere, draft)),
                    Ok(None) => restored.unchanged += 1,
                    Err(error) => restored.refused.push((number, error.to_string())),
                }
            }
            if batch.len() >= BATCH || read == 0 {
                self.restore_batch(std::mem::take(&mut batch), &mut restored)?;
            }
            if read == 0 {
                return Ok(restored);
            }
        }
    }

    fn restore_batch(
        &self,
        batch: Vec<(usize, bool, Draft)>,
        restored: &mut Restored,
    ) -> Result<()> {
        let inner = self.settled()?;
        let checkout = inner.checkout()?;
        for (everywhere, place) in [(false, &inner.repository), (true, &inner.user)] {
            let part: Vec<&(usize, bool, Draft)> = batch
                .iter()
                .filter(|(_, of, _)| *of == everywhere)
                .collect();
            if part.is_empty() {
                continue;
            }
            let drafts = part.iter().map(|(_, _, draft)| draft.clone()).collect();
            for ((line, _, _), outcome) in part.iter().zip(inner.commit(place, &checkout, drafts)?)
            {
                match outcome {
                    Outcome::Created(_) => restored.created += 1,
                    Outcome::Changed => restored.updated += 1,
                    Outcome::Joined { .. } | Outcome::Unchanged => restored.unchanged += 1,
                    Outcome::Queued => restored.queued += 1,
                    Outcome::Refused(reason) => restored.refused.push((*line, reason)),
                }
            }
        }
        Ok(())
    }

    /// Makes the draft of one line; `None` where the memory is so already.
    fn draft_of(&self, text: &str, lines: &mut Vec<Line>) -> Result<Option<(bool, Draft)>> {
        let inner = self.inner()?;
        let line: Entry = serde_json::from_str(text)
            .map_err(|error| Error::new(ErrorKind::InvalidInput, format!("no memory: {error}")))?;
        let scope = match line.scope {
            // A memory of a repository belongs to this one now, on the line of the same branch.
            Some(scope) if scope.repo.is_some() => Scope {
                repo: Some(inner.identity.id),
                line: match (scope.line, line.branch) {
                    (Some(id), Some(branch)) => Some(inner.line_for(id, branch, lines)?),
                    (id, _) => id.filter(|id| lines.iter().any(|line| line.id == *id)),
                },
                path: scope.path,
            },
            Some(scope) => scope,
            None => Scope::repository(inner.identity.id),
        };
        let everywhere = scope.repo.is_none();
        let trust = match line.trust {
            Some(trust) if inner.is_person() => trust,
            _ => Trust::Imported,
        };
        let fields = Fields {
            text: Some(line.text),
            title: line.title,
            add_tags: line.tags,
            ..Fields::default()
        };
        let fields = inner.checked_fields(&fields)?;
        let mut memory = NewMemory::new(
            line.kind.unwrap_or(MemoryKind::Fact),
            fields.text.clone().unwrap_or_default(),
            scope,
            trust,
        );
        memory.title = fields.title.clone().unwrap_or(memory.title);
        memory.tags.clone_from(&fields.add_tags);
        memory.anchors = line.anchors;
        memory.status = line.status.unwrap_or(Status::Active);
        memory.visibility = Visibility::Local;
        memory.expires = line.expires;
        let now = inner.clock.now();
        let provenance = inner.actor.provenance(now, None);
        let Some(id) = line.id else {
            return Ok(Some((
                everywhere,
                Draft::new(
                    Action::Remember {
                        memory: Box::new(memory),
                    },
                    provenance,
                ),
            )));
        };
        memory.id = id;
        memory.past = match (line.updated, line.stats) {
            (None, None) => None,
            (updated, stats) => Some(Past::new(
                updated
                    .or(line.provenance.as_ref().map(|origin| origin.at))
                    .unwrap_or(now),
                stats.unwrap_or_default(),
            )),
        };
        memory.origin = line.provenance.map(|origin| inner.without_secrets(origin));
        memory.keep_apart = true;
        let place = if everywhere {
            &inner.user
        } else {
            &inner.repository
        };
        let action = match place.ledger.get_deleted(id)? {
            None => Action::Remember {
                memory: Box::new(memory),
            },
            Some((_, true)) => {
                return Err(Error::new(
                    ErrorKind::Conflict,
                    format!("memory `{id}` was deleted here"),
                )
                .with_hint("memorax forget --undo ID"));
            }
            Some((known, false)) => match difference(&known, &memory) {
                None => return Ok(None),
                Some(fields) => Action::Edit {
                    memory: id,
                    fields: Box::new(fields),
                    version: None,
                },
            },
        };
        Ok(Some((everywhere, Draft::new(action, provenance))))
    }
}

impl Inner {
    /// Takes secrets out of the names in a provenance that came from elsewhere.
    fn without_secrets(&self, mut provenance: Provenance) -> Provenance {
        let texts = [Some(&mut provenance.actor), provenance.session.as_mut()];
        for text in texts.into_iter().flatten() {
            *text = self.redactor().redact(text).text.into_owned();
        }
        provenance
    }

    /// Finds the line of a branch that a file names; where this store never met the branch, makes one that is archived,
    /// so that what was learned on a branch does not become common by being restored.
    fn line_for(&self, id: LineId, branch: String, lines: &mut Vec<Line>) -> Result<LineId> {
        let branch = self.redactor().redact(&branch).text.into_owned();
        let known = lines.iter().find(|line| line.id == id);
        let open = |line: &&Line| line.reference == branch && line.state == LineState::Open;
        if let Some(line) = known.or_else(|| lines.iter().find(open)) {
            return Ok(line.id);
        }
        let now = self.clock.now();
        let mut line = Line::new(id, branch, now);
        line.state = LineState::Archived;
        let fields = LineFields {
            reference: Some(line.reference.clone()),
            state: Some(LineState::Archived),
            ..LineFields::default()
        };
        let action = Action::Line {
            line: id,
            fields: Box::new(fields),
        };
        let draft = Draft::new(action, self.actor.provenance(now, None));
        self.repository.ledger.apply(&[draft])?;
        lines.push(line);
        Ok(id)
    }
}

/// Reads a line of at most one byte more than a line may have; returns how many bytes were read, 0 at the end.
fn read_line(input: &mut dyn BufRead, line: &mut Vec<u8>) -> io::Result<usize> {
    line.clear();
    let most = LONGEST_LINE as u64 + 1;
    let read = (&mut *input).take(most).read_until(b'\n', line)?;
    if read as u64 == most && line.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
    }
    Ok(read)
}

fn text_of(line: &[u8]) -> Result<&str> {
    if line.len() > LONGEST_LINE {
        return Err(Error::new(
            ErrorKind::InvalidInput,
            format!("the line has more than {LONGEST_LINE} bytes"),
        ));
    }
    // Editors of Windows put a mark before the first line.
    let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
    std::str::from_utf8(line).map_err(|error| {
        Error::new(
            ErrorKind::InvalidInput,
            format!("not UTF-8 text from byte {}", error.valid_up_to() + 1),
        )
    })
}

/// Returns the fields in which a memory differs from what a file says.
fn difference(known: &Memory, new: &NewMemory) -> Option<Fields> {
    let missing = |from: &[String], among: &[String]| {
        from.iter()
            .filter(|tag| !among.contains(tag))
            .cloned()
            .collect()
    };
    let fields = Fields {
        kind: (known.kind != new.kind).then_some(new.kind),
        title: (known.title != new.title).then(|| new.title.clone()),
        text: (known.text != new.text).then(|| new.text.clone()),
        scope: (known.scope != new.scope).then(|| new.scope.clone()),
        anchors: (known.anchors != new.anchors).then(|| new.anchors.clone()),
        status: (known.status != new.status).then(|| new.status.clone()),
        expires: (known.expires != new.expires).then_some(new.expires),
        add_tags: missing(&new.tags, &known.tags),
        remove_tags: missing(&known.tags, &new.tags),
        ..Fields::default()
    };
    (fields != Fields::default()).then_some(fields)
}

/// Writes a memory as JSON, with the name of its branch: another store has other lines.
fn json(memory: &Memory, line: Option<&Line>) -> Result<String> {
    let encoded = serde_json::to_value(memory).and_then(|mut value| {
        if let Some(line) = line {
            value["branch"] = serde_json::Value::from(line.reference.as_str());
        }
        serde_json::to_string(&value)
    });
    encoded.map_err(|error| {
        let message = format!("cannot encode memory `{}`", memory.id);
        Error::new(ErrorKind::InvalidInput, message).with_source(error)
    })
}

/// Writes a memory as a section with front matter; every value is JSON, which YAML contains.
fn markdown(memory: &Memory) -> String {
    let front = serde_json::json!({
        "title": memory.title,
        "tags": memory.tags,
        "actor": memory.provenance.actor,
    });
    format!(
        "---\nid: {}\nkind: {}\nstatus: {}\ntitle: {}\ntags: {}\nactor: {}\ntrust: {}\ncreated: {}\nupdated: {}\n---\n\n{}\n\n",
        memory.id,
        memory.kind,
        memory.status.as_str(),
        front["title"],
        front["tags"],
        front["actor"],
        memory.trust,
        memory.created,
        memory.updated,
        memory.text
    )
}
