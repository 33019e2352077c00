//! Folders of code over time: how many files each has, and when it came and went.

use std::collections::HashMap;

use super::names::is_module_code;
use super::timeline::Timeline;
use crate::repo::history::{ChangeKind, Changes, Place};

/// A folder.
#[derive(Clone, Debug, Default)]
pub(super) struct Folder {
    pub(super) path: String,
    pub(super) parent: Option<u32>,
    pub(super) children: Vec<u32>,
    /// Files of code in it and below.
    pub(super) count: u32,
    pub(super) lives: Vec<Life>,
}

/// One life of a folder, from its first file to its last.
#[derive(Clone, Debug)]
pub(super) struct Life {
    /// Age of the commit that made it; `None` where it was found there.
    pub(super) born: Option<u32>,
    pub(super) died: Option<u32>,
    /// Most files that it had.
    pub(super) peak: u32,
}

/// What one commit did to files of code: paths by number.
#[derive(Clone, Debug, Default)]
pub(super) struct Step {
    /// Renamed files, from and to.
    pub(super) renamed: Vec<(u32, u32)>,
    /// Files that are gone, those that were renamed aside.
    pub(super) removed: Vec<u32>,
    /// Folders whose count changed, with the count before.
    pub(super) before: HashMap<u32, u32>,
}

/// All folders of code.
pub(super) struct Folders<'a> {
    pub(super) all: Vec<Folder>,
    /// Path relative to the root by number; `None` for what is outside of it.
    pub(super) paths: Vec<Option<&'a str>>,
    /// Folders around each file of code, from the outermost.
    around: Vec<Vec<u32>>,
    present: Vec<bool>,
}

impl<'a> Folders<'a> {
    pub(super) fn new(timeline: &Timeline<'a>, changes: &'a Changes) -> Self {
        let count = changes.numbers.len();
        let mut folders = Self {
            all: Vec::new(),
            paths: vec![None; count],
            around: vec![Vec::new(); count],
            present: vec![false; count],
        };
        let mut known: HashMap<&str, u32> = HashMap::new();
        let mut numbered: Vec<(&str, u32)> = changes
            .numbers
            .iter()
            .filter_map(|(path, number)| Some((timeline.below(path)?, *number)))
            .collect();
        // The numbers of folders must not depend on the order of a hash table.
        numbered.sort_unstable();
        for (path, number) in numbered {
            folders.paths[number as usize] = Some(path);
            if !is_module_code(path) {
                continue;
            }
            let mut parent = None;
            for (at, _) in path.match_indices('/') {
                let name = &path[..at];
                let next = folders.all.len() as u32;
                let folder = *known.entry(name).or_insert(next);
                if folder == next {
                    folders.all.push(Folder {
                        path: name.to_owned(),
                        parent,
                        ..Folder::default()
                    });
                    if let Some(parent) = parent {
                        folders.all[parent as usize].children.push(folder);
                    }
                }
                folders.around[number as usize].push(folder);
                parent = Some(folder);
            }
        }
        folders
    }

    /// Applies what a commit changed.
    pub(super) fn apply(&mut self, changes: &Changes, place: Place, age: u32) -> Step {
        let mut step = Step::default();
        let mut found = Vec::new();
        for change in changes.of(place) {
            match (change.kind, change.from) {
                (ChangeKind::Deleted, _) => {
                    self.take(change.path, &mut step);
                    step.removed.push(change.path);
                }
                (_, Some(from)) => {
                    self.take(from, &mut step);
                    step.renamed.push((from, change.path));
                }
                _ => {}
            }
        }
        for change in changes.of(place) {
            if change.kind == ChangeKind::Changed {
                found.push(change.path);
            } else if change.kind == ChangeKind::Added {
                self.put(change.path, &mut step);
            }
        }
        self.settle(&step, Some(age));
        // What is changed and was never added came with a merge of its own: it was there before.
        let mut silent = Step::default();
        for path in found {
            self.put(path, &mut silent);
        }
        self.settle(&silent, None);
        step
    }

    fn put(&mut self, path: u32, step: &mut Step) {
        if std::mem::replace(&mut self.present[path as usize], true) {
            return;
        }
        for folder in &self.around[path as usize] {
            let count = &mut self.all[*folder as usize].count;
            step.before.entry(*folder).or_insert(*count);
            *count += 1;
        }
    }

    fn take(&mut self, path: u32, step: &mut Step) {
        if !std::mem::replace(&mut self.present[path as usize], false) {
            return;
        }
        for folder in &self.around[path as usize] {
            let count = &mut self.all[*folder as usize].count;
            step.before.entry(*folder).or_insert(*count);
            *count -= 1;
        }
    }

    fn settle(&mut self, step: &Step, age: Option<u32>) {
        for (folder, before) in &step.before {
            let folder = &mut self.all[*folder as usize];
            let now = folder.count;
            match (*before, now) {
                (0, 0) => {}
                (0, _) => folder.lives.push(Life {
                    born: age,
                    died: None,
                    peak: now,
                }),
                (_, 0) => {
                    if let Some(life) = folder.lives.last_mut() {
                        life.died = age;
                    }
                }
                _ => {
                    if let Some(life) = folder.lives.last_mut() {
                        life.peak = life.peak.max(now);
                    }
                }
            }
        }
    }

    /// Says whether a file lies in a folder.
    pub(super) fn holds(&self, folder: u32, path: u32) -> bool {
        self.around[path as usize].contains(&folder)
    }

    /// Says whether a commit made a folder.
    pub(super) fn is_born(&self, folder: u32, step: &Step) -> bool {
        step.before.get(&folder) == Some(&0) && self.all[folder as usize].count > 0
    }

    /// Says whether a commit removed the last file of a folder.
    pub(super) fn is_gone(&self, folder: u32, step: &Step) -> bool {
        step.before.get(&folder).is_some_and(|before| *before > 0)
            && self.all[folder as usize].count == 0
    }

    /// Counts the files of code in all folders.
    pub(super) fn total(&self) -> u32 {
        let outermost = self.all.iter().filter(|folder| folder.parent.is_none());
        outermost.map(|folder| folder.count).sum::<u32>().max(1)
    }
}
