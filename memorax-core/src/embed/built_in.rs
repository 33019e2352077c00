//! The embedder that is always there: a table of word vectors inside the program.

use memorax_embed_static as table;

use super::Embedder;
use crate::Result;

/// Embeds by summing the vectors of a text's words, which lie in the program: no file, no network, microseconds a text.
///
/// ```
/// use memorax_core::{Embedder, StaticEmbedder};
///
/// let vectors = StaticEmbedder::new().embed(&["delete a file", "fn remove_path(path: &Path)", "fn parse_number(text: &str)"])?;
/// let near = |a: &[f32], b: &[f32]| -> f32 { a.iter().zip(b).map(|(x, y)| x * y).sum() };
/// assert!(near(&vectors[0], &vectors[1]) > near(&vectors[0], &vectors[2]));
/// # Ok::<(), memorax_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct StaticEmbedder;

impl StaticEmbedder {
    /// Creates the embedder; nothing is read or built.
    pub fn new() -> Self {
        Self
    }
}

impl Embedder for StaticEmbedder {
    fn id(&self) -> &str {
        table::ID
    }

    fn dimensions(&self) -> usize {
        table::DIMENSIONS
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        Ok(texts
            .iter()
            .map(|text| table::embed(text).to_vec())
            .collect())
    }

    fn is_quick(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::*;

    #[test]
    fn the_id_names_the_table() {
        let digest = Sha256::digest(table::TABLE);
        let first = digest.first_chunk().expect("a SHA-256 has 32 bytes");
        let hash = format!("{:016x}", u64::from_be_bytes(*first));
        let id = StaticEmbedder::new().id().to_owned();
        assert_eq!(
            id,
            format!("memorax-static/1/{}/{hash}", table::DIMENSIONS),
            "a changed table has another id"
        );
    }
}
