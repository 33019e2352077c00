//! Follows a place through the changes of commits, from the newest to the oldest.

use std::collections::{BTreeMap, HashSet};

use crate::StoryEvent;
use crate::repo::history::{ChangeKind, Changes, NumberedChange};

/// Share of a folder's files that must have come from elsewhere together for it to have moved.
const MOST: f32 = 0.5;

/// What a commit did to a place, by paths of the repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Touch {
    pub(super) age: u32,
    pub(super) event: StoryEvent,
    pub(super) path: String,
    pub(super) from: Option<String>,
}

/// What is followed: changes by age, and the paths by number.
pub(super) struct Followed<'a> {
    pub(super) changes: &'a Changes,
    pub(super) paths: &'a [&'a str],
    /// Changes by age, newest first; empty for commits of foreign histories.
    pub(super) commits: &'a [&'a [NumberedChange]],
    /// Says whether a folder is there now.
    pub(super) is_folder: &'a dyn Fn(&str) -> bool,
}

/// What became of a path that is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It got another name in the commit of this age.
    Moved(String, u32),
    /// It was removed, or was last seen, in the commit of this age.
    Gone,
}

impl Followed<'_> {
    /// Returns the touches of a file that is called `path` before the commits younger than `from`, newest first.
    pub(super) fn file(&self, path: &str, from: u32) -> Vec<Touch> {
        let mut touches = Vec::new();
        let Some(number) = self.changes.numbers.get(path) else {
            return touches;
        };
        let mut names = HashSet::from([*number]);
        for (age, commit) in self.since(from) {
            let mut renamed = None;
            for change in *commit {
                if !names.contains(&change.path) {
                    continue;
                }
                let event = match (change.kind, change.from) {
                    (ChangeKind::Added, Some(_)) => StoryEvent::Moved,
                    (ChangeKind::Added, None) => StoryEvent::Born,
                    (ChangeKind::Changed, _) => StoryEvent::Changed,
                    (ChangeKind::Deleted, _) => StoryEvent::Gone,
                };
                touches.push(Touch {
                    age,
                    event,
                    path: self.paths[change.path as usize].to_owned(),
                    from: change.from.map(|from| self.paths[from as usize].to_owned()),
                });
                if let Some(from) = change.from {
                    renamed = Some((change.path, from));
                }
                // One commit touches a place once.
                break;
            }
            if let Some((to, from)) = renamed {
                names.remove(&to);
                names.insert(from);
            }
        }
        touches
    }

    /// Returns the touches of a folder, newest first.
    pub(super) fn folder(&self, path: &str, from: u32) -> Vec<Touch> {
        let mut touches = Vec::new();
        let mut folder = path.to_owned();
        let mut start = from;
        // Each round follows one name; a folder that came from another one goes on there.
        while let Some((found, origin)) = self.one_folder(&folder, start) {
            let oldest = found.last().map(|touch| touch.age);
            touches.extend(found);
            let (Some(origin), Some(oldest)) = (origin, oldest) else {
                break;
            };
            folder = origin;
            start = oldest + 1;
        }
        touches
    }

    /// Follows a folder under one name; says where it came from, if it did from another one.
    fn one_folder(&self, folder: &str, start: u32) -> Option<(Vec<Touch>, Option<String>)> {
        let below = self.below(folder);
        let mut touches: Vec<Touch> = Vec::new();
        let mut present: HashSet<u32> = HashSet::new();
        let mut origin = None;
        // Oldest first, to know when it had no file.
        let mut first = None;
        for (age, commit) in self.since(start).collect::<Vec<_>>().into_iter().rev() {
            let was_empty = present.is_empty();
            let mut came: BTreeMap<String, u32> = BTreeMap::new();
            let (mut touched, mut arrived) = (false, 0_u32);
            for change in *commit {
                if let Some(from) = change.from
                    && below[from as usize]
                {
                    present.remove(&from);
                    touched = true;
                }
                if !below[change.path as usize] {
                    continue;
                }
                touched = true;
                match change.kind {
                    ChangeKind::Deleted => {
                        present.remove(&change.path);
                    }
                    _ => {
                        present.insert(change.path);
                    }
                }
                if change.kind == ChangeKind::Added {
                    arrived += 1;
                    let source = change.from.filter(|from| !below[*from as usize]);
                    let own = self.paths[change.path as usize];
                    let source =
                        source.and_then(|from| counterpart(folder, own, self.paths[from as usize]));
                    if let Some(source) = source {
                        *came.entry(source).or_default() += 1;
                    }
                }
            }
            if !touched {
                continue;
            }
            let best = came
                .into_iter()
                .max_by(|left, right| left.1.cmp(&right.1).then_with(|| right.0.cmp(&left.0)))
                .filter(|(source, count)| {
                    !source.is_empty() && *count as f32 >= arrived as f32 * MOST
                })
                .map(|(source, _)| source);
            let event = match (was_empty, present.is_empty()) {
                (true, false) if best.is_some() => StoryEvent::Moved,
                (true, false) => StoryEvent::Born,
                (false, true) => StoryEvent::Gone,
                _ => StoryEvent::Changed,
            };
            // What is there still was only a part of: its own story is another one.
            if event == StoryEvent::Moved && first.is_none() {
                origin = best.clone().filter(|origin| !(self.is_folder)(origin));
            }
            first = first.or(Some(age));
            touches.push(Touch {
                age,
                event,
                path: folder.to_owned(),
                from: best.filter(|_| event == StoryEvent::Moved),
            });
        }
        touches.reverse();
        (!touches.is_empty()).then_some((touches, origin))
    }

    /// Finds out what became of a file that is not there.
    pub(super) fn fate_of_file(&self, path: &str, before: u32) -> Option<Fate> {
        let number = *self.changes.numbers.get(path)?;
        for age in 0..before.min(self.commits.len() as u32) {
            for change in self.commits[age as usize] {
                if change.from == Some(number) {
                    let to = self.paths[change.path as usize];
                    return Some(Fate::Moved(to.to_owned(), age));
                }
                // A change alone may be of a branch that had not heard of the move.
                if change.path == number && change.kind == ChangeKind::Deleted {
                    return Some(Fate::Gone);
                }
            }
        }
        None
    }

    /// Finds out what became of a folder that is not there.
    pub(super) fn fate_of_folder(&self, path: &str, before: u32) -> Option<Fate> {
        let below = self.below(path);
        let mut fate = None;
        let mut most = 0;
        for age in 0..before.min(self.commits.len() as u32) {
            let mut heirs: BTreeMap<String, u32> = BTreeMap::new();
            let (mut left, mut touched) = (0_u32, false);
            for change in self.commits[age as usize] {
                let own = change.from.filter(|from| below[*from as usize]);
                if let Some(from) = own
                    && !below[change.path as usize]
                {
                    left += 1;
                    touched = true;
                    let from = self.paths[from as usize];
                    if let Some(to) = counterpart(path, from, self.paths[change.path as usize]) {
                        *heirs.entry(to).or_default() += 1;
                    }
                } else if below[change.path as usize] {
                    touched = true;
                    left += u32::from(change.kind == ChangeKind::Deleted);
                }
            }
            // The commit that took most of it tells; others tidied up, or had not heard of it.
            if touched && (fate.is_none() || left > most) {
                most = left;
                let best = heirs.into_iter().max_by_key(|(_, count)| *count);
                fate = Some(match best {
                    Some((to, count)) if !to.is_empty() && count as f32 >= left as f32 * MOST => {
                        Fate::Moved(to, age)
                    }
                    _ => Fate::Gone,
                });
            }
        }
        fate
    }

    fn since(&self, start: u32) -> impl Iterator<Item = (u32, &&[NumberedChange])> {
        (0_u32..).zip(self.commits.iter()).skip(start as usize)
    }

    /// Says for each path whether it lies in a folder.
    fn below(&self, folder: &str) -> Vec<bool> {
        let inside = |path: &&str| {
            path.strip_prefix(folder)
                .is_some_and(|rest| rest.starts_with('/'))
        };
        self.paths.iter().map(inside).collect()
    }
}

/// Returns the folder that stands to a file's other path as `folder` does to its own.
pub(in crate::repo) fn counterpart(folder: &str, own: &str, other: &str) -> Option<String> {
    let rest = own.strip_prefix(folder)?.strip_prefix('/')?;
    if other == rest {
        return Some(String::new());
    }
    if let Some(start) = other.strip_suffix(rest)
        && let Some(start) = start.strip_suffix('/')
    {
        return Some(start.to_owned());
    }
    // It got another name on the way: its folder.
    Some(
        other
            .rsplit_once('/')
            .map_or("", |(folder, _)| folder)
            .to_owned(),
    )
}
