//! Turns of dependencies: added, removed, swapped.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::event::Event;
use super::names::{is_beside, list, quoted};
use super::timeline::Told;
use crate::MilestoneKind;
use crate::repo::manifest::{Note, NoteKind};

/// A dependency that came and went, or went and came, within this time was a try.
const TRY: i64 = 30 * 86_400;
/// Most names of one line.
const SHOWN: usize = 4;
/// A commit that adds more at once brings a package with what it needs.
const MANY: usize = 6;

/// When a dependency of the whole project was there.
#[derive(Clone, Debug)]
struct Span {
    from: u32,
    to: Option<u32>,
}

/// Follows what all manifests of the product declare.
#[derive(Default)]
pub(super) struct Dependencies {
    manifests: BTreeMap<String, BTreeSet<String>>,
    counts: HashMap<String, u32>,
    spans: BTreeMap<String, Vec<Span>>,
    /// Packages of the project itself.
    own: HashSet<String>,
}

impl Dependencies {
    /// Follows a manifest to its new path.
    pub(super) fn moved(&mut self, from: &str, to: &str) {
        if let Some(declared) = self.manifests.remove(from) {
            self.manifests.insert(to.to_owned(), declared);
        }
    }

    /// Applies what a commit noted about manifests; paths are relative to the root.
    pub(super) fn apply(&mut self, notes: &[Note], age: u32) {
        let before: BTreeMap<&str, u32> = notes
            .iter()
            .map(|note| (note.name.as_str(), self.count(&note.name)))
            .collect();
        for note in notes.iter().filter(|note| !is_beside(&note.path)) {
            match note.kind {
                NoteKind::PackageAdded => {
                    self.own.insert(note.name.clone());
                }
                NoteKind::DependencyAdded => {
                    let declared = self.manifests.entry(note.path.clone()).or_default();
                    if declared.insert(note.name.clone()) {
                        *self.counts.entry(note.name.clone()).or_default() += 1;
                    }
                }
                NoteKind::DependencyRemoved => {
                    let declared = self.manifests.get_mut(&note.path);
                    if declared.is_some_and(|declared| declared.remove(&note.name))
                        && let Some(count) = self.counts.get_mut(&note.name)
                    {
                        *count -= 1;
                    }
                }
                _ => {}
            }
        }
        for (name, before) in before {
            match (before, self.count(name)) {
                (0, 1..) => self.spans.entry(name.to_owned()).or_default().push(Span {
                    from: age,
                    to: None,
                }),
                (1.., 0) => {
                    if let Some(span) = self.spans.get_mut(name).and_then(|spans| spans.last_mut())
                    {
                        span.to = Some(age);
                    }
                }
                _ => {}
            }
        }
    }

    fn count(&self, name: &str) -> u32 {
        self.counts.get(name).copied().unwrap_or(0)
    }

    /// Returns what was added, removed and swapped, one event a commit.
    pub(super) fn events(mut self, told: &[Told], first: u32) -> Vec<Event> {
        let at = |age: u32| told[age as usize].committed;
        let mut groups: BTreeMap<u32, [Vec<(String, f32)>; 2]> = BTreeMap::new();
        let own = std::mem::take(&mut self.own);
        for (name, spans) in &self.spans {
            if own.contains(name) {
                continue;
            }
            for span in joined(spans, &at) {
                let end = span.to.map_or(i64::MAX, &at);
                let years = (end.min(at(0)) - at(span.from)) as f32 / (365.25 * 86_400.0);
                if span.to.is_some() && end - at(span.from) < TRY {
                    continue;
                }
                let used = self.count(name).min(20) as f32;
                let worth = 0.4 + (1.0 + used).ln() * 0.15 + years.min(5.0) * 0.06;
                let mention = |age: u32| {
                    let told = &told[age as usize];
                    let subject = told.subject.to_lowercase();
                    if names(&subject, name) { 0.9 } else { 0.0 }
                };
                if span.from != first {
                    let weight = worth + mention(span.from);
                    groups.entry(span.from).or_default()[0].push((name.clone(), weight));
                }
                if let Some(to) = span.to {
                    let weight = worth + mention(to);
                    groups.entry(to).or_default()[1].push((name.clone(), weight));
                }
            }
        }
        groups
            .into_iter()
            .map(|(age, [added, removed])| event(age, added, removed, &told[age as usize]))
            .collect()
    }
}

