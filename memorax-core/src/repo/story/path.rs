//! The trail of a file or folder in a view.

use std::collections::{BTreeSet, HashMap};

use super::follow::{Fate, Followed, Touch};
use super::{Trail, TrailStep};
use crate::repo::history::{Changes, Graph, History, NumberedChange, Place};
use crate::repo::view::View;
use crate::{PlaceKind, PlaceState, Result};

/// Most moves that are followed before a path is given up: more are a circle.
const MOVES: usize = 32;
/// Most commits of a trail whose messages are read, the newest.
const MOST: usize = 5_000;

/// Follows a path, relative to the view's root, through the history behind the view.
pub(in crate::repo) fn trail(view: &View, asked: &str) -> Result<Option<Trail>> {
    let history = History::load(view.segments())?;
    let order = view.order()?;
    let changes = history.changes()?;
    let paths = numbered(changes);
    let graph = Graph::new(&history, order);
    let native = graph.native();
    let commits: Vec<&[NumberedChange]> = order
        .iter()
        .zip(&native)
        .map(|(place, native)| if *native { changes.of(*place) } else { &[] })
        .collect();
    let prefix = view.meta.prefix.as_str();
    let files: BTreeSet<&str> = view.file_paths()?.into_iter().collect();
    let is_file = |path: &str| {
        path.strip_prefix(prefix)
            .is_some_and(|path| files.contains(path))
    };
    let is_folder = |path: &str| {
        path.strip_prefix(prefix).is_some_and(|path| {
            let start = format!("{path}/");
            files
                .range(start.as_str()..)
                .next()
                .is_some_and(|file| file.starts_with(&start))
        })
    };
    let followed = Followed {
        changes,
        paths: &paths,
        commits: &commits,
        is_folder: &is_folder,
    };
    let asked = format!("{prefix}{}", asked.trim_matches('/'));
    let known_folder = || {
        let start = format!("{asked}/");
        paths.iter().any(|path| path.starts_with(&start))
    };
    let kind = if is_file(&asked) || (changes.numbers.contains_key(&asked) && !is_folder(&asked)) {
        PlaceKind::File
    } else if is_folder(&asked) || known_folder() {
        PlaceKind::Folder
    } else {
        return Ok(None);
    };
    let is_here = |path: &str| match kind {
        PlaceKind::File => is_file(path),
        _ => is_folder(path),
    };
    let mut path = asked.clone();
    let mut before = u32::MAX;
    let mut state = PlaceState::Alive;
    for _ in 0..MOVES {
        if is_here(&path) {
            break;
        }
        let fate = match kind {
            PlaceKind::File => followed.fate_of_file(&path, before),
            _ => followed.fate_of_folder(&path, before),
        };
        match fate {
            Some(Fate::Moved(to, age)) => {
                state = PlaceState::Moved;
                path = to;
                before = age;
            }
            Some(Fate::Gone) | None => {
                state = PlaceState::Gone;
                break;
            }
        }
    }
    let touches = match kind {
        PlaceKind::File => followed.file(&path, 0),
        _ => followed.folder(&path, 0),
    };
    let mut trail = Trail::new(kind, below(&path, prefix), state);
    for touch in &touches {
        let from = touch.from.as_deref().map(|from| below(from, prefix));
        if let Some(from) = from
            && from != trail.path
            && !trail.former.contains(&from)
        {
            trail.former.push(from);
        }
    }
    let touched = touches.len();
    trail.steps = steps(view, &graph, order, touches, prefix)?;
    trail.unread = touched - trail.steps.len();
    prefix.clone_into(&mut trail.prefix);
    trail.newest = match order.first() {
        Some(place) => view.record_at(*place)?.committed,
        None => 0,
    };
    Ok(Some(trail))
}

/// Returns the paths of files that are gone, sorted.
pub(in crate::repo) fn past_paths(view: &View) -> Result<Vec<String>> {
    let history = History::load(view.segments())?;
    let changes = history.changes()?;
    let files: BTreeSet<&str> = view.file_paths()?.into_iter().collect();
    let mut past: Vec<String> = changes
        .numbers
        .keys()
        .filter_map(|path| path.strip_prefix(&view.meta.prefix))
        .filter(|path| !files.contains(path))
        .map(str::to_owned)
        .collect();
    past.sort_unstable();
    Ok(past)
}

fn numbered(changes: &Changes) -> Vec<&str> {
    let mut paths = vec![""; changes.numbers.len()];
    for (path, number) in &changes.numbers {
        paths[*number as usize] = path;
    }
    paths
}

fn below(path: &str, prefix: &str) -> String {
    path.strip_prefix(prefix).unwrap_or(path).to_owned()
}

fn steps(
    view: &View,
    graph: &Graph,
    order: &[Place],
    touches: Vec<Touch>,
    prefix: &str,
) -> Result<Vec<TrailStep>> {
    let brought = graph.brought();
    let mut merges: HashMap<u32, (String, String)> = HashMap::new();
    let mut steps = Vec::with_capacity(touches.len());
    let oldest = touches.len().saturating_sub(1);
    for (position, touch) in touches.into_iter().enumerate() {
        // Of a long trail the newest commits are read, and the first.
        if position >= MOST && position != oldest {
            continue;
        }
        let record = view.record_at(order[touch.age as usize])?;
        let mut step = TrailStep::new(
            view.describe(record),
            touch.event,
            below(&touch.path, prefix),
        );
        step.from = touch.from.map(|from| below(&from, prefix));
        if let Some(merge) = brought[touch.age as usize] {
            if let std::collections::hash_map::Entry::Vacant(entry) = merges.entry(merge) {
                let record = view.record_at(order[merge as usize])?;
                entry.insert((record.subject, record.body));
            }
            step.merge = merges.get(&merge).cloned();
        }
        steps.push(step);
    }
    Ok(steps)
}
