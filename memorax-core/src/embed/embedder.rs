//! The trait that turns texts into vectors.

use crate::Result;

/// Turns texts into vectors of one length, so that texts with a near meaning have near vectors.
///
/// ```
/// use memorax_core::{Embedder, Result};
///
/// /// Counts vowels: enough to show the shape of an implementation.
/// #[derive(Debug)]
/// struct Vowels;
///
/// impl Embedder for Vowels {
///     fn id(&self) -> &str {
///         "vowels/1"
///     }
///     fn dimensions(&self) -> usize {
///         5
///     }
///     fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
///         let count = |text: &str, vowel| text.chars().filter(|letter| *letter == vowel).count() as f32;
///         Ok(texts.iter().map(|text| ['a', 'e', 'i', 'o', 'u'].map(|vowel| count(text, vowel)).to_vec()).collect())
///     }
/// }
///
/// let embedder: &dyn Embedder = &Vowels;
/// assert_eq!(embedder.embed(&["banana"])?, [[3.0, 0.0, 0.0, 0.0, 0.0]]);
/// # Ok::<(), memorax_core::Error>(())
/// ```
pub trait Embedder: Send + Sync + 'static {
    /// Names model and version; vectors of another id are never compared with these.
    fn id(&self) -> &str;

    /// Returns the length of every vector.
    fn dimensions(&self) -> usize;

    /// Embeds texts, in their order. Called on the thread that asks or writes, never inside a write transaction.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>>;

    /// Says whether a text takes a few milliseconds at most, so that a hook may wait for it and a write may embed what it
    /// writes; default: it takes longer.
    fn is_quick(&self) -> bool {
        false
    }
}
