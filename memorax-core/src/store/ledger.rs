//! The ledger: log and state above the rows of a store. Drafts go in, memories come out.

use std::sync::Arc;

use super::chain::Head;
use super::postings;
use super::record::Record;
use super::rows::{MemoryStore, Rows, RowsMut, Table};
use super::warm::Warm;
use super::{state, usage, vectors};
use crate::{
    Action, Change, DeviceId, Draft, Fields, Memory, MemoryId, MemoryKind, NewMemory, Outcome,
    Payload, Provenance, Result, SpaceId, Stamp, Status, text,
};

/// How many memories that share rare words are compared before a new one is written.
const COMPARED: usize = 8;

/// Log and state of one space, kept in a store. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Ledger {
    store: Arc<dyn MemoryStore>,
    space: SpaceId,
    device: DeviceId,
    warm: Arc<Warm>,
}

impl Ledger {
    /// Builds the ledger of a space on a store; writes nothing.
    pub fn new(store: Arc<dyn MemoryStore>, space: SpaceId, device: DeviceId) -> Self {
        Self {
            store,
            space,
            device,
            warm: Arc::default(),
        }
    }

    /// Returns what is kept of the state that was read last.
    pub(super) fn warm(&self) -> &Warm {
        &self.warm
    }

    /// Returns the store below.
    pub fn store(&self) -> &Arc<dyn MemoryStore> {
        &self.store
    }

    /// Applies drafts in one transaction and says what became of each.
    ///
    /// A draft that was applied before changes nothing; one that cannot be applied is refused on its own and does not
    /// hinder the others.
    pub fn apply(&self, drafts: &[Draft]) -> Result<Vec<Outcome>> {
        let mut outcomes = Vec::new();
        self.write(&mut |rows, head| {
            outcomes.clear();
            for draft in drafts {
                outcomes.push(apply(rows, head, draft)?);
            }
            Ok(())
        })?;
        Ok(outcomes)
    }

    /// Runs `work` with the head of the log in one transaction.
    pub(crate) fn write(
        &self,
        work: &mut dyn FnMut(&mut dyn RowsMut, &mut Head) -> Result<()>,
    ) -> Result<()> {
        self.store.write(&mut |rows| {
            let mut head = match Head::load(rows.as_rows())? {
                Some(head) => head,
                None => Head::new(self.space.clone(), self.device),
            };
            if head.device != self.device {
                // The store came from another machine, or this installation got a new id: a chain has one writer.
                head.begin(self.device);
            }
            vectors::follow(rows, head.sequence)?;
            let before = head.clone();
            work(rows, &mut head)?;
            if head != before {
                head.save(rows)?;
                vectors::keep_place(rows, head.sequence)?;
            }
            Ok(())
        })
    }

    /// Runs `work` on one snapshot.
    pub(crate) fn read<T>(&self, work: impl Fn(&dyn Rows) -> Result<T>) -> Result<T> {
        let mut result = None;
        self.store.read(&mut |rows| {
            result = Some(work(rows)?);
            Ok(())
        })?;
        result.ok_or_else(|| {
            crate::Error::new(
                crate::ErrorKind::Corrupted,
                "the store did not run the read",
            )
        })
    }
}

/// Applies one draft.
pub(crate) fn apply(rows: &mut dyn RowsMut, head: &mut Head, draft: &Draft) -> Result<Outcome> {
    if rows.get(Table::Operation, draft.id.as_bytes())?.is_some() {
        return earlier_outcome(rows.as_rows(), draft);
    }
    let writer = Writer {
        draft,
        provenance: &draft.provenance,
    };
    if let Some(id) = supersedes_itself(rows.as_rows(), &draft.action)? {
        return Ok(Outcome::Refused(format!(
            "memory `{id}` cannot be superseded by itself"
        )));
    }
    match &draft.action {
        Action::Remember { memory } => writer.remember(rows, head, memory),
        Action::Edit {
            memory,
            fields,
            version,
        } => writer.with_record(rows, head, *memory, |_, id, record| {
            Ok(edit_change(id, record, fields).map(|change| (version.clone(), change)))
        }),
        Action::Delete { memory } => writer.with_record(rows, head, *memory, |_, id, record| {
            Ok((!record.is_deleted()).then_some((None, Change::Delete { memory: id })))
        }),
        Action::Restore { memory } => writer.with_record(rows, head, *memory, |_, id, record| {
            let tombstones = record.standing_tombstones();
            Ok((!tombstones.is_empty()).then_some((
                None,
                Change::Restore {
                    memory: id,
                    tombstones,
                },
            )))
        }),
        Action::Purge { memory } => writer.purge(rows, head, *memory),
        Action::Feedback {
            memory,
            verdict,
            note,
            receipt,
        } => writer.with_record(rows, head, *memory, |_, id, _| {
            let change = Change::Feedback {
                memory: id,
                verdict: *verdict,
                note: note.clone(),
                receipt: *receipt,
            };
            Ok(Some((Some(Vec::new()), change)))
        }),
        Action::Line { line, fields } => {
            let known = state::line_record(rows.as_rows(), *line)?;
            let version = known.map(|record| record.version()).unwrap_or_default();
            writer.append(
                rows,
                head,
                version,
                Change::Line {
                    line: *line,
                    fields: fields.clone(),
                },
            )?;
            Ok(Outcome::Changed)
        }
    }
}

