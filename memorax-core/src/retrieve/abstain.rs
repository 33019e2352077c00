//! When to say nothing.

use crate::Result;
use crate::repo::{Field, QueryWord, RepositoryView};

use super::Analysis;
use super::agreement::Named;
use super::terms::{Rarity, is_generic};

/// Evidence that a query can ask for at most, in words that hardly any memory has: a long prompt is about more than
/// one memory can say.
const MOST_ASKED: f32 = 4.5;
/// Share of what is asked that a memory must have, if it has a lot of it.
const SHARE: f32 = 0.34;
/// What is a lot: a rare word and something beside it.
const EVIDENCE: f32 = 1.2;
/// Half of what is asked, with a word that few memories have.
const HALF: (f32, f32) = (0.45, 0.8);
/// Most of what is asked, with more than one common word.
const MOST: (f32, f32) = (0.6, 0.4);
/// Least weight of names that stand in both.
const NAMES: f32 = 0.5;

/// What speaks for a memory.
#[derive(Debug, PartialEq)]
pub(super) struct Evidence {
    /// Sum of the rarities of the shared words.
    pub(super) words: f32,
    /// The same as a share of what is asked, at most 1.
    pub(super) coverage: f32,
    /// Weight of the names that stand in both.
    pub(super) names: f32,
}

impl Evidence {
    pub(super) fn new(rarity: &Rarity, matched: &[String], names: &Named) -> Self {
        let asked = rarity.asked();
        let words = rarity.told(matched);
        Self {
            words,
            coverage: if asked > 0.0 {
                (words / asked.min(MOST_ASKED)).min(1.0)
            } else {
                0.0
            },
            names: names.weight,
        }
    }
}

/// Says whether a memory has anything to do with a query.
///
/// It does if both name the same thing exactly; if it has a third of what the query's words say, and that is more than
/// one rare word; or if it has half or most of a short query.
pub(super) fn fits(evidence: &Evidence) -> bool {
    evidence.names >= NAMES
        || evidence.coverage >= SHARE && evidence.words >= EVIDENCE
        || [HALF, MOST]
            .iter()
            .any(|(share, words)| evidence.coverage >= *share && evidence.words >= *words)
}

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
    let informative: Vec<&QueryWord> = analysis
        .words
        .iter()
        .filter(|word| {
            !is_generic(&word.word) && !word.word.bytes().all(|byte| byte.is_ascii_digit())
        })
        .collect();
    // The words are sorted: evenly taken ones stand for all, the first ones would not.
    let step = informative.len().div_ceil(PROBES).max(1);
    let probes: Vec<&QueryWord> = informative.into_iter().step_by(step).collect();
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
