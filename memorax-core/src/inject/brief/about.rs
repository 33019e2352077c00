//! What the project is, where it begins, how it is built and tested, and which rules it states.

use super::BriefInput;
use super::fence::{safe, safe_cut};
use super::layout::{Line, Place, Section};
use crate::repo::{Basis, CommitSelection, Project, ProjectCommand, Statement, Task};
use crate::{FileRole, Result};

/// Most commands for one task.
const COMMANDS: usize = 3;
/// Most folders of tests that are named, and the share of all tests in percent from which the rest is only counted.
const TEST_FOLDERS: usize = 6;
const TESTS_TOLD: usize = 92;
/// Longest description, in characters: a third of the budget within these bounds.
const DESCRIPTION: [usize; 2] = [60, 300];

pub(super) fn sections(input: &BriefInput<'_>, budget: usize) -> Result<Vec<Section>> {
    let project = input.project;
    let mut sections: Vec<Section> = about(input, budget)?.into_iter().collect();
    sections.extend(super::entries::section(project));
    sections.extend(commands(project));
    sections.extend(rules(project));
    sections.extend(conventions(input)?);
    Ok(sections)
}

fn about(input: &BriefInput<'_>, budget: usize) -> Result<Option<Section>> {
    let project = input.project;
    let version = project
        .version
        .as_deref()
        .map(|version| format!(" {}", safe(version)))
        .unwrap_or_default();
    let longest = (budget * 6 / 5).clamp(DESCRIPTION[0], DESCRIPTION[1]);
    let mut lines = Vec::new();
    lines.extend(
        project
            .description
            .as_deref()
            .map(|text| Line::new(safe_cut(text, longest))),
    );
    let mut facts = Vec::new();
    let shares: Vec<_> = project
        .languages
        .iter()
        .filter(|share| share.percent >= 2)
        .take(4)
        .collect();
    let languages: Vec<String> = shares
        .iter()
        .map(|share| {
            let percent = if shares.len() > 1 {
                format!(" {} %", share.percent)
            } else {
                String::new()
            };
            format!("{}{percent} ({})", share.name, lines_of(share.lines))
        })
        .collect();
    if !languages.is_empty() {
        facts.push(languages.join(", "));
    }
    facts.extend(checkout(input)?);
    if !facts.is_empty() {
        let mut facts = facts.join("; ");
        if let Some(first) = facts.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        lines.push(Line::new(format!("{facts}.")));
    }
    if !project.guides.is_empty() {
        let guides: Vec<String> = project
            .guides
            .iter()
            .take(5)
            .map(|path| safe(path))
            .collect();
        lines.push(Line::new(format!(
            "For contributors: {}.",
            guides.join(", ")
        )));
    }
    let heading = format!("# {}{version}", safe_cut(&project.name, 80));
    Ok((!lines.is_empty()).then(|| Section::new(Place::About, heading, lines)))
}

/// Says which commit the brief is of.
fn checkout(input: &BriefInput<'_>) -> Result<Option<String>> {
    let Some(view) = input.view else {
        return Ok(input
            .branch
            .map(|branch| format!("branch {}", safe(branch))));
    };
    let newest = view.commits(&CommitSelection::Newest, 1)?;
    let commit = view
        .info()
        .commit
        .as_deref()
        .map(|id| id.chars().take(8).collect::<String>());
    let date = newest.first().map(|hit| hit.commit.committed.date());
    Ok(match (input.branch, commit, date) {
        (Some(branch), Some(commit), Some(date)) => {
            Some(format!("branch {} at {commit} of {date} UTC", safe(branch)))
        }
        (None, Some(commit), Some(date)) => Some(format!("commit {commit} of {date} UTC")),
        (Some(branch), _, _) => Some(format!("branch {}", safe(branch))),
        _ => None,
    })
}

/// Counts lines in words, rounded to what a reader takes in.
fn lines_of(count: u64) -> String {
    if count == 1 {
        "1 line".to_owned()
    } else {
        format!("{} lines", thousands(count))
    }
}

fn thousands(count: u64) -> String {
    if count < 1000 {
        count.to_string()
    } else if count < 10_000 {
        format!("{}.{}k", count / 1000, count % 1000 / 100)
    } else {
        format!("{}k", (count + 500) / 1000)
    }
}

fn commands(project: &Project) -> Option<Section> {
    let mut lines = Vec::new();
    // One line a task: the tasks are what a reader looks for.
    for of_task in project
        .commands
        .chunk_by(|left, right| left.task == right.task)
    {
        let shown: Vec<String> = of_task.iter().take(COMMANDS).map(command).collect();
        let task = of_task[0].task;
        lines.push((
            rank(task),
            Line::new(format!("- {task}: {}", shown.join("; "))),
        ));
    }
    // Test before build: it is needed most, and a small budget cuts from the end.
    lines.sort_by_key(|(rank, _)| *rank);
    let lines: Vec<Line> = lines.into_iter().map(|(_, line)| line).collect();
    (!lines.is_empty()).then(|| Section::new(Place::Commands, "## Build, test, run", lines))
}

