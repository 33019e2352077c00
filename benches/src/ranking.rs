//! Asks a view of an older commit which files a text is about, as `recall` does.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use memorax_core::repo::{IndexRequest, Indexer, Replay, RepositoryView};
use memorax_core::retrieve::{Context, NoMemories, NoTree, Retriever, Sight, Weighted};
use memorax_core::{Error, ErrorKind, Query, Result, SystemClock, Timestamp};

/// A repository of a task set: the name that the tasks use, and where its history lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) folder: PathBuf,
}

/// Reads `name=folder`.
pub(crate) fn named(text: &str) -> std::result::Result<Named, String> {
    match text.split_once('=') {
        Some((name, folder)) if !name.is_empty() && !folder.is_empty() => Ok(Named {
            name: name.to_owned(),
            folder: PathBuf::from(folder),
        }),
        _ => Err(format!("`{text}` is not NAME=FOLDER")),
    }
}

/// Reads `name=folder`, or a folder, whose own name is taken; of a bare repository in a folder of its own, that folder's.
pub(crate) fn named_or_folder(text: &str) -> std::result::Result<Named, String> {
    if text.contains('=') {
        return named(text);
    }
    let folder = PathBuf::from(text);
    let names: Vec<String> = folder
        .components()
        .rev()
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .collect();
    let own = names
        .iter()
        .find(|name| !matches!(name.as_str(), "repo" | ".git" | "." | ".." | "/"));
    match own {
        Some(name) => Ok(Named {
            name: name.clone(),
            folder,
        }),
        None => Err(format!("`{text}` has no name: give NAME=FOLDER")),
    }
}

/// Prepares the views of some commits of a repository; what is read is kept in `cache`.
pub(crate) fn replay(repository: &Named, cache: &Path, commits: &[String]) -> Result<Replay> {
    let interrupt = AtomicBool::new(false);
    Indexer::new().replay(
        &IndexRequest {
            root: &repository.folder,
            cache: &cache.join(repository.name.replace(['/', '\\'], "+")),
            interrupt: &interrupt,
            progress: &|_| {},
            clock: &SystemClock,
        },
        commits,
    )
}

/// Returns nDCG@10 of a ranking of which each place is right or wrong, when `wanted` places could be right.
pub(crate) fn ndcg_at_10(ranking: impl IntoIterator<Item = bool>, wanted: usize) -> f32 {
    let discount = |place: usize| 1.0 / (place as f32 + 2.0).log2();
    let places = ranking.into_iter().take(10).enumerate();
    let gain: f32 = places
        .filter(|(_, right)| *right)
        .map(|(place, _)| discount(place))
        .sum();
    gain / (0..wanted.min(10)).map(discount).sum::<f32>()
}

/// Returns the paths of the best files, best first, also where the product would rather say nothing: how good an order is
/// and when to be silent are measured apart.
pub(crate) fn files(
    retriever: &Weighted,
    view: &dyn RepositoryView,
    text: &str,
    most: usize,
) -> Result<Vec<String>> {
    let sight = Sight::default();
    let context = Context::new(&NoMemories, &NoTree, &sight, Timestamp::from_millis(0)).view(view);
    let query = Query::new(text).memories(0).files(most);
    let mut ranker = retriever.clone();
    ranker.calibration.least = 0.0;
    let recall = ranker.retrieve(&context, &query)?;
    Ok(recall.files.into_iter().map(|hit| hit.path).collect())
}

/// Reads a file of a task set, naming it where it cannot be read.
pub(crate) fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).map_err(|error| {
        Error::new(ErrorKind::Io, format!("cannot read `{}`", path.display())).with_source(error)
    })
}

/// Reads JSON, naming the place where it is not what the task set should hold.
pub(crate) fn parse<'a, T: serde::Deserialize<'a>>(text: &'a str, place: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|error| {
        Error::new(ErrorKind::InvalidInput, format!("{place} is not a task")).with_source(error)
    })
}
