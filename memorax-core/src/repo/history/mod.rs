//! Takes a repository, gives back its commits: messages, changed files, renames, and in which order they are told.
//!
//! Start with `record.rs` (a commit as it is kept), then `read.rs` (from git) and `history.rs` (all that is known).

mod graph;
mod known;
mod manifests;
mod message;
mod read;
mod record;
mod rename;
mod segment;

pub(in crate::repo) use graph::*;
pub(in crate::repo) use known::*;
pub(in crate::repo) use message::*;
pub(in crate::repo) use read::*;
pub(in crate::repo) use record::*;
pub(in crate::repo) use segment::*;
