//! Recent direction: what the last commits were about, by area, and the releases among them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;

use super::fence::{safe, safe_cut};
use super::history::{is_log, since};
use super::layout::{Line, Place, Section};
use super::map::{Map, ROOT};
use crate::repo::{CommitHit, is_code};
use crate::{CommitInfo, FileRole};

/// Commits that show the direction.
const RECENT: usize = 50;
/// Most areas of code, most other areas, and most subjects of each.
const AREAS: [usize; 2] = [6, 2];
const SUBJECTS: [usize; 2] = [3, 2];
/// Most releases.
const RELEASES: usize = 4;

/// What a commit is about; code comes before the rest.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Area {
    Module(String),
    Rest(&'static str),
}

pub(super) fn direction(people: &[&CommitHit], map: &Map<'_>) -> Option<Section> {
    let commits = || people.iter().map(|hit| &hit.commit);
    let recent: Vec<&CommitInfo> = commits()
        .filter(|commit| !is_release(&commit.subject))
        .take(RECENT)
        .collect();
    let since = since(recent.iter().copied())?;
    let places: BTreeMap<&str, usize> = map
        .files()
        .iter()
        .enumerate()
        .map(|(at, file)| (file.path.as_str(), at))
        .collect();
    let mut areas: BTreeMap<Area, Told<'_>> = BTreeMap::new();
    for commit in &recent {
        let (main, touched) = areas_of(commit, map, &places);
        for area in touched {
            areas.entry(area).or_default().count += 1;
        }
        areas.entry(main).or_default().subjects.push(commit);
    }
    let mut areas: Vec<(Area, Told<'_>)> = areas.into_iter().collect();
    areas.sort_by(|left, right| {
        right
            .1
            .count
            .cmp(&left.1.count)
            .then_with(|| left.0.cmp(&right.0))
    });
    let (code, rest): (Vec<_>, Vec<_>) = areas
        .into_iter()
        .partition(|(area, _)| matches!(area, Area::Module(_)));
    let mut lines: Vec<Line> = releases(commits(), people.len(), map.project())
        .into_iter()
        .collect();
    for (kind, areas) in [code, rest].into_iter().enumerate() {
        // One commit shows no direction where others do.
        let some = areas.iter().any(|(_, told)| told.count > 2);
        let told = areas
            .iter()
            .filter(|(_, told)| told.count > 1 || !some)
            .filter_map(|(area, told)| line(area, told, SUBJECTS[kind]));
        lines.extend(told.take(AREAS[kind]));
    }
    let count = recent.len();
    let heading = format!(
        "## Recent direction: the last {count} commits (since {since}; releases, merges and bots left out), by every area that they touch"
    );
    Some(Section::new(Place::Direction, heading, lines))
}

/// How many commits touch an area, and those that are mainly about it.
#[derive(Default)]
struct Told<'c> {
    count: usize,
    subjects: Vec<&'c CommitInfo>,
}

fn line(area: &Area, told: &Told<'_>, most: usize) -> Option<Line> {
    let subjects = representatives(&told.subjects, most);
    let name = match area {
        Area::Module(path) => safe(path),
        Area::Rest(name) => (*name).to_owned(),
    };
    (!subjects.is_empty()).then(|| {
        Line::new(format!(
            "- {name} ({}): {}",
            told.count,
            subjects.join("; ")
        ))
    })
}

