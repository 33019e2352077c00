//! Task text to files: the message of a commit is the query, the files it changed are the answer, and everything the
//! retriever knows is strictly earlier.

use std::collections::HashSet;
use std::path::Path;

use memorax_core::Result;
use memorax_core::repo::RepositoryView;
use memorax_core::retrieve::{FileWeights, Weighted};
use memorax_core::text::words;
use serde::Serialize;

use crate::git::{Commit, history};
use crate::ranking::{self, Named};
use crate::statistics::mean_of;
use crate::weights::{WITHOUT_CODE, WITHOUT_HISTORY, weighted};

/// Share of the history that is only learned from.
const WARM: f32 = 0.2;

/// Files beyond the tenth that are asked for, because the protocol leaves some out.
const SPARE: usize = 5;

/// What one query got.
#[derive(Clone, Debug)]
struct Score {
    recall_at_5: f32,
    recall_at_10: f32,
    ndcg_at_10: f32,
    silent: bool,
}

/// Scores of one method on one repository, over the later half of its queries.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) repository: String,
    pub(crate) method: String,
    pub(crate) queries: usize,
    pub(crate) recall_at_5: f32,
    pub(crate) recall_at_10: f32,
    pub(crate) ndcg_at_10: f32,
    pub(crate) standard_error: f32,
    pub(crate) silent: usize,
    /// nDCG@10 above that of the shipped weights, query by query, and its standard error.
    pub(crate) difference: f32,
    pub(crate) difference_error: f32,
}

/// Where and how much to measure.
#[derive(Debug)]
pub(crate) struct Plan<'a> {
    /// Folder of the derived indexes.
    pub(crate) cache: &'a Path,
    /// Most queries of one history, the newest; the later half of them is asked.
    pub(crate) most: usize,
    /// Whether to measure also what remains of the shipped weights without history, and with it alone.
    pub(crate) ablations: bool,
    /// Other weights to measure beside the shipped ones, such as `code=2,path=0`.
    pub(crate) variants: &'a [String],
}

/// A past change as a task.
pub(crate) struct Task {
    pub(crate) commit: String,
    pub(crate) message: String,
    pub(crate) gold: Vec<String>,
}

/// Runs the protocol on one repository.
pub(crate) fn run(repository: &Named, plan: &Plan<'_>) -> Result<Vec<Row>> {
    let mut tasks = tasks_of(&repository.folder, plan.most)?;
    // The earlier half is there to be learned from, and nothing learns here.
    tasks.drain(..tasks.len() / 2);
    let commits: Vec<String> = tasks.iter().map(|task| task.commit.clone()).collect();
    let replay = ranking::replay(repository, plan.cache, &commits)?;
    let methods = methods(plan)?;
    let mut scores: Vec<Vec<Score>> = vec![Vec::new(); methods.len()];
    for task in &tasks {
        let view = replay.before(&task.commit)?;
        let files = view.files()?;
        let gold: HashSet<&str> = task
            .gold
            .iter()
            .map(String::as_str)
            .filter(|path| {
                files
                    .binary_search_by(|file| file.path.as_str().cmp(path))
                    .is_ok()
            })
            .collect();
        if gold.is_empty() {
            continue;
        }
        for ((_, retriever), scores) in methods.iter().zip(&mut scores) {
            scores.push(measure(retriever, &*view, &task.message, &gold)?);
        }
    }
    Ok(methods
        .iter()
        .zip(&scores)
        .map(|((method, _), own)| row(&repository.name, method, own, &scores[0]))
        .collect())
}

/// Reads the queries of a history; the newest `most` of them.
pub(crate) fn tasks_of(folder: &Path, most: usize) -> Result<Vec<Task>> {
    Ok(tasks(&history(folder)?, most))
}

/// Chooses the queries: 1 to 10 changed files, at least three words, no merge, revert, release or bump, no subject that
/// was there before, not in the first fifth of the history.
fn tasks(commits: &[Commit], most: usize) -> Vec<Task> {
    let start = (commits.len() as f32 * WARM) as usize;
    let mut subjects = HashSet::new();
    let mut tasks = Vec::new();
    for (index, commit) in commits.iter().enumerate() {
        let message = clean(&commit.message);
        let subject = message
            .trim()
            .lines()
            .next()
            .unwrap_or_default()
            .to_lowercase();
        let new = subjects.insert(subject_key(&subject));
        let gold = gold(commit);
        if index >= start
            && new
            && !gold.is_empty()
            && is_task(&subject)
            && (1..=10).contains(&commit.changes.len())
            && words(&message).len() >= 3
        {
            tasks.push(Task {
                commit: commit.id.clone(),
                message,
                gold,
            });
        }
    }
    let surplus = tasks.len().saturating_sub(most);
    tasks.split_off(surplus)
}

fn methods(plan: &Plan<'_>) -> Result<Vec<(String, Weighted)>> {
    let mut methods = vec![
        ("all".to_owned(), Weighted::default()),
        ("weighted by hand".to_owned(), by_hand()),
    ];
    if plan.ablations {
        methods.push(("code only".to_owned(), weighted(WITHOUT_HISTORY)?));
        methods.push(("history only".to_owned(), weighted(WITHOUT_CODE)?));
    }
    for variant in plan.variants {
        methods.push((variant.clone(), weighted(variant)?));
    }
    Ok(methods)
}