fn command(command: &ProjectCommand) -> String {
    let from: Vec<String> = command
        .from
        .iter()
        .take(2)
        .map(|path| evidence(path))
        .collect();
    let runs = command
        .runs
        .as_deref()
        .map(|runs| format!(" = `{}`", safe(runs)))
        .unwrap_or_default();
    let from = from.join(", ");
    let from = match command.basis {
        Basis::Configured | Basis::Implied => format!("usual with {from}, not stated"),
        _ => from,
    };
    format!("`{}`{runs} ({from})", safe(&command.line).replace('`', "'"))
}

/// Names a file of evidence; the folder of workflows is known.
fn evidence(path: &str) -> String {
    match path.strip_prefix(".github/workflows/") {
        Some(name) => format!("CI: {}", safe(name)),
        None => safe(path),
    }
}

fn rank(task: Task) -> u8 {
    match task {
        Task::Test => 0,
        Task::Build => 1,
        Task::Lint => 2,
        Task::Format => 3,
        Task::Run => 4,
        Task::Setup => 5,
        Task::Docs => 6,
        _ => 7,
    }
}

/// Quotes the rules that the project's own documents state.
fn rules(project: &Project) -> Option<Section> {
    let line =
        |rule: &Statement| Line::new(format!("- {}: “{}”", safe(&rule.from), safe(&rule.text)));
    let lines: Vec<Line> = project.rules.iter().map(line).collect();
    (!lines.is_empty()).then(|| Section::new(Place::Rules, "## Rules, as they are written", lines))
}

fn conventions(input: &BriefInput<'_>) -> Result<Option<Section>> {
    let project = input.project;
    let mut lines: Vec<Line> = project
        .conventions
        .iter()
        .map(|statement| {
            Line::new(format!(
                "- {} ({})",
                safe_cut(&statement.text, 160),
                safe(&statement.from)
            ))
        })
        .collect();
    lines.extend(tests(input)?);
    Ok((!lines.is_empty()).then(|| Section::new(Place::Conventions, "## Conventions", lines)))
}

/// Says where the tests are.
fn tests(input: &BriefInput<'_>) -> Result<Option<Line>> {
    let Some(view) = input.view else {
        return Ok(None);
    };
    let mut folders: std::collections::BTreeMap<&str, usize> = std::collections::BTreeMap::new();
    for file in view
        .files()?
        .iter()
        .filter(|file| file.role == FileRole::Test && crate::repo::is_code(&file.path))
        .filter(|file| !is_no_test(&file.path))
    {
        let folder = test_folder(&file.path);
        *folders.entry(folder).or_default() += 1;
    }
    let mut folders: Vec<(&str, usize)> = folders.into_iter().collect();
    folders.sort_by(|left, right| right.1.cmp(&left.1).then_with(|| left.0.cmp(right.0)));
    let all: usize = folders.iter().map(|(_, count)| count).sum();
    let mut told = 0;
    // The folders of a few tests more say nothing about where tests go.
    let main = folders.iter().take_while(|(_, count)| {
        let before = told;
        told += count;
        before * 100 < all * TESTS_TOLD
    });
    let most = main.count().min(TEST_FOLDERS);
    let mut shown: Vec<String> = folders
        .iter()
        .take(most)
        .map(|(folder, count)| format!("{} ({})", safe(folder), files(*count)))
        .collect();
    match folders.len().saturating_sub(most) {
        0 => {}
        1 => shown.push("and 1 more folder".to_owned()),
        more => shown.push(format!("and {more} more folders")),
    }
    Ok((!shown.is_empty()).then(|| Line::new(format!("- Tests: {}", shown.join(", ")))))
}

/// Says whether a file lies among programs that measure speed or try random input: those pass and fail nothing by themselves.
fn is_no_test(path: &str) -> bool {
    path.split('/').any(|part| {
        matches!(
            part,
            "bench" | "benches" | "benchmark" | "benchmarks" | "fuzz"
        )
    })
}

/// Returns the folder of tests that a file is in: up to the part named like tests, else its own folder.
fn test_folder(path: &str) -> &str {
    let mut end = 0;
    for part in path.split('/') {
        let after = end + part.len();
        if after < path.len()
            && matches!(part, "tests" | "test" | "__tests__" | "spec" | "testdata")
        {
            return &path[..after];
        }
        end = after + 1;
    }
    path.rsplit_once('/')
        .map_or("the root", |(folder, _)| folder)
}

/// Counts files in words.
pub(super) fn files(count: usize) -> String {
    if count == 1 {
        "1 file".to_owned()
    } else {
        format!("{count} files")
    }
}
