//! Vectors of texts about software, at once, offline and without any other crate.
//!
//! A text becomes the sum of the vectors of its words, so near meanings get near vectors: `delete a file` and
//! `fn remove_path`. The vectors were learned from code, documentation and commit messages (`training/`); one text costs
//! some microseconds.
//!
//! ```
//! let near = |a: &str, b: &str| -> f32 {
//!     memorax_embed_static::embed(a).iter().zip(memorax_embed_static::embed(b)).map(|(x, y)| x * y).sum()
//! };
//! let question = "delete a file";
//! assert!(near(question, "fn remove_path(path: &Path)") > near(question, "fn parse_number(text: &str)"));
//! ```

mod fold;
mod pieces;
mod table;
mod words;

/// Numbers in a vector.
pub const DIMENSIONS: usize = table::DIMENSIONS;

/// Name, version, length and hash of the table, the hash being the beginning of its SHA-256: vectors of another id are
/// never compared with these.
pub const ID: &str = include_str!("../data/id.txt");

/// The bytes of the table, whose hash the id carries.
pub const TABLE: &[u8] = include_bytes!("../data/table.bin");

/// Embeds a text: a vector of length 1, or of zeros where no word of the text is known.
///
/// ```
/// let vector = memorax_embed_static::embed("open the configuration file");
/// let length: f32 = vector.iter().map(|value| value * value).sum();
/// assert!((length - 1.0).abs() < 1e-5);
/// ```
pub fn embed(text: &str) -> [f32; DIMENSIONS] {
    let table = table::Table::new(TABLE).expect("a test reads the table that is built in");
    let mut rows = pieces::rows_of(&table, text);
    rows.sort_unstable();
    let mut sum = [0.0; DIMENSIONS];
    for same in rows.chunk_by(|one, other| one == other) {
        // A word that comes nine times says three times as much as one that comes once.
        table.add(same[0], (same.len() as f32).sqrt(), &mut sum);
    }
    let length = sum.iter().map(|value| value * value).sum::<f32>().sqrt();
    if length > 0.0 {
        for value in &mut sum {
            *value /= length;
        }
    }
    sum
}
