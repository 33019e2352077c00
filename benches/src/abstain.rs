//! Whether silence comes at the right time: a repository is asked its own tasks and those of other repositories.
//!
//! A prompt is a commit's message, without links and trailers. Own ones are asked of the repository as it was before the
//! commit, foreign ones of the same states; the memory is empty. The answer to an own prompt is right where a file that
//! the commit changed is among the first five; the answer to a foreign one never is.

use std::collections::HashSet;
use std::path::Path;

use memorax_core::repo::RepositoryView;
use memorax_core::retrieve::{
    Context, NoMemories, NoTree, Retriever, Sight, Signs, Weighted, analyse, purposes, signs,
};
use memorax_core::{Query, Recall, Result, Timestamp};
use serde::Serialize;

use crate::calibrate::{self, Error};
use crate::history_files::{self, Task};
use crate::ranking::{self, Named};

/// Files that make an answer right if one of them was changed.
const FIRST: usize = 5;
/// Files that are asked for, so that the signs are those that a recall sees.
const ASKED: usize = 10;

/// What one prompt got.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Prompt {
    pub(crate) repository: String,
    pub(crate) own: bool,
    /// A changed file is among the first five.
    pub(crate) right: bool,
    /// What the retriever said of its own answer.
    pub(crate) confidence: f32,
    /// Nothing was answered: no memory, no file, no commit, and no command was asked for.
    pub(crate) silent: bool,
    pub(crate) signs: Signs,
    pub(crate) text: String,
}

/// How many prompts are taken from a history, and from which part of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// Own prompts of each repository, and as many foreign ones.
    pub(crate) prompts: usize,
    /// Share of the tasks of a history, the oldest ones, that are left out.
    pub(crate) from: f32,
    /// Only what can be seen is wanted, not what is answered.
    pub(crate) learns: bool,
}

/// Asks all repositories their own tasks and the others'.
pub(crate) fn ask(repositories: &[Named], cache: &Path, plan: Plan) -> Result<Vec<Prompt>> {
    let mut tasks = Vec::new();
    for repository in repositories {
        let all = history_files::tasks_of(&repository.folder, usize::MAX)?;
        tasks.push(spread(all, plan));
    }
    let mut prompts = Vec::new();
    for (place, repository) in repositories.iter().enumerate() {
        let own = &tasks[place];
        let commits: Vec<String> = own.iter().map(|task| task.commit.clone()).collect();
        let replay = ranking::replay(repository, cache, &commits)?;
        let others: Vec<&Vec<Task>> = (1..tasks.len())
            .map(|step| &tasks[(place + step) % tasks.len()])
            .filter(|others| !others.is_empty())
            .collect();
        for (number, task) in own.iter().enumerate() {
            let view = replay.before(&task.commit)?;
            let gold: HashSet<&str> = task.gold.iter().map(String::as_str).collect();
            let name = &repository.name;
            prompts.push(prompt(name, &*view, &task.message, Some(&gold), plan)?);
            if !others.is_empty() {
                let other = others[number % others.len()];
                let foreign = &other[(number / others.len() + place * 7) % other.len()];
                prompts.push(prompt(name, &*view, &foreign.message, None, plan)?);
            }
        }
    }
    Ok(prompts)
}

/// Takes tasks at even distances from the later part of a history.
fn spread(tasks: Vec<Task>, plan: Plan) -> Vec<Task> {
    let start = (tasks.len() as f32 * plan.from) as usize;
    let count = (tasks.len() - start).min(plan.prompts);
    let step = (tasks.len() - start) as f32 / count.max(1) as f32;
    let chosen: HashSet<usize> = (0..count)
        .map(|number| start + (number as f32 * step) as usize)
        .collect();
    let numbered = tasks.into_iter().enumerate();
    numbered
        .filter(|(place, _)| chosen.contains(place))
        .map(|(_, task)| task)
        .collect()
}

fn prompt(
    repository: &str,
    view: &dyn RepositoryView,
    text: &str,
    gold: Option<&HashSet<&str>>,
    plan: Plan,
) -> Result<Prompt> {
    let mut talkative = Weighted::default();
    talkative.calibration.least = 0.0;
    let query = Query::new(text).files(ASKED);
    let all = recall(&talkative, view, &query)?;
    let shipped = if plan.learns {
        all.clone()
    } else {
        recall(&Weighted::default(), view, &Query::new(text))?
    };
    let first = all.files.iter().take(FIRST);
    let right = gold.is_some_and(|gold| {
        first
            .into_iter()
            .any(|hit| gold.contains(hit.path.as_str()))
    });
    Ok(Prompt {
        repository: repository.to_owned(),
        own: gold.is_some(),
        right,
        confidence: shipped.confidence,
        silent: shipped.abstained && purposes(&query).is_empty(),
        signs: signs(view, &query, &analyse(text), &all.files, |_| true)?,
        text: text.lines().next().unwrap_or_default().to_owned(),
    })
}

fn recall(retriever: &Weighted, view: &dyn RepositoryView, query: &Query) -> Result<Recall> {
    let sight = Sight::default();
    let context = Context::new(&NoMemories, &NoTree, &sight, Timestamp::from_millis(0)).view(view);
    retriever.retrieve(&context, query)
}

