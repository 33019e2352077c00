//! Memories: one line each in a list, one page alone.

use std::collections::BTreeMap;
use std::io;

use memorax_core::{Anchor, Citation, Freshness, LineId, Memory, MemoryKind, Provenance, Status};

use super::phrase::{commit, count, short};
use super::{Cell, Page, Table};
use crate::paint::Tone;

/// Lists memories; `branches` names the lines that are told.
pub(crate) fn memories(
    page: &mut Page<'_>,
    memories: &[Memory],
    branches: &BTreeMap<LineId, String>,
) -> io::Result<()> {
    let mut table = Table::new(0).one_line();
    for memory in memories {
        let branch = memory.scope.line.and_then(|line| branches.get(&line));
        table.row([
            Cell::new(Tone::Faint, short(memory.id)),
            Cell::new(Tone::Faint, memory.created.date()),
            Cell::new(Tone::Accent, memory.kind.as_str()),
            Cell::plain(in_a_line(memory, branch)),
        ]);
    }
    table.write(page)
}

/// Returns the title, and behind it whatever is out of the ordinary.
fn in_a_line(memory: &Memory, branch: Option<&String>) -> String {
    let mut notes = Vec::new();
    if memory.status != Status::Active {
        notes.push(memory.status.as_str().to_owned());
    }
    if !memory.conflicts.is_empty() {
        notes.push("conflict".to_owned());
    }
    if let Some(path) = &memory.scope.path {
        notes.push(path.clone());
    }
    if memory.scope.repo.is_none() {
        notes.push("everywhere".to_owned());
    }
    if let Some(branch) = branch {
        notes.push(format!("on {branch}"));
    }
    if notes.is_empty() {
        memory.title.clone()
    } else {
        format!("{} [{}]", memory.title, notes.join(", "))
    }
}

/// What is known about a memory besides its fields.
#[derive(Debug)]
pub(crate) struct Circumstances<'a> {
    /// How its anchors compare with the code.
    pub(crate) freshness: Freshness,
    /// What it cites that is not as it was.
    pub(crate) citations: &'a [Citation],
    /// Whether it is deleted.
    pub(crate) deleted: bool,
    /// Whether it waits in the inbox.
    pub(crate) waiting: bool,
    /// Name of the branch that it follows.
    pub(crate) branch: Option<&'a str>,
}

/// Shows one memory: title, facts, text.
pub(crate) fn memory(
    page: &mut Page<'_>,
    memory: &Memory,
    circumstances: &Circumstances<'_>,
) -> io::Result<()> {
    let title = page
        .tone(Tone::Strong, super::phrase::one_line(&memory.title))
        .to_string();
    page.line(title)?;
    page.gap()?;
    facts(memory, circumstances).write(page)?;
    if memory.text.trim() != memory.title.trim() {
        page.gap()?;
        page.text(&memory.text, 2)?;
    }
    for conflict in &memory.conflicts {
        page.gap()?;
        page.heading("Written elsewhere at the same time (memorax edit decides)")?;
        page.text(conflict, 2)?;
    }
    Ok(())
}

fn facts(memory: &Memory, circumstances: &Circumstances<'_>) -> Table {
    let mut table = Table::new(2);
    table.pair("id", memory.id.to_string());
    table.row([
        Cell::new(Tone::Faint, "kind"),
        Cell::new(Tone::Accent, memory.kind.as_str()),
    ]);
    table.row([
        Cell::new(Tone::Faint, "status"),
        status(memory, circumstances),
    ]);
    table.pair("holds", holds(memory, circumstances.branch));
    if !memory.tags.is_empty() {
        table.pair("tags", memory.tags.join(", "));
    }
    let mut name = "cites";
    for anchor in &memory.anchors {
        table.pair(name, cites(anchor));
        name = "";
    }
    if circumstances.freshness != Freshness::Unanchored {
        table.row([
            Cell::new(Tone::Faint, "code"),
            freshness(circumstances.freshness),
        ]);
        for citation in circumstances.citations {
            table.row([Cell::plain(""), Cell::plain(citation.to_string())]);
        }
    }
    table.pair("written", written(&memory.provenance));
    if memory.updated.date() != memory.created.date() {
        table.pair("changed", memory.updated.date());
    }
    if let Some(expires) = memory.expires {
        table.pair("expires", expires.date());
    }
    let used = used(memory);
    if !used.is_empty() {
        table.pair("used", used);
    }
    table
}

