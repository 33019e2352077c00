//! Which commands a query asks for, and which check the work that it asks for.

use crate::repo::{Basis, Project, Task};
use crate::{Query, Result, StatedCommand};

use super::files::{Shape, shape_of};
use super::{Intent, analyse};

/// Commands of one purpose.
const OF_A_PURPOSE: usize = 2;

/// Words that ask how something is run.
const RUNNING: &[&str] = &[
    "command", "commands", "execute", "invoke", "run", "running", "runs", "start", "launch", "how",
];

/// Words of longer queries say little about a command.
const SHORT: usize = 14;

/// With what a change is checked.
const CHECKS: &[Task] = &[Task::Test, Task::Lint, Task::Format, Task::Build];

/// Returns the commands that belong to an answer: those that the query asks for, or, where files were found for a change,
/// those with which the change is checked. `project` is read only if there is a need.
pub fn commands(
    query: &Query,
    files_found: bool,
    project: impl FnOnce() -> Result<Project>,
) -> Result<Vec<StatedCommand>> {
    if query.files == 0 {
        return Ok(Vec::new());
    }
    let asked = purposes(query);
    if !asked.is_empty() {
        return Ok(stated(&project()?, &asked));
    }
    if files_found && asks_for_work(&query.text) {
        return Ok(stated(&project()?, CHECKS));
    }
    Ok(Vec::new())
}

/// Says whether a text is about work that changes something: what only looks for something is not checked.
fn asks_for_work(text: &str) -> bool {
    shape_of(text, &analyse(text)) != Shape::Search
}

/// Says for which purposes a query asks for a command: it speaks of running something, in a short text, and says what.
fn purposes(query: &Query) -> Vec<Task> {
    let lower = query.text.to_lowercase();
    let words: Vec<&str> = lower
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    if words.len() > SHORT {
        return Vec::new();
    }
    let asks = words.len() <= 3
        || words.iter().any(|word| RUNNING.contains(word))
        || analyse(&query.text).intent == Intent::Question;
    if !asks {
        return Vec::new();
    }
    let table: &[(Task, &[&str])] = &[
        (
            Task::Setup,
            &["setup", "bootstrap", "install", "dependencies"],
        ),
        (Task::Build, &["build", "compile", "compiled", "building"]),
        (
            Task::Test,
            &["test", "tests", "testing", "unittests", "suite"],
        ),
        (
            Task::Lint,
            &[
                "lint",
                "linter",
                "linters",
                "linting",
                "clippy",
                "typecheck",
                "eslint",
            ],
        ),
        (
            Task::Format,
            &["format", "formatter", "formatting", "fmt", "prettier"],
        ),
        (Task::Bench, &["bench", "benchmark", "benchmarks"]),
        (Task::Docs, &["docs", "documentation"]),
        (
            Task::Run,
            &[
                "program",
                "server",
                "app",
                "application",
                "binary",
                "locally",
            ],
        ),
    ];
    table
        .iter()
        .filter(|(_, cues)| words.iter().any(|word| cues.contains(word)))
        .map(|(task, _)| *task)
        .collect()
}

/// Returns the commands that the repository's own files state for some purposes; what its tools only make likely is no
/// answer.
fn stated(project: &Project, purposes: &[Task]) -> Vec<StatedCommand> {
    let mut commands = Vec::new();
    for purpose in purposes {
        let fitting = project.commands.iter().filter(|command| {
            command.task == *purpose
                && matches!(command.basis, Basis::Target | Basis::Ci | Basis::Document)
        });
        for command in fitting.take(OF_A_PURPOSE) {
            let from = command.from.first().map_or("", String::as_str);
            commands.push(StatedCommand::new(&command.line, purpose.as_str(), from));
        }
    }
    commands
}

#[cfg(test)]
mod tests {
    use super::{asks_for_work, purposes};
    use crate::Query;
    use crate::repo::Task;

    #[test]
    fn only_questions_about_running_ask_for_commands() {
        for (text, expected) in [
            ("how do I run the tests?", vec![Task::Test]),
            ("which command lints and formats", vec![]),
            ("run lint and format", vec![Task::Lint, Task::Format]),
            ("build", vec![Task::Build]),
            ("fix the flaky login test in the pool module", vec![]),
            (
                "why was the build of the index made lazy when the cache was introduced for all of them?",
                vec![],
            ),
        ] {
            assert_eq!(purposes(&Query::new(text)), expected, "{text}");
        }
    }

    #[test]
    fn only_work_is_checked() {
        for text in [
            "fix the flaky login test in the pool module",
            "can you look at the pool again?",
        ] {
            assert!(asks_for_work(text), "{text}");
        }
        for text in [
            "where is the lock taken?",
            "Path extractor for URL parameters",
        ] {
            assert!(!asks_for_work(text), "{text}");
        }
    }
}