/// Figures of some prompts.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) repository: String,
    pub(crate) own: usize,
    pub(crate) foreign: usize,
    /// Share of the own prompts that got nothing, and of the foreign ones.
    pub(crate) own_silent: f32,
    pub(crate) foreign_silent: f32,
    /// Share of the own prompts whose answer would be right, and of those that were answered.
    pub(crate) right: f32,
    pub(crate) right_when_answered: f32,
    /// Mean of the confidence in own prompts, and in foreign ones.
    pub(crate) confidence: f32,
    pub(crate) foreign_confidence: f32,
    pub(crate) calibration_error: Error,
    /// Area under the curve: of right answers against all others, and of own prompts against foreign ones.
    pub(crate) right_area: Error,
    pub(crate) own_area: Error,
}

/// What was measured.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    /// By repository; the last row is of all prompts.
    pub(crate) rows: Vec<Row>,
    /// Ten bins of confidence: how many, their mean, and the share of right ones.
    pub(crate) bins: Vec<(usize, f32, f32)>,
}

/// Sums the prompts up.
pub(crate) fn report(prompts: &[Prompt]) -> Report {
    let mut names: Vec<&str> = Vec::new();
    for prompt in prompts {
        if !names.contains(&prompt.repository.as_str()) {
            names.push(&prompt.repository);
        }
    }
    let mut rows: Vec<Row> = names
        .iter()
        .map(|name| {
            let of_name = prompts.iter().filter(|prompt| prompt.repository == *name);
            row(name, &of_name.collect::<Vec<_>>())
        })
        .collect();
    let all: Vec<&Prompt> = prompts.iter().collect();
    rows.push(row("all", &all));
    Report {
        rows,
        bins: calibrate::bins(&judged(&all)),
    }
}

fn judged(prompts: &[&Prompt]) -> Vec<(f32, bool)> {
    let prompts = prompts.iter();
    prompts
        .map(|prompt| (prompt.confidence, prompt.right))
        .collect()
}

fn row(name: &str, prompts: &[&Prompt]) -> Row {
    let (own, foreign): (Vec<&Prompt>, Vec<&Prompt>) =
        prompts.iter().copied().partition(|prompt| prompt.own);
    let answered: Vec<&Prompt> = own
        .iter()
        .copied()
        .filter(|prompt| !prompt.silent)
        .collect();
    let is_own: Vec<(f32, bool)> = prompts
        .iter()
        .map(|prompt| (prompt.confidence, prompt.own))
        .collect();
    Row {
        repository: name.to_owned(),
        own: own.len(),
        foreign: foreign.len(),
        own_silent: mean(&own, |prompt| f32::from(prompt.silent)),
        foreign_silent: mean(&foreign, |prompt| f32::from(prompt.silent)),
        right: mean(&own, |prompt| f32::from(prompt.right)),
        right_when_answered: mean(&answered, |prompt| f32::from(prompt.right)),
        confidence: mean(&own, |prompt| prompt.confidence),
        foreign_confidence: mean(&foreign, |prompt| prompt.confidence),
        calibration_error: calibrate::calibration_error(&judged(prompts)),
        right_area: calibrate::area(&judged(prompts)),
        own_area: calibrate::area(&is_own),
    }
}

fn mean(prompts: &[&Prompt], value: impl Fn(&Prompt) -> f32) -> f32 {
    prompts.iter().map(|prompt| value(prompt)).sum::<f32>() / prompts.len().max(1) as f32
}

impl Report {
    /// Writes the figures as a page.
    pub(crate) fn markdown(&self) -> String {
        use std::fmt::Write as _;
        let mut text = String::from(
            "# Saying nothing\n\nA repository is asked its own commits' messages, each with what was known before the commit, \
             and those of the other repositories; no memories are stored. Right: a changed file is among the first five. \
             Standard errors behind the figures.\n\n\
             | repository | own | silent | right | right where answered | foreign | silent | confidence, own | foreign | \
             calibration error | AUROC, right | AUROC, own |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n",
        );
        let share = |share: f32, count: usize| {
            let error = (share * (1.0 - share) / count.max(1) as f32).sqrt();
            format!("{share:.3} ± {error:.3}")
        };
        let error = |error: &Error| format!("{:.3} ± {:.3}", error.value, error.standard_error);
        for row in &self.rows {
            let _infallible = writeln!(
                text,
                "| {} | {} | {} | {} | {:.3} | {} | {} | {:.3} | {:.3} | {} | {} | {} |",
                row.repository,
                row.own,
                share(row.own_silent, row.own),
                share(row.right, row.own),
                row.right_when_answered,
                row.foreign,
                share(row.foreign_silent, row.foreign),
                row.confidence,
                row.foreign_confidence,
                error(&row.calibration_error),
                error(&row.right_area),
                error(&row.own_area),
            );
        }
        text.push_str("\n| confidence | n | mean | right |\n|---|---|---|---|\n");
        for (place, (count, mean, right)) in self.bins.iter().enumerate() {
            let _infallible = writeln!(
                text,
                "| .{place} to {} | {count} | {mean:.3} | {right:.3} |",
                if place == 9 {
                    "1".to_owned()
                } else {
                    format!(".{}", place + 1)
                }
            );
        }
        text
    }
}
