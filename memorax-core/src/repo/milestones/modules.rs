//! Turns of modules: born, moved, split, gone.

use std::collections::{BTreeMap, HashSet};

use super::event::Turn;
use super::folders::{Folders, Step};
use super::names::{depth, is_holder, is_inside, quoted};
use super::timeline::Told;
use crate::MilestoneKind;
use crate::repo::story::counterpart;

/// Fewest files of a module that is worth a line, where it is no package.
const FEWEST: u32 = 3;
/// Share of a folder's files that must go the same way for it to have moved.
const MOST: f32 = 0.5;
/// Share of a folder's files from which a part of it counts as one of its heirs.
const PART: f32 = 0.2;
/// A folder that came and went within this time was a try.
const TRY: i64 = 30 * 86_400;

/// A turn that is told only if the folder turns out to matter.
#[derive(Clone, Debug)]
struct Draft {
    side: Side,
    kind: MilestoneKind,
    age: u32,
    folder: u32,
    life: usize,
    name: String,
    /// Files that took part.
    files: u32,
}

/// Whether a turn is about a folder that came, or one that went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Arrives,
    Leaves,
}

/// Collects turns commit by commit.
#[derive(Default)]
pub(super) struct Modules {
    drafts: Vec<Draft>,
}

impl Modules {
    /// Looks at what a commit did to folders.
    pub(super) fn look(&mut self, folders: &Folders<'_>, step: &Step, age: u32) {
        let mut touched: Vec<u32> = step.before.keys().copied().collect();
        touched.sort_unstable();
        for folder in touched {
            let parent = folders.all[folder as usize].parent;
            if folders.is_gone(folder, step) {
                self.gone(folders, step, age, folder, parent);
            } else if folders.is_born(folder, step) {
                // Of folders that came together the outermost is told, unless it only holds the others.
                let told =
                    |outer: u32| folders.is_born(outer, step) && !is_told_apart(folders, outer);
                if !parent.is_some_and(told) && !is_told_apart(folders, folder) {
                    self.born(folders, step, age, folder);
                }
            }
        }
    }

    fn gone(
        &mut self,
        folders: &Folders<'_>,
        step: &Step,
        age: u32,
        folder: u32,
        parent: Option<u32>,
    ) {
        let files = step.before[&folder];
        let heirs = heirs(folders, step, folder);
        let total: u32 = heirs.values().sum();
        let mut ranked: Vec<(&str, u32)> = heirs
            .iter()
            .map(|(target, count)| (target.as_str(), *count))
            .collect();
        ranked.sort_by(|left, right| right.1.cmp(&left.1).then(left.0.cmp(right.0)));
        let share = |count: u32| count as f32 / files.max(1) as f32;
        let path = &folders.all[folder as usize].path;
        let outer_gone = parent.is_some_and(|outer| {
            folders.is_gone(outer, step) && !is_holder(&folders.all[outer as usize].path)
        });
        let (kind, name) = match ranked.as_slice() {
            [(target, count), ..] if share(*count) >= MOST => {
                if outer_gone && target.ends_with(last(path)) {
                    return;
                }
                (
                    MilestoneKind::Moved,
                    format!("{} moved to {}", quoted(path), quoted(target)),
                )
            }
            [(first, one), (second, two), ..]
                if share(*two) >= PART && share(*one + *two) >= MOST =>
            {
                (
                    MilestoneKind::Split,
                    format!(
                        "{} was split into {} and {}",
                        quoted(path),
                        quoted(first),
                        quoted(second)
                    ),
                )
            }
            _ => {
                if outer_gone || share(total) >= MOST {
                    return;
                }
                (MilestoneKind::Gone, format!("{} was removed", quoted(path)))
            }
        };
        let draft = Draft {
            side: Side::Leaves,
            kind,
            age,
            folder,
            life: 0,
            name,
            files,
        };
        self.draft(folders, draft);
    }

    fn born(&mut self, folders: &Folders<'_>, step: &Step, age: u32, folder: u32) {
        let told = &folders.all[folder as usize];
        let files = told.count;
        let path = &told.path;
        let draft = |kind, name| Draft {
            side: Side::Arrives,
            kind,
            age,
            folder,
            life: 0,
            name,
            files,
        };
        // A file of the same name became the folder.
        let was_file = step
            .removed
            .iter()
            .chain(step.renamed.iter().map(|(from, _)| from))
            .filter_map(|number| folders.paths[*number as usize])
            .find(|old| stem(old) == Some(path.as_str()));
        let origins = origins(folders, step, folder);
        let best = origins
            .iter()
            .max_by_key(|(origin, count)| (**count, std::cmp::Reverse(*origin)));
        if let Some(file) = was_file {
            let name = format!("{} became the folder {}", quoted(file), quoted(path));
            self.draft(folders, draft(MilestoneKind::Split, name));
            return;
        }
        if let Some((origin, count)) = best
            && *count as f32 >= files as f32 * MOST
        {
            let known = folders.all.iter().position(|other| &other.path == origin);
            let moved_whole = known.is_some_and(|known| folders.is_gone(known as u32, step));
            if !moved_whole && known.is_some() && *count >= FEWEST && !origin.is_empty() {
                let name = format!("{} was split off from {}", quoted(path), quoted(origin));
                self.draft(folders, draft(MilestoneKind::Split, name));
            } else if origin.is_empty() && *count >= FEWEST {
                let name = format!("the code of the root moved into {}", quoted(path));
                self.draft(folders, draft(MilestoneKind::Moved, name));
            }
            // What moved as a whole is told of the folder that it left.
            return;
        }
        self.draft(folders, draft(MilestoneKind::Born, quoted(path)));
    }

