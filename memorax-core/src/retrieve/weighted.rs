//! The default retriever: weighted sums with shipped weights, nothing learned here.

use crate::{Check, Query, Recall, Result};

use super::abstain::files_are_known;
use super::commits;
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
}

impl Default for Weighted {
    fn default() -> Self {
        Self {
            memories: MemoryWeights::default(),
            change: FileWeights::change(),
            search: FileWeights::search(),
            report: FileWeights::report(),
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
        let mut commit = None;
        if let Some(view) = context.view.filter(|_| query.files > 0) {
            commit.clone_from(&view.info().commit);
            if files_are_known(view, &analysis)? || commits::is_reported(view, &analysis)? {
                let weights = match shape_of(&query.text, &analysis) {
                    Shape::Change => &self.change,
                    Shape::Search => &self.search,
                    Shape::Report => &self.report,
                };
                found = files::rank(view, &analysis, query, weights)?;
                past = commits::related(view, &analysis, query.commits)?;
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
        recall.abstained = recall.is_empty();
        recall.notes = notes;
        Ok(recall)
    }

    fn check(&self, context: &Context<'_>, proposal: &str) -> Result<Check> {
        guard::check(context, proposal)
    }
}
