//! First prompt of a session to the files that it edits and the commands that it runs: what the repository and its history
//! alone say, at the commit on which the session began. Earlier sessions are not read.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use memorax_core::{Query, RECALL_BUDGET, Result};
use serde::{Deserialize, Serialize};

use crate::packet::Past;
use crate::ranking::{self, Named};
use crate::report;
use crate::weights::{Part, without};

/// Files that are asked for; a scorer looks at twenty.
const FILES: usize = 20;

/// Which tasks, and how they are answered.
#[derive(Debug, Args)]
pub(crate) struct Plan {
    /// Git repository of the sessions
    #[arg(long)]
    git: PathBuf,
    /// Tasks, one JSON object a line, with `session`, `base` and `query`
    #[arg(long)]
    tasks: PathBuf,
    /// Answers, one JSON object a line
    #[arg(long)]
    out: PathBuf,
    /// Parts to take away, to see what they give
    #[arg(long, num_args = 1.., value_delimiter = ',')]
    without: Vec<Part>,
    /// Tokens of a packet, at most
    #[arg(long, default_value_t = RECALL_BUDGET)]
    budget: usize,
    /// Folder of the indexes, kept for the next run [default: `memorax-bench` in the temporary folder]
    #[arg(long)]
    pub(crate) cache: Option<PathBuf>,
}

#[derive(Debug, Deserialize)]
struct Task {
    session: String,
    base: String,
    query: String,
}

/// One line of the answer.
#[derive(Debug, Serialize)]
struct Answer {
    session: String,
    text: String,
    files: Vec<String>,
    cmds: Vec<String>,
    ms: f64,
}

/// Answers every task that has a prompt.
pub(crate) fn run(plan: &Plan, cache: &Path) -> Result<()> {
    let text = ranking::read(&plan.tasks)?;
    let mut tasks: Vec<Task> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let place = format!("line {} of `{}`", number + 1, plan.tasks.display());
        tasks.push(ranking::parse(line, &place)?);
    }
    tasks.retain(|task| !task.query.is_empty());
    let mut commits: Vec<String> = tasks.iter().map(|task| task.base.clone()).collect();
    commits.dedup();
    let repository = Named {
        name: "sessions".to_owned(),
        folder: plan.git.clone(),
    };
    let past = Past::new(&repository, cache, &commits)?;
    let retriever = without(&plan.without)?;
    let mut answers = Vec::new();
    for task in tasks {
        let query = Query::new(task.query.as_str())
            .budget(plan.budget)
            .files(FILES);
        let start = Instant::now();
        let recall = past.recall(&task.base, &query, &retriever)?;
        answers.push(Answer {
            session: task.session,
            text: recall.text,
            files: recall.files.into_iter().map(|file| file.path).collect(),
            cmds: recall
                .commands
                .into_iter()
                .map(|stated| stated.command)
                .collect(),
            ms: start.elapsed().as_secs_f64() * 1000.0,
        });
    }
    report::lines(&plan.out, &answers)
}