/// Joins spans with short gaps.
fn joined(spans: &[Span], at: &impl Fn(u32) -> i64) -> Vec<Span> {
    let mut joined: Vec<Span> = Vec::new();
    for span in spans {
        match joined.last_mut() {
            Some(last) if last.to.is_some_and(|to| at(span.from) - at(to) < TRY) => {
                last.to = span.to;
            }
            _ => joined.push(span.clone()),
        }
    }
    joined
}

/// Says whether a message names a dependency as a word.
fn names(message: &str, name: &str) -> bool {
    let name = name
        .rsplit([':', '/'])
        .next()
        .unwrap_or(name)
        .to_lowercase();
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_');
    message
        .split(|letter: char| !is_part(letter))
        .any(|word| word == name || word.replace('_', "-") == name)
}

fn event(
    age: u32,
    mut added: Vec<(String, f32)>,
    mut removed: Vec<(String, f32)>,
    told: &Told,
) -> Event {
    for side in [&mut added, &mut removed] {
        side.sort_by(|left, right| {
            right
                .1
                .total_cmp(&left.1)
                .then_with(|| left.0.cmp(&right.0))
        });
    }
    let best = added
        .iter()
        .chain(&removed)
        .map(|(_, weight)| *weight)
        .fold(0.0, f32::max);
    let shown = |side: &[(String, f32)]| {
        let names: Vec<String> = side.iter().map(|(name, _)| quoted(name)).collect();
        list(&names, SHOWN)
    };
    let swap = !added.is_empty() && !removed.is_empty();
    let (name, mut weight) = match (added.as_slice(), removed.as_slice()) {
        ([(new, _)], [(old, _)]) if is_swap(told, old, new) => (
            format!("dependency {} replaced by {}", quoted(old), quoted(new)),
            best + 0.9,
        ),
        (_, []) => (format!("dependency added: {}", shown(&added)), best),
        ([], _) => (format!("dependency removed: {}", shown(&removed)), best),
        _ => (
            format!(
                "dependencies: {} added, {} removed",
                shown(&added),
                shown(&removed)
            ),
            best + 0.4,
        ),
    };
    if added.len() + removed.len() > MANY && !swap {
        weight *= 0.6;
    }
    Event {
        kind: MilestoneKind::Dependency,
        age,
        names: vec![name],
        weight,
    }
}

/// Says whether a commit says itself that it puts one in the place of the other.
fn is_swap(told: &Told, old: &str, new: &str) -> bool {
    let message = format!("{} {}", told.subject.to_lowercase(), told.body);
    let (old, new) = (names(&message, old), names(&message, new));
    let says = [
        "replace",
        "switch",
        "swap",
        "migrate",
        "move to",
        "move from",
        "instead",
        "->",
        "→",
        "in favor",
        "in favour",
        "rename",
        "port to",
        "change to",
    ];
    (old && new) || ((old || new) && says.iter().any(|word| message.contains(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_swap_is_told_only_where_the_commit_says_so() {
        let told = |subject: &str| Told {
            subject: subject.to_owned(),
            ..Told::default()
        };
        assert!(is_swap(
            &told("Replace failure with anyhow"),
            "failure",
            "anyhow"
        ));
        assert!(is_swap(&told("Switch to anyhow"), "failure", "anyhow"));
        assert!(!is_swap(&told("Tidy manifests"), "failure", "anyhow"));
        assert!(names("use once_cell here", "once-cell"));
        assert!(!names("use tokio-util", "tokio"));
    }
}
