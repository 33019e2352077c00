//! `remember` and `feedback`, and how the outcome of any write is told.

use memorax_core::{Error, ErrorKind, Note, Outcome, Remembered};
use serde_json::{Value, json};

use super::{Session, place};
use crate::arguments::{FeedbackArguments, RememberArguments};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render::{count, noun, short};

/// `memorax remember`
pub(crate) fn remember(
    session: &mut Session<'_>,
    arguments: &RememberArguments,
) -> Result<Exit, Failure> {
    let text = session.text(&arguments.text, "text")?;
    let handle = session.open()?;
    let mut note = Note::new(text, arguments.kind).everywhere(arguments.everywhere);
    note.title.clone_from(&arguments.title);
    note.tags.clone_from(&arguments.tags);
    if let Some(path) = &arguments.path {
        note.path = place(session, &handle, path)?;
    }
    let remembered = handle.remember_with(note)?;
    warn_of_secrets(session, &remembered);
    let Remembered { id, outcome, .. } = &remembered;
    if session.global().json {
        let mut answer = outcome_json(outcome)?;
        answer["id"] = json!(id);
        answer["redacted"] = remembered
            .redacted
            .iter()
            .map(|(rule, count)| (rule.clone(), json!(count)))
            .collect();
        session.json(&answer)?;
        return Ok(Exit::Done);
    }
    let kind = noun(arguments.kind);
    let line = match outcome {
        Outcome::Joined { into, .. } => {
            format!("Known already as {}; counted once more.", short(into))
        }
        _ => format!("Remembered {kind} {}.", short(id)),
    };
    tell(session, outcome, &line)
}

fn warn_of_secrets(session: &mut Session<'_>, remembered: &Remembered) {
    if remembered.redacted.is_empty() {
        return;
    }
    let total = remembered.redacted.iter().map(|(_, count)| count).sum();
    let rules: Vec<&str> = remembered
        .redacted
        .iter()
        .map(|(rule, _)| rule.as_str())
        .collect();
    session.warn(&format!(
        "{} taken out of the text before it was written: {}",
        count(total, "secret was", "secrets were"),
        rules.join(", "),
    ));
}

/// `memorax feedback`
pub(crate) fn feedback(
    session: &mut Session<'_>,
    arguments: &FeedbackArguments,
) -> Result<Exit, Failure> {
    let handle = session.open()?;
    let outcome = handle.feedback(&arguments.id, arguments.verdict, arguments.note.clone())?;
    answer(
        session,
        &arguments.id,
        &outcome,
        &format!("Noted: {}.", arguments.verdict),
    )
}

/// Answers a write to an existing memory.
pub(super) fn answer(
    session: &mut Session<'_>,
    id: &str,
    outcome: &Outcome,
    line: &str,
) -> Result<Exit, Failure> {
    if session.global().json {
        let mut answer = outcome_json(outcome)?;
        answer["id"] = json!(id);
        session.json(&answer)?;
        return Ok(Exit::Done);
    }
    tell(session, outcome, line)
}

fn tell(session: &mut Session<'_>, outcome: &Outcome, line: &str) -> Result<Exit, Failure> {
    match outcome {
        Outcome::Refused(reason) => return Err(refused(reason)),
        Outcome::Unchanged => session
            .page()
            .line("Nothing to change: it is so already.")?,
        Outcome::Queued => {
            session.page().line(line)?;
            session.note(
                "Another process holds the store: it waits in the inbox for the next writer.",
            );
        }
        _ => session.page().line(line)?,
    }
    Ok(Exit::Done)
}

fn refused(reason: &str) -> Failure {
    Error::new(
        ErrorKind::Conflict,
        format!("the store refused it: {reason}"),
    )
    .with_hint("memorax status")
    .into()
}

fn outcome_json(outcome: &Outcome) -> Result<Value, Failure> {
    Ok(match outcome {
        Outcome::Created(_) => json!({ "outcome": "created" }),
        Outcome::Joined { into, .. } => json!({ "outcome": "joined", "into": into }),
        Outcome::Unchanged => json!({ "outcome": "unchanged" }),
        Outcome::Queued => json!({ "outcome": "queued" }),
        Outcome::Refused(reason) => return Err(refused(reason)),
        _ => json!({ "outcome": "changed" }),
    })
}
