//! Learns the weights of the evidence about files from histories: the ranking of each past task is pulled towards the
//! files that its commit changed (listwise softmax, AdaGrad), with a pull back to those set by hand.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use memorax_core::retrieve::{FileFeature, FileWeights, evidence};
use memorax_core::{FileRole, Query, Result};
use serde::Serialize;

use crate::history_files::{self, Task, is_excluded};
use crate::ranking::{self, Named};

/// Files of a task that are learned from: the best by the weights set by hand, and those that were changed.
const CANDIDATES: usize = 100;
/// Rounds over all tasks.
const ROUNDS: usize = 150;
/// Step of AdaGrad, and what its sum of squares starts with.
const STEP: f32 = 0.1;
const START: f32 = 0.1;
/// How sharply the softmax tells scores apart: shipped sums lie between 0 and about 5.
const SHARPNESS: f32 = 3.0;

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
    pub(crate) weights: BTreeMap<String, f32>,
    /// By repository: tasks, nDCG@10 with weights set by hand, and with weights learned on the other repositories.
    pub(crate) left_out: BTreeMap<String, (usize, f32, f32)>,
}

/// Learns on the histories of some repositories.
pub(crate) fn run(folders: &[Named], cache: &Path, most: usize, pull: f32) -> Result<Learned> {
    let start = &FileWeights::by_hand();
    let mut sets: Vec<(String, Vec<Example>)> = Vec::new();
    for repository in folders {
        let examples = examples(repository, cache, most, start)?;
        sets.push((repository.name.clone(), examples));
    }
    let mut left_out = BTreeMap::new();
    for (name, examples) in &sets {
        let others: Vec<&Example> = sets
            .iter()
            .filter(|(other, _)| other != name)
            .flat_map(|(_, examples)| examples)
            .collect();
        let weights = fit(&others, &vector(start), pull);
        let before = mean(examples, &vector(start));
        left_out.insert(
            name.clone(),
            (examples.len(), before, mean(examples, &weights)),
        );
    }
    let all: Vec<&Example> = sets.iter().flat_map(|(_, examples)| examples).collect();
    let weights = fit(&all, &vector(start), pull);
    Ok(Learned {
        weights: FileFeature::ALL
            .iter()
            .zip(weights)
            .map(|(feature, weight)| (feature.to_string(), weight))
            .collect(),
        left_out,
    })
}

fn vector(weights: &FileWeights) -> [f32; COUNT] {
    std::array::from_fn(|index| weights.get(FileFeature::ALL[index]))
}

fn examples(
    repository: &Named,
    cache: &Path,
    most: usize,
    start: &FileWeights,
) -> Result<Vec<Example>> {
    let tasks: Vec<Task> = history_files::tasks_of(&repository.folder, most)?;
    let commits: Vec<String> = tasks.iter().map(|task| task.commit.clone()).collect();
    if commits.is_empty() {
        return Ok(Vec::new());
    }
    let replay = ranking::replay(repository, cache, &commits)?;
    let mut everything = start.clone();
    for feature in FileFeature::ALL {
        if everything.get(*feature) == 0.0 {
            // Enough to be gathered, too little to change who the best are.
            everything.set(*feature, 1e-6);
        }
    }
    let weights = vector(start);
    let mut examples = Vec::new();
    for task in &tasks {
        let view = replay.before(&task.commit)?;
        let files = view.files()?;
        let gold: HashSet<&str> = task.gold.iter().map(String::as_str).collect();
        let found = evidence(&*view, &Query::new(task.message.as_str()), &everything)?;
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
        rows.sort_by(|(_, left), (_, right)| {
            score(right, &weights).total_cmp(&score(left, &weights))
        });
        let chosen: Vec<(bool, [f32; COUNT])> = rows
            .into_iter()
            .enumerate()
            .map(|(rank, (place, row))| (rank, gold.contains(files[place].path.as_str()), row))
            .filter(|(rank, gold, _)| *gold || *rank < CANDIDATES)
            .map(|(_, gold, row)| (gold, row))
            .collect();
        let wanted = chosen.iter().filter(|(gold, _)| *gold).count();
        if wanted > 0 {
            let (gold, rows) = chosen.into_iter().unzip();
            examples.push(Example { rows, gold, wanted });
        }
    }
    Ok(examples)
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
