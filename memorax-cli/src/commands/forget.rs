//! `forget`: a tombstone, its undoing, or the end of the words.

use memorax_core::{Error, ErrorKind};
use serde_json::json;

use super::Session;
use super::write::answer;
use crate::arguments::ForgetArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render::{count, one_line, short};

/// `memorax forget`
pub(crate) fn forget(
    session: &mut Session<'_>,
    arguments: &ForgetArguments,
) -> Result<Exit, Failure> {
    if arguments.purge {
        return purge(session, arguments);
    }
    let handle = session.open()?;
    let shown = handle.show(&arguments.id).map_err(|error| {
        if arguments.undo {
            error.with_hint("memorax list --deleted")
        } else {
            error
        }
    })?;
    let id = shown.memory.id.to_string();
    if arguments.undo {
        let outcome = handle.unforget(&id)?;
        return answer(
            session,
            &id,
            &outcome,
            &format!("Brought back {}.", short(&id)),
        );
    }
    let outcome = handle.forget(&id)?;
    let line = format!("Forgotten. To undo: memorax forget --undo {}", short(&id));
    answer(session, &id, &outcome, &line)
}

fn purge(session: &mut Session<'_>, arguments: &ForgetArguments) -> Result<Exit, Failure> {
    let handle = session.open()?;
    let memory = handle.show(&arguments.id)?.memory;
    if !arguments.yes {
        let question = format!(
            "Drop the words of \"{}\" for good, from the log too?\nThis cannot be undone. Type yes to go on:",
            one_line(&memory.title),
        );
        confirm(session, &question)?;
    }
    let purged = handle.purge(&memory.id.to_string(), arguments.yes)?;
    if session.global().json {
        session.json(&json!({ "id": purged.id, "pending": purged.pending }))?;
        return Ok(Exit::Done);
    }
    session.page().line(format_args!(
        "Purged {}: its words are gone.",
        short(purged.id)
    ))?;
    if !purged.pending.is_empty() {
        session.warn(&format!(
            "another process still has {} with the words open; when it is done: memorax gc",
            count(purged.pending.len(), "file", "files"),
        ));
    }
    Ok(Exit::Done)
}

fn confirm(session: &mut Session<'_>, question: &str) -> Result<(), Failure> {
    if !session.has_person() {
        return Err(Error::new(ErrorKind::Unauthorized, "dropping words for good needs a person at a terminal")
            .with_hint("run it on a terminal; in a CI job (CI=true) add --yes; memorax forget ID can be undone")
            .into());
    }
    if session.ask(question)?.eq_ignore_ascii_case("yes") {
        return Ok(());
    }
    Err(Error::new(ErrorKind::Unauthorized, "nothing was purged")
        .with_hint("to hide the memory and keep the way back: memorax forget ID")
        .into())
}
