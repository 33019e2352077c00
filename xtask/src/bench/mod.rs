//! `cargo xtask bench`: takes the programs as users get them, gives back a table of what was promised and what was measured.
//!
//! Start with `part.rs` (what is measured, in which order), then `bed.rs` (where it is measured), then the file of a part.

mod asked;
mod bed;
mod crowd;
mod files;
mod forked;
mod indexing;
mod invented;
mod part;
mod random;
mod sample;
mod stopped;
mod table;
mod trees;
mod writers;

pub(crate) use part::{Effort, Order, Part, run};
