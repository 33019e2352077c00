//! Learns the weights of the evidence about files: the ranking of each past task is pulled towards the files that its
//! commit changed, and that of each description towards the file that it described (listwise softmax, AdaGrad), with
//! a pull back to the weights to begin with. A few weights alone can be chosen by trying.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use clap::Args;
use memorax_core::repo::RepositoryView;
use memorax_core::retrieve::{FileFeature, FileWeights, Shape, evidence};
use memorax_core::{FileRole, Query, Result};
use serde::Serialize;

use crate::described;
use crate::history_files::{self, is_excluded};
use crate::ranking::{self, Named};

/// What to learn, and from what.
#[derive(Debug, Args)]
pub(crate) struct Plan {
    /// `name=FOLDER` of a git repository; may be given several times
    #[arg(long, required = true, num_args = 1.., value_parser = ranking::named)]
    git: Vec<Named>,
    /// Report as JSON
    #[arg(long)]
    out: PathBuf,
    /// Form of the queries, which are messages of commits; to `search` comes what the documentation of definitions says,
    /// asked of files from which it was removed
    #[arg(long, default_value_t = Shape::Change)]
    form: Shape,
    /// Newest queries of each history that are learned from, and for `search` as many of the documentation
    #[arg(long, default_value_t = 400)]
    queries: usize,
    /// Pull back to the weights set by hand
    #[arg(long, default_value_t = 0.01)]
    pull: f32,
    /// Choose only these weights, each among a few values, and keep the others as shipped
    #[arg(long, value_delimiter = ',')]
    only: Vec<FileFeature>,
    /// Folder of the indexes, kept for the next run [default: `memorax-bench` in the temporary folder]
    #[arg(long)]
    pub(crate) cache: Option<PathBuf>,
}

/// Files of a task that are learned from: the best by the weights set by hand, and those that were changed.
const CANDIDATES: usize = 100;
/// Rounds over all tasks.
const ROUNDS: usize = 150;
/// Step of AdaGrad, and what its sum of squares starts with.
const STEP: f32 = 0.1;
const START: f32 = 0.1;
/// How sharply the softmax tells scores apart: shipped sums lie between 0 and about 5.
const SHARPNESS: f32 = 3.0;

/// Values that a weight is chosen among, and how often each weight has its turn.
const CHOICE: [f32; 10] = [0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0];
const TURNS: usize = 3;

const COUNT: usize = FileFeature::ALL.len();

/// One past task: the evidence about each candidate, and whether it was changed.
struct Example {
    rows: Vec<[f32; COUNT]>,
    gold: Vec<bool>,
    /// How many files were to be found, candidates or not.
    wanted: usize,
}

/// What was learned, and what it gives on the histories that were left out.
#[derive(Debug, Serialize)]
pub(crate) struct Learned {
    form: Shape,
    weights: BTreeMap<String, f32>,
    /// By repository: tasks, nDCG@10 with the weights to begin with, and with weights learned on the other repositories.
    left_out: BTreeMap<String, (usize, f32, f32)>,
    /// Means of both over the repositories.
    mean: (f32, f32),
}

