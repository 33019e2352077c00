//! What a manifest declares, and how what it declares now differs from what it declared before.

use std::collections::BTreeSet;

use super::{Note, NoteKind, cargo, go, java, node, python};

/// Most notes of one manifest in one commit: a commit that changes more says nothing about any of them.
const MOST: usize = 200;
/// Longest name that is kept.
const LONGEST: usize = 120;

/// What a manifest declares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::repo) struct Declared {
    pub(in crate::repo) package: Option<String>,
    pub(in crate::repo) version: Option<String>,
    /// What the product itself needs; what only its development needs is left out.
    pub(in crate::repo) dependencies: BTreeSet<String>,
    /// Programs that are installed or built.
    pub(in crate::repo) programs: BTreeSet<String>,
}

/// A reader of one kind of manifest.
type Read = fn(&str) -> Option<Declared>;

/// Says whether a file may declare dependencies.
pub(in crate::repo) fn is_manifest(path: &str) -> bool {
    reader_of(path).is_some()
}

fn reader_of(path: &str) -> Option<Read> {
    let name = path.rsplit('/').next()?;
    Some(match name {
        "Cargo.toml" => cargo::read,
        "package.json" => node::read,
        "pyproject.toml" => python::read_project,
        "setup.py" => python::read_setup,
        "setup.cfg" => python::read_settings,
        "requirements.txt" => python::read_requirements,
        "go.mod" => go::read,
        "pom.xml" => java::read_pom,
        "build.gradle" | "build.gradle.kts" => java::read_gradle,
        _ => return None,
    })
}

impl Declared {
    /// Reads a manifest; `None` where it cannot be understood, so that nothing is said about it.
    pub(in crate::repo) fn read(path: &str, bytes: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok()?;
        reader_of(path)?(text)
    }
}

/// Compares what a manifest declares before and after a commit; `None` stands for a manifest that is not there.
pub(in crate::repo) fn differences(
    path: &str,
    before: Option<&Declared>,
    after: Option<&Declared>,
) -> Vec<Note> {
    let nothing = Declared::default();
    let (old, new) = (before.unwrap_or(&nothing), after.unwrap_or(&nothing));
    let mut notes = Vec::new();
    let mut add = |kind, name: &str| {
        if !name.is_empty() && name.len() <= LONGEST && !name.contains(char::is_control) {
            notes.push(Note {
                path: path.to_owned(),
                kind,
                name: name.to_owned(),
            });
        }
    };
    if old.package != new.package {
        if let Some(name) = &old.package {
            add(NoteKind::PackageRemoved, name);
        }
        if let Some(name) = &new.package {
            add(NoteKind::PackageAdded, name);
        }
    }
    for (kind, from, to) in [
        (
            NoteKind::DependencyRemoved,
            &old.dependencies,
            &new.dependencies,
        ),
        (
            NoteKind::DependencyAdded,
            &new.dependencies,
            &old.dependencies,
        ),
        (NoteKind::ProgramRemoved, &old.programs, &new.programs),
        (NoteKind::ProgramAdded, &new.programs, &old.programs),
    ] {
        for name in from.difference(to) {
            add(kind, name);
        }
    }
    if let Some(version) = &new.version
        && old.version.as_ref() != Some(version)
    {
        add(NoteKind::Version, version);
    }
    notes.truncate(MOST);
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_swap_is_one_removal_and_one_addition() {
        let read = |text: &str| Declared::read("a/Cargo.toml", text.as_bytes());
        let old = read("[package]\nname = 'a'\nversion = '1.0.0'\n[dependencies]\ndocopt = '1'\n");
        let new = read("[package]\nname = 'a'\nversion = '1.0.0'\n[dependencies]\nclap = '2'\n");
        let told: Vec<(NoteKind, String)> = differences("a/Cargo.toml", old.as_ref(), new.as_ref())
            .into_iter()
            .map(|note| (note.kind, note.name))
            .collect();
        assert_eq!(
            told,
            [
                (NoteKind::DependencyRemoved, "docopt".to_owned()),
                (NoteKind::DependencyAdded, "clap".to_owned()),
            ]
        );
        assert_eq!(differences("a/Cargo.toml", new.as_ref(), new.as_ref()), []);
        let gone = differences("a/Cargo.toml", new.as_ref(), None);
        assert_eq!(gone.len(), 2, "the package and its dependency: {gone:?}");
    }
}
