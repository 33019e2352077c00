//! `edit`: changes a memory by options, or in the person's editor.

use memorax_core::{Error, ErrorKind, Fields, Memorax, Memory, Scope, Status};

use super::write::{answer_redacted, secrets_of};
use super::{Session, editor, place};
use crate::arguments::EditArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render::short;

/// `memorax edit`
pub(crate) fn edit(session: &mut Session<'_>, arguments: &EditArguments) -> Result<Exit, Failure> {
    let handle = session.open()?;
    let memory = handle.show(&arguments.id)?.memory;
    let fields = if arguments.is_empty() {
        if !session.has_person() {
            return Err(Error::new(
                ErrorKind::InvalidInput,
                "nothing to change was given, and there is no terminal",
            )
            .with_hint(format!("memorax edit {} --text TEXT", arguments.id))
            .into());
        }
        editor::edit(&memory)?
    } else {
        fields_of(session, &handle, &memory, arguments)?
    };
    let id = memory.id.to_string();
    if fields == Fields::default() {
        session.note("Nothing was changed.");
        return Ok(Exit::Done);
    }
    let secrets = secrets_of(&handle, words(&fields))?;
    let outcome = handle.edit(&id, fields)?;
    let line = format!("Changed {}.", short(&id));
    answer_redacted(session, &id, &outcome, &secrets, &line)
}

/// Returns the texts of an edit.
fn words(fields: &Fields) -> impl Iterator<Item = &str> {
    let reason = match &fields.status {
        Some(Status::Invalid { reason }) => Some(reason),
        _ => None,
    };
    let texts = [fields.text.as_ref(), fields.title.as_ref(), reason];
    let texts = texts.into_iter().flatten();
    texts.chain(&fields.add_tags).map(String::as_str)
}

fn fields_of(
    session: &mut Session<'_>,
    handle: &Memorax,
    memory: &Memory,
    arguments: &EditArguments,
) -> Result<Fields, Failure> {
    let mut fields = Fields::default();
    if let Some(text) = &arguments.text {
        fields.text = Some(session.text(std::slice::from_ref(text), "text")?);
    }
    fields.title.clone_from(&arguments.title);
    fields.kind = arguments.kind;
    fields.add_tags.clone_from(&arguments.add_tags);
    fields.remove_tags.clone_from(&arguments.remove_tags);
    if let Some(path) = &arguments.path {
        let path = if path.is_empty() {
            None
        } else {
            place(session, handle, path)?
        };
        fields.scope = Some(with_path(&memory.scope, path)?);
    }
    if let Some(name) = &arguments.status {
        fields.status = Some(status(handle, name, arguments)?);
    }
    Ok(fields)
}

/// Moves a scope to another path.
pub(super) fn with_path(scope: &Scope, path: Option<String>) -> Result<Scope, Failure> {
    if scope.repo.is_none() && path.is_some() {
        return Err(
            Error::new(ErrorKind::InvalidInput, "what holds everywhere has no path")
                .with_hint("forget it, and remember it in the repository that it is about")
                .into(),
        );
    }
    let mut scope = scope.clone();
    scope.path = path;
    Ok(scope)
}

fn status(handle: &Memorax, name: &str, arguments: &EditArguments) -> Result<Status, Failure> {
    Ok(match name {
        "active" => Status::Active,
        "pending" => Status::Pending,
        "archived" => Status::Archived,
        "invalid" => Status::Invalid {
            reason: arguments.reason.clone().unwrap_or_default(),
        },
        "superseded" => {
            let by = arguments.by.as_deref().unwrap_or_default();
            Status::Superseded {
                by: handle.show(by)?.memory.id,
            }
        }
        other => {
            return Err(Error::new(ErrorKind::InvalidInput, format!("no status `{other}`")).into());
        }
    })
}
