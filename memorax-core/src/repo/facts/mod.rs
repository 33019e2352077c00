//! Takes the bytes of one file, gives back what is learned from them: language, definitions, imports, chunks.
//!
//! Start with `learn.rs`; the rules of one language are in the file of its name.

mod chunk;
mod definitions;
#[cfg(feature = "grammars")]
mod go;
mod heading;
#[cfg(feature = "grammars")]
mod java;
mod language;
mod learn;
mod manifest;
#[cfg(feature = "grammars")]
mod parse;
#[cfg(feature = "grammars")]
mod python;
mod role;
#[cfg(feature = "grammars")]
mod rust;
#[cfg(feature = "grammars")]
mod script;

pub(in crate::repo) use chunk::Chunk;
pub use definitions::definitions;
pub(in crate::repo) use language::Language;
pub(in crate::repo) use learn::*;
pub(in crate::repo) use role::role_of;
