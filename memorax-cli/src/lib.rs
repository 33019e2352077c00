//! The program `memorax` as a library: [`run`] takes arguments and streams and gives back an exit code.
//!
//! Reading order: `arguments` (what can be typed), `run.rs` (from arguments to an exit code), `commands` (one file for
//! a few verbs that belong together: call the core, hand the answer on), `render` (answers as text for people). Data
//! goes to the output, everything else to the error stream.

mod arguments;
mod commands;
mod exit;
mod failure;
mod paint;
mod progress;
mod render;
mod run;
mod streams;
mod usage;

pub use run::run;
pub use streams::{Streams, Terminals};
