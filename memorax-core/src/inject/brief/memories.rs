//! What was learned before: decisions, rules, rejections, preferences, failures, and what is in flight.

use std::fmt::Write;

use super::BriefMemory;
use super::fence::safe_cut;
use super::layout::{Line, Place, Section};
use crate::{Freshness, MemoryKind, Status, Trust};

/// Longest text of a memory, in characters.
const TEXT: usize = 240;
/// Digits of an id that are printed, from its random end, as in a packet.
const ID_DIGITS: usize = 8;

/// Makes the sections of memories; those that the code contradicts are left out.
pub(super) fn sections(memories: &[BriefMemory<'_>]) -> Vec<Section> {
    let groups: [(Place, &str, &[MemoryKind]); 7] = [
        (
            Place::Commands,
            "## Commands that worked here",
            &[MemoryKind::Command],
        ),
        (
            Place::Conventions,
            "## Learned about this code",
            &[MemoryKind::Convention, MemoryKind::Fact, MemoryKind::Skill],
        ),
        (Place::Decisions, "## Decisions", &[MemoryKind::Decision]),
        (
            Place::Rejections,
            "## Rejected: do not propose again",
            &[MemoryKind::Rejection],
        ),
        (
            Place::Preferences,
            "## Preferences of the user",
            &[MemoryKind::Preference],
        ),
        (
            Place::Failures,
            "## Failures seen before",
            &[MemoryKind::Failure],
        ),
        (Place::Progress, "## In flight", &[MemoryKind::Progress]),
    ];
    groups
        .into_iter()
        .filter_map(|(place, heading, kinds)| {
            let chosen = memories
                .iter()
                .filter(|entry| kinds.contains(&entry.memory.kind) && holds(entry));
            let lines: Vec<Line> = chosen.map(line).collect();
            (!lines.is_empty()).then(|| Section::new(place, heading, lines))
        })
        .collect()
}

/// A memory whose cited code is gone or different may be wrong: it is not told as true.
fn holds(entry: &BriefMemory<'_>) -> bool {
    entry.memory.status == Status::Active
        && !matches!(entry.freshness, Freshness::Gone | Freshness::Changed)
}

fn line(entry: &BriefMemory<'_>) -> Line {
    let memory = entry.memory;
    let id = memory.id.to_string();
    let actor = safe_cut(&memory.provenance.actor, 30);
    let mut source = format!(
        "{} {} {actor}",
        &id[id.len() - ID_DIGITS..],
        memory.updated.date()
    );
    if !matches!(memory.trust, Trust::User | Trust::Agent) {
        let _ = write!(source, ", {}", memory.trust);
    }
    if let Some(path) = memory.scope.path.as_deref() {
        let _ = write!(source, ", for {}", safe_cut(path, 60));
    }
    if let Some(branch) = entry.elsewhere {
        let _ = write!(source, ", on branch {}", safe_cut(branch, 60));
    }
    if entry.freshness == Freshness::Moved {
        source.push_str(", cited code moved");
    }
    let body = if memory.text.trim().is_empty() {
        &memory.title
    } else {
        &memory.text
    };
    Line {
        text: format!("- [{source}] {}", safe_cut(body, TEXT)),
        memory: Some(memory.id),
    }
}
