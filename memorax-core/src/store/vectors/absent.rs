//! In place of graphs, in a build without the feature `hnsw`.

use super::rows::Known;
use crate::Result;
use crate::store::Reading;
use crate::store::postings::Candidate;

/// A graph that never is.
#[derive(Debug)]
pub(crate) enum Graph {}

impl Graph {
    pub(super) fn candidates(
        &self,
        _reading: &Reading<'_>,
        _known: &Known,
        _question: &[f32],
        _depth: usize,
    ) -> Result<Option<Vec<Candidate>>> {
        match *self {}
    }
}
