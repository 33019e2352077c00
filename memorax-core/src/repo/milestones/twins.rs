//! Folders that a commit renamed with so much in them that contents were not compared: they have files of the same names.

use std::collections::{BTreeMap, HashSet};

use super::folders::{Folders, Step};

/// Share of the names of files that two folders must have in common to be the same, and fewest such files.
const SAME: f32 = 0.6;
const FEWEST: usize = 2;
/// Most folders on either side that are compared.
const MOST: usize = 200;

/// Returns for folders that are gone the new folder that has files of the same names.
pub(super) fn twins(folders: &Folders<'_>, step: &Step) -> BTreeMap<u32, u32> {
    let mut touched: Vec<u32> = step.before.keys().copied().collect();
    touched.sort_unstable();
    let of = |wanted: &dyn Fn(u32) -> bool| -> Vec<u32> {
        let found = touched.iter().copied().filter(|folder| wanted(*folder));
        found.take(MOST).collect()
    };
    let gone = of(&|folder| folders.is_gone(folder, step));
    let born = of(&|folder| folders.is_born(folder, step));
    let mut twins = BTreeMap::new();
    // A few files that came and went are paired by their contents.
    if gone.is_empty() || born.is_empty() || step.removed.len() < FEWEST {
        return twins;
    }
    let new: Vec<(u32, HashSet<&str>)> = born
        .into_iter()
        .map(|folder| {
            let files = folders.present_in(folder);
            (folder, names(folders, folder, files.iter()))
        })
        .collect();
    for folder in gone {
        let renamed = step.renamed.iter().map(|(from, _)| from);
        let old = step.removed.iter().chain(renamed);
        let old = names(
            folders,
            folder,
            old.filter(|path| folders.holds(folder, **path)),
        );
        if old.len() < FEWEST {
            continue;
        }
        let best = new
            .iter()
            .map(|(twin, new)| {
                (
                    old.intersection(new).count(),
                    old.len().max(new.len()),
                    *twin,
                )
            })
            .filter(|(same, larger, _)| *same as f32 >= *larger as f32 * SAME)
            .max_by_key(|(same, _, twin)| (*same, std::cmp::Reverse(*twin)));
        if let Some((_, _, twin)) = best {
            twins.insert(folder, twin);
        }
    }
    twins
}

/// Returns paths relative to a folder.
fn names<'f>(
    folders: &Folders<'f>,
    folder: u32,
    paths: impl Iterator<Item = impl std::borrow::Borrow<u32>>,
) -> HashSet<&'f str> {
    let around = folders.all[folder as usize].path.len() + 1;
    paths
        .filter_map(|path| folders.paths[*path.borrow() as usize]?.get(around..))
        .collect()
}
