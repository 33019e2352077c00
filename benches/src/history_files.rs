//! Task text to files: the message of a commit is the query, the files it changed are the answer, and everything the
//! retriever knows is strictly earlier.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use memorax_core::repo::RepositoryView;
use memorax_core::retrieve::{
    Context, FileWeights, NoMemories, NoTree, Retriever, Sight, Weighted,
};
use memorax_core::{Query, Result, Timestamp};
use serde::Serialize;

use crate::git::{Blobs, Commit, history};
use crate::replay::Replay;

/// Share of the history that is only learned from.
const WARM: f32 = 0.2;

/// Scores of one method on one repository, over the later half of its queries.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) repository: String,
    pub(crate) method: &'static str,
    pub(crate) queries: usize,
    pub(crate) recall_at_5: f32,
    pub(crate) recall_at_10: f32,
    pub(crate) ndcg_at_10: f32,
    pub(crate) standard_error: f32,
    pub(crate) silent: usize,
}

/// Runs the protocol on one repository.
pub(crate) fn run(folder: &Path, most: usize) -> Result<Vec<Row>> {
    let name = name_of(folder);
    let commits = history(folder)?;
    let start = (commits.len() as f32 * WARM) as usize;
    let eligible: Vec<usize> = (start..commits.len())
        .filter(|index| {
            let commit = &commits[*index];
            (1..=10).contains(&commit.changes.len())
                && memorax_core::text::words(&commit.message).len() >= 3
        })
        .collect();
    let chosen: HashSet<usize> = eligible.iter().rev().take(most).copied().collect();
    let first = chosen.iter().min().copied().unwrap_or(commits.len());
    let methods = methods();
    let mut scores: Vec<Vec<[f32; 4]>> = vec![Vec::new(); methods.len()];
    let mut blobs = Blobs::open(folder)?;
    let mut replay = Replay::new();
    let mut subjects = HashSet::new();
    for (index, commit) in commits.iter().enumerate() {
        if index == first {
            replay.read_all(&mut blobs)?;
        }
        let message = clean(&commit.message);
        let subject = message
            .trim()
            .lines()
            .next()
            .unwrap_or_default()
            .to_lowercase();
        let key = subject_key(&subject);
        if chosen.contains(&index) && !subjects.contains(&key) && is_task(&subject) {
            let gold = gold(commit, &replay);
            if !gold.is_empty() {
                replay.settle();
                for (method, scores) in methods.iter().zip(&mut scores) {
                    scores.push(measure(&method.1, &replay, &message, &gold)?);
                }
            }
        }
        subjects.insert(key);
        replay.apply(commit, &message, (index >= first).then_some(&mut blobs))?;
    }
    Ok(methods
        .iter()
        .zip(&scores)
        .map(|((method, _), scores)| row(&name, method, &scores[scores.len() / 2..]))
        .collect())
}

fn name_of(folder: &Path) -> String {
    let folder: PathBuf = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    folder.file_name().map_or_else(
        || "repository".to_owned(),
        |name| name.to_string_lossy().into_owned(),
    )
}

fn methods() -> Vec<(&'static str, Weighted)> {
    let with = |change: fn(&mut FileWeights)| {
        let mut weighted = Weighted::default();
        change(&mut weighted.files);
        weighted
    };
    vec![
        ("all", Weighted::default()),
        (
            "code only",
            with(|weights| {
                weights.history = 0.0;
                weights.decayed = 0.0;
                weights.cochange = 0.0;
                weights.recency = 0.0;
            }),
        ),
        (
            "history only",
            with(|weights| {
                weights.code = 0.0;
                weights.path = 0.0;
                weights.symbol = 0.0;
                weights.mention = 0.0;
            }),
        ),
    ]
}

fn measure(
    retriever: &Weighted,
    view: &Replay,
    message: &str,
    gold: &HashSet<String>,
) -> Result<[f32; 4]> {
    let sight = Sight::default();
    let view: &dyn RepositoryView = view;
    let context = Context::new(&NoMemories, &NoTree, &sight, Timestamp::from_millis(0)).view(view);
    let query = Query::new(message).memories(0).files(10);
    let recall = retriever.retrieve(&context, &query)?;
    let found: Vec<f32> = recall
        .files
        .iter()
        .map(|hit| f32::from(u8::from(gold.contains(&hit.path))))
        .collect();
    let discount = |place: usize| 1.0 / (place as f32 + 2.0).log2();
    let gain: f32 = found
        .iter()
        .enumerate()
        .map(|(place, hit)| hit * discount(place))
        .sum();
    let ideal: f32 = (0..gold.len().min(10)).map(discount).sum();
    let recall_at = |limit: usize| found.iter().take(limit).sum::<f32>() / gold.len() as f32;
    let silent = f32::from(u8::from(recall.files.is_empty()));
    Ok([recall_at(5), recall_at(10), gain / ideal, silent])
}

fn row(repository: &str, method: &'static str, scores: &[[f32; 4]]) -> Row {
    let count = scores.len().max(1) as f32;
    let mean = |index: usize| scores.iter().map(|score| score[index]).sum::<f32>() / count;
    let ndcg = mean(2);
    let variance = scores
        .iter()
        .map(|score| (score[2] - ndcg).powi(2))
        .sum::<f32>()
        / (count - 1.0).max(1.0);
    Row {
        repository: repository.to_owned(),
        method,
        queries: scores.len(),
        recall_at_5: mean(0),
        recall_at_10: mean(1),
        ndcg_at_10: ndcg,
        standard_error: (variance / count).sqrt(),
        silent: scores.iter().filter(|score| score[3] > 0.0).count(),
    }
}

fn gold(commit: &Commit, replay: &Replay) -> HashSet<String> {
    commit
        .changes
        .iter()
        .filter(|change| change.kind != 'A' && replay.has(&change.old) && !is_excluded(&change.old))
        .map(|change| change.old.clone())
        .collect()
}

/// Says whether the protocol leaves a file out: change logs, locks, translations.
fn is_excluded(path: &str) -> bool {
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
