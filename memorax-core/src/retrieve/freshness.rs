//! Whether what a memory cites still stands as it was.

use crate::repo::RepositoryView;
use crate::{Anchor, Citation, Freshness, Memory, Result};

use super::moves::{moved_path, places_of};
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

/// How a memory compares with the code.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Finding {
    /// The worst of what its anchors say.
    pub freshness: Freshness,
    /// How far it still holds, 0 to 1: the geometric mean over its anchors, so that one dead citation of four weakens
    /// a memory and the only one ends it.
    pub validity: f32,
    /// What it cites that is not as it was.
    pub citations: Vec<Citation>,
}

impl Finding {
    /// Says whether the memory may be shown as a fact.
    pub fn holds(&self) -> bool {
        self.validity >= LEAST_VALIDITY - 1e-4
    }

    /// Says what is not as it was, such as ``src/a.rs` is gone`.
    pub fn remarks(&self) -> String {
        let remarks: Vec<String> = self.citations.iter().map(Citation::to_string).collect();
        remarks.join(", ")
    }
}

/// Compares the paths and definitions that a memory cites with the working tree; looks for moved ones in the view.
///
/// Commands, errors and commits cannot be checked and count as nothing.
pub fn examine(context: &Context<'_>, memory: &Memory) -> Result<Finding> {
    let mut finding = Finding {
        freshness: Freshness::Unanchored,
        validity: 1.0,
        citations: Vec::new(),
    };
    let mut factors = Vec::new();
    for anchor in &memory.anchors {
        let found = match anchor {
            // A definition of the same file says more than the file.
            Anchor::Path { path } if !has_symbol(memory, path) => examine_path(context, path)?,
            Anchor::Symbol { path, name, body } => examine_symbol(context, path, name, body)?,
            _ => None,
        };
        let Some((factor, citation)) = found else {
            continue;
        };
        finding.freshness = finding.freshness.max(citation.freshness);
        factors.push(factor);
        if citation.freshness != Freshness::Fresh {
            finding.citations.push(citation);
        }
    }
    if !factors.is_empty() {
        let product: f32 = factors.iter().product();
        finding.validity = product.powf(1.0 / factors.len() as f32);
    }
    Ok(finding)
}

/// How far a citation holds, and what became of it; `None` where nothing can be known.
type Found = Option<(f32, Citation)>;

fn fresh(path: &str) -> (f32, Citation) {
    (1.0, Citation::new(path, Freshness::Fresh))
}

fn has_symbol(memory: &Memory, file: &str) -> bool {
    memory
        .anchors
        .iter()
        .any(|anchor| matches!(anchor, Anchor::Symbol { path, .. } if path == file))
}

fn examine_path(context: &Context<'_>, path: &str) -> Result<Found> {
    Ok(match context.tree.exists(path) {
        None => None,
        Some(true) => Some(fresh(path)),
        Some(false) => Some(match moved_path(context, path)? {
            Some(now) => (MOVED, Citation::new(path, Freshness::Moved).now(now)),
            None => (PATH_GONE, Citation::new(path, Freshness::Gone)),
        }),
    })
}

fn examine_symbol(context: &Context<'_>, path: &str, name: &str, body: &str) -> Result<Found> {
    let Some(exists) = context.tree.exists(path) else {
        return Ok(None);
    };
    let home = if exists {
        Some(path.to_owned())
    } else {
        moved_path(context, path)?
    };
    let citation = |freshness| Citation::new(path, freshness).symbol(name);
    if let Some(home) = &home {
        match standing(context.tree, home, name, body)? {
            // Nothing can be said about the definition: the file has to do.
            Standing::Unknown | Standing::Same if exists => return Ok(Some(fresh(path))),
            Standing::Unknown | Standing::Same => {
                return Ok(Some((MOVED, citation(Freshness::Moved).now(home))));
            }
            Standing::Other => {
                let mut changed = citation(Freshness::Changed);
                changed.now = (!exists).then(|| home.clone());
                return Ok(Some((CHANGED, changed)));
            }
            Standing::Missing => {}
        }
    }
    if let Some(view) = context.view
        && let Some(found) = elsewhere(view, context.tree, (name, body), &citation)?
    {
        return Ok(Some(found));
    }
    let mut gone = citation(Freshness::Gone);
    let factor = if home.is_some() {
        gone.now = home.filter(|home| home != path);
        SYMBOL_GONE
    } else {
        gone.symbol = None;
        PATH_GONE
    };
    Ok(Some((factor, gone)))
}

/// Looks for a definition in other files: one with the same body moved; the only one of a telling name moved and changed.
fn elsewhere(
    view: &dyn RepositoryView,
    tree: &dyn Tree,
    (name, body): (&str, &str),
    citation: &impl Fn(Freshness) -> Citation,
) -> Result<Found> {
    let places = places_of(view, name)?;
    let same = places.iter().filter(|place| place.bodies.contains(body));
    for place in same {
        // The view may be older than the tree.
        if !body.is_empty() && matches!(standing(tree, &place.path, name, body)?, Standing::Same) {
            let moved = citation(Freshness::Moved).now(&place.path);
            return Ok(Some((MOVED, moved)));
        }
    }
    if let [only] = places.as_slice()
        && is_telling(name)
        && matches!(
            standing(tree, &only.path, name, "")?,
            Standing::Same | Standing::Unknown
        )
    {
        let changed = citation(Freshness::Changed).now(&only.path);
        return Ok(Some((CHANGED, changed)));
    }
    Ok(None)
}

/// Says whether a name is hardly given twice by accident.
fn is_telling(name: &str) -> bool {
    let shaped = name.trim_matches('_').chars().skip(1);
    name.chars().count() > 7
        && shaped
            .into_iter()
            .any(|letter| letter.is_uppercase() || letter == '_')
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
