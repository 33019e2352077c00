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

/// A reader of one kind of manifest; those that read line by line understand something of any text.
#[derive(Clone, Copy)]
enum Read {
    Whole(fn(&str) -> Option<Declared>),
    Lines(fn(&str) -> Declared),
}

/// Says whether a file may declare dependencies.
pub(in crate::repo) fn is_manifest(path: &str) -> bool {
    reader_of(path).is_some()
}

fn reader_of(path: &str) -> Option<Read> {
    let name = path.rsplit('/').next()?;
    Some(match name {
        "Cargo.toml" => Read::Whole(cargo::read),
        "package.json" => Read::Whole(node::read),
        "pyproject.toml" => Read::Whole(python::read_project),
        "setup.py" => Read::Lines(python::read_setup),
        "setup.cfg" => Read::Lines(python::read_settings),
        "requirements.txt" => Read::Lines(python::read_requirements),
        "go.mod" => Read::Whole(go::read),
        "pom.xml" => Read::Whole(java::read_pom),
        "build.gradle" | "build.gradle.kts" => Read::Lines(java::read_gradle),
        _ => return None,
    })
}

impl Declared {
    /// Reads a manifest; `None` where it cannot be understood, so that nothing is said about it.
    pub(in crate::repo) fn read(path: &str, bytes: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok()?;
        match reader_of(path)? {
            Read::Whole(read) => read(text),
            Read::Lines(read) => Some(read(text)),
        }
    }
}

/// Says whether two versions of a manifest differ in nothing but the versions of what they name, which most commits to
/// manifests do: then they need not be read.
pub(in crate::repo) fn differ_in_versions_only(before: &[u8], after: &[u8]) -> bool {
    let (Ok(before), Ok(after)) = (std::str::from_utf8(before), std::str::from_utf8(after)) else {
        return false;
    };
    let mut lines = before.lines().zip(after.lines());
    before.lines().count() == after.lines().count()
        && lines.all(|(old, new)| {
            old == new || (without_versions(old) == without_versions(new) && !is_own_version(new))
        })
}

/// Says whether a line may give the version of the package itself.
fn is_own_version(line: &str) -> bool {
    line.trim_start()
        .trim_start_matches('"')
        .starts_with("version")
}

/// Leaves out what stands in quotes and begins as a version does.
fn without_versions(line: &str) -> String {
    let mut kept = String::with_capacity(line.len());
    for (at, part) in line.split('"').enumerate() {
        let is_version = at % 2 == 1
            && part.starts_with(|first: char| first.is_ascii_digit() || "^~=<>".contains(first));
        kept.push('"');
        if !is_version {
            kept.push_str(part);
        }
    }
    kept
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
    fn versions_of_dependencies_are_no_news_and_the_own_one_is() {
        let same = |before: &str, after: &str| {
            differ_in_versions_only(before.as_bytes(), after.as_bytes())
        };
        assert!(same("serde = \"1.0.1\"\n", "serde = \"1.0.2\"\n"));
        assert!(same("  \"vue\": \"^3.1\",\n", "  \"vue\": \"^3.2\",\n"));
        assert!(!same("serde = \"1\"\n", "serde_json = \"1\"\n"));
        assert!(!same("serde = \"1\"\n", "serde = \"1\"\nregex = \"1\"\n"));
        assert!(!same("version = \"1.0\"\n", "version = \"1.1\"\n"));
        assert!(!same(
            "a = { package = \"b\" }\n",
            "a = { package = \"c\" }\n"
        ));
    }

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