/// Names what a commit is mainly about, the module with most of its files, else what most of its other files are; and
/// every area that it touches.
fn areas_of(
    commit: &CommitInfo,
    map: &Map<'_>,
    places: &BTreeMap<&str, usize>,
) -> (Area, BTreeSet<Area>) {
    let mut modules: BTreeMap<&str, usize> = BTreeMap::new();
    let mut rest: BTreeMap<&'static str, usize> = BTreeMap::new();
    for path in commit.paths.iter().filter(|path| !is_log(path)) {
        let file = places.get(path.as_str()).copied();
        let product = file.map_or_else(|| is_code(path), |at| map.holds(at));
        let kind = match file.map(|at| map.files()[at].role) {
            _ if product => {
                // A file that is gone belongs to the root only if it stood there.
                let module = map
                    .module_of(path)
                    .filter(|module| *module != ROOT || !path.contains('/'));
                if let Some(module) = module {
                    *modules.entry(module).or_default() += 1;
                }
                continue;
            }
            Some(FileRole::Test) => "tests",
            Some(FileRole::Document) => "documents",
            Some(FileRole::Example) => "examples",
            _ => "build and settings",
        };
        *rest.entry(kind).or_default() += 1;
    }
    let mut touched: BTreeSet<Area> = modules
        .keys()
        .map(|module| Area::Module((*module).to_owned()))
        .chain(rest.keys().map(|kind| Area::Rest(kind)))
        .collect();
    let main = match most(modules) {
        Some(module) => Area::Module(module.to_owned()),
        None => Area::Rest(most(rest).unwrap_or("build and settings")),
    };
    touched.insert(main.clone());
    (main, touched)
}

/// Returns the name that was counted most often, the first of equals.
fn most(counts: BTreeMap<&str, usize>) -> Option<&str> {
    let best = counts
        .into_iter()
        .max_by(|left, right| left.1.cmp(&right.1).then_with(|| right.0.cmp(left.0)));
    best.map(|(name, _)| name)
}

/// Picks the newest subjects that say something; the same subject twice is told once.
fn representatives(commits: &[&CommitInfo], most: usize) -> Vec<String> {
    let mut seen = BTreeSet::new();
    commits
        .iter()
        .filter(|commit| !is_trivial(&commit.subject))
        .filter(|commit| seen.insert(without_number(&commit.subject).to_lowercase()))
        .take(most)
        .map(|commit| safe_cut(&commit.subject, 90))
        .collect()
}

/// Housekeeping says nothing about where a project goes.
fn is_trivial(subject: &str) -> bool {
    let lower = subject.to_lowercase();
    let words = [
        "typo",
        "bump",
        "update dep",
        "update dev dep",
        "start version",
        "changelog",
        "whitespace",
        "formatting",
        "update requirements",
        "(deps",
        "deps:",
        "pre-commit autoupdate",
    ];
    words.iter().any(|word| lower.contains(word))
        || matches!(
            lower.as_str(),
            "fmt" | "wip" | "lint" | "cleanup" | "format"
        )
}

/// Takes away the number of a pull request at the end.
fn without_number(subject: &str) -> &str {
    subject
        .rfind(" (#")
        .map_or(subject, |at| &subject[..at])
        .trim()
}

/// Returns what a release subject announces, without the words that announce it.
fn version_of(subject: &str) -> &str {
    let subject = without_number(subject);
    let tag = subject
        .strip_prefix('[')
        .and_then(|rest| rest.split_once("] "));
    let mut rest = tag.map_or(subject, |(_, rest)| rest);
    while let Some((word, after)) = rest.split_once(' ') {
        let word = word.trim_end_matches(':').to_lowercase();
        let announces = matches!(
            word.split('(').next().unwrap_or_default(),
            "chore"
                | "build"
                | "release"
                | "releasing"
                | "prepare"
                | "prep"
                | "publish"
                | "cut"
                | "tag"
                | "bump"
                | "version"
                | "to"
                | "for"
                | "the"
        );
        if !announces {
            break;
        }
        rest = after;
    }
    rest
}

static RELEASE: LazyLock<Regex> = LazyLock::new(|| {
    // Classes are spelled out: those of Unicode take long to compile.
    Regex::new(concat!(
        r"(?i)^(?:[0-9A-Za-z_./@-]+[-@ ])?v?[0-9]+\.[0-9]+(?:\.[0-9]+)*",
        r"(?:[-.]?(?:rc|alpha|beta|pre|post|a|b)[.0-9]*)?(?: \(#[0-9]+\))?$",
        r"|^[^0-9A-Za-z]*(?:(?:chore|build|release)(?:\([^)]*\))?: *)?[^0-9A-Za-z]*",
        r"(?:prepare(?: to)?(?: for)?|release|releasing|publish|cut|tag|prep)\b[^.]*\bv?[0-9]+\.[0-9]+",
        r"|^(?:chore: )?release: v?[0-9]+\.[0-9]+",
        r"|^bump (?:version )?(?:to )?v?[0-9]+\.[0-9]+\.[0-9]+(?: \(#[0-9]+\))?$",
        r"|\bprepare release\b.*[0-9]+\.[0-9]+",
    ))
    .expect("the pattern is fixed and tested")
});