fn status(memory: &Memory, circumstances: &Circumstances<'_>) -> Cell {
    if circumstances.deleted {
        return Cell::new(Tone::Warning, "deleted");
    }
    if circumstances.waiting {
        return Cell::new(Tone::Warning, "waits in the inbox for the next writer");
    }
    match &memory.status {
        Status::Active => Cell::new(Tone::Good, "active"),
        Status::Superseded { by } => {
            Cell::new(Tone::Warning, format!("superseded by {}", short(by)))
        }
        Status::Invalid { reason } => Cell::new(Tone::Warning, format!("invalid: {reason}")),
        other => Cell::new(Tone::Warning, other.as_str()),
    }
}

fn holds(memory: &Memory, branch: Option<&str>) -> String {
    let place = match (&memory.scope.path, memory.scope.repo) {
        (Some(path), _) => path.as_str(),
        (None, Some(_)) => "the repository",
        (None, None) => return "everywhere".to_owned(),
    };
    match branch {
        Some(branch) => format!("{place}, on branch {branch}"),
        None => place.to_owned(),
    }
}

fn cites(anchor: &Anchor) -> String {
    match anchor {
        Anchor::Path { path } => path.clone(),
        Anchor::Symbol { path, name, .. } => format!("{name} in {path}"),
        Anchor::Commit { id } => format!("commit {}", commit(id)),
        Anchor::Command { template } => format!("command {template}"),
        Anchor::Error { signature } => format!("error {signature}"),
        other => format!("{other:?}"),
    }
}

/// Says how what is cited compares with the code.
pub(super) fn freshness(freshness: Freshness) -> Cell {
    match freshness {
        Freshness::Fresh => Cell::new(Tone::Good, "fresh: all that it cites stands as it was"),
        Freshness::Moved => Cell::new(Tone::Warning, "moved: what it cites has another place now"),
        Freshness::Changed => Cell::new(Tone::Warning, "changed: what it cites is different now"),
        Freshness::Gone => Cell::new(Tone::Bad, "gone: what it cites no longer exists"),
        other => Cell::plain(other.as_str()),
    }
}

/// Says who wrote, when and from what.
pub(super) fn written(provenance: &Provenance) -> String {
    let mut text = format!(
        "{} by {} ({})",
        provenance.at.date(),
        provenance.actor,
        provenance.trust
    );
    if let Some(via) = &provenance.via {
        text.push_str(", through ");
        text.push_str(via);
    }
    if let Some(session) = &provenance.session {
        text.push_str(", session ");
        text.push_str(session);
    }
    if let Some(id) = &provenance.commit {
        text.push_str(", at commit ");
        text.push_str(commit(id));
    }
    text
}

fn used(memory: &Memory) -> String {
    let stats = &memory.stats;
    let counts = [
        (stats.recalled, "recalled"),
        (stats.helpful, "helpful"),
        (stats.harmful, "harmful"),
        (stats.repeated, "repeated"),
    ];
    let told: Vec<String> = counts
        .iter()
        .filter(|(times, _)| *times > 0)
        .map(|(times, what)| format!("{what} {}", count(*times as usize, "time", "times")))
        .collect();
    told.join(", ")
}

/// Returns the noun for a memory of a kind, for messages.
pub(crate) fn noun(kind: MemoryKind) -> &'static str {
    match kind {
        MemoryKind::Progress => "progress note",
        other => other.as_str(),
    }
}
