//! Finds out which deleted file of a commit became which added one.

use std::collections::HashMap;

/// Share of the larger file that must be in both; git's default is the same.
const SIMILAR: f64 = 0.5;
/// Most files on each side whose content is compared; a commit that moves more is matched by exact content only.
const COMPARED: usize = 60;

/// One side of a possible rename.
pub(super) struct Side<'a> {
    pub(super) path: &'a str,
    pub(super) blob: [u8; 20],
}

/// Returns pairs of a deleted and an added file. `load` gives the content of a blob, if it is worth comparing.
pub(super) fn pair(
    deleted: &[Side<'_>],
    added: &[Side<'_>],
    mut load: impl FnMut(&[u8; 20]) -> Option<Vec<u8>>,
) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    if deleted.is_empty() || added.is_empty() {
        return pairs;
    }
    let mut old_free: Vec<usize> = (0..deleted.len()).collect();
    let mut new_free: Vec<usize> = (0..added.len()).collect();
    exact(deleted, added, &mut old_free, &mut new_free, &mut pairs);
    if old_free.is_empty()
        || new_free.is_empty()
        || old_free.len() > COMPARED
        || new_free.len() > COMPARED
    {
        return pairs;
    }
    let mut profile = |side: &Side<'_>| load(&side.blob).map(|bytes| Profile::new(&bytes));
    let old: Vec<_> = old_free
        .iter()
        .map(|index| profile(&deleted[*index]))
        .collect();
    let new: Vec<_> = new_free
        .iter()
        .map(|index| profile(&added[*index]))
        .collect();
    let mut candidates = Vec::new();
    for (left, old_profile) in old.iter().enumerate() {
        for (right, new_profile) in new.iter().enumerate() {
            let (Some(old_profile), Some(new_profile)) = (old_profile, new_profile) else {
                continue;
            };
            let (from, to) = (&deleted[old_free[left]], &added[new_free[right]]);
            let mut score = old_profile.similarity(new_profile);
            if score >= SIMILAR {
                // Among similar ones the same name is the better guess.
                score += f64::from(u8::from(name(from.path) == name(to.path)));
                candidates.push((score, old_free[left], new_free[right]));
            }
        }
    }
    candidates.sort_by(|left, right| {
        right
            .0
            .total_cmp(&left.0)
            .then((left.1, left.2).cmp(&(right.1, right.2)))
    });
    let mut used = (vec![false; deleted.len()], vec![false; added.len()]);
    for (_, from, to) in candidates {
        if !used.0[from] && !used.1[to] {
            used.0[from] = true;
            used.1[to] = true;
            pairs.push((from, to));
        }
    }
    pairs
}

/// Pairs files of the same content: those of the same name first, then in order.
fn exact(
    deleted: &[Side<'_>],
    added: &[Side<'_>],
    old_free: &mut Vec<usize>,
    new_free: &mut Vec<usize>,
    pairs: &mut Vec<(usize, usize)>,
) {
    let mut by_blob: HashMap<[u8; 20], Vec<usize>> = HashMap::new();
    for (index, side) in added.iter().enumerate() {
        by_blob.entry(side.blob).or_default().push(index);
    }
    for same_name in [true, false] {
        old_free.retain(|old| {
            let Some(candidates) = by_blob.get_mut(&deleted[*old].blob) else {
                return true;
            };
            let place = candidates
                .iter()
                .position(|new| !same_name || name(added[*new].path) == name(deleted[*old].path));
            place.is_none_or(|place| {
                pairs.push((*old, candidates.remove(place)));
                false
            })
        });
    }
    let taken: Vec<usize> = pairs.iter().map(|(_, new)| *new).collect();
    new_free.retain(|new| !taken.contains(new));
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// How many bytes each line of a file takes, by a hash of the line.
struct Profile {
    lines: HashMap<u64, u64>,
    total: u64,
}

impl Profile {
    fn new(bytes: &[u8]) -> Self {
        let mut lines = HashMap::new();
        let mut total = 0;
        for line in bytes.split(|byte| *byte == b'\n') {
            let line = line.trim_ascii();
            if !line.is_empty() {
                let weight = line.len() as u64;
                *lines
                    .entry(crate::repo::format::checksum(line))
                    .or_insert(0) += weight;
                total += weight;
            }
        }
        Self { lines, total }
    }

    fn similarity(&self, other: &Self) -> f64 {
        let larger = self.total.max(other.total);
        if larger == 0 || self.total.min(other.total) * 2 < larger {
            return 0.0;
        }
        let shared: u64 = self
            .lines
            .iter()
            .filter_map(|(line, weight)| other.lines.get(line).map(|there| weight.min(there)))
            .sum();
        shared as f64 / larger as f64
    }
}

#[cfg(test)]
mod tests {
    use super::{Side, pair};

    #[test]
    fn moved_files_are_paired_and_unlike_ones_are_not() {
        let contents = [
            "one\ntwo\nthree\nfour\n",
            "one\ntwo\nthree\nFOUR\n",
            "other\nthings\n",
            "one\n",
        ];
        let side = |path, blob: u8| Side {
            path,
            blob: [blob; 20],
        };
        let load = |blob: &[u8; 20]| {
            contents
                .get(usize::from(blob[0]))
                .map(|text| text.as_bytes().to_vec())
        };
        let deleted = [side("a/x.rs", 0), side("a/y.rs", 9), side("a/z.rs", 9)];
        let added = [
            side("b/z.rs", 9),
            side("b/y2.rs", 9),
            side("b/w.rs", 2),
            side("b/x2.rs", 1),
            side("b/v.rs", 3),
        ];
        let mut pairs = pair(&deleted, &added, load);
        pairs.sort_unstable();
        assert_eq!(pairs, [(0, 3), (1, 1), (2, 0)]);
        assert!(pair(&[side("mod.rs", 0)], &[side("b/mod.rs", 2)], load).is_empty());
    }
}