/// Returns the memory that an action would make its own successor; also where one of the names is an alias.
fn supersedes_itself(rows: &dyn Rows, action: &Action) -> Result<Option<MemoryId>> {
    let (id, status) = match action {
        Action::Remember { memory } => (memory.id, Some(&memory.status)),
        Action::Edit { memory, fields, .. } => (*memory, fields.status.as_ref()),
        _ => return Ok(None),
    };
    let Some(Status::Superseded { by }) = status else {
        return Ok(None);
    };
    let id = state::resolve(rows, id)?;
    Ok((state::resolve(rows, *by)? == id).then_some(id))
}

/// Says for a draft that was applied before what it led to.
fn earlier_outcome(rows: &dyn Rows, draft: &Draft) -> Result<Outcome> {
    let Action::Remember { memory } = &draft.action else {
        return Ok(Outcome::Unchanged);
    };
    let into = state::resolve(rows, memory.id)?;
    Ok(if into == memory.id {
        Outcome::Created(into)
    } else {
        Outcome::Joined {
            alias: memory.id,
            into,
        }
    })
}

struct Writer<'a> {
    draft: &'a Draft,
    provenance: &'a Provenance,
}

impl Writer<'_> {
    fn append(
        &self,
        rows: &mut dyn RowsMut,
        head: &mut Head,
        version: Vec<Stamp>,
        change: Change,
    ) -> Result<()> {
        let payload = Payload::new(self.provenance.clone(), version, change);
        let operation = head.seal(self.draft.id, &payload)?;
        state::append(rows, head, &operation, Some(&payload))
    }

    fn remember(
        &self,
        rows: &mut dyn RowsMut,
        head: &mut Head,
        memory: &NewMemory,
    ) -> Result<Outcome> {
        if state::resolve(rows.as_rows(), memory.id)? != memory.id
            || state::record(rows.as_rows(), memory.id)?.is_some()
        {
            return Ok(Outcome::Refused(format!(
                "a memory with the id `{}` exists",
                memory.id
            )));
        }
        if !memory.keep_apart
            && let Some(into) = same_memory(rows.as_rows(), memory)?
        {
            let change = Change::Join {
                alias: memory.id,
                into,
                text: memory.text.clone(),
            };
            self.append(rows, head, Vec::new(), change)?;
            return Ok(Outcome::Joined {
                alias: memory.id,
                into,
            });
        }
        let fields = Fields {
            kind: Some(memory.kind),
            title: Some(memory.title.clone()),
            text: Some(memory.text.clone()),
            scope: Some(memory.scope.clone()),
            anchors: Some(memory.anchors.clone()),
            add_tags: memory.tags.clone(),
            remove_tags: Vec::new(),
            status: Some(memory.status.clone()),
            trust: Some(memory.trust),
            visibility: Some(memory.visibility.clone()),
            expires: Some(memory.expires),
        };
        let change = Change::Create {
            memory: memory.id,
            fields: Box::new(fields),
            origin: memory.origin.clone(),
            past: memory.past.clone(),
        };
        self.append(rows, head, Vec::new(), change)?;
        if let Some(past) = memory.past.as_ref().filter(|past| past.stats.recalled > 0) {
            usage::put_usage(rows, memory.id, past.stats.recalled)?;
        }
        Ok(Outcome::Created(memory.id))
    }

    /// Appends what `decide` makes of a known memory; nothing where it makes nothing.
    fn with_record(
        &self,
        rows: &mut dyn RowsMut,
        head: &mut Head,
        memory: MemoryId,
        decide: impl FnOnce(
            &dyn Rows,
            MemoryId,
            &Record,
        ) -> Result<Option<(Option<Vec<Stamp>>, Change)>>,
    ) -> Result<Outcome> {
        let id = state::resolve(rows.as_rows(), memory)?;
        let Some(record) = state::record(rows.as_rows(), id)?.filter(|record| !record.is_purged())
        else {
            return Ok(Outcome::Refused(format!("no memory `{memory}`")));
        };
        match decide(rows.as_rows(), id, &record)? {
            None => Ok(Outcome::Unchanged),
            Some((version, change)) => {
                let version = version.unwrap_or_else(|| record.version());
                self.append(rows, head, version, change)?;
                Ok(Outcome::Changed)
            }
        }
    }

    fn purge(&self, rows: &mut dyn RowsMut, head: &mut Head, memory: MemoryId) -> Result<Outcome> {
        let id = state::resolve(rows.as_rows(), memory)?;
        match state::record(rows.as_rows(), id)? {
            None => return Ok(Outcome::Refused(format!("no memory `{memory}`"))),
            Some(record) if record.is_purged() => return Ok(Outcome::Unchanged),
            Some(_) => {}
        }
        let operations = state::operations_about(rows.as_rows(), id)?
            .iter()
            .map(|operation| operation.id)
            .collect();
        self.append(
            rows,
            head,
            Vec::new(),
            Change::Purge {
                memory: id,
                operations,
            },
        )?;
        Ok(Outcome::Changed)
    }
}

