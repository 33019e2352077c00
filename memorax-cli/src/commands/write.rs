//! `remember` and `feedback`, and how the outcome of any write is told.

use std::collections::BTreeMap;

use memorax_core::{Error, ErrorKind, Memorax, Note, Outcome, Remembered};
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
    warn_of_secrets(session, &remembered.redacted);
    let Remembered { id, outcome, .. } = &remembered;
    if session.global().json {
        let mut answer = outcome_json(outcome)?;
        answer["id"] = json!(id);
        answer["redacted"] = secrets_json(&remembered.redacted);
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

/// Secrets that were taken out, by the name of the rule.
pub(super) type Secrets = [(String, usize)];

/// Returns the secrets of texts that are about to be written.
pub(super) fn secrets_of<'a>(
    handle: &Memorax,
    texts: impl IntoIterator<Item = &'a str>,
) -> Result<Vec<(String, usize)>, Failure> {
    let mut sum = BTreeMap::new();
    for text in texts {
        for (rule, count) in handle.secrets_in(text)? {
            *sum.entry(rule).or_default() += count;
        }
    }
    Ok(sum.into_iter().collect())
}

fn secrets_json(secrets: &Secrets) -> Value {
    let rules = secrets.iter();
    rules
        .map(|(rule, count)| (rule.clone(), json!(count)))
        .collect()
}

fn warn_of_secrets(session: &mut Session<'_>, secrets: &Secrets) {
    if secrets.is_empty() {
        return;
    }
    let total = secrets.iter().map(|(_, count)| count).sum();
    let rules: Vec<&str> = secrets.iter().map(|(rule, _)| rule.as_str()).collect();
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
    let secrets = secrets_of(&handle, arguments.note.as_deref())?;
    let outcome = handle.feedback(&arguments.id, arguments.verdict, arguments.note.clone())?;
    answer_redacted(
        session,
        &arguments.id,
        &outcome,
        &secrets,
        &format!("Noted: {}.", arguments.verdict),
    )
}

/// Answers a write of words to an existing memory, and says what was taken out of them.
pub(super) fn answer_redacted(
    session: &mut Session<'_>,
    id: &str,
    outcome: &Outcome,
    secrets: &Secrets,
    line: &str,
) -> Result<Exit, Failure> {
    warn_of_secrets(session, secrets);
    if session.global().json {
        let mut answer = outcome_json(outcome)?;
        answer["id"] = json!(id);
        answer["redacted"] = secrets_json(secrets);
        session.json(&answer)?;
        return Ok(Exit::Done);
    }
    tell(session, outcome, line)
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
