//! Search text to files: the annotations that semble publishes, each repository at its pinned revision.

use std::path::Path;

use memorax_core::Result;
use memorax_core::retrieve::Weighted;
use serde::{Deserialize, Serialize};

use crate::ranking::{self, Named};

/// Files that an answer names; a scorer looks at ten.
const FILES: usize = 20;
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

/// Answers the queries of the named repositories (`owner+name`).
pub(crate) fn run(
    annotations: &Path,
    repositories: &[Named],
    cache: &Path,
    retriever: &Weighted,
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
        for annotation in queries {
            let mut files = ranking::files(retriever, &*view, &annotation.query, ASKED)?;
            files.retain(|path| root == "/" || path.starts_with(&root));
            files.truncate(FILES);
            answers.push(Answer {
                repo: described.name.clone(),
                query: annotation.query,
                files,
            });
        }
    }
    Ok(answers)
}

/// Returns `owner+name` of an address.
fn key_of(url: &str) -> String {
    let mut parts = url.trim_end_matches(".git").rsplit('/');
    let name = parts.next().unwrap_or_default();
    let owner = parts.next().unwrap_or_default();
    format!("{owner}+{name}")
}
