//! Takes a folder, gives back what can be known about the repository in it: its identity, a searchable view of its
//! files and history, and its structure.
//!
//! Start with `indexer.rs` (the trait and the view), then `identity.rs` (which repository a folder is)
//! and `project.rs` (what its manifests say about it).

mod indexer;
mod project;

pub use indexer::*;
pub use project::*;
