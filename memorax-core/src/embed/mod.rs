//! Takes texts, gives back vectors. Search works without it, by words.
//!
//! Start with `embedder.rs` (the trait) and `embedders.rs` (those of a handle); `built_in.rs` is the table inside the
//! program, `quantised.rs` its vectors in one byte a number, as the index keeps them, `onnx` and `fastembed` run sentence
//! models, `choice.rs` names all of them.

#[cfg(feature = "static")]
mod built_in;
mod choice;
mod embedder;
mod embedders;
#[cfg(feature = "fastembed")]
mod fastembed;
#[cfg(feature = "onnx")]
mod onnx;
pub(crate) mod quantised;
#[cfg(any(feature = "fastembed", feature = "onnx"))]
mod weights;

#[cfg(feature = "fastembed")]
pub use self::fastembed::FastEmbedder;
#[cfg(feature = "static")]
pub use built_in::StaticEmbedder;
pub use choice::EmbedderChoice;
pub use embedder::Embedder;
pub(crate) use embedders::Embedders;
#[cfg(feature = "onnx")]
pub use onnx::OnnxEmbedder;