fn by_hand() -> Weighted {
    let mut weighted = Weighted::default();
    weighted.change = FileWeights::by_hand();
    weighted.search = FileWeights::by_hand();
    weighted.report = FileWeights::by_hand();
    weighted
}

fn measure(
    retriever: &Weighted,
    view: &dyn RepositoryView,
    message: &str,
    gold: &HashSet<&str>,
) -> Result<Score> {
    let files = ranking::files(retriever, view, message, 10 + SPARE)?;
    let found: Vec<bool> = files
        .iter()
        .filter(|path| !is_excluded(path))
        .take(10)
        .map(|path| gold.contains(path.as_str()))
        .collect();
    let recall_at = |limit: usize| {
        found.iter().take(limit).filter(|right| **right).count() as f32 / gold.len() as f32
    };
    Ok(Score {
        recall_at_5: recall_at(5),
        recall_at_10: recall_at(10),
        ndcg_at_10: ranking::ndcg_at_10(found.iter().copied(), gold.len()),
        silent: files.is_empty(),
    })
}

fn row(repository: &str, method: &str, scores: &[Score], shipped: &[Score]) -> Row {
    let count = scores.len().max(1) as f32;
    let mean = |part: fn(&Score) -> f32| scores.iter().map(part).sum::<f32>() / count;
    let (ndcg, standard_error) = mean_of(scores.iter().map(|score| score.ndcg_at_10));
    let differences = scores
        .iter()
        .zip(shipped)
        .map(|(own, shipped)| own.ndcg_at_10 - shipped.ndcg_at_10);
    let (difference, difference_error) = mean_of(differences);
    Row {
        repository: repository.to_owned(),
        method: method.to_owned(),
        queries: scores.len(),
        recall_at_5: mean(|score| score.recall_at_5),
        recall_at_10: mean(|score| score.recall_at_10),
        ndcg_at_10: ndcg,
        standard_error,
        silent: scores.iter().filter(|score| score.silent).count(),
        difference,
        difference_error,
    }
}

/// Returns the files that a commit did not add, without what the protocol leaves out.
fn gold(commit: &Commit) -> Vec<String> {
    commit
        .changes
        .iter()
        .filter(|change| change.kind != 'A' && !is_excluded(&change.old))
        .map(|change| change.old.clone())
        .collect()
}

/// Says whether the protocol leaves a file out: change logs, locks, translations.
pub(crate) fn is_excluded(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let name = lower.rsplit('/').next().unwrap_or(&lower);
    let log = [
        "changes",
        "changelog",
        "releasenotes",
        "release-notes",
        "release_notes",
        "history",
        "authors",
        "news",
    ];
    let language = lower
        .split("docs/")
        .nth(1)
        .and_then(|rest| rest.split_once('/'))
        .is_some_and(|(folder, _)| {
            folder.len() == 2 && (lower.starts_with("docs/") || lower.contains("/docs/"))
        });
    log.iter().any(|start| name.starts_with(start))
        || name
            .rsplit_once('.')
            .is_some_and(|(_, ending)| ending == "lock")
        || name.ends_with("-lock.json")
        || language
        || lower.contains("translat")
}

fn is_task(subject: &str) -> bool {
    let word: String = subject
        .chars()
        .take_while(|letter| letter.is_alphanumeric())
        .collect();
    !matches!(
        word.as_str(),
        "merge" | "revert" | "bump" | "release" | "prepare"
    ) && !subject.contains("pre-commit")
}

/// The letters of a subject without its pull request number: equal ones are the same task again.
fn subject_key(subject: &str) -> String {
    let mut key = String::new();
    let mut rest = subject.chars().peekable();
    while let Some(letter) = rest.next() {
        if letter == '#' {
            while rest.next_if(char::is_ascii_digit).is_some() {}
        } else if letter.is_ascii_lowercase() {
            key.push(letter);
        }
    }
    key
}

/// Removes trailers and addresses from a message and cuts it to 1,500 characters.
fn clean(message: &str) -> String {
    let mut kept = String::new();
    for line in message.lines() {
        let lower = line.trim_start().to_lowercase();
        if ["signed-off-by", "co-authored-by", "(cherry picked"]
            .iter()
            .any(|start| lower.starts_with(start))
        {
            continue;
        }
        let words: Vec<&str> = line
            .split(' ')
            .map(
                |word| match word.find("http://").or_else(|| word.find("https://")) {
                    Some(start) => &word[..start],
                    None => word,
                },
            )
            .collect();
        kept.push_str(&words.join(" "));
        kept.push('\n');
    }
    while let Some(start) = kept.find("<!--") {
        let end = kept[start..]
            .find("-->")
            .map_or(kept.len(), |end| start + end + 3);
        kept.replace_range(start..end, " ");
    }
    kept.chars().take(1500).collect()
}
