//! Turns before they are told: those of one event and kind become one milestone.

use std::collections::BTreeMap;

use super::timeline::Told;
use crate::MilestoneKind;

/// Share of the weight of the smaller turns of an event that counts.
const REST: f32 = 0.15;

/// One turn.
#[derive(Clone, Debug)]
pub(super) struct Turn {
    pub(super) kind: MilestoneKind,
    pub(super) age: u32,
    /// What is told of it.
    pub(super) name: String,
    pub(super) weight: f32,
}

/// Turns of one kind and event.
#[derive(Clone, Debug)]
pub(super) struct Event {
    pub(super) kind: MilestoneKind,
    /// The commit that did it; the merge that brought them where several did.
    pub(super) age: u32,
    /// Weightiest first.
    pub(super) names: Vec<String>,
    pub(super) weight: f32,
}

/// Puts the turns of one kind and event together.
pub(super) fn gather(turns: Vec<Turn>, told: &[Told]) -> Vec<Event> {
    let mut groups: BTreeMap<(MilestoneKind, u32), Vec<Turn>> = BTreeMap::new();
    for turn in turns {
        let event = told[turn.age as usize].event;
        groups.entry((turn.kind, event)).or_default().push(turn);
    }
    groups
        .into_iter()
        .map(|((kind, event), mut turns)| {
            let one = turns.iter().all(|turn| turn.age == turns[0].age);
            let age = if one { turns[0].age } else { event };
            turns.sort_by(|left, right| {
                right
                    .weight
                    .total_cmp(&left.weight)
                    .then_with(|| left.name.cmp(&right.name))
            });
            let rest: f32 = turns.iter().skip(1).map(|turn| turn.weight).sum();
            Event {
                kind,
                age,
                weight: turns[0].weight + (rest * REST).min(1.0),
                names: turns.into_iter().map(|turn| turn.name).collect(),
            }
        })
        .collect()
}
