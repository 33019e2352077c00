//! Which command is which function.

use memorax_core::{Error, ErrorKind};

use super::{Session, completions};
use crate::arguments::Command;
use crate::exit::Exit;
use crate::failure::Failure;

/// Runs a command.
pub(crate) fn dispatch(command: Command, session: &mut Session<'_>) -> Result<Exit, Failure> {
    match command {
        Command::Completions(arguments) => completions::completions(session, &arguments),
        _ => Err(Error::new(ErrorKind::Incompatible, "this build has no store").into()),
    }
}