/// Says whether a subject announces a version.
pub(super) fn is_release(subject: &str) -> bool {
    RELEASE.is_match(subject) && subject.chars().count() <= 80
}

fn releases<'c>(
    commits: impl Iterator<Item = &'c CommitInfo>,
    of: usize,
    project: &str,
) -> Option<Line> {
    let mut seen = BTreeSet::new();
    let mut found: Vec<&CommitInfo> = commits
        .filter(|commit| {
            is_release(&commit.subject) && seen.insert(without_number(&commit.subject).to_owned())
        })
        .collect();
    // Those of the project itself before those of its packages.
    found.sort_by_key(|commit| !is_of_project(&commit.subject, project));
    let found: Vec<String> = found
        .into_iter()
        .take(RELEASES)
        .map(|commit| {
            format!(
                "{} ({})",
                safe_cut(version_of(&commit.subject), 60),
                commit.committed.date()
            )
        })
        .collect();
    (!found.is_empty()).then(|| {
        Line::new(format!(
            "- Releases among the last {of} commits: {}",
            found.join("; ")
        ))
    })
}

/// Says whether a release is of the project itself: it gives a version alone, or names the project.
fn is_of_project(subject: &str, project: &str) -> bool {
    let alone = subject
        .trim_start_matches('v')
        .starts_with(|letter: char| letter.is_ascii_digit());
    alone
        || subject
            .split_whitespace()
            .any(|word| word.eq_ignore_ascii_case(project))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn release_commits_are_told_from_others() {
        for (subject, expected) in [
            ("15.2.0", true),
            ("ignore-0.4.33", true),
            ("v2.34.2", true),
            ("release version 3.1.3 (#5924)", true),
            ("chore: prepare tokio-macros v2.7.2 (#8330)", true),
            ("chore: release 0.2", true),
            (
                "[maven-release-plugin] prepare release gson-parent-2.14.0",
                true,
            ),
            ("Release: 5.2.0", true),
            ("release: 4.4.1", true),
            ("Bump 0.16.4 (#27000)", true),
            ("start version 3.1.3", false),
            ("fix(deps): bump golang.org/x/net to v0.55.0", false),
            ("deps: bump qs minimum to 6.15.2 (#7305)", false),
            ("msrv: bump to Rust 1.96", false),
            ("release the lock before 2 waiters starve", false),
        ] {
            assert_eq!(is_release(subject), expected, "{subject}");
        }
    }

    #[test]
    fn releases_are_told_by_what_they_announce() {
        for (subject, expected) in [
            ("15.2.0", "15.2.0"),
            ("release version 3.1.3 (#5924)", "3.1.3"),
            ("chore: prepare Tokio v1.53.1 (#8330)", "Tokio v1.53.1"),
            (
                "[maven-release-plugin] prepare release gson-2.14.0",
                "gson-2.14.0",
            ),
            ("release: plugin-legacy@8.2.3", "plugin-legacy@8.2.3"),
        ] {
            assert_eq!(version_of(subject), expected);
        }
    }

    #[test]
    fn releases_of_the_project_are_told_from_those_of_its_packages() {
        for (subject, expected) in [
            ("15.2.0", true),
            ("ignore-0.4.33", false),
            ("chore: prepare tokio-macros v2.7.2", false),
            ("chore: prepare Tokio v1.53.1", true),
        ] {
            assert_eq!(is_of_project(subject, "tokio"), expected, "{subject}");
        }
    }
}
