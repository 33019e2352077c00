//! Compares a text with chunks by the vectors of another embedder than the built-in one, as far as they were made.

use std::collections::{HashMap, HashSet};

use super::layout::{FileRow, NONE};
use super::open::View;
use crate::embed::quantised::{cosine, is_built_in};
use crate::repo::code::{BlobKey, Vectors, in_bytes};
use crate::repo::facts::mark;
use crate::repo::{FileScore, RepositoryView, VectorCount};
use crate::{Embedder, Error, ErrorKind, FileRole, Result};

/// Fewest files with vectors of both embedders by which the scores of one can be set beside those of the other.
const FEWEST: usize = 8;
/// The share of the other embedder in the nearness of a file that has vectors of both.
const SHARE: f32 = 0.8;

/// A blob without vectors of an embedder, and one of the files that it is.
#[derive(Clone, Copy, Debug)]
pub(in crate::repo) struct Unembedded {
    pub(in crate::repo) file: u32,
    pub(in crate::repo) key: BlobKey,
    pub(in crate::repo) first_chunk: u32,
    pub(in crate::repo) chunks: u32,
    pub(in crate::repo) segment: u32,
}

impl View {
    /// Returns how near files are by the vectors of an embedder where their chunks have them, by those of the built-in one
    /// where not. Scores of the two are never compared as they are: the embedder's are brought to the mean and the
    /// spread that the built-in one's have over the same files.
    pub(super) fn near_by(
        &self,
        embedder: &dyn Embedder,
        text: &str,
        files: &[u32],
    ) -> Result<Vec<FileScore>> {
        if is_built_in(embedder.id()) {
            return self.near(text, files);
        }
        let vectors = self.vectors(embedder.id());
        let mut kept = Vec::new();
        for file in files {
            if let Some(row) = self.embeddable(*file)?
                && let Some(found) = vectors.read(&self.key_of(row)?, row.chunks)?
            {
                kept.push((*file, *row, found));
            }
        }
        if kept.is_empty() {
            return self.near(text, files);
        }
        let built_in = self.compare(text, files)?;
        if kept.len() < FEWEST.min(built_in.len()) {
            return Ok(positive(built_in));
        }
        let exact = embedder.embed(&[text])?;
        let asked = in_bytes(exact.first().map_or(&[], Vec::as_slice));
        let mut by_model = Vec::with_capacity(kept.len());
        for (file, row, found) in kept {
            let chunks = found.chunks_exact((found.len() / row.chunks as usize).max(1));
            let nearest = chunks
                .map(|chunk| cosine(&asked, chunk))
                .enumerate()
                .max_by(|(_, left), (_, right)| left.total_cmp(right));
            if let Some((chunk, score)) = nearest {
                let segment = &self.code[row.segment as usize];
                let line = segment.chunk(row.first_chunk + chunk as u32)?.line;
                by_model.push(FileScore { file, score, line });
            }
        }
        Ok(beside(built_in, by_model))
    }

    /// Counts the chunks that can have vectors, and those that have them.
    pub(super) fn count_vectors(&self, embedder: &str) -> Result<VectorCount> {
        let vectors = self.vectors(embedder);
        let mut count = VectorCount::default();
        let mut seen = HashSet::new();
        for file in 0..self.rows.len() as u32 {
            let Some(row) = self.embeddable(file)? else {
                continue;
            };
            let key = self.key_of(row)?;
            if seen.insert(key) {
                count.chunks += u64::from(row.chunks);
                if vectors.has(&key, row.chunks) {
                    count.embedded += u64::from(row.chunks);
                }
            }
        }
        Ok(count)
    }

    /// Lists the blobs that have no vectors, those that matter most first: source before tests and prose before what
    /// is generated or of others, and among those in turn what changed last and what most files import.
    pub(in crate::repo) fn unembedded(&self, vectors: &Vectors) -> Result<Vec<Unembedded>> {
        let mut imported = vec![0_u32; self.rows.len()];
        for (_, to) in &self.structure()?.imports {
            if let Some(count) = imported.get_mut(*to as usize) {
                *count += 1;
            }
        }
        let mut files = Vec::new();
        for file in 0..self.rows.len() as u32 {
            if let Some(row) = self.embeddable(file)? {
                files.push((file, row));
            }
        }
        let mut rank: Vec<usize> = vec![usize::MAX; self.rows.len()];
        let mut place = |sorted: &[(u32, &FileRow)]| {
            for (at, (file, _)) in sorted.iter().enumerate() {
                let best = &mut rank[*file as usize];
                *best = at.min(*best);
            }
        };
        files.sort_by_key(|(file, row)| (row.last_change, *file));
        place(&files);
        files.sort_by_key(|(file, _)| (std::cmp::Reverse(imported[*file as usize]), *file));
        place(&files);
        files.sort_by_key(|(file, row)| (tier(row.role), rank[*file as usize], *file));
        let mut seen = HashSet::new();
        let mut wanted = Vec::new();
        for (file, row) in files {
            let key = self.key_of(row)?;
            if seen.insert(key) && !vectors.has(&key, row.chunks) {
                wanted.push(Unembedded {
                    file,
                    key,
                    first_chunk: row.first_chunk,
                    chunks: row.chunks,
                    segment: row.segment,
                });
            }
        }
        Ok(wanted)
    }

