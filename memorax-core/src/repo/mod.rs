//! Takes a folder, gives back what can be known about the repository in it: its identity, a searchable view of its
//! files and history, and its structure.
//!
//! Start with `indexer.rs` (the trait and the view), then `identity.rs` (which repository a folder is).

mod code;
mod facts;
mod format;
mod history;
mod index;
mod indexer;
mod view;

pub use index::{Indexer, Replay};
pub use indexer::*;
