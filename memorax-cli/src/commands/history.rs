//! `history`: what happened to a place, or to the whole repository.

use memorax_core::{Memorax, Milestone, STORY_COMMITS};

use super::{Session, place};
use crate::arguments::HistoryArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render;

/// Milestones when nobody says how many.
const MILESTONES: usize = 30;

/// `memorax history`
pub(crate) fn history(
    session: &mut Session<'_>,
    arguments: &HistoryArguments,
) -> Result<Exit, Failure> {
    let handle = session.open()?;
    let Some(typed) = &arguments.place else {
        let milestones = handle.milestones(arguments.limit.unwrap_or(MILESTONES))?;
        return tell_milestones(session, &milestones);
    };
    let asked = asked(session, &handle, typed);
    let story = handle.history(&asked, arguments.limit.unwrap_or(STORY_COMMITS))?;
    if session.global().json {
        session.json(&story)?;
    } else {
        render::story(&mut session.page(), &story)?;
    }
    Ok(Exit::Done)
}

/// Returns a typed path as the repository knows it; what is no path stays as it is, and so does one that is gone and was
/// typed from the root.
fn asked(session: &Session<'_>, handle: &Memorax, typed: &str) -> String {
    match place(session, handle, typed) {
        Ok(Some(path)) if handle.root().join(&path).exists() => path,
        _ => typed.to_owned(),
    }
}

fn tell_milestones(session: &mut Session<'_>, milestones: &[Milestone]) -> Result<Exit, Failure> {
    if session.global().json {
        session.json(&milestones)?;
    } else if milestones.is_empty() {
        session.note("The history has no milestones yet.");
    } else {
        render::milestones(&mut session.page(), milestones)?;
    }
    Ok(Exit::Done)
}
