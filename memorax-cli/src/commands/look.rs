//! `list`, `show`, `log`, `receipts`: what is kept, and how it came about.

use std::collections::BTreeMap;

use memorax_core::store::LogEntry;
use memorax_core::{Filter, LineId, Memorax};
use serde_json::{Value, json};

use super::{Session, place};
use crate::arguments::{ListArguments, LogArguments, ReceiptsArguments, ShowArguments};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render::{self, Circumstances};

/// `memorax list`
pub(crate) fn list(session: &mut Session<'_>, arguments: &ListArguments) -> Result<Exit, Failure> {
    let handle = session.open()?;
    let mut filter = Filter::new();
    filter.kinds.clone_from(&arguments.kinds);
    filter.statuses.clone_from(&arguments.statuses);
    filter.tag.clone_from(&arguments.tag);
    filter.text.clone_from(&arguments.text);
    filter.all_lines = arguments.all_lines;
    filter.deleted = arguments.deleted;
    filter.limit = arguments.limit.map(all_or);
    if let Some(path) = &arguments.path {
        filter.path = place(session, &handle, path)?;
    }
    let memories = handle.list(&filter)?;
    if session.global().json {
        session.json(&memories)?;
        return Ok(Exit::Done);
    }
    if memories.is_empty() {
        session.note(nothing_listed(arguments));
        return Ok(Exit::Done);
    }
    let branches = if arguments.all_lines {
        branch_names(&handle)?
    } else {
        BTreeMap::new()
    };
    render::memories(&mut session.page(), &memories, &branches)?;
    Ok(Exit::Done)
}

/// Says why a list is empty, and what would not be.
fn nothing_listed(arguments: &ListArguments) -> &'static str {
    let narrowed = !arguments.kinds.is_empty()
        || !arguments.statuses.is_empty()
        || arguments.tag.is_some()
        || arguments.text.is_some()
        || arguments.path.is_some();
    if narrowed {
        "No memory fits all of these options; leave one out, or see all with: memorax list"
    } else if arguments.deleted {
        "Nothing that was deleted is kept."
    } else {
        "Nothing is remembered yet. Write the first one with: memorax remember TEXT"
    }
}

fn branch_names(handle: &Memorax) -> Result<BTreeMap<LineId, String>, Failure> {
    let branches = handle.branches()?;
    Ok(branches
        .into_iter()
        .map(|branch| (branch.line.id, branch.line.name().to_owned()))
        .collect())
}

/// `memorax show`
pub(crate) fn show(session: &mut Session<'_>, arguments: &ShowArguments) -> Result<Exit, Failure> {
    let handle = session.open()?;
    let shown = handle.show(&arguments.id)?;
    let branch = match shown.memory.scope.line {
        Some(line) => branch_names(&handle)?.remove(&line),
        None => None,
    };
    if session.global().json {
        let history: Vec<Value> = shown.history.iter().map(entry_json).collect();
        let answer = json!({
            "memory": shown.memory,
            "deleted": shown.deleted,
            "waiting": shown.waiting,
            "freshness": shown.freshness,
            "citations": shown.citations,
            "branch": branch,
            "history": history,
        });
        session.json(&answer)?;
        return Ok(Exit::Done);
    }
    let circumstances = Circumstances {
        freshness: shown.freshness,
        citations: &shown.citations,
        deleted: shown.deleted,
        waiting: shown.waiting,
        branch: branch.as_deref(),
    };
    let mut page = session.page();
    render::memory(&mut page, &shown.memory, &circumstances)?;
    if !shown.history.is_empty() {
        page.gap()?;
        page.heading("History")?;
        render::history(&mut page, &shown.history)?;
    }
    Ok(Exit::Done)
}

/// `memorax log`
pub(crate) fn log(session: &mut Session<'_>, arguments: &LogArguments) -> Result<Exit, Failure> {
    let handle = session.open()?;
    let entries = handle.log(arguments.id.as_deref(), all_or(arguments.limit))?;
    if session.global().json {
        let entries: Vec<Value> = entries.iter().map(entry_json).collect();
        session.json(&entries)?;
        return Ok(Exit::Done);
    }
    if entries.is_empty() {
        session.note("Nothing was written yet.");
        return Ok(Exit::Done);
    }
    render::log(&mut session.page(), &entries)?;
    if entries.len() == arguments.limit {
        session.output().flush()?;
        session.aside(&format!(
            "The newest {}; all with: memorax log --limit 0",
            arguments.limit
        ));
    }
    Ok(Exit::Done)
}

/// `memorax receipts`
pub(crate) fn receipts(
    session: &mut Session<'_>,
    arguments: &ReceiptsArguments,
) -> Result<Exit, Failure> {
    let handle = session.open()?;
    if let Some(id) = &arguments.id {
        let receipt = handle.receipt(id)?;
        if session.global().json {
            session.json(&receipt)?;
        } else {
            render::receipt(&mut session.page(), &receipt)?;
        }
        return Ok(Exit::Done);
    }
    let receipts = handle.receipts(all_or(arguments.limit))?;
    if session.global().json {
        session.json(&receipts)?;
    } else if receipts.is_empty() {
        session.note("Nothing was put in front of an agent yet.");
    } else {
        render::receipts(&mut session.page(), &receipts)?;
    }
    Ok(Exit::Done)
}

fn all_or(limit: usize) -> usize {
    if limit == 0 { usize::MAX } else { limit }
}

fn entry_json(entry: &LogEntry) -> Value {
    let operation = &entry.operation;
    json!({
        "sequence": entry.sequence,
        "id": operation.id,
        "at": operation.time.timestamp(),
        "space": operation.space,
        "device": operation.device,
        "incarnation": operation.incarnation,
        "index": operation.index,
        "purged": entry.payload.is_none(),
        "payload": entry.payload,
    })
}
