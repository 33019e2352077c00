//! Where something is that was elsewhere: by what history says, else by its name.

use std::collections::HashSet;

use super::Context;
use crate::Result;
use crate::repo::{Field, QueryWord, RepositoryView};

/// Files that define a name, of which the bodies are compared.
const PLACES: usize = 64;

/// A file that defines a name.
pub(super) struct Place {
    pub(super) path: String,
    /// Hashes of the bodies under that name.
    pub(super) bodies: HashSet<String>,
}

/// Finds what a missing path became: renames are followed through history; what history does not tell, or tells of a file
/// that moved since without a commit, is looked for by its name.
pub(super) fn moved_path(context: &Context<'_>, path: &str) -> Result<Option<String>> {
    let Some(view) = context.view else {
        return Ok(None);
    };
    let told = view.moved(path)?;
    if let Some(now) = &told
        && context.tree.exists(now) == Some(true)
    {
        return Ok(told);
    }
    same_name(context, view, told.as_deref().unwrap_or(path))
}

/// Finds the one file of the view that has the same name as a missing one, and the same folder where names repeat.
fn same_name(
    context: &Context<'_>,
    view: &dyn RepositoryView,
    path: &str,
) -> Result<Option<String>> {
    let name = name_of(path);
    let files = view.files()?;
    let named: Vec<&str> = files
        .iter()
        .map(|file| file.path.as_str())
        .filter(|other| name_of(other) == name && context.tree.exists(other) == Some(true))
        .collect();
    if let [only] = named.as_slice()
        && !is_common_name(name)
    {
        return Ok(Some((*only).to_owned()));
    }
    let tail = |path: &str| {
        path.rsplitn(3, '/')
            .take(2)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let mut near = named.iter().filter(|other| tail(other) == tail(path));
    let first = near.next();
    Ok(first
        .filter(|_| near.next().is_none())
        .map(|only| (*only).to_owned()))
}

fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Says whether a file name stands for its folder, so that equal names mean nothing.
pub(super) fn is_common_name(name: &str) -> bool {
    matches!(
        name,
        "mod.rs"
            | "lib.rs"
            | "main.rs"
            | "__init__.py"
            | "__main__.py"
            | "conftest.py"
            | "setup.py"
            | "index.js"
            | "index.ts"
            | "index.tsx"
            | "main.go"
            | "main.py"
            | "README.md"
            | "Cargo.toml"
            | "package.json"
            | "Makefile"
            | "Dockerfile"
    )
}

/// Finds the files of the view that define a name.
pub(super) fn places_of(view: &dyn RepositoryView, name: &str) -> Result<Vec<Place>> {
    let word = QueryWord {
        word: name.to_owned(),
        weight: 1.0,
    };
    let files = view.files()?;
    let mut places = Vec::new();
    for hit in view.search(Field::Symbol, &[word], PLACES)? {
        let Some(file) = files.get(hit.file as usize) else {
            continue;
        };
        let symbols = view.symbols(hit.file)?.into_iter();
        places.push(Place {
            path: file.path.clone(),
            bodies: symbols
                .filter(|symbol| symbol.name == name)
                .map(|symbol| symbol.body)
                .collect(),
        });
    }
    Ok(places)
}
