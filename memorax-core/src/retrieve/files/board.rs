//! Adds evidence up, file by file.

use super::{FileFeature, FileWeights};
use crate::repo::FileScore;
use crate::{FileInfo, Signal, Source};

/// Evidence about all files: one column a kind, each divided by its greatest value.
pub(super) struct Board<'a> {
    files: &'a [FileInfo],
    ignored: &'a [bool],
    columns: Vec<(FileFeature, Vec<f32>)>,
    /// Factor on each file.
    factors: Vec<f32>,
}

impl<'a> Board<'a> {
    pub(super) fn new(files: &'a [FileInfo], ignored: &'a [bool]) -> Self {
        Self {
            files,
            ignored,
            columns: Vec::new(),
            factors: vec![1.0; files.len()],
        }
    }

    /// Adds what a search found.
    pub(super) fn search(&mut self, feature: FileFeature, found: &[FileScore]) {
        let mut scores = vec![0.0; self.files.len()];
        for hit in found {
            if let Some(slot) = scores.get_mut(hit.file as usize) {
                *slot = hit.score;
            }
        }
        self.add(feature, scores);
    }

    /// Adds a column of scores of 0 or more; one without any evidence is left out.
    pub(super) fn add(&mut self, feature: FileFeature, mut scores: Vec<f32>) {
        for (score, ignored) in scores.iter_mut().zip(self.ignored) {
            if *ignored {
                *score = 0.0;
            }
        }
        let best = scores.iter().copied().fold(0.0, f32::max);
        if best > 0.0 {
            for score in &mut scores {
                *score /= best;
            }
            self.columns.push((feature, scores));
        }
    }

    /// Adds a column of scores that are on a scale of their own.
    pub(super) fn add_scaled(&mut self, feature: FileFeature, scores: Vec<f32>) {
        if scores.iter().any(|score| *score != 0.0) {
            self.columns.push((feature, scores));
        }
    }

    /// Multiplies everything that was added about a file so far.
    pub(super) fn scale(&mut self, place: usize, factor: f32) {
        for (_, column) in &mut self.columns {
            column[place] *= factor;
        }
    }

    /// Multiplies the sum of a file in the end.
    pub(super) fn weaken(&mut self, place: usize, factor: f32) {
        self.factors[place] *= factor;
    }

    /// Gives the columns away.
    pub(super) fn into_columns(self) -> Vec<(FileFeature, Vec<f32>)> {
        self.columns
    }

    /// Adds the columns up; a file without a reason gets 0.
    pub(super) fn totals(&self, weights: &FileWeights) -> Vec<f32> {
        let mut totals = vec![0.0_f32; self.files.len()];
        let mut reasons = vec![false; self.files.len()];
        for (feature, column) in &self.columns {
            let weight = weights.get(*feature);
            for ((total, reason), score) in totals.iter_mut().zip(&mut reasons).zip(column) {
                *total += weight * score;
                *reason |= feature.is_reason() && weight > 0.0 && *score > 0.0;
            }
        }
        for ((total, reason), factor) in totals.iter_mut().zip(reasons).zip(&self.factors) {
            *total = if reason {
                (*total * factor).max(0.0)
            } else {
                0.0
            };
        }
        totals
    }

    /// Returns the best files, ties by path.
    pub(super) fn best(&self, totals: &[f32], limit: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..totals.len())
            .filter(|place| totals[*place] > 0.0)
            .collect();
        let compare = |left: &usize, right: &usize| {
            totals[*right]
                .total_cmp(&totals[*left])
                .then_with(|| self.files[*left].path.cmp(&self.files[*right].path))
        };
        if limit < order.len() {
            order.select_nth_unstable_by(limit, compare);
            order.truncate(limit);
        }
        order.sort_by(compare);
        order
    }

    /// Returns the parts of a file's score by source, the greatest first.
    pub(super) fn why(
        &self,
        place: usize,
        weights: &FileWeights,
        detail: impl Fn(Source) -> Option<String>,
    ) -> Vec<Signal> {
        let mut parts: Vec<(Source, f32)> = Vec::new();
        for (feature, column) in &self.columns {
            let part = weights.get(*feature) * column[place] * self.factors[place];
            if part <= 0.0 {
                continue;
            }
            let source = feature.source();
            match parts.iter_mut().find(|(known, _)| *known == source) {
                Some((_, sum)) => *sum += part,
                None => parts.push((source, part)),
            }
        }
        parts.sort_by(|left, right| right.1.total_cmp(&left.1));
        parts
            .into_iter()
            .map(|(source, score)| Signal::new(source, score, detail(source).unwrap_or_default()))
            .collect()
    }
}