/// Learns on some repositories, and writes down what was learned.
pub(crate) fn run(plan: &Plan, cache: &Path) -> Result<()> {
    let start = &match plan.form {
        Shape::Search => FileWeights::search(),
        Shape::Report => FileWeights::report(),
        _ => FileWeights::by_hand(),
    };
    let mut sets: Vec<(String, Vec<Example>)> = Vec::new();
    for repository in &plan.git {
        let mut examples = from_history(repository, cache, plan, start)?;
        if plan.form == Shape::Search {
            examples.extend(from_documentation(repository, cache, plan, start)?);
        }
        sets.push((repository.name.clone(), examples));
    }
    sets.retain(|(_, examples)| !examples.is_empty());
    let learn = |examples: &[&Example]| {
        if plan.only.is_empty() {
            fit(examples, &vector(start), plan.pull)
        } else {
            choose(examples, &vector(start), &plan.only)
        }
    };
    let mut left_out = BTreeMap::new();
    for (name, examples) in &sets {
        let others: Vec<&Example> = sets
            .iter()
            .filter(|(other, _)| other != name)
            .flat_map(|(_, examples)| examples)
            .collect();
        let weights = learn(&others);
        let before = mean(examples, &vector(start));
        left_out.insert(
            name.clone(),
            (examples.len(), before, mean(examples, &weights)),
        );
    }
    let all: Vec<&Example> = sets.iter().flat_map(|(_, examples)| examples).collect();
    let weights = learn(&all);
    let mean_of = |part: fn(&(usize, f32, f32)) -> f32| {
        left_out.values().map(part).sum::<f32>() / left_out.len().max(1) as f32
    };
    let learned = Learned {
        form: plan.form,
        weights: FileFeature::ALL
            .iter()
            .zip(weights)
            .map(|(feature, weight)| (feature.to_string(), weight))
            .collect(),
        mean: (mean_of(|row| row.1), mean_of(|row| row.2)),
        left_out,
    };
    crate::report::lines(&plan.out, &[learned])
}

fn vector(weights: &FileWeights) -> [f32; COUNT] {
    std::array::from_fn(|index| weights.get(FileFeature::ALL[index]))
}

/// Takes messages of the wanted form as queries, and the files that each commit changed as answers.
fn from_history(
    repository: &Named,
    cache: &Path,
    plan: &Plan,
    start: &FileWeights,
) -> Result<Vec<Example>> {
    let mut tasks = history_files::tasks_of(&repository.folder, usize::MAX)?;
    tasks.retain(|task| Shape::of(&task.message) == plan.form);
    tasks.drain(..tasks.len().saturating_sub(plan.queries));
    let commits: Vec<String> = tasks.iter().map(|task| task.commit.clone()).collect();
    if commits.is_empty() {
        return Ok(Vec::new());
    }
    let replay = ranking::replay(repository, cache, &commits)?;
    let mut examples = Vec::new();
    for task in &tasks {
        let view = replay.before(&task.commit)?;
        let gold = task.gold.iter().map(String::as_str).collect();
        examples.extend(example(&*view, &task.message, &gold, start)?);
    }
    Ok(examples)
}

/// Takes sentences of documentation as queries, and the file that each described as answer.
fn from_documentation(
    repository: &Named,
    cache: &Path,
    plan: &Plan,
    start: &FileWeights,
) -> Result<Vec<Example>> {
    let (view, tasks) = described::tasks(repository, cache, plan.queries)?;
    let mut examples = Vec::new();
    for task in &tasks {
        let gold = HashSet::from([task.path.as_str()]);
        examples.extend(example(&*view, &task.text, &gold, start)?);
    }
    Ok(examples)
}

/// Gathers the evidence about the best files and those that were to be found; `None` where none of them is there.
fn example(
    view: &dyn RepositoryView,
    text: &str,
    gold: &HashSet<&str>,
    start: &FileWeights,
) -> Result<Option<Example>> {
    let mut everything = start.clone();
    for feature in FileFeature::ALL {
        if everything.get(*feature) == 0.0 {
            // Enough to be gathered, too little to change who the best are.
            everything.set(*feature, 1e-6);
        }
    }
    let weights = vector(start);
    let files = view.files()?;
    let found = evidence(view, &Query::new(text), &everything)?;
    let mut rows: Vec<(usize, [f32; COUNT])> = Vec::new();
    for (place, file) in files.iter().enumerate() {
        let foreign = matches!(file.role, FileRole::Generated | FileRole::Vendored);
        if is_excluded(&file.path) || foreign {
            continue;
        }
        let mut row = [0.0; COUNT];
        for (feature, column) in &found.columns {
            row[*feature as usize] = column[place];
        }
        rows.push((place, row));
    }
    rows.sort_by(|(_, left), (_, right)| score(right, &weights).total_cmp(&score(left, &weights)));
    let chosen: Vec<(bool, [f32; COUNT])> = rows
        .into_iter()
        .enumerate()
        .map(|(rank, (place, row))| (rank, gold.contains(files[place].path.as_str()), row))
        .filter(|(rank, gold, _)| *gold || *rank < CANDIDATES)
        .map(|(_, gold, row)| (gold, row))
        .collect();
    let wanted = chosen.iter().filter(|(gold, _)| *gold).count();
    let (gold, rows) = chosen.into_iter().unzip();
    Ok((wanted > 0).then_some(Example { rows, gold, wanted }))
}