    /// Returns the first lines of the chunks of a blob, and how many lines it has.
    pub(in crate::repo) fn cuts(&self, blob: &Unembedded) -> Result<Vec<u32>> {
        let segment = &self.code[blob.segment as usize];
        let chunks = blob.first_chunk..blob.first_chunk + blob.chunks;
        chunks.map(|chunk| Ok(segment.chunk(chunk)?.line)).collect()
    }

    /// Returns the path of a file below the root.
    pub(in crate::repo) fn path_of(&self, file: u32) -> Result<&str> {
        self.path(file)
    }

    fn vectors(&self, embedder: &str) -> Vectors {
        let folder = self.folder.as_deref();
        folder.map_or_else(Vectors::default, |folder| Vectors::open(folder, embedder))
    }

    /// Returns a file whose chunks can have vectors: of what programs wrote, nobody asks for the meaning.
    fn embeddable(&self, file: u32) -> Result<Option<&FileRow>> {
        let Some(row) = self.rows.get(file as usize) else {
            return Ok(None);
        };
        if row.segment == NONE || row.chunks == 0 {
            return Ok(None);
        }
        let blob = self.code[row.segment as usize].blob(row.blob)?;
        let unread = blob.marks & (mark::GENERATED | mark::BINARY) != 0;
        Ok((!unread).then_some(row))
    }

    fn key_of(&self, row: &FileRow) -> Result<BlobKey> {
        self.code[row.segment as usize].key(row.blob)
    }
}

fn tier(role: FileRole) -> u8 {
    match role {
        FileRole::Source => 0,
        FileRole::Generated | FileRole::Vendored => 2,
        _ => 1,
    }
}

/// Puts scores of another embedder beside those of the built-in one.
fn beside(built_in: Vec<FileScore>, by_model: Vec<FileScore>) -> Vec<FileScore> {
    if built_in.is_empty() {
        return by_model;
    }
    let model: HashMap<u32, &FileScore> = by_model.iter().map(|hit| (hit.file, hit)).collect();
    let both: Vec<(f32, f32)> = built_in
        .iter()
        .filter_map(|hit| Some((hit.score, model.get(&hit.file)?.score)))
        .collect();
    if both.len() < FEWEST.min(built_in.len()) {
        return positive(built_in);
    }
    let (mean, spread) = moments(both.iter().map(|(built_in, _)| *built_in));
    let (model_mean, model_spread) = moments(both.iter().map(|(_, model)| *model));
    if model_spread <= 0.0 {
        return positive(built_in);
    }
    let brought = |score: f32| mean + (score - model_mean) / model_spread * spread;
    let mut scores = built_in;
    let known: HashSet<u32> = scores.iter().map(|hit| hit.file).collect();
    for hit in &mut scores {
        if let Some(other) = model.get(&hit.file) {
            hit.score = SHARE * brought(other.score) + (1.0 - SHARE) * hit.score;
            hit.line = other.line;
        }
    }
    // Of what the built-in embedder knows no word of, the other alone says something.
    let rest = by_model
        .into_iter()
        .filter(|hit| !known.contains(&hit.file));
    scores.extend(rest.map(|hit| FileScore {
        score: SHARE * brought(hit.score),
        ..hit
    }));
    scores
}

/// Leaves out what the built-in embedder says nothing for, as it does alone.
fn positive(mut scores: Vec<FileScore>) -> Vec<FileScore> {
    scores.retain(|hit| hit.score > 0.0);
    scores
}

fn moments(values: impl Iterator<Item = f32> + Clone) -> (f32, f32) {
    let count = values.clone().count().max(1) as f32;
    let mean = values.clone().sum::<f32>() / count;
    let squares: f32 = values.map(|value| (value - mean).powi(2)).sum();
    (mean, (squares / count).sqrt())
}

/// Makes the error for vectors that are not what their embedder promised.
pub(in crate::repo) fn wrong_vectors(embedder: &dyn Embedder) -> Error {
    Error::new(
        ErrorKind::InvalidInput,
        format!(
            "the embedder `{}` did not give one vector of {} numbers for each text",
            embedder.id(),
            embedder.dimensions()
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hits(scores: &[(u32, f32)]) -> Vec<FileScore> {
        let hit = |(file, score): &(u32, f32)| FileScore {
            file: *file,
            score: *score,
            line: 1,
        };
        scores.iter().map(hit).collect()
    }

    #[test]
    fn files_without_vectors_keep_their_place_among_those_with_them() {
        let built_in: Vec<_> = (0..10)
            .map(|file| (file, 0.30 + 0.01 * file as f32))
            .collect();
        // The model gives much greater numbers, in the opposite order, and knows nothing of the last file.
        let by_model: Vec<_> = (0..9)
            .map(|file| (file, 0.99 - 0.01 * file as f32))
            .collect();
        let scores = beside(hits(&built_in), hits(&by_model));
        let of = |file: usize| scores[file].score;
        assert!(of(0) > of(8), "the model's order counts");
        assert!(
            (of(9) - 0.39).abs() < 1e-6,
            "what it does not know stays as it was"
        );
        assert!(
            of(9) > of(0),
            "and is not pushed down by greater numbers of another kind"
        );
    }

    #[test]
    fn few_files_say_nothing_about_the_spread() {
        let built_in = hits(&[(0, 0.1), (1, 0.2), (2, 0.3)]);
        assert_eq!(
            beside(built_in.clone(), hits(&[(0, 0.9), (1, 0.1)])),
            built_in
        );
    }
}
