//! Branches and what they know.

use std::io;

use memorax_core::{BranchReport, LineState};

use super::phrase::{commit, count};
use super::{Cell, Page, Table};
use crate::paint::Tone;

/// Lists branches; a star marks the one that is checked out.
pub(crate) fn branches(page: &mut Page<'_>, branches: &[BranchReport]) -> io::Result<()> {
    let mut table = Table::new(0).one_line();
    for branch in branches {
        let state = branch.line.state.as_str();
        let tone = match &branch.line.state {
            LineState::Open => Tone::Good,
            LineState::Landed { evidence, .. } if !evidence.is_certain() => Tone::Warning,
            _ => Tone::Faint,
        };
        table.row([
            Cell::new(Tone::Good, if branch.current { "*" } else { "" }),
            Cell::new(
                if branch.current {
                    Tone::Strong
                } else {
                    Tone::Plain
                },
                branch.line.name(),
            ),
            Cell::new(tone, state),
            Cell::plain(count(branch.memories, "memory", "memories")).right(),
            Cell::new(Tone::Faint, branch.line.updated.date()),
            Cell::plain(told(branch)),
        ]);
    }
    table.write(page)
}

fn told(branch: &BranchReport) -> String {
    let mut parts = Vec::new();
    if let LineState::Landed {
        evidence,
        commit: found,
        ..
    } = &branch.line.state
    {
        let by = match evidence.as_str() {
            "person" => "said by a person".to_owned(),
            other => format!("by {}", other.replace('_', " ")),
        };
        parts.push(match found {
            Some(id) => format!("{by}, in {}", commit(id)),
            None => by,
        });
    } else if let Some(parent) = &branch.parent {
        parts.push(format!("from {parent}"));
    }
    if let Some(missing) = branch.line.missing {
        parts.push(format!("missing since {}", missing.date()));
    }
    if branch.seen && !branch.current {
        parts.push("seen from here".to_owned());
    }
    parts.join(", ")
}
