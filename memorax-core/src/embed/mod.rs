//! Takes texts, gives back vectors. Search works without it, by words.
//!
//! Start with `embedder.rs` (the trait); `built_in.rs` is the table inside the program, `quantised.rs` its vectors in one
//! byte a number, as the index keeps them.

#[cfg(feature = "static")]
mod built_in;
mod embedder;
pub(crate) mod quantised;

#[cfg(feature = "static")]
pub use built_in::StaticEmbedder;
pub use embedder::Embedder;
