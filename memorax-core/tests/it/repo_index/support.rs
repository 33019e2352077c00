//! Indexing in a test, and everything that a view says in a form that can be compared.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use memorax_core::repo::{
    CommitHit, CommitSelection, Field, IndexRequest, Indexer, QueryWord, RepoIndexer,
    RepositoryView,
};
use memorax_core::{FileInfo, FixedClock, Result, Timestamp, ViewInfo};

/// The time of every test.
pub(super) const NOW: FixedClock = FixedClock(Timestamp::from_millis(1_800_000_000_000));

/// Calls `run` with a request that is never interrupted.
pub(super) fn with_request<T>(
    root: &Path,
    cache: &Path,
    run: impl FnOnce(&IndexRequest<'_>) -> T,
) -> T {
    run(&IndexRequest {
        root,
        cache,
        interrupt: &AtomicBool::new(false),
        progress: &|_| {},
        clock: &NOW,
    })
}

pub(super) fn index(root: &Path, cache: &Path) -> Result<Arc<dyn RepositoryView>> {
    with_request(root, cache, |request| Indexer::new().index(request))
}

pub(super) fn query(text: &str) -> Vec<QueryWord> {
    memorax_core::text::query_words(text)
        .into_iter()
        .map(|(word, weight)| QueryWord { word, weight })
        .collect()
}

pub(super) fn paths(view: &dyn RepositoryView) -> Result<Vec<&str>> {
    Ok(view
        .files()?
        .iter()
        .map(|file| file.path.as_str())
        .collect())
}

pub(super) fn file<'a>(view: &'a dyn RepositoryView, path: &str) -> Result<&'a FileInfo> {
    let files = view.files()?;
    let found = files.iter().find(|file| file.path == path);
    Ok(found.unwrap_or_else(|| panic!("no file {path} among {files:#?}")))
}

/// Paths found by a search, best first, with the lines.
pub(super) fn found(view: &dyn RepositoryView, field: Field, text: &str) -> Result<Vec<String>> {
    let words = match field {
        Field::Symbol => text
            .split(' ')
            .map(|word| QueryWord {
                word: word.to_owned(),
                weight: 1.0,
            })
            .collect(),
        _ => query(text),
    };
    let files = view.files()?;
    let scores = view.search(field, &words, 100)?;
    Ok(scores
        .iter()
        .map(|score| format!("{}:{}", files[score.file as usize].path, score.line))
        .collect())
}

pub(super) fn newest(view: &dyn RepositoryView) -> Result<Vec<CommitHit>> {
    view.commits(&CommitSelection::Newest, 1000)
}

pub(super) fn subjects(view: &dyn RepositoryView) -> Result<Vec<String>> {
    let hits = newest(view)?;
    Ok(hits.into_iter().map(|hit| hit.commit.subject).collect())
}

pub(super) fn skipped(info: &ViewInfo, reason: &str) -> usize {
    let entry = info.skipped.iter().find(|(known, _)| known == reason);
    entry.map_or(0, |(_, count)| *count)
}

/// Everything that a view says, for comparing two views of the same state.
#[derive(Debug, PartialEq)]
pub(super) struct Everything {
    files: Vec<FileInfo>,
    found: Vec<(String, u32, f32, u32)>,
    commits: Vec<CommitHit>,
    symbols: Vec<String>,
    imports: Vec<(u32, u32)>,
    uncommitted: usize,
    skipped: Vec<(String, usize)>,
}

/// Reads everything, with searches for `texts`.
pub(super) fn everything(view: &dyn RepositoryView, texts: &[&str]) -> Result<Everything> {
    let mut found = Vec::new();
    let mut commits = newest(view)?;
    for text in texts {
        let words = query(text);
        for field in [Field::Code, Field::Path, Field::Symbol, Field::Definition] {
            for score in view.search(field, &words, 50)? {
                let name = format!("{field:?} {text}");
                found.push((name, score.file, score.score, score.line));
            }
        }
        commits.extend(view.commits(&CommitSelection::Words(&words), 50)?);
    }
    for file in 0..view.files()?.len() as u32 {
        commits.extend(view.commits(&CommitSelection::Touching(file), 50)?);
    }
    let structure = view.structure()?;
    Ok(Everything {
        files: view.files()?.to_vec(),
        found,
        commits,
        symbols: structure
            .symbols
            .iter()
            .map(|symbols| format!("{symbols:?}"))
            .collect(),
        imports: structure.imports.clone(),
        uncommitted: view.info().uncommitted,
        skipped: view.info().skipped.clone(),
    })
}

/// Names of the files in the cache, without the lock.
pub(super) fn cached(cache: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(cache)
        .map(|entries| {
            entries
                .filter_map(|entry| Some(entry.ok()?.path()))
                .collect()
        })
        .unwrap_or_default();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "mxi"));
    files.sort();
    files
}
