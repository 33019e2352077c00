//! Takes the bytes of one file, gives back what is learned from them: language, definitions, imports, chunks.
//!
//! Start with `learn.rs`; the rules of one language are in the file of its name.

#[cfg(feature = "grammars")]
mod c;
mod chunk;
#[cfg(feature = "grammars")]
mod commonjs;
#[cfg(feature = "grammars")]
mod csharp;
mod definitions;
#[cfg(feature = "grammars")]
mod go;
mod heading;
#[cfg(feature = "grammars")]
mod java;
#[cfg(feature = "grammars")]
mod kotlin;
mod language;
mod learn;
#[cfg(feature = "grammars")]
mod macros;
mod manifest;
#[cfg(feature = "grammars")]
mod parse;
#[cfg(feature = "grammars")]
mod php;
#[cfg(feature = "grammars")]
mod python;
mod role;
#[cfg(feature = "grammars")]
mod ruby;
#[cfg(feature = "grammars")]
mod rust;
#[cfg(feature = "grammars")]
mod scala;
#[cfg(feature = "grammars")]
mod script;
#[cfg(feature = "grammars")]
mod shell;
#[cfg(feature = "grammars")]
mod swift;
#[cfg(feature = "grammars")]
mod walk;

pub(in crate::repo) use chunk::Chunk;
pub use definitions::definitions;
pub(in crate::repo) use language::Language;
pub(in crate::repo) use learn::*;
pub(in crate::repo) use role::role_of;
