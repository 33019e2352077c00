//! Search text to files: the annotations that semble publishes, each repository at its pinned revision.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use memorax_core::repo::{EmbeddedView, Replay, RepositoryView};
use memorax_core::retrieve::Weighted;
use memorax_core::{Embedder, Result, StaticEmbedder};
use serde::{Deserialize, Serialize};

use crate::ranking::{self, Named};

/// Files that an answer names; a scorer looks at ten.
const FILES: usize = 20;
/// Files below the annotated folder, of each query's best without the model, whose chunks a model embeds.
const EMBEDDED: usize = 50;
/// Files that are asked for, because only those below the annotated folder count.
const ASKED: usize = 400;

#[derive(Debug, Deserialize)]
struct Repository {
    name: String,
    url: String,
    revision: String,
    #[serde(default)]
    benchmark_root: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Annotation {
    query: String,
}

/// One line of the answer.
#[derive(Debug, Serialize)]
pub(crate) struct Answer {
    repo: String,
    query: String,
    files: Vec<String>,
}

/// Answers the queries of the named repositories (`owner+name`), by meaning with an embedder; `None` uses none.
pub(crate) fn run(
    annotations: &Path,
    repositories: &[Named],
    cache: &Path,
    retriever: &Weighted,
    embedder: Option<&dyn Embedder>,
) -> Result<Vec<Answer>> {
    let list = annotations.join("repos.json");
    let all: Vec<Repository> = ranking::parse(
        &ranking::read(&list)?,
        &format!("a part of `{}`", list.display()),
    )?;
    let mut answers = Vec::new();
    for described in all {
        let key = key_of(&described.url);
        let Some(repository) = repositories.iter().find(|named| named.name == key) else {
            continue;
        };
        let path = annotations
            .join("annotations")
            .join(format!("{}.json", described.name));
        let queries: Vec<Annotation> = ranking::parse(
            &ranking::read(&path)?,
            &format!("a part of `{}`", path.display()),
        )?;
        let replay = ranking::replay(repository, cache, std::slice::from_ref(&described.revision))?;
        let view = replay.at(&described.revision)?;
        let root = described.benchmark_root.unwrap_or_default();
        let root = format!("{}/", root.trim_end_matches('/'));
        let best = |view: &dyn RepositoryView, query: &str, most: usize| -> Result<Vec<String>> {
            let mut files = ranking::files(retriever, view, query, ASKED)?;
            files.retain(|path| root == "/" || path.starts_with(&root));
            files.truncate(most);
            Ok(files)
        };
        if let Some(embedder) =
            embedder.filter(|embedder| embedder.id() != StaticEmbedder::new().id())
        {
            let mut wanted = BTreeSet::new();
            for annotation in &queries {
                wanted.extend(best(&*view, &annotation.query, EMBEDDED)?);
            }
            embed(&replay, &described.revision, &*view, &wanted, embedder)?;
        }
        let asked = EmbeddedView::new(&*view, embedder);
        for annotation in queries {
            answers.push(Answer {
                repo: described.name.clone(),
                files: best(&asked, &annotation.query, FILES)?,
                query: annotation.query,
            });
        }
    }
    Ok(answers)
}

/// Makes an embedder's vectors for some files, as far as the cache does not have them.
fn embed(
    replay: &Replay,
    revision: &str,
    view: &dyn RepositoryView,
    wanted: &BTreeSet<String>,
    embedder: &dyn Embedder,
) -> Result<()> {
    let files = view.files()?.iter().enumerate();
    let numbers: BTreeMap<&str, u32> = files
        .map(|(number, file)| (file.path.as_str(), number as u32))
        .collect();
    let wanted: Vec<u32> = wanted
        .iter()
        .filter_map(|path| numbers.get(path.as_str()).copied())
        .collect();
    replay.embed(revision, &wanted, embedder, &|_| {})?;
    Ok(())
}

/// Returns `owner+name` of an address.
fn key_of(url: &str) -> String {
    let mut parts = url.trim_end_matches(".git").rsplit('/');
    let name = parts.next().unwrap_or_default();
    let owner = parts.next().unwrap_or_default();
    format!("{owner}+{name}")
}
