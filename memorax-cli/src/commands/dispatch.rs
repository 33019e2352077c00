//! Which command is which function.

use super::{
    Session, ask, branches, completions, edit, exchange, forget, history, keep, look, start, write,
};
use crate::arguments::Command;
use crate::exit::Exit;
use crate::failure::Failure;

/// Runs a command.
pub(crate) fn dispatch(command: Command, session: &mut Session<'_>) -> Result<Exit, Failure> {
    match command {
        Command::Init(arguments) => start::init(session, &arguments),
        Command::Brief(arguments) => start::brief(session, &arguments),
        Command::Status => keep::status(session),
        Command::Recall(arguments) => ask::recall(session, &arguments),
        Command::Check(arguments) => ask::check(session, &arguments),
        Command::Remember(arguments) => write::remember(session, &arguments),
        Command::Edit(arguments) => edit::edit(session, &arguments),
        Command::Forget(arguments) => forget::forget(session, &arguments),
        Command::Feedback(arguments) => write::feedback(session, &arguments),
        Command::History(arguments) => history::history(session, &arguments),
        Command::List(arguments) => look::list(session, &arguments),
        Command::Show(arguments) => look::show(session, &arguments),
        Command::Log(arguments) => look::log(session, &arguments),
        Command::Branches(arguments) => branches::branches(session, &arguments),
        Command::Receipts(arguments) => look::receipts(session, &arguments),
        Command::Verify => keep::verify(session),
        Command::Repair => keep::repair(session),
        Command::Backup(arguments) => keep::backup(session, &arguments),
        Command::Gc => keep::gc(session),
        Command::Export(arguments) => exchange::export(session, &arguments),
        Command::Restore(arguments) => exchange::restore(session, &arguments),
        Command::Doctor => keep::doctor(session),
        Command::Completions(arguments) => completions::completions(session, &arguments),
    }
}
