//! What history says: which files change most, and what the last commits were about.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;

use super::fence::{safe, safe_cut};
use super::layout::{Line, Place, Section};
use super::map::Map;
use crate::repo::{CommitHit, CommitSelection, RepositoryView, is_code};
use crate::{CommitInfo, FileRole, Result};

/// Commits that hot spots and releases are taken from.
const HOT_COMMITS: usize = 200;
/// Commits that show the direction.
const RECENT: usize = 50;
/// Commits with more files than this are sweeps: renames, formatting, licences.
const SWEEP: usize = 40;
/// Most areas, and most subjects of one area.
const AREAS: usize = 6;
const SUBJECTS: usize = 3;
/// Most hot files and releases.
const HOT_FILES: usize = 8;
const RELEASES: usize = 4;

pub(super) fn sections(view: &dyn RepositoryView, map: &Map<'_>) -> Result<Vec<Section>> {
    // Merges, bots and releases are left out below, so more are asked for.
    let all = view.commits(&CommitSelection::Newest, HOT_COMMITS * 2)?;
    let people: Vec<&CommitHit> = all
        .iter()
        .filter(|hit| is_of_people(&hit.commit))
        .take(HOT_COMMITS)
        .collect();
    Ok(hot_spots(&people, map)
        .into_iter()
        .chain(direction(&all, &people, map))
        .collect())
}

fn is_of_people(commit: &CommitInfo) -> bool {
    let author = commit.author.to_lowercase();
    let bot = author.contains("[bot]")
        || [
            "dependabot",
            "renovate",
            "pre-commit-ci",
            "github-actions",
            "greenkeeper",
            "snyk-bot",
        ]
        .iter()
        .any(|name| author.contains(name));
    let merge = commit.paths.is_empty() || commit.subject.starts_with("Merge ");
    !bot && !merge
}

fn hot_spots(people: &[&CommitHit], map: &Map<'_>) -> Option<Section> {
    let files = map.files();
    let wanted = |file: u32| {
        let file = &files[file as usize];
        let name = file
            .path
            .rsplit('/')
            .next()
            .unwrap_or_default()
            .to_lowercase();
        let log = ["changelog", "changes", "history", "news", "release"]
            .iter()
            .any(|word| name.starts_with(word));
        if map.has_code() {
            file.role == FileRole::Source && is_code(&file.path)
        } else {
            file.role == FileRole::Document && !log
        }
    };
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    let mut looked_at = 0;
    for hit in people.iter().filter(|hit| hit.commit.paths.len() <= SWEEP) {
        looked_at += 1;
        for file in hit.files.iter().copied().filter(|file| wanted(*file)) {
            *counts.entry(file).or_default() += 1;
        }
    }
    let mut counts: Vec<(u32, usize)> = counts
        .into_iter()
        .filter(|(_, count)| *count >= 3)
        .collect();
    counts.sort_by(|left, right| right.1.cmp(&left.1).then(left.0.cmp(&right.0)));
    counts.truncate(HOT_FILES);
    let since = people.last()?.commit.at.date();
    let lines: Vec<Line> = counts
        .iter()
        .map(|(file, count)| Line::new(format!("- {}: {count}", safe(&files[*file as usize].path))))
        .collect();
    let heading =
        format!("## Hot spots: changed most often in the last {looked_at} commits, since {since}");
    (!lines.is_empty()).then(|| Section::new(Place::HotSpots, heading, lines))
}

static RELEASE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)^(?:[\w./@-]+[-@ ])?v?\d+\.\d+(?:\.\d+)*(?:[-.]?(?:rc|alpha|beta|pre|post|a|b)[.\d]*)?(?: \(#\d+\))?$",
        r"|^(?:\W*(?:chore|build|release)(?:\([^)]*\))?: *)?(?:\W*)?(?:prepare(?: to)?(?: for)?|release|releasing|publish|cut|tag|prep)\b[^.]*\bv?\d+\.\d+",
        r"|\bprepare release\b.*\d+\.\d+",
    ))
    .expect("the pattern is fixed and tested")
});

fn is_release(subject: &str) -> bool {
    RELEASE.is_match(subject) && subject.chars().count() <= 80
}

/// Housekeeping says nothing about where a project goes.
fn is_trivial(subject: &str) -> bool {
    let lower = subject.to_lowercase();
    let words = [
        "typo",
        "bump",
        "update dependencies",
        "update dev dependencies",
        "start version",
        "changelog",
        "lint",
        "whitespace",
        "update deps",
        "fmt",
        "formatting",
        "update requirements",
        "pre-commit",
    ];
    words.iter().any(|word| lower.contains(word))
        || lower.starts_with("deps:")
        || lower.starts_with("chore(deps")
        || lower.starts_with("build(deps")
}

