//! What history says: which files change most, how commits are written, and where the project goes.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

use super::direction::{direction, is_release};
use super::fence::{safe, safe_cut};
use super::layout::{Line, Place, Section};
use super::map::Map;
use crate::repo::{CommitHit, CommitSelection, RepositoryView};
use crate::{CommitInfo, FileRole, Result};

/// Commits that hot spots are counted in.
const HOT_COMMITS: usize = 200;
/// Commits that show how subjects are written, and the share that makes it a habit.
const STYLE_COMMITS: usize = 100;
const HABIT: usize = 60;
/// Commits with more files than this are sweeps: renames, formatting, licences.
const SWEEP: usize = 40;
/// Fewest changes of a hot file, and most hot files.
const HOT: usize = 3;
const HOT_FILES: usize = 8;

pub(super) fn sections(view: &dyn RepositoryView, map: &Map<'_>) -> Result<Vec<Section>> {
    // Merges and bots are left out below, so more are asked for.
    let all = view.commits(&CommitSelection::Newest, HOT_COMMITS * 2)?;
    let people: Vec<&CommitHit> = all
        .iter()
        .filter(|hit| is_of_people(&hit.commit))
        .take(HOT_COMMITS)
        .collect();
    Ok([
        style(&people),
        hot_spots(&people, map),
        direction(&people, map),
    ]
    .into_iter()
    .flatten()
    .collect())
}

fn is_of_people(commit: &CommitInfo) -> bool {
    let author = commit.author.to_lowercase();
    let bots = [
        "[bot]",
        "dependabot",
        "renovate",
        "pre-commit-ci",
        "github-actions",
        "greenkeeper",
        "snyk-bot",
    ];
    let bot = bots.iter().any(|name| author.contains(name));
    let merge = commit.paths.is_empty() || commit.subject.starts_with("Merge ");
    !bot && !merge
}

/// Ways to write subjects; the first that is a habit is told.
static STYLES: LazyLock<[(Regex, &str); 4]> = LazyLock::new(|| {
    const TYPES: &str = "feat|fix|docs?|chore|refactor|tests?|perf|ci|build|style|revert|deps";
    let compiled = |pattern: &str| Regex::new(pattern).expect("the pattern is fixed and tested");
    [
        (
            compiled(&format!(r"^(?:{TYPES})\([^)]+\)!?: ")),
            "`type(scope): what`",
        ),
        (
            compiled(&format!(r"^(?:{TYPES})(?:\([^)]+\))?!?: ")),
            "`type: what`",
        ),
        (
            compiled(r"^[0-9A-Za-z_./,*-]+(?: [0-9A-Za-z_./-]+)?: "),
            "`area: what`",
        ),
        (compiled(r"^\[[^\]]+\] "), "`[area] what`"),
    ]
});

/// Tells how commit subjects are written, where there is a habit.
fn style(people: &[&CommitHit]) -> Option<Section> {
    let subjects: Vec<&str> = people
        .iter()
        .map(|hit| hit.commit.subject.as_str())
        .filter(|subject| !is_release(subject))
        .take(STYLE_COMMITS)
        .collect();
    let of = |pattern: &Regex| {
        subjects
            .iter()
            .filter(|subject| pattern.is_match(subject))
            .count()
    };
    let is_habit = |count: usize| subjects.len() >= 10 && count * 100 >= subjects.len() * HABIT;
    let (pattern, style) = STYLES.iter().find(|(pattern, _)| is_habit(of(pattern)))?;
    let example = subjects.iter().find(|subject| pattern.is_match(subject))?;
    let line = format!(
        "- Commit subjects: {style} in {} of the last {} (releases, merges and bots left out), as in “{}”",
        of(pattern),
        subjects.len(),
        safe_cut(example, 60)
    );
    Some(Section::new(Place::CommitStyle, "", vec![Line::new(line)]))
}

fn hot_spots(people: &[&CommitHit], map: &Map<'_>) -> Option<Section> {
    let files = map.files();
    let wanted = |file: u32| {
        if map.has_code() {
            map.holds(file as usize)
        } else {
            let file = &files[file as usize];
            file.role == FileRole::Document && !is_log(&file.path)
        }
    };
    let looked_at: Vec<&&CommitHit> = people
        .iter()
        .filter(|hit| hit.commit.paths.len() <= SWEEP)
        .collect();
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    for file in looked_at
        .iter()
        .flat_map(|hit| &hit.files)
        .filter(|file| wanted(**file))
    {
        *counts.entry(*file).or_default() += 1;
    }
    let mut counts: Vec<(u32, usize)> = counts
        .into_iter()
        .filter(|(_, count)| *count >= HOT)
        .collect();
    counts.sort_by(|left, right| right.1.cmp(&left.1).then(left.0.cmp(&right.0)));
    counts.truncate(HOT_FILES);
    let line = |(file, count): &(u32, usize)| {
        Line::new(format!("- {}: {count}", safe(&files[*file as usize].path)))
    };
    let lines: Vec<Line> = counts.iter().map(line).collect();
    let since = since(looked_at.iter().map(|hit| &hit.commit))?;
    let heading = format!(
        "## Hot spots: commits that changed a file, of the last {} (since {since}; merges, bots and wider than {SWEEP} files left out)",
        looked_at.len()
    );
    (!lines.is_empty()).then(|| Section::new(Place::HotSpots, heading, lines))
}

/// Returns the day on which the first of the commits came into this history.
pub(super) fn since<'c>(commits: impl Iterator<Item = &'c CommitInfo>) -> Option<String> {
    let first = commits.map(|commit| commit.committed).min()?;
    Some(first.date())
}

/// Says whether a file is a list of changes.
pub(super) fn is_log(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default().to_lowercase();
    ["changelog", "changes", "history", "news", "release"]
        .iter()
        .any(|word| name.starts_with(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_of_subjects_are_told_apart() {
        for (subject, expected) in [
            ("fix(context)!: skip chmod", Some(0)),
            ("docs: use the new logo", Some(1)),
            ("ignore,globset: increase pool capacity", Some(2)),
            ("all teardown callbacks are called: despite errors", None),
            ("[ty] Support slots", Some(3)),
            ("Add z.toZod helper", None),
        ] {
            let found = STYLES
                .iter()
                .position(|(pattern, _)| pattern.is_match(subject));
            assert_eq!(found, expected, "{subject}");
        }
    }
}
