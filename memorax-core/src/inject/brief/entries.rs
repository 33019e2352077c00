//! Entry points: where execution or import begins.

use std::collections::BTreeSet;

use super::fence::{safe, safe_cut};
use super::layout::{Line, Place, Section};
use crate::repo::{EntryKind, EntryPoint, Project};

/// Most files that are listed, and most libraries of one folder.
const ENTRIES: usize = 12;
/// Libraries up to this number are told one by one.
const FEW: usize = 3;

pub(super) fn section(project: &Project) -> Option<Section> {
    let (libraries, others): (Vec<&EntryPoint>, Vec<&EntryPoint>) = project
        .entry_points
        .iter()
        .partition(|entry| entry.kind == EntryKind::Library);
    let mut told = BTreeSet::new();
    let mut lines: Vec<Line> = others
        .chunk_by(|left, right| left.path == right.path)
        .take(ENTRIES)
        .map(|entries| line(project, entries, &mut told))
        .collect();
    // A file that is a program is not told again as what can be imported.
    let libraries: Vec<&EntryPoint> = libraries
        .into_iter()
        .filter(|library| others.iter().all(|other| other.path != library.path))
        .collect();
    let main = format!("`{}`", project.name.to_lowercase());
    for group in groups(&libraries, &main) {
        lines.push(match group.as_slice() {
            [only] => line(project, &[*only], &mut told),
            _ => together(&group),
        });
    }
    (!lines.is_empty()).then(|| Section::new(Place::Entries, "## Entry points", lines))
}

/// Puts libraries together that lie side by side, for the module map tells what they are for; the one that bears the
/// project's name stands alone.
fn groups<'e>(libraries: &[&'e EntryPoint], main: &str) -> Vec<Vec<&'e EntryPoint>> {
    let mut groups: Vec<Vec<&EntryPoint>> = Vec::new();
    for library in libraries {
        let alone = |entry: &EntryPoint| libraries.len() <= FEW || entry.what.contains(main);
        let beside = groups.iter_mut().find(|group| {
            let first = group[0];
            !alone(library) && !alone(first) && pattern(&first.path) == pattern(&library.path)
        });
        match beside {
            Some(group) => group.push(library),
            None => groups.push(vec![library]),
        }
    }
    groups.truncate(ENTRIES);
    groups
}

/// Splits a path around the folder that names the package: `crates/`, `cli`, `/src/lib.rs`.
fn split(path: &str) -> Option<(&str, &str, &str)> {
    let (folder, _) = path.rsplit_once('/')?;
    let folder = folder.strip_suffix("/src").unwrap_or(folder);
    let start = folder.rfind('/').map_or(0, |at| at + 1);
    Some((&path[..start], &folder[start..], &path[folder.len()..]))
}

fn pattern(path: &str) -> Option<(&str, &str)> {
    split(path).map(|(before, _, after)| (before, after))
}

/// Tells libraries that lie side by side in one line.
fn together(group: &[&EntryPoint]) -> Line {
    let (before, after) = pattern(&group[0].path).unwrap_or_default();
    let mut names: Vec<String> = group
        .iter()
        .take(ENTRIES)
        .filter_map(|entry| {
            let (_, folder, _) = split(&entry.path)?;
            let name = name_of(entry);
            let same = name.replace('-', "_") == folder.replace('-', "_");
            Some(if same {
                safe(folder)
            } else {
                format!("{} (`{}`)", safe(folder), safe(name))
            })
        })
        .collect();
    if group.len() > ENTRIES {
        names.push(format!("and {} more", group.len() - ENTRIES));
    }
    Line::new(format!(
        "- libraries, {}*{}: {}",
        safe(before),
        safe(after),
        names.join(", ")
    ))
}

/// Returns the name between the first backticks of what an entry point is.
fn name_of(entry: &EntryPoint) -> &str {
    entry.what.split('`').nth(1).unwrap_or(&entry.what)
}

/// Tells a file that is an entry point, in one or more ways; a purpose that was told before is not told again.
fn line(project: &Project, entries: &[&EntryPoint], told: &mut BTreeSet<String>) -> Line {
    let ways: Vec<String> = entries.iter().map(|entry| safe(&entry.what)).collect();
    let entry = entries[0];
    let purpose = entry
        .purpose
        .as_deref()
        .filter(|text| is_own(project, text) && told.insert((*text).to_owned()));
    let purpose = purpose
        .map(|text| format!(": {}", safe_cut(text, 120)))
        .unwrap_or_default();
    Line::new(format!(
        "- {}, {}{purpose}",
        safe(&entry.path),
        ways.join(", ")
    ))
}

/// Says whether a description is of one package only and not of the whole project.
pub(super) fn is_own(project: &Project, text: &str) -> bool {
    let same = |description: &Option<String>| description.as_deref() == Some(text);
    !same(&project.description)
        && project
            .packages
            .iter()
            .filter(|package| same(&package.description))
            .count()
            < 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_side_by_side_are_told_in_one_line() {
        assert_eq!(
            split("crates/cli/src/lib.rs"),
            Some(("crates/", "cli", "/src/lib.rs"))
        );
        assert_eq!(split("a/lib/x.py"), Some(("a/", "lib", "/x.py")));
        assert_eq!(
            split("tokio/src/lib.rs"),
            Some(("", "tokio", "/src/lib.rs"))
        );
        assert_eq!(split("index.js"), None);
    }
}
