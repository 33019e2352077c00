//! What stops a command, and how it is told: message, causes, hint, exit code.

use std::error::Error as _;
use std::io::{self, Write};

use memorax_core::{Error, ErrorKind};
use serde_json::json;

use crate::exit::Exit;
use crate::paint::{Paint, Tone};
use crate::render::visible;

/// What stops a command.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The core or the command itself says why.
    Error(Error),
    /// The answer could not be written.
    Output(io::Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

/// Commands use `?` on writes to the output only; other input and output gets its context where it happens.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl Failure {
    /// Adds a hint to an error of a kind that has none.
    pub(crate) fn or_hint(self, kind: ErrorKind, hint: &str) -> Self {
        match self {
            Self::Error(error) if error.kind() == kind && error.hint().is_none() => {
                Self::Error(error.with_hint(hint))
            }
            other => other,
        }
    }

    /// Tells the failure on the error stream and returns the exit code.
    pub(crate) fn report(self, errors: &mut dyn Write, paint: Paint, as_json: bool) -> Exit {
        let error = match self {
            // The reader has seen enough, as in `memorax log | head`.
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => return Exit::Done,
            Self::Output(error) => {
                Error::new(ErrorKind::Io, "cannot write the answer").with_source(error)
            }
            Self::Error(error) => error,
        };
        let exit = Exit::from(error.kind());
        let hint = error.hint().or(usual_hint(error.kind()));
        let told = if as_json {
            json(&error, hint, exit, errors)
        } else {
            text(&error, hint, errors, paint)
        };
        // Nobody is left to tell where even the error stream is closed.
        drop(told);
        exit
    }
}

fn causes(error: &Error) -> Vec<String> {
    std::iter::successors(error.source(), |cause| (*cause).source())
        .map(ToString::to_string)
        .collect()
}

fn text(error: &Error, hint: Option<&str>, errors: &mut dyn Write, paint: Paint) -> io::Result<()> {
    let message = error.to_string();
    writeln!(
        errors,
        "{} {}",
        paint.tone(Tone::Bad, "error:"),
        visible(&message)
    )?;
    for cause in causes(error) {
        let cause = visible(&cause).replace('\n', "\n           ");
        writeln!(errors, "{} {cause}", paint.tone(Tone::Faint, "caused by:"))?;
    }
    if let Some(hint) = hint {
        writeln!(
            errors,
            "{} {}",
            paint.tone(Tone::Accent, "hint:"),
            visible(hint)
        )?;
    }
    Ok(())
}

fn json(error: &Error, hint: Option<&str>, exit: Exit, errors: &mut dyn Write) -> io::Result<()> {
    let report = json!({
        "error": {
            "kind": error.kind().as_str(),
            "message": error.to_string(),
            "causes": causes(error),
            "hint": hint,
            "exit": exit.code(),
        }
    });
    writeln!(errors, "{report}")
}

/// The next step for errors that come without one.
fn usual_hint(kind: ErrorKind) -> Option<&'static str> {
    match kind {
        ErrorKind::Conflict => Some("memorax show ID, then decide which text should stand"),
        ErrorKind::Locked => Some("try again, or see who holds the store with: memorax doctor"),
        ErrorKind::ReadOnly => {
            Some("name a folder that can be written with --home or MEMORAX_HOME")
        }
        ErrorKind::Unauthorized => Some("run the command yourself, on a terminal"),
        ErrorKind::Corrupted => Some("memorax verify, then: memorax repair"),
        ErrorKind::Incompatible => Some("install the newest memorax"),
        ErrorKind::Full => Some("make room on the disk, or run: memorax gc"),
        ErrorKind::Interrupted => Some("run the command again; it goes on where it stopped"),
        _ => None,
    }
}
