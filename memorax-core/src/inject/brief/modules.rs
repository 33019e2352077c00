//! Modules: the folders and files into which a repository is best divided to be understood.

use std::collections::BTreeMap;

/// Fewest lines of a folder whose files are told one by one.
const LARGE: u32 = 1500;
/// Most files of a folder that are told one by one.
const MANY: usize = 30;
/// A repository of so few files is always told by its files.
pub(super) const FEW: usize = 8;

/// A file with its importance.
#[derive(Clone, Debug)]
pub(super) struct Unit<'a> {
    /// Position in the view's files.
    pub(super) file: usize,
    pub(super) path: &'a str,
    pub(super) lines: u32,
    pub(super) weight: f64,
}

/// A folder, the files of a folder, or one file.
#[derive(Clone, Debug)]
pub(super) struct Module {
    /// Folder or file.
    pub(super) path: String,
    /// Positions in the list of units, most important first.
    pub(super) units: Vec<usize>,
    pub(super) weight: f64,
    /// Whether only the files directly in the folder are meant.
    pub(super) shallow: bool,
}

/// Divides the units into about `wanted` modules, the heaviest first.
///
/// Begins with the root and divides the heaviest module as long as that helps: a folder into its sub-folders and its
/// own files, those into single files.
pub(super) fn divide(units: &[Unit<'_>], wanted: usize) -> Vec<Module> {
    let total: f64 = units.iter().map(|unit| unit.weight).sum();
    let all = module(units, String::new(), (0..units.len()).collect(), false);
    let mut done: Vec<Module> = Vec::new();
    let mut open = vec![all];
    while let Some(at) = heaviest(&open) {
        let large = open[at].weight > total / wanted as f64 * 0.8 || open[at].path.is_empty();
        if !large || open.len() + done.len() >= wanted && !open[at].path.is_empty() {
            break;
        }
        let whole = open.swap_remove(at);
        let room = wanted * 3 / 2;
        match parts(units, &whole)
            .filter(|parts| open.len() + done.len() + parts.len() <= room || !whole.shallow)
        {
            Some(parts) => open.extend(parts),
            None => done.push(whole),
        }
    }
    done.extend(open);
    done.sort_by(|left, right| {
        right
            .weight
            .total_cmp(&left.weight)
            .then_with(|| left.path.cmp(&right.path))
    });
    done
}

fn heaviest(modules: &[Module]) -> Option<usize> {
    let order = |left: &usize, right: &usize| {
        let (left, right) = (&modules[*left], &modules[*right]);
        left.weight
            .total_cmp(&right.weight)
            .then_with(|| right.path.cmp(&left.path))
    };
    (0..modules.len()).max_by(order)
}

fn module(units: &[Unit<'_>], path: String, mut members: Vec<usize>, shallow: bool) -> Module {
    members.sort_by(|left, right| {
        units[*right]
            .weight
            .total_cmp(&units[*left].weight)
            .then_with(|| units[*left].path.cmp(units[*right].path))
    });
    let weight = members.iter().map(|at| units[*at].weight).sum();
    Module {
        path,
        units: members,
        weight,
        shallow,
    }
}

/// Divides a module; `None` when it is one file or cannot be divided.
fn parts(units: &[Unit<'_>], whole: &Module) -> Option<Vec<Module>> {
    if whole.units.len() < 2 {
        return None;
    }
    if whole.shallow {
        // Many files alike, or small ones, are better understood together, unless there is nothing else.
        let lines: u32 = whole.units.iter().map(|at| units[*at].lines).sum();
        let apart = lines >= LARGE && whole.units.len() <= MANY;
        if !apart && units.len() > FEW {
            return None;
        }
        let single = |at: &usize| module(units, units[*at].path.to_owned(), vec![*at], false);
        return Some(whole.units.iter().map(single).collect());
    }
    let skip = if whole.path.is_empty() {
        0
    } else {
        whole.path.len() + 1
    };
    let mut folders: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut own = Vec::new();
    for at in &whole.units {
        match units[*at]
            .path
            .get(skip..)
            .and_then(|rest| rest.split_once('/'))
        {
            Some((folder, _)) => folders.entry(folder).or_default().push(*at),
            None => own.push(*at),
        }
    }
    // `walk.rs` beside `walk/` is the same module.
    own.retain(|at| {
        let stem = units[*at]
            .path
            .get(skip..)
            .and_then(|name| name.strip_suffix(".rs"));
        let folder = stem.and_then(|stem| folders.get_mut(stem));
        folder.map(|members| members.push(*at)).is_none()
    });
    let mut found: Vec<Module> = folders
        .into_iter()
        .map(|(folder, members)| {
            let path = if skip == 0 {
                folder.to_owned()
            } else {
                format!("{}/{folder}", whole.path)
            };
            deepest(units, module(units, path, members, false))
        })
        .collect();
    if !own.is_empty() {
        found.push(module(units, whole.path.clone(), own, true));
    }
    Some(found)
}

/// Steps down as long as everything lies in one sub-folder, as in `src/main/java/com/example`.
fn deepest(units: &[Unit<'_>], mut whole: Module) -> Module {
    loop {
        let skip = whole.path.len() + 1;
        let mut folders = whole.units.iter().map(|at| {
            units[*at]
                .path
                .get(skip..)
                .and_then(|rest| rest.split_once('/'))
        });
        let Some(Some((first, _))) = folders.next() else {
            return whole;
        };
        if !folders.all(|part| part.is_some_and(|(folder, _)| folder == first)) {
            return whole;
        }
        whole.path = format!("{}/{first}", whole.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_heaviest_folder_is_divided_and_small_ones_stay_whole() {
        let paths = [
            "a/src/big/one.rs",
            "a/src/big/two.rs",
            "a/src/big.rs",
            "a/src/lib.rs",
            "b/x/y/z.rs",
            "b/x/y/w.rs",
        ];
        let weights = [0.3, 0.2, 0.1, 0.2, 0.1, 0.1];
        let units: Vec<Unit<'_>> = paths
            .iter()
            .zip(weights)
            .enumerate()
            .map(|(file, (path, weight))| Unit {
                file,
                path,
                lines: 1,
                weight,
            })
            .collect();
        let modules = divide(&units, 3);
        let shown: Vec<_> = modules
            .iter()
            .map(|module| (module.path.as_str(), module.units.len()))
            .collect();
        assert_eq!(shown, [("a/src/big", 3), ("a/src", 1), ("b/x/y", 2)]);
    }
}
