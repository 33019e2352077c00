//! Takes the files of a view and what each imports, gives back which file imports which.
//!
//! Start with `paths.rs`; the rules of one language are in the file of its name.

mod c;
mod csharp;
mod go;
mod java;
mod paths;
mod php;
mod python;
mod ruby;
mod rust;
mod script;
mod shell;
mod suffix;

pub(in crate::repo) use paths::{Source, resolve};
