//! `branches`: what each branch knows, and how a person corrects what was decided about it.

use memorax_core::{BranchDecision, BranchReport};
use serde_json::{Value, json};

use super::Session;
use crate::arguments::{BranchAction, BranchesArguments};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render;

/// `memorax branches`
pub(crate) fn branches(
    session: &mut Session<'_>,
    arguments: &BranchesArguments,
) -> Result<Exit, Failure> {
    let handle = session.open()?;
    if let (Some(action), Some(name)) = (arguments.action, &arguments.name) {
        let decision = match action {
            BranchAction::Landed => BranchDecision::Landed,
            BranchAction::Archive => BranchDecision::Archive,
            BranchAction::Restore => BranchDecision::Restore,
        };
        let line = handle.decide_branch(name, decision)?;
        if session.global().json {
            session.json(&line)?;
        } else {
            session.page().line(format_args!(
                "Branch {} is {} now.",
                line.name(),
                line.state.as_str()
            ))?;
        }
        return Ok(Exit::Done);
    }
    let branches = handle.branches()?;
    if session.global().json {
        let answer: Vec<Value> = branches.iter().map(branch_json).collect();
        session.json(&answer)?;
    } else if branches.is_empty() {
        session.note("No branch is known yet: memorax init");
    } else {
        render::branches(&mut session.page(), &branches)?;
    }
    Ok(Exit::Done)
}

fn branch_json(branch: &BranchReport) -> Value {
    let mut answer = json!(branch.line);
    answer["name"] = json!(branch.line.name());
    answer["memories"] = json!(branch.memories);
    answer["current"] = json!(branch.current);
    answer["seen"] = json!(branch.seen);
    answer["parent_name"] = json!(branch.parent);
    answer
}
