//! The default retriever: weighted sums with shipped weights, nothing learned here.

use crate::{Check, Query, Recall, Result};

use super::abstain::files_are_known;
use super::files::{self, FileWeights};
use super::{Context, Retriever, analyse};

/// Ranks by weighted sums of max-normalised scores; abstains when nothing fits.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Weighted {
    /// Weights of the sources for files.
    pub files: FileWeights,
}

impl Retriever for Weighted {
    fn retrieve(&self, context: &Context<'_>, query: &Query) -> Result<Recall> {
        let analysis = analyse(&query.text);
        let mut notes = Vec::new();
        let mut found = Vec::new();
        let mut commit = None;
        if let Some(view) = context.view.filter(|_| query.files > 0) {
            commit.clone_from(&view.info().commit);
            if files_are_known(view, &analysis)? {
                found = files::rank(view, &analysis, query, &self.files)?;
            }
        } else if query.files > 0 {
            notes.push(
                "files and history were not searched: the repository is not indexed".to_owned(),
            );
        }
        let mut recall = Recall::new(Vec::new(), found);
        recall.commit = commit;
        recall.notes = notes;
        Ok(recall)
    }

    fn check(&self, _context: &Context<'_>, _proposal: &str) -> Result<Check> {
        Ok(Check::new(Vec::new()))
    }
}
