//! Takes a folder, gives back what can be known about the repository in it: its identity, a searchable view of its
//! files and history, and its structure.
//!
//! Start with `indexer.rs` (the trait and the view) and `index/` (the default indexer), then `git.rs` (what is checked
//! out), `identity.rs` (which repository a folder is), `project.rs` (what its own files say about it), `branches.rs` and
//! `landing.rs` (what happened to its branches).

mod branches;
mod code;
mod commit_tree;
mod facts;
mod format;
mod git;
mod history;
mod identity;
mod index;
mod indexer;
mod landing;
mod manifest;
mod milestones;
mod project;
mod recipe;
mod resolve;
mod story;
mod view;

pub use branches::*;
pub use commit_tree::CommitTree;
pub use facts::definitions;
pub use git::*;
pub use identity::*;
pub use index::{Indexer, Replay};
pub use indexer::*;
pub use landing::*;
pub use project::*;
pub use story::*;
pub use view::EmbeddedView;
