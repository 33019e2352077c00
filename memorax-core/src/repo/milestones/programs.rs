//! Turns of entry points: programs that were added or removed.

use std::collections::{BTreeMap, BTreeSet};

use super::event::Turn;
use super::folders::{Folders, Step};
use super::names::{is_beside, quoted};
use super::timeline::Told;
use crate::MilestoneKind;
use crate::repo::history::{ChangeKind, Changes, Place};
use crate::repo::manifest::{Note, NoteKind};

/// A program that came and went within this time was a try.
const TRY: i64 = 30 * 86_400;

/// Follows programs by name: where each is declared or has its file.
#[derive(Default)]
pub(super) struct Programs {
    /// By name, the places that say that there is such a program.
    places: BTreeMap<String, BTreeSet<String>>,
    /// By name, when it came and when it went.
    spans: BTreeMap<String, Vec<(u32, Option<u32>)>>,
}

impl Programs {
    /// Applies what a commit did to files.
    pub(super) fn step(
        &mut self,
        folders: &Folders<'_>,
        changes: &Changes,
        place: Place,
        step: &Step,
        age: u32,
    ) {
        let name = |path: u32| {
            let path = folders.paths[path as usize]?;
            Some((program_of(path)?, path.to_owned()))
        };
        let mut touched = BTreeSet::new();
        let gone = step.removed.iter().copied();
        for path in gone.chain(step.renamed.iter().map(|(from, _)| *from)) {
            if let Some((program, path)) = name(path) {
                self.places
                    .entry(program.clone())
                    .or_default()
                    .remove(&path);
                touched.insert(program);
            }
        }
        for change in changes.of(place) {
            if change.kind == ChangeKind::Added
                && let Some((program, path)) = name(change.path)
            {
                self.places.entry(program.clone()).or_default().insert(path);
                touched.insert(program);
            }
        }
        self.settle(touched, age);
    }

    /// Applies what a commit noted about manifests.
    pub(super) fn apply(&mut self, notes: &[Note], age: u32) {
        let mut touched = BTreeSet::new();
        for note in notes.iter().filter(|note| !is_beside(&note.path)) {
            let places = self.places.entry(note.name.clone());
            match note.kind {
                NoteKind::ProgramAdded => {
                    places.or_default().insert(note.path.clone());
                }
                NoteKind::ProgramRemoved => {
                    places.or_default().remove(&note.path);
                }
                _ => continue,
            }
            touched.insert(note.name.clone());
        }
        self.settle(touched, age);
    }

    fn settle(&mut self, touched: BTreeSet<String>, age: u32) {
        for name in touched {
            let is_here = self
                .places
                .get(&name)
                .is_some_and(|places| !places.is_empty());
            let spans = self.spans.entry(name).or_default();
            match spans.last_mut() {
                Some((from, to @ Some(_))) if is_here && *to == Some(age) => {
                    // The same commit named it anew.
                    let _ = from;
                    *to = None;
                }
                Some((_, to @ None)) if !is_here => *to = Some(age),
                Some((_, None)) => {}
                _ if is_here => spans.push((age, None)),
                _ => {}
            }
        }
    }

    /// Returns the turns.
    pub(super) fn turns(self, told: &[Told], first: u32) -> Vec<Turn> {
        let at = |age: u32| told[age as usize].committed;
        let mut turns = Vec::new();
        for (name, spans) in self.spans {
            let mut joined: Vec<(u32, Option<u32>)> = Vec::new();
            for (from, to) in spans {
                match joined.last_mut() {
                    Some((_, last @ Some(_)))
                        if last.is_some_and(|gone| at(from) - at(gone) < TRY) =>
                    {
                        *last = to;
                    }
                    _ => joined.push((from, to)),
                }
            }
            for (from, to) in joined {
                if to.is_some_and(|to| at(to) - at(from) < TRY) {
                    continue;
                }
                let mut add = |age: u32, what: &str, weight: f32| {
                    turns.push(Turn {
                        kind: MilestoneKind::EntryPoint,
                        age,
                        name: format!("program {} {what}", quoted(&name)),
                        weight,
                    });
                };
                if from != first {
                    add(from, "added", 1.3);
                }
                if let Some(to) = to {
                    add(to, "removed", 1.2);
                }
            }
        }
        turns
    }
}

/// Names the program whose file a path is.
fn program_of(path: &str) -> Option<String> {
    if is_beside(path) {
        return None;
    }
    let parts: Vec<&str> = path.split('/').collect();
    let name = match parts.as_slice() {
        [.., package, "src", "main.rs"] | [.., "cmd", package, "main.go"] => *package,
        [.., "src", "bin", package, "main.rs"] => *package,
        [.., "src", "bin", file] => file.strip_suffix(".rs")?,
        [.., package, "__main__.py"] => {
            return Some(format!("python -m {package}"));
        }
        _ => return None,
    };
    Some(name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::program_of;

    #[test]
    fn files_of_programs_are_known_by_their_places() {
        for (path, program) in [
            ("crates/tool/src/main.rs", Some("tool")),
            ("src/bin/tool.rs", Some("tool")),
            ("cmd/tool/main.go", Some("tool")),
            ("src/flask/__main__.py", Some("python -m flask")),
            ("examples/x/src/main.rs", None),
            ("src/main_loop.rs", None),
        ] {
            assert_eq!(program_of(path).as_deref(), program, "{path}");
        }
    }
}
