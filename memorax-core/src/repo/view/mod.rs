//! Takes a list of files by blob and an order of commits, gives back a view that can be searched.
//!
//! Start with `view.rs`; `build.rs` writes what it reads, `search.rs` and `commits.rs` find.

mod build;
mod commits;
mod imports;
mod layout;
mod search;
mod structure;
mod view;

pub(in crate::repo) use build::*;
pub(in crate::repo) use layout::*;
pub(in crate::repo) use view::View;
