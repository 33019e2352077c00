//! Issue text to the file that was edited: SWE-bench Lite tasks, the tree and the history at each task's base commit.

use std::path::Path;

use memorax_core::Result;
use memorax_core::retrieve::Weighted;
use serde::{Deserialize, Serialize};

use crate::ranking::{self, Named};

/// Files that an answer names; a scorer looks at twenty.
const FILES: usize = 50;

#[derive(Debug, Deserialize)]
struct Task {
    instance_id: String,
    repo: String,
    base_commit: String,
    problem_statement: String,
}

/// One line of the answer.
#[derive(Debug, Serialize)]
pub(crate) struct Answer {
    instance_id: String,
    files: Vec<String>,
}

/// Answers the tasks of the named repositories.
pub(crate) fn run(
    tasks: &Path,
    repositories: &[Named],
    cache: &Path,
    retriever: &Weighted,
) -> Result<Vec<Answer>> {
    let text = ranking::read(tasks)?;
    let mut all: Vec<Task> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let place = format!("line {} of `{}`", number + 1, tasks.display());
        all.push(ranking::parse(line, &place)?);
    }
    let mut answers = Vec::new();
    for repository in repositories {
        let asked: Vec<&Task> = all
            .iter()
            .filter(|task| task.repo == repository.name)
            .collect();
        let commits: Vec<String> = asked.iter().map(|task| task.base_commit.clone()).collect();
        if commits.is_empty() {
            continue;
        }
        let replay = ranking::replay(repository, cache, &commits)?;
        for task in asked {
            let view = replay.at(&task.base_commit)?;
            answers.push(Answer {
                instance_id: task.instance_id.clone(),
                files: ranking::files(retriever, &*view, &task.problem_statement, FILES)?,
            });
        }
    }
    Ok(answers)
}
