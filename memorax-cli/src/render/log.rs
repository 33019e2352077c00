//! Who changed what.

use std::io;

use memorax_core::store::LogEntry;
use memorax_core::{Change, Fields, LineFields};

use super::phrase::short;
use super::{Cell, Page, Table};
use crate::paint::Tone;

/// Lists entries with the memories or branches that they are about.
pub(crate) fn log(page: &mut Page<'_>, entries: &[LogEntry]) -> io::Result<()> {
    let mut table = Table::new(0).one_line();
    for entry in entries {
        let about = entry
            .payload
            .as_ref()
            .and_then(|payload| about(&payload.change))
            .unwrap_or_default();
        let mut row = vec![Cell::new(Tone::Faint, about)];
        row.extend(cells(entry));
        table.row(row);
    }
    table.write(page)
}

/// Lists the entries about one memory.
pub(crate) fn history(page: &mut Page<'_>, entries: &[LogEntry]) -> io::Result<()> {
    let mut table = Table::new(2);
    for entry in entries {
        table.row(cells(entry));
    }
    table.write(page)
}

fn about(change: &Change) -> Option<String> {
    match change {
        Change::Line { line, .. } => Some(short(line)),
        change => change.memory().map(short),
    }
}

fn cells(entry: &LogEntry) -> [Cell; 4] {
    let date = Cell::new(Tone::Faint, entry.operation.time.timestamp().date());
    match &entry.payload {
        Some(payload) => [
            date,
            Cell::new(Tone::Accent, payload.change.as_str()),
            Cell::plain(&payload.provenance.actor),
            Cell::plain(told(&payload.change)),
        ],
        None => [
            date,
            Cell::new(Tone::Accent, "purged"),
            Cell::plain(""),
            Cell::new(Tone::Faint, "the words are gone for good"),
        ],
    }
}

fn told(change: &Change) -> String {
    match change {
        Change::Create { fields, .. } => match (fields.kind, &fields.title) {
            (Some(kind), Some(title)) => format!("{kind}: {title}"),
            _ => changed(fields),
        },
        Change::Edit { fields, .. } => changed(fields),
        Change::Join { alias, .. } => format!("written again as {}", short(alias)),
        Change::Purge { operations, .. } => {
            format!("words dropped from {} operations", operations.len())
        }
        Change::Feedback { verdict, note, .. } => match note {
            Some(note) => format!("{verdict}: {note}"),
            None => verdict.to_string(),
        },
        Change::Line { fields, .. } => line(fields),
        _ => String::new(),
    }
}

/// Names the changed fields, with their new values where those are short.
fn changed(fields: &Fields) -> String {
    let mut parts = Vec::new();
    if let Some(title) = &fields.title {
        parts.push(format!("title: {title}"));
    }
    if fields.text.is_some() {
        parts.push("text".to_owned());
    }
    if let Some(kind) = fields.kind {
        parts.push(format!("kind {kind}"));
    }
    if let Some(status) = &fields.status {
        parts.push(format!("status {}", status.as_str()));
    }
    if let Some(trust) = fields.trust {
        parts.push(format!("trust {trust}"));
    }
    if let Some(scope) = &fields.scope {
        let place = scope.path.as_deref().unwrap_or("everywhere in it");
        parts.push(format!("holds for {place}"));
    }
    if let Some(anchors) = &fields.anchors {
        parts.push(format!("cites {}", anchors.len()));
    }
    if fields.visibility.is_some() {
        parts.push("visibility".to_owned());
    }
    match fields.expires {
        Some(Some(at)) => parts.push(format!("expires {}", at.date())),
        Some(None) => parts.push("never expires".to_owned()),
        None => {}
    }
    parts.extend(fields.add_tags.iter().map(|tag| format!("+{tag}")));
    parts.extend(fields.remove_tags.iter().map(|tag| format!("-{tag}")));
    parts.join(", ")
}

fn line(fields: &LineFields) -> String {
    let mut parts = Vec::new();
    if let Some(reference) = &fields.reference {
        let name = reference.strip_prefix("refs/heads/").unwrap_or(reference);
        parts.push(format!("branch {name}"));
    }
    if let Some(state) = &fields.state {
        parts.push(state.as_str().to_owned());
    }
    match fields.missing {
        Some(Some(_)) => parts.push("missing".to_owned()),
        Some(None) => parts.push("there again".to_owned()),
        None => {}
    }
    if let Some(tip) = &fields.tip {
        parts.push(format!("at {}", super::phrase::commit(tip)));
    }
    parts.join(", ")
}