fn direction(all: &[CommitHit], people: &[&CommitHit], map: &Map<'_>) -> Option<Section> {
    let recent: Vec<&CommitInfo> = people
        .iter()
        .map(|hit| &hit.commit)
        .filter(|commit| !is_release(&commit.subject))
        .take(RECENT)
        .collect();
    let newest = recent.first()?.at.date();
    let oldest = recent.last()?.at.date();
    let roles: BTreeMap<&str, FileRole> = map
        .files()
        .iter()
        .map(|file| (file.path.as_str(), file.role))
        .collect();
    let mut areas: BTreeMap<String, Vec<&CommitInfo>> = BTreeMap::new();
    for commit in &recent {
        areas
            .entry(area(commit, map, &roles))
            .or_default()
            .push(commit);
    }
    let mut areas: Vec<(String, Vec<&CommitInfo>)> = areas.into_iter().collect();
    areas.sort_by(|left, right| {
        right
            .1
            .len()
            .cmp(&left.1.len())
            .then_with(|| left.0.cmp(&right.0))
    });
    let mut lines: Vec<Line> = areas
        .iter()
        .take(AREAS)
        .map(|(area, commits)| {
            let subjects = representatives(commits);
            let count = commits.len();
            Line::new(format!(
                "- {} ({count}): {}",
                safe(area),
                subjects.join("; ")
            ))
        })
        .collect();
    if let Some(line) = releases(all) {
        lines.insert(1.min(lines.len()), line);
    }
    let heading = if newest == oldest {
        format!(
            "## Recent direction: last {} commits, of {newest}",
            recent.len()
        )
    } else {
        format!(
            "## Recent direction: last {} commits, {oldest} to {newest}",
            recent.len()
        )
    };
    Some(Section::new(Place::Direction, heading, lines))
}

/// Names what a commit is about: the module with most of its files, else tests, documents or the build.
fn area(commit: &CommitInfo, map: &Map<'_>, roles: &BTreeMap<&str, FileRole>) -> String {
    let mut modules: BTreeMap<&str, usize> = BTreeMap::new();
    let mut kinds: BTreeSet<&str> = BTreeSet::new();
    for path in &commit.paths {
        let role = roles.get(path.as_str()).copied();
        match role {
            Some(FileRole::Source) if is_code(path) => {
                if let Some(module) = map.module_of(path) {
                    *modules.entry(module).or_default() += 1;
                }
            }
            Some(FileRole::Test) => drop(kinds.insert("tests")),
            Some(FileRole::Document) => drop(kinds.insert("documents")),
            Some(FileRole::Example) => drop(kinds.insert("examples")),
            _ => drop(kinds.insert("build and settings")),
        }
    }
    let best = modules
        .into_iter()
        .max_by(|left, right| left.1.cmp(&right.1).then_with(|| right.0.cmp(left.0)));
    match best {
        Some((module, _)) => module.to_owned(),
        None => ["tests", "documents", "examples"]
            .into_iter()
            .find(|kind| kinds.contains(kind))
            .unwrap_or("build and settings")
            .to_owned(),
    }
}

/// Picks the newest subjects that say something; the same subject twice is told once.
fn representatives(commits: &[&CommitInfo]) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let mut ordered: Vec<&&CommitInfo> = commits.iter().collect();
    ordered.sort_by_key(|commit| is_trivial(&commit.subject));
    let only_trivial = ordered
        .first()
        .is_some_and(|commit| is_trivial(&commit.subject));
    ordered
        .into_iter()
        .filter(|commit| only_trivial || !is_trivial(&commit.subject))
        .filter(|commit| seen.insert(without_number(&commit.subject).to_lowercase()))
        .take(SUBJECTS)
        .map(|commit| safe_cut(&commit.subject, 90))
        .collect()
}

/// Takes away the number of a pull request at the end.
fn without_number(subject: &str) -> &str {
    subject
        .rfind(" (#")
        .map_or(subject, |at| &subject[..at])
        .trim()
}

fn releases(all: &[CommitHit]) -> Option<Line> {
    let mut seen = BTreeSet::new();
    let found: Vec<String> = all
        .iter()
        .map(|hit| &hit.commit)
        .filter(|commit| {
            is_release(&commit.subject) && seen.insert(without_number(&commit.subject).to_owned())
        })
        .take(RELEASES)
        .map(|commit| {
            format!(
                "{} ({})",
                safe_cut(without_number(&commit.subject), 60),
                commit.at.date()
            )
        })
        .collect();
    (!found.is_empty()).then(|| Line::new(format!("- Release commits: {}", found.join("; "))))
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
            ("start version 3.1.3", false),
            ("fix(deps): bump golang.org/x/net to v0.55.0", false),
            ("deps: bump qs minimum to 6.15.2 (#7305)", false),
            ("msrv: bump to Rust 1.96", false),
            ("release the lock before 2 waiters starve", false),
        ] {
            assert_eq!(is_release(subject), expected, "{subject}");
        }
    }
}