/// Returns the change that an edit makes; `None` where everything is so already.
fn edit_change(id: MemoryId, record: &Record, fields: &Fields) -> Option<Change> {
    let memory = record.memory(id)?;
    let mut fields = fields.clone();
    let settled = memory.conflicts.is_empty();
    keep_changed(&mut fields.kind, &memory.kind);
    keep_changed(&mut fields.title, &memory.title);
    if settled {
        keep_changed(&mut fields.text, &memory.text);
    }
    keep_changed(&mut fields.scope, &memory.scope);
    keep_changed(&mut fields.anchors, &memory.anchors);
    keep_changed(&mut fields.status, &memory.status);
    keep_changed(&mut fields.trust, &memory.trust);
    keep_changed(&mut fields.visibility, &memory.visibility);
    keep_changed(&mut fields.expires, &memory.expires);
    fields.add_tags.retain(|tag| !memory.tags.contains(tag));
    let removed: Vec<(String, Stamp)> = fields
        .remove_tags
        .iter()
        .flat_map(|tag| {
            record
                .writes_of_tag(tag)
                .into_iter()
                .map(|stamp| (tag.clone(), stamp))
        })
        .collect();
    fields.remove_tags.retain(|tag| memory.tags.contains(tag));
    (fields != Fields::default()).then(|| Change::Edit {
        memory: id,
        fields: Box::new(fields),
        removed,
    })
}

fn keep_changed<T: PartialEq>(field: &mut Option<T>, current: &T) {
    if field.as_ref() == Some(current) {
        *field = None;
    }
}

/// Finds the memory in force that says the same in the same place.
fn same_memory(rows: &dyn Rows, new: &NewMemory) -> Result<Option<MemoryId>> {
    let document = postings::Document::of(
        &new.title,
        &new.text,
        &new.tags,
        new.anchors.iter().filter_map(crate::Anchor::cited_words),
    );
    for ordinal in postings::similar(rows, &document, COMPARED)? {
        let Some(card) = rows.get(Table::Card, &ordinal.to_be_bytes())? else {
            continue;
        };
        let id = super::card::Card::decode(&card)?.id;
        let Some(memory) = state::record(rows, id)?
            .filter(|record| !record.is_deleted())
            .and_then(|record| record.memory(id))
        else {
            continue;
        };
        if says_the_same(new, &memory) && holds_where(rows, new, &memory)? {
            return Ok(Some(id));
        }
    }
    Ok(None)
}

fn says_the_same(new: &NewMemory, known: &Memory) -> bool {
    new.kind == known.kind
        && new.kind != MemoryKind::Skill
        && matches!(known.status, Status::Active | Status::Pending)
        && new.visibility == known.visibility
        && known.conflicts.is_empty()
        && text::near_duplicate(&new.text, &known.text)
}

/// Says whether a known memory is seen where the new one would hold: on the same line or one it was cut from.
fn holds_where(rows: &dyn Rows, new: &NewMemory, known: &Memory) -> Result<bool> {
    if new.scope.repo != known.scope.repo || new.scope.path != known.scope.path {
        return Ok(false);
    }
    let mut line = new.scope.line;
    // Parents are few; the bound only guards against a loop in merged data.
    for _ in 0..64 {
        if line == known.scope.line {
            return Ok(true);
        }
        let Some(id) = line else { break };
        line = state::line_record(rows, id)?
            .and_then(|record| record.line(id))
            .and_then(|line| line.parent);
    }
    Ok(known.scope.line.is_none())
}
