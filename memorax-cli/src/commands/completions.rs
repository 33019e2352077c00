//! Completion scripts.

use super::Session;
use crate::arguments::{CompletionsArguments, parser};
use crate::exit::Exit;
use crate::failure::Failure;

/// `memorax completions`
pub(crate) fn completions(
    session: &mut Session<'_>,
    arguments: &CompletionsArguments,
) -> Result<Exit, Failure> {
    // The generator panics where it cannot write, as into a closed pipe.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut parser(), "memorax", &mut script);
    session.output().write_all(&script)?;
    Ok(Exit::Done)
}
