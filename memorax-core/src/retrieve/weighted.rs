//! The default retriever: weighted sums with shipped weights, nothing learned here.

use crate::{Check, Query, Recall, Result};

use super::calibration::Calibration;
use super::commits;
use super::confidence::{LOOKED_AT, is_about_something, signs};
use super::files::{self, FileWeights, Shape, shape_of};
use super::guard;
use super::memories::{self, MemoryWeights};
use super::{Context, Retriever, analyse};

/// Ranks by weighted sums of max-normalised scores; abstains when nothing fits.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Weighted {
    /// Weights of the sources for memories.
    pub memories: MemoryWeights,
    /// Weights of the evidence about files where a change is asked for in a few words.
    pub change: FileWeights,
    /// The same where something is looked for.
    pub search: FileWeights,
    /// The same where something is told at length.
    pub report: FileWeights,
    /// When to say nothing about files.
    pub calibration: Calibration,
}

impl Default for Weighted {
    fn default() -> Self {
        Self {
            memories: MemoryWeights::default(),
            change: FileWeights::change(),
            search: FileWeights::search(),
            report: FileWeights::report(),
            calibration: Calibration::default(),
        }
    }
}

impl Retriever for Weighted {
    fn retrieve(&self, context: &Context<'_>, query: &Query) -> Result<Recall> {
        let analysis = analyse(&query.text);
        let memories = memories::recall(context, query, &analysis, &self.memories)?;
        let mut notes = memories.notes;
        let mut found = Vec::new();
        let mut past = Vec::new();
        let mut confidence = memories.confidence;
        let mut commit = None;
        if let Some(view) = context.view.filter(|_| query.files > 0) {
            commit.clone_from(&view.info().commit);
            let weights = match shape_of(&query.text, &analysis) {
                Shape::Change => &self.change,
                Shape::Search => &self.search,
                Shape::Report => &self.report,
            };
            let wide = query.clone().files(query.files.max(LOOKED_AT));
            found = files::rank(view, &analysis, &wide, weights)?;
            let helps = if found.is_empty() || !is_about_something(query, &analysis) {
                0.0
            } else {
                let weighs = |sign| self.calibration.weighs(sign);
                self.calibration
                    .confidence(&signs(view, query, &analysis, &found, weighs)?)
            };
            confidence = confidence.max(helps);
            if self.calibration.is_enough(helps) || commits::is_reported(view, &analysis)? {
                found.truncate(query.files);
                past = commits::related(view, &analysis, query.commits)?;
            } else {
                found.clear();
                if query.explain {
                    notes.push(held_back(helps, self.calibration.least));
                }
            }
        } else if query.files > 0 {
            notes.push(
                "files and history were not searched: run `memorax init` to index them".to_owned(),
            );
        }
        let mut recall = Recall::new(memories.hits, found);
        recall.dropped = memories.dropped;
        recall.near_misses = memories.near_misses;
        recall.commit = commit;
        recall.commits = past;
        recall.confidence = confidence;
        recall.abstained = recall.is_empty();
        recall.notes = notes;
        Ok(recall)
    }

    fn check(&self, context: &Context<'_>, proposal: &str) -> Result<Check> {
        guard::check(context, proposal)
    }
}

fn held_back(confidence: f32, least: f32) -> String {
    format!(
        "files and commits were held back: {:.0} % sure that they help, {:.0} % are needed",
        confidence * 100.0,
        least * 100.0
    )
}
