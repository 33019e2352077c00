//! One graph of at most 32,768 codes.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use hnsw_rs::prelude::{AnnT, Distance, Hnsw, HnswIo};

use crate::store::vectors::exact::Exact;
use crate::{Error, ErrorKind, Result};

/// Codes of a graph. `hnsw_rs` prints a line for the 50,000th, and a program's output is not its; several graphs are also
/// written anew one by one.
pub(super) const FULL: usize = 32_768;
/// Neighbours of a code, and how many are looked at while one is inserted (Malkov and Yashunin 2018, section 4).
const NEIGHBOURS: usize = 16;
const WIDTH: usize = 200;
/// Layers; `hnsw_rs` can write down only this many.
const LAYERS: usize = 16;
/// Candidates that a search keeps, and how many for each that is wanted.
const NARROWEST: usize = 64;

/// Compares codes of vectors of length 1.
#[derive(Clone, Copy, Debug, Default)]
struct Codes;

impl Distance<i8> for Codes {
    fn eval(&self, one: &[i8], other: &[i8]) -> f32 {
        let product: i32 = one
            .iter()
            .zip(other)
            .map(|(one, other)| i32::from(i16::from(*one)) * i32::from(i16::from(*other)))
            .sum();
        let unit = scale(one.len());
        (1.0 - product as f32 / unit / unit).max(0.0)
    }
}

/// Returns by what the numbers of a vector of length 1 are multiplied: six standard deviations of them fit into a byte.
fn scale(dimensions: usize) -> f32 {
    127.0 / (6.0 / (dimensions as f32).sqrt()).min(1.0)
}

/// Returns the code of a vector, the same for all vectors of a graph.
pub(super) fn code(vector: &[f32]) -> Vec<i8> {
    let scale = scale(vector.len());
    let short = |value: &f32| (value * scale).round().clamp(-127.0, 127.0) as i8;
    vector.iter().map(short).collect()
}

/// A graph of codes, each under the ordinal of its memory.
pub(super) struct Shard {
    graph: Hnsw<'static, i8, Codes>,
}

impl Shard {
    pub(super) fn new() -> Self {
        Self {
            graph: Hnsw::new(NEIGHBOURS, FULL, LAYERS, WIDTH, Codes),
        }
    }

    /// Returns how many codes there are, also those of removed vectors.
    pub(super) fn points(&self) -> usize {
        self.graph.get_nb_point()
    }

    pub(super) fn insert(&self, ordinal: u32, vector: &Exact) {
        let code = code(&vector.values());
        self.graph.insert((&code, ordinal as usize));
    }

    /// Returns the ordinals that are near to a code, nearest first, with their cosines as the codes say.
    pub(super) fn search(&self, question: &[i8], limit: usize) -> Vec<(u32, f32)> {
        let near = self.graph.search(question, limit, limit.max(NARROWEST));
        near.into_iter()
            .filter_map(|near| Some((u32::try_from(near.d_id).ok()?, 1.0 - near.distance)))
            .collect()
    }

    /// Writes the graph into two files, `<name>.hnsw.graph` and `<name>.hnsw.data`.
    pub(super) fn write(&self, folder: &Path, name: &str) -> Result<()> {
        // `hnsw_rs` panics where it cannot make a file.
        let written = catch_unwind(AssertUnwindSafe(|| self.graph.file_dump(folder, name)));
        let failed = || {
            Error::new(
                ErrorKind::Io,
                format!(
                    "cannot write a graph of vectors into `{}`",
                    folder.display()
                ),
            )
        };
        match written {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(failed().with_source(error)),
            Err(_) => Err(failed()),
        }
    }

    /// Reads what [`write`](Self::write) wrote. The files must be whole: `hnsw_rs` ends the process over some damage.
    pub(super) fn read(folder: &Path, name: &str) -> Option<Self> {
        let read = catch_unwind(AssertUnwindSafe(|| {
            // The graph borrows its reader for ever; without a mapped file that is some hundred bytes.
            let reader: &'static mut HnswIo = Box::leak(Box::new(HnswIo::new(folder, name)));
            reader.load_hnsw::<i8, Codes>()
        }));
        let graph = read.ok()?.ok()?;
        Some(Self { graph })
    }
}

#[cfg(test)]
mod tests {
    use super::{Codes, Distance, code};

    #[test]
    fn the_distance_of_codes_is_nearly_that_of_their_vectors() {
        for dimensions in [4_u8, 64, 200] {
            let vector = |shift: f32| -> Vec<f32> {
                let numbers: Vec<f32> = (0..dimensions)
                    .map(|at| (f32::from(at) * 0.9 + shift).sin())
                    .collect();
                crate::store::vectors::exact::normalised(&numbers)
            };
            let (one, other) = (vector(0.0), vector(0.4));
            let cosine: f32 = one.iter().zip(&other).map(|(x, y)| x * y).sum();
            let distance = Codes.eval(&code(&one), &code(&other));
            assert!(
                (1.0 - distance - cosine).abs() < 0.02,
                "{dimensions}: {distance} {cosine}"
            );
        }
    }
}
