//! Takes texts, gives back vectors. Search works without it, by words.
//!
//! Start with `embedder.rs` (the trait).

mod embedder;

pub use embedder::Embedder;
