//! Releases: by tags, or where there are none by the version that the outermost manifest gives.

use std::collections::{BTreeMap, HashMap};

use super::event::Turn;
use super::names::{is_beside, quoted};
use super::timeline::{Timeline, Told};
use crate::MilestoneKind;
use crate::repo::history::CommitId;
use crate::repo::manifest::NoteKind;

/// A tag and the commit that it names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::repo) struct Tag {
    pub(in crate::repo) name: String,
    pub(in crate::repo) commit: CommitId,
}

/// A version that was released.
#[derive(Clone, Debug)]
struct Released {
    age: u32,
    /// As it is told.
    name: String,
    numbers: Vec<u64>,
}

/// Returns the releases that matter: the first, new major versions, the newest.
pub(super) fn turns(timeline: &Timeline<'_>, told: &[Told]) -> Vec<Turn> {
    let mut released = by_tags(timeline);
    if released.is_empty() {
        released = by_manifests(told);
    }
    // Oldest first; where two have one commit, the lower version.
    released.sort_by(|left, right| {
        right
            .age
            .cmp(&left.age)
            .then_with(|| left.numbers.cmp(&right.numbers))
    });
    let mut turns: Vec<Turn> = Vec::new();
    let mut majors = 0;
    let newest = released.len().saturating_sub(1);
    let mut seen = std::collections::BTreeSet::new();
    for (position, release) in released.iter().enumerate().rev() {
        let major = release.numbers.first().copied().unwrap_or(0);
        // Years are no major versions.
        let opens = (1..1000).contains(&major)
            && release.numbers[1..].iter().all(|number| *number == 0)
            && seen.insert(major);
        let weight = if opens {
            majors += 1;
            if majors <= 3 { 1.9 } else { 1.2 }
        } else if position == newest {
            1.5
        } else if position == 0 {
            1.4
        } else {
            continue;
        };
        turns.push(Turn {
            kind: MilestoneKind::Release,
            age: release.age,
            name: format!("release {}", quoted(&release.name)),
            weight,
        });
    }
    turns
}

fn by_tags(timeline: &Timeline<'_>) -> Vec<Released> {
    let ages: HashMap<_, u32> = timeline
        .order
        .iter()
        .enumerate()
        .map(|(age, place)| (*place, age as u32))
        .collect();
    let mut groups: BTreeMap<&str, Vec<Released>> = BTreeMap::new();
    for tag in timeline.tags {
        let (Some((prefix, numbers)), Some(place)) =
            (version_of(&tag.name), timeline.history.place(&tag.commit))
        else {
            continue;
        };
        if let Some(age) = ages.get(&place) {
            let name = tag.name.clone();
            groups.entry(prefix).or_default().push(Released {
                age: *age,
                name,
                numbers,
            });
        }
    }
    // Plain versions are the project's own; else those of the package that was released most often.
    let mut plain: Vec<Released> = Vec::new();
    for prefix in ["", "v"] {
        plain.extend(groups.remove(prefix).unwrap_or_default());
    }
    let most = groups
        .into_values()
        .max_by_key(|group| group.len())
        .unwrap_or_default();
    if plain.len() >= most.len() {
        plain
    } else {
        most
    }
}

/// Takes a tag apart: what stands before the version, and its numbers. Versions before a release are left out.
fn version_of(tag: &str) -> Option<(&str, Vec<u64>)> {
    let at = tag
        .char_indices()
        .find(|(at, letter)| {
            let before = tag[..*at].chars().next_back();
            letter.is_ascii_digit()
                && before.is_none_or(|before| matches!(before, 'v' | '-' | '@' | '/' | '_' | '.'))
        })
        .map(|(at, _)| at)?;
    let (prefix, version) = tag.split_at(at);
    let numbers: Option<Vec<u64>> = version.split('.').map(|part| part.parse().ok()).collect();
    let numbers = numbers.filter(|numbers| (2..=4).contains(&numbers.len()))?;
    Some((prefix, numbers))
}

fn by_manifests(told: &[Told]) -> Vec<Released> {
    let notes = || {
        told.iter().enumerate().flat_map(|(age, told)| {
            let notes = told.notes.iter().filter(|_| told.native);
            notes.map(move |note| (age as u32, note))
        })
    };
    let versions = || notes().filter(|(_, note)| note.kind == NoteKind::Version);
    let outer = versions()
        .filter(|(_, note)| !is_beside(&note.path))
        .map(|(_, note)| note.path.as_str())
        .min_by_key(|path| (path.matches('/').count(), path.len(), *path));
    versions()
        .filter(|(_, note)| Some(note.path.as_str()) == outer)
        .filter_map(|(age, note)| {
            let (_, numbers) = version_of(&note.name)?;
            Some(Released {
                age,
                name: note.name.clone(),
                numbers,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::version_of;

    #[test]
    fn versions_are_read_from_tags_and_their_early_forms_left_out() {
        for (tag, expected) in [
            ("15.2.0", Some(("", vec![15, 2, 0]))),
            ("v1.0", Some(("v", vec![1, 0]))),
            ("tokio-util-0.7.1", Some(("tokio-util-", vec![0, 7, 1]))),
            ("pkg@2.0.0", Some(("pkg@", vec![2, 0, 0]))),
            ("1.0.0-rc.1", None),
            ("nightly", None),
        ] {
            assert_eq!(version_of(tag), expected, "{tag}");
        }
    }
}
