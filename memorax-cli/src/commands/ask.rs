//! `recall` and `check`: questions that agents ask too.

use memorax_core::{Query, RECALL_BUDGET};
use serde_json::json;

use super::{Session, place};
use crate::arguments::{CheckArguments, RecallArguments};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render::{self, count, number, short};

/// `memorax recall`
pub(crate) fn recall(
    session: &mut Session<'_>,
    arguments: &RecallArguments,
) -> Result<Exit, Failure> {
    let text = session.text(&arguments.text, "question")?;
    let handle = session.open()?;
    let mut query = Query::new(text)
        .budget(arguments.budget.unwrap_or(RECALL_BUDGET))
        .checks(arguments.checks)
        .explain(arguments.explain);
    query.kinds.clone_from(&arguments.kinds);
    if let Some(memories) = arguments.memories {
        query = query.memories(memories);
    }
    if let Some(files) = arguments.files {
        query = query.files(files);
    }
    if let Some(path) = &arguments.path {
        query.path = place(session, &handle, path)?;
    }
    let recall = handle.recall(&query)?;
    if session.global().json {
        session.json(&recall)?;
        return Ok(Exit::Done);
    }
    for note in &recall.notes {
        session.note(note);
    }
    if recall.is_empty() {
        session.note("Nothing here fits.");
    } else {
        session.page().text(recall.text(), 0)?;
    }
    if arguments.explain {
        if !recall.is_empty() {
            session.page().gap()?;
        }
        render::explanation(&mut session.page(), &recall)?;
    }
    session.output().flush()?;
    if recall.is_empty() {
        return Ok(Exit::Done);
    }
    session.aside(&format!(
        "{} tokens, {}, {}; receipt {}",
        number(recall.tokens as u64),
        count(recall.hits.len(), "memory", "memories"),
        count(recall.files.len(), "file", "files"),
        short(recall.id),
    ));
    Ok(Exit::Done)
}

/// `memorax check`
pub(crate) fn check(
    session: &mut Session<'_>,
    arguments: &CheckArguments,
) -> Result<Exit, Failure> {
    let text = session.text(&arguments.text, "proposal")?;
    let check = session.open()?.check(&text)?;
    let exit = if check.denies() { Exit::No } else { Exit::Done };
    if session.global().json {
        let answer =
            json!({ "id": check.id, "denies": check.denies(), "rejections": check.rejections });
        session.json(&answer)?;
    } else {
        render::check(&mut session.page(), &check)?;
    }
    Ok(exit)
}
