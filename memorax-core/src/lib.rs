//! Local-first, typed, branch-aware memory for coding agents.
//!
//! One handle, [`Memorax`], does everything; five traits let you replace its parts.
//!
//! Reading order of the source: `types`, then the stages of one sentence:
//! `disk`, `text`, `repo`, `store`, `extract`, `retrieve`, `inject`, `engine`. A module uses only what stands to its left.

#[cfg(any(test, feature = "testing"))]
pub mod contract;
mod disk;
mod embed;
mod engine;
mod error;
mod extract;
pub mod inject;
pub mod repo;
pub mod retrieve;
pub mod store;
pub mod text;
mod types;

#[cfg(feature = "fastembed")]
pub use embed::FastEmbedder;
#[cfg(feature = "onnx")]
pub use embed::OnnxEmbedder;
#[cfg(feature = "static")]
pub use embed::StaticEmbedder;
pub use embed::{Embedder, EmbedderChoice};
pub use engine::*;
pub use error::{Error, ErrorKind, Result};
pub use extract::{SkillChange, SkillExtractor};
pub use text::tokens_of;
pub use types::*;
