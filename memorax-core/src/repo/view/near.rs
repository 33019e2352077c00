//! Compares a text with chunks by their vectors.

use super::layout::NONE;
use super::open::View;
use crate::Result;
use crate::embed::quantised::{LENGTH, cosine, vector};
use crate::repo::FileScore;

impl View {
    /// Returns the cosine of each file's nearest chunk, where it is above 0.
    pub(super) fn near(&self, text: &str, files: &[u32]) -> Result<Vec<FileScore>> {
        let mut found = self.compare(text, files)?;
        found.retain(|hit| hit.score > 0.0);
        Ok(found)
    }

    /// Returns the cosine of each file's nearest chunk.
    pub(super) fn compare(&self, text: &str, files: &[u32]) -> Result<Vec<FileScore>> {
        let asked = vector(text);
        let mut found = Vec::new();
        if asked.iter().all(|value| *value == 0) {
            return Ok(found);
        }
        for file in files {
            let Some(row) = self.rows.get(*file as usize) else {
                continue;
            };
            if row.segment == NONE || row.chunks == 0 {
                continue;
            }
            let segment = &self.code[row.segment as usize];
            let Some(kept) = segment.vectors(row.first_chunk, row.chunks)? else {
                continue;
            };
            let nearest = kept
                .chunks_exact(LENGTH.max(1))
                .map(|chunk| cosine(&asked, chunk))
                .enumerate()
                .max_by(|(_, left), (_, right)| left.total_cmp(right));
            if let Some((chunk, score)) = nearest {
                found.push(FileScore {
                    file: *file,
                    score,
                    line: segment.chunk(row.first_chunk + chunk as u32)?.line,
                });
            }
        }
        Ok(found)
    }
}
