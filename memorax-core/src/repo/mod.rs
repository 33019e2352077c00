//! Takes a folder, gives back what can be known about the repository in it: its identity, a searchable view of its
//! files and history, and its structure.
//!
//! Start with `indexer.rs` (the trait and the view), then `identity.rs` (which repository a folder is)
//! and `project.rs` (what its manifests say about it).

mod code;
mod facts;
mod format;
mod history;
mod index;
mod indexer;
mod project;
mod view;

pub use index::{Indexer, Replay};
pub use indexer::*;
pub use project::*;
