//! Whether what a memory cites still stands as it was.

use crate::repo::{Field, QueryWord, RepositoryView};
use crate::{Anchor, Freshness, Memory, Result};

use super::{Context, Tree};

/// A file moved, or a definition moved with its body unchanged.
const MOVED: f32 = 0.8;
/// The body of a definition is different.
const CHANGED: f32 = 0.6;
/// The file is there, the definition is not.
const SYMBOL_GONE: f32 = 0.3;
/// The path is gone.
const PATH_GONE: f32 = 0.1;
/// Below this a memory is not shown as a fact.
pub(super) const LEAST_VALIDITY: f32 = 0.3;
/// Files in which a moved definition is looked for.
const PLACES: usize = 4;

/// How a memory compares with the code.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Finding {
    /// The worst of what its anchors say.
    pub freshness: Freshness,
    /// How far it still holds, 0 to 1: the geometric mean over its anchors, so that one dead citation of four weakens
    /// a memory and the only one ends it.
    pub validity: f32,
    /// What was found where it is not as it was, such as ``src/a.rs` is gone`.
    pub remarks: Vec<String>,
}

impl Finding {
    /// Says whether the memory may be shown as a fact.
    pub fn holds(&self) -> bool {
        self.validity >= LEAST_VALIDITY - 1e-4
    }
}

/// Compares the paths and definitions that a memory cites with the working tree; looks for moved ones in the view.
///
/// Commands, errors and commits cannot be checked and count as nothing.
pub fn examine(context: &Context<'_>, memory: &Memory) -> Result<Finding> {
    let mut finding = Finding {
        freshness: Freshness::Unanchored,
        validity: 1.0,
        remarks: Vec::new(),
    };
    let mut factors = Vec::new();
    for anchor in &memory.anchors {
        let found = match anchor {
            // A definition of the same file says more than the file.
            Anchor::Path { path } if !has_symbol(memory, path) => examine_path(context, path),
            Anchor::Symbol { path, name, body } => examine_symbol(context, path, name, body)?,
            _ => None,
        };
        let Some((freshness, factor, remark)) = found else {
            continue;
        };
        finding.freshness = finding.freshness.max(freshness);
        factors.push(factor);
        finding.remarks.extend(remark);
    }
    if !factors.is_empty() {
        let product: f32 = factors.iter().product();
        finding.validity = product.powf(1.0 / factors.len() as f32);
    }
    Ok(finding)
}

type Found = Option<(Freshness, f32, Option<String>)>;

const FRESH: Found = Some((Freshness::Fresh, 1.0, None));

fn has_symbol(memory: &Memory, file: &str) -> bool {
    memory
        .anchors
        .iter()
        .any(|anchor| matches!(anchor, Anchor::Symbol { path, .. } if path == file))
}

fn examine_path(context: &Context<'_>, path: &str) -> Found {
    if context.tree.exists(path)? {
        return FRESH;
    }
    Some(match moved_path(context, path) {
        Some(now) => moved(path, &now),
        None => (
            Freshness::Gone,
            PATH_GONE,
            Some(format!("`{path}` is gone")),
        ),
    })
}

fn examine_symbol(context: &Context<'_>, path: &str, name: &str, body: &str) -> Result<Found> {
    let Some(exists) = context.tree.exists(path) else {
        return Ok(None);
    };
    let home = if exists {
        Some(path.to_owned())
    } else {
        moved_path(context, path)
    };
    if let Some(home) = &home {
        match standing(context.tree, home, name, body)? {
            // Nothing can be said about the definition: the file has to do.
            Standing::Unknown | Standing::Same if exists => return Ok(FRESH),
            Standing::Unknown | Standing::Same => return Ok(Some(moved(path, home))),
            Standing::Other => {
                let remark = format!("`{name}` in `{home}` changed");
                return Ok(Some((Freshness::Changed, CHANGED, Some(remark))));
            }
            Standing::Missing => {}
        }
    }
    if let Some(view) = context.view
        && let Some(now) = moved_symbol(view, context.tree, name, body)?
    {
        return Ok(Some(moved(&format!("{name} of {path}"), &now)));
    }
    let (factor, remark) = if exists {
        (SYMBOL_GONE, format!("`{name}` is gone from `{path}`"))
    } else {
        (PATH_GONE, format!("`{path}` is gone"))
    };
    Ok(Some((Freshness::Gone, factor, Some(remark))))
}

fn moved(from: &str, to: &str) -> (Freshness, f32, Option<String>) {
    (
        Freshness::Moved,
        MOVED,
        Some(format!("`{from}` is now in `{to}`")),
    )
}

enum Standing {
    Same,
    Other,
    Missing,
    Unknown,
}

fn standing(tree: &dyn Tree, path: &str, name: &str, body: &str) -> Result<Standing> {
    let Some(symbols) = tree.definitions(path)? else {
        return Ok(Standing::Unknown);
    };
    let mut named = symbols
        .iter()
        .filter(|symbol| symbol.name == name)
        .peekable();
    if named.peek().is_none() {
        return Ok(Standing::Missing);
    }
    // A memory without a hash cites the name alone.
    let same = named.any(|symbol| body.is_empty() || symbol.body == body);
    Ok(if same {
        Standing::Same
    } else {
        Standing::Other
    })
}

/// Finds the one file of the view that has the same name as a missing one, and the same folder where names repeat.
fn moved_path(context: &Context<'_>, path: &str) -> Option<String> {
    let files = context.view?.files().ok()?;
    let name = path.rsplit('/').next()?;
    let tail = |path: &str| {
        path.rsplit('/')
            .take(2)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let mut same_name = files.iter().filter(|file| {
        file.path.rsplit('/').next() == Some(name) && context.tree.exists(&file.path) == Some(true)
    });
    let first = same_name.next()?;
    let second = same_name.next();
    if second.is_none() && !is_common_name(name) {
        return Some(first.path.clone());
    }
    let mut same_tail = std::iter::once(first)
        .chain(second)
        .chain(same_name)
        .filter(|file| tail(&file.path) == tail(path));
    let only = same_tail.next()?;
    same_tail.next().is_none().then(|| only.path.clone())
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

fn moved_symbol(
    view: &dyn RepositoryView,
    tree: &dyn Tree,
    name: &str,
    body: &str,
) -> Result<Option<String>> {
    if body.is_empty() {
        return Ok(None);
    }
    let word = QueryWord {
        word: name.to_owned(),
        weight: 1.0,
    };
    let files = view.files()?;
    for hit in view.search(Field::Symbol, &[word], PLACES)? {
        let Some(file) = files.get(hit.file as usize) else {
            continue;
        };
        if matches!(standing(tree, &file.path, name, body)?, Standing::Same) {
            return Ok(Some(file.path.clone()));
        }
    }
    Ok(None)
}
