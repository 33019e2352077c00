//! Goes through a history from its oldest commit to its newest and finds the turns that matter.

use std::collections::{HashMap, HashSet};

use super::dependencies::Dependencies;
use super::event::{Event, gather};
use super::folders::Folders;
use super::modules::Modules;
use super::names::list;
use super::programs::Programs;
use super::releases;
use super::reverts::reverts;
use super::timeline::{Timeline, Told};
use crate::repo::history::hex;
use crate::repo::manifest::{Note, NoteKind, is_manifest};
use crate::{Milestone, MilestoneKind, Result, Revert, Timestamp};

/// Most milestones that are kept, the weightiest.
const MOST: usize = 120;
/// Least weight of a milestone.
const LEAST: f32 = 0.5;
/// Most names of one line.
const SHOWN: usize = 4;
/// How much less the oldest counts than the newest.
const AGE: f32 = 0.25;

/// What is found in a history, both newest first.
#[derive(Debug, Default)]
pub(in crate::repo) struct Found {
    pub(in crate::repo) milestones: Vec<Milestone>,
    pub(in crate::repo) reverts: Vec<Revert>,
}

/// Finds the milestones of a history, and what was taken back in it.
pub(in crate::repo) fn find(timeline: &Timeline<'_>) -> Result<Found> {
    let mut told = timeline.told()?;
    if told.is_empty() {
        return Ok(Found::default());
    }
    let changes = timeline.history.changes()?;
    let mut folders = Folders::new(timeline, changes);
    let (mut modules, mut programs) = (Modules::default(), Programs::default());
    let mut dependencies = Dependencies::default();
    let mut packages = HashSet::new();
    let manifests: HashMap<u32, &str> = changes
        .numbers
        .iter()
        .filter(|(path, _)| is_manifest(path))
        .filter_map(|(path, number)| Some((*number, timeline.below(path)?)))
        .collect();
    let mut first = None;
    for age in (0..timeline.order.len() as u32).rev() {
        let place = timeline.order[age as usize];
        if !told[age as usize].native {
            continue;
        }
        let first = *first.get_or_insert(age);
        let step = folders.apply(changes, place, age);
        if age != first {
            modules.look(&folders, &step, age);
        }
        programs.step(&folders, changes, place, &step, age);
        for (from, to) in &step.renamed {
            if let (Some(from), Some(to)) = (manifests.get(from), manifests.get(to)) {
                dependencies.moved(from, to);
            }
        }
        let notes: Vec<Note> = std::mem::take(&mut told[age as usize].notes)
            .into_iter()
            .filter_map(|mut note| {
                note.path = timeline.below(&note.path)?.to_owned();
                Some(note)
            })
            .collect();
        for note in &notes {
            if note.kind == NoteKind::PackageAdded {
                packages.extend(
                    note.path
                        .rsplit_once('/')
                        .map(|(folder, _)| folder.to_owned()),
                );
            }
        }
        dependencies.apply(&notes, age);
        programs.apply(&notes, age);
        told[age as usize].notes = notes;
    }
    let first = first.unwrap_or(0);
    let present = timeline.folders();
    let mut turns = modules.turns(&folders, &told, &present, &packages);
    turns.extend(programs.turns(&told, first));
    turns.extend(releases::turns(timeline, &told));
    let mut events = gather(turns, &told);
    events.extend(dependencies.events(&told, first));
    events.push(Event {
        kind: MilestoneKind::Born,
        age: first,
        names: vec!["the first commit".to_owned()],
        weight: 2.0,
    });
    Ok(Found {
        reverts: reverts(timeline, &told),
        milestones: choose(events, timeline, &told),
    })
}

/// Keeps the weightiest, newest first.
fn choose(mut events: Vec<Event>, timeline: &Timeline<'_>, told: &[Told]) -> Vec<Milestone> {
    let span = told.len().max(1) as f32;
    for event in &mut events {
        event.weight *= 1.0 - AGE * event.age as f32 / span;
    }
    events.retain(|event| event.weight >= LEAST);
    events.sort_by(|left, right| {
        right
            .weight
            .total_cmp(&left.weight)
            .then(left.age.cmp(&right.age))
            .then(left.kind.cmp(&right.kind))
    });
    events.truncate(MOST);
    events.sort_by(|left, right| left.age.cmp(&right.age).then(left.kind.cmp(&right.kind)));
    let milestone = |event: &Event| {
        let commit = &told[event.age as usize];
        let at = Timestamp::from_millis(commit.committed.saturating_mul(1000));
        let id = hex(&timeline.history.id(timeline.order[event.age as usize]));
        let mut milestone = Milestone::new(event.kind, told_as(event), id, at);
        milestone.subject.clone_from(&commit.subject);
        milestone.request = commit.request;
        milestone.weight = event.weight;
        milestone
    };
    events.iter().map(milestone).collect()
}

fn told_as(event: &Event) -> String {
    let names = list(&event.names, SHOWN);
    match event.kind {
        MilestoneKind::Born if event.names.iter().all(|name| name.starts_with('`')) => {
            format!("{names} added")
        }
        _ => names,
    }
}
