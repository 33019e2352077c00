//! Takes texts, gives back vectors. Search works without it, by words.
//!
//! Start with `embedder.rs` (the trait); `built_in.rs` is the table inside the program, `quantised.rs` its vectors in one
//! byte a number, as the index keeps them, `onnx` runs sentence models.

#[cfg(feature = "static")]
mod built_in;
mod embedder;
#[cfg(feature = "onnx")]
mod onnx;
pub(crate) mod quantised;

#[cfg(feature = "static")]
pub use built_in::StaticEmbedder;
pub use embedder::Embedder;
#[cfg(feature = "onnx")]
pub use onnx::OnnxEmbedder;