    fn draft(&mut self, folders: &Folders<'_>, draft: Draft) {
        let lives = folders.all[draft.folder as usize].lives.len();
        self.drafts.push(Draft {
            life: lives.saturating_sub(1),
            ..draft
        });
    }

    /// Returns the turns of folders that matter, once all is known.
    pub(super) fn turns(
        self,
        folders: &Folders<'_>,
        told: &[Told],
        present: &HashSet<&str>,
        packages: &HashSet<String>,
    ) -> Vec<Turn> {
        let total = folders.total() as f32;
        let mut turns = Vec::new();
        for draft in self.drafts {
            let folder = &folders.all[draft.folder as usize];
            let Some(life) = folder.lives.get(draft.life) else {
                continue;
            };
            let is_package = packages.contains(&folder.path);
            let is_here = present.contains(folder.path.as_str());
            let arrives = draft.side == Side::Arrives;
            let leaves = !arrives;
            if (life.peak < FEWEST && !is_package) || (leaves && is_here) {
                continue;
            }
            if arrives && life.died.is_none() && !is_here {
                // It was never on the main line, or left it in a merge that nothing is known of.
                continue;
            }
            if leaves && life.born.is_none() && draft.files < FEWEST {
                continue;
            }
            if let (Some(born), Some(died)) = (life.born, life.died) {
                let span = told[died as usize].committed - told[born as usize].committed;
                if span < TRY {
                    continue;
                }
            }
            let reborn = draft.life > 0 && arrives && !is_here;
            if reborn {
                continue;
            }
            let peak = life.peak as f32;
            let mut weight = (1.0 + peak).ln() * 0.5 + 3.0 * (peak / total).min(1.0);
            weight += f32::from(u8::from(is_package)) * 0.6;
            weight += f32::from(u8::from(is_here)) * 0.3;
            weight *= match draft.kind {
                MilestoneKind::Moved => 1.1,
                MilestoneKind::Gone => 0.8,
                _ => 1.0,
            };
            weight *= 0.75_f32.powi(depth(&folder.path) as i32 - 1);
            turns.push(Turn {
                kind: draft.kind,
                age: draft.age,
                name: draft.name,
                weight,
            });
        }
        turns
    }
}

/// Says whether the birth of a folder is told by what it holds: it has no file of its own, and holds modules.
fn is_told_apart(folders: &Folders<'_>, folder: u32) -> bool {
    let told = &folders.all[folder as usize];
    let children: Vec<&super::folders::Folder> = told
        .children
        .iter()
        .map(|child| &folders.all[*child as usize])
        .filter(|child| child.count > 0)
        .collect();
    let below: u32 = children.iter().map(|child| child.count).sum();
    if below < told.count {
        return false;
    }
    match children.as_slice() {
        [only] => !is_inside(last(&only.path)),
        _ => is_holder(&told.path),
    }
}

/// Counts where the files of a folder went.
fn heirs(folders: &Folders<'_>, step: &Step, folder: u32) -> BTreeMap<String, u32> {
    let mut heirs = BTreeMap::new();
    let path = &folders.all[folder as usize].path;
    for (from, to) in &step.renamed {
        if !folders.holds(folder, *from) {
            continue;
        }
        let (Some(from), Some(to)) = (folders.paths[*from as usize], folders.paths[*to as usize])
        else {
            continue;
        };
        if let Some(target) = counterpart(path, from, to) {
            *heirs.entry(target).or_default() += 1;
        }
    }
    heirs
}

/// Counts where the files of a folder came from.
fn origins(folders: &Folders<'_>, step: &Step, folder: u32) -> BTreeMap<String, u32> {
    let mut origins = BTreeMap::new();
    let path = &folders.all[folder as usize].path;
    for (from, to) in &step.renamed {
        if !folders.holds(folder, *to) {
            continue;
        }
        let (Some(from), Some(to)) = (folders.paths[*from as usize], folders.paths[*to as usize])
        else {
            continue;
        };
        if let Some(origin) = counterpart(path, to, from) {
            *origins.entry(origin).or_default() += 1;
        }
    }
    origins
}

fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Returns a path without its ending.
fn stem(path: &str) -> Option<&str> {
    let (stem, ending) = path.rsplit_once('.')?;
    (!ending.contains('/')).then_some(stem)
}
