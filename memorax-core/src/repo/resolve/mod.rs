//! Takes the files of a view and what each imports, gives back which file imports which.
//!
//! Start with `paths.rs`; the rules of one language are in the file of its name.

mod go;
mod java;
mod paths;
mod python;
mod rust;
mod script;

pub(in crate::repo) use paths::{Source, resolve};
