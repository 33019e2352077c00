//! Takes a list of files by blob and an order of commits, gives back a view that can be searched.
//!
//! Start with `open.rs`; `build.rs` writes what it reads, `search.rs` and `commits.rs` find.

mod build;
mod commits;
mod former;
mod layout;
mod names;
mod near;
mod open;
mod search;
mod structure;

pub(in crate::repo) use build::*;
pub(in crate::repo) use layout::*;
pub(in crate::repo) use open::View;
