//! When to say nothing.

use crate::Result;
use crate::repo::{Field, QueryWord, RepositoryView};

use super::Analysis;
use super::terms::is_generic;

/// Words of a query that are looked up one by one; the rest says little more.
const PROBES: usize = 12;
/// Share of the probed words that the code must know.
const KNOWN: f32 = 0.35;

/// Says whether the code speaks of what the query speaks of.
///
/// A query passes that names something exactly, or of whose informative words at least a third occur in the text or
/// in a path of a file. Similarity scores cannot say it: normalised BM25 has an AUROC of .36 to .55 for it.
pub(super) fn files_are_known(view: &dyn RepositoryView, analysis: &Analysis) -> Result<bool> {
    let entities = &analysis.entities;
    if !entities.paths.is_empty() || !entities.errors.is_empty() {
        return Ok(true);
    }
    let probes: Vec<&QueryWord> = analysis
        .words
        .iter()
        .filter(|word| !is_generic(&word.word))
        .take(PROBES)
        .collect();
    if probes.is_empty() {
        // Only words that every task has: they may still be what the repository is about.
        return Ok(!analysis.words.is_empty());
    }
    let mut known = 0;
    for probe in &probes {
        let word = std::slice::from_ref(*probe);
        let found = !view.search(Field::Code, word, 1)?.is_empty()
            || !view.search(Field::Path, word, 1)?.is_empty();
        known += usize::from(found);
    }
    Ok(known as f32 >= KNOWN * probes.len() as f32)
}
