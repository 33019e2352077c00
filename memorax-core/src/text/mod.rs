//! Takes text, gives back what the stages above find, count, compare and hide in it: words to search by, the size in
//! tokens, whether two texts say the same, and the text without its secrets.
//!
//! Start with `words.rs` (what a search compares), then `redact/` (what never enters a store).

mod background;
mod kin;
mod mentions;
mod redact;
mod similar;
mod stem;
mod tokens;
mod words;

pub use background::informativeness;
pub use kin::relatives;
pub use mentions::{identifiers, path_mentions};
pub use redact::{Redacted, Redactor};
pub use similar::{jaccard, near_duplicate};
pub use tokens::{cut_to_tokens, tokens_of};
pub use words::{MAXIMUM_WORD, for_each_word, query_words, word_counts, words};