fn score(row: &[f32; COUNT], weights: &[f32; COUNT]) -> f32 {
    row.iter()
        .zip(weights)
        .map(|(value, weight)| value * weight)
        .sum()
}

fn fit(examples: &[&Example], start: &[f32; COUNT], pull: f32) -> [f32; COUNT] {
    let mut weights = *start;
    let mut squares = [START; COUNT];
    for _ in 0..ROUNDS {
        let mut gradient = [0.0_f32; COUNT];
        for example in examples {
            let scores: Vec<f32> = example
                .rows
                .iter()
                .map(|row| SHARPNESS * score(row, &weights))
                .collect();
            let best = scores.iter().copied().fold(f32::MIN, f32::max);
            let shares: Vec<f32> = scores.iter().map(|score| (score - best).exp()).collect();
            let sum: f32 = shares.iter().sum();
            for ((row, share), gold) in example.rows.iter().zip(&shares).zip(&example.gold) {
                let wanted = if *gold {
                    1.0 / example.wanted as f32
                } else {
                    0.0
                };
                let miss = SHARPNESS * (share / sum - wanted) / examples.len() as f32;
                for (slope, value) in gradient.iter_mut().zip(row) {
                    *slope += miss * value;
                }
            }
        }
        for index in 0..COUNT {
            let slope = gradient[index] + pull * (weights[index] - start[index]);
            squares[index] += slope * slope;
            weights[index] -= STEP * slope / squares[index].sqrt();
            if !may_count_against(FileFeature::ALL[index]) {
                weights[index] = weights[index].max(0.0);
            }
        }
    }
    weights
}

/// Chooses some weights one after the other, each the best of a few values; all of them begin with 0.
fn choose(examples: &[&Example], start: &[f32; COUNT], only: &[FileFeature]) -> [f32; COUNT] {
    let mut weights = *start;
    for feature in only {
        weights[*feature as usize] = 0.0;
    }
    let value = |weights: &[f32; COUNT]| -> f32 {
        examples.iter().map(|example| ndcg(example, weights)).sum()
    };
    let mut best = value(&weights);
    for _ in 0..TURNS {
        for feature in only {
            for choice in CHOICE {
                let mut tried = weights;
                tried[*feature as usize] = choice;
                let gain = value(&tried);
                if gain > best {
                    (best, weights) = (gain, tried);
                }
            }
        }
    }
    weights
}

/// Says whether a kind of evidence may speak against a file. What is found cannot: a negative weight would only repair
/// what another weight says too loudly.
fn may_count_against(feature: FileFeature) -> bool {
    matches!(
        feature,
        FileFeature::Popularity | FileFeature::Test | FileFeature::Document
    )
}

fn mean(examples: &[Example], weights: &[f32; COUNT]) -> f32 {
    let sum: f32 = examples.iter().map(|example| ndcg(example, weights)).sum();
    sum / examples.len().max(1) as f32
}

fn ndcg(example: &Example, weights: &[f32; COUNT]) -> f32 {
    let mut order: Vec<usize> = (0..example.rows.len()).collect();
    order.sort_by(|left, right| {
        score(&example.rows[*right], weights).total_cmp(&score(&example.rows[*left], weights))
    });
    let ranking = order.into_iter().map(|row| example.gold[row]);
    ranking::ndcg_at_10(ranking, example.wanted)
}
