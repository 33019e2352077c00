//! Takes a list of files by blob and an order of commits, gives back a view that can be searched.
//!
//! Start with `open.rs`; `build.rs` writes what it reads, `search.rs` and `commits.rs` find, `near.rs` and `meaning.rs`
//! compare by vectors.

mod build;
mod commits;
mod embedded;
mod former;
mod issues;
mod layout;
mod meaning;
mod names;
mod near;
mod open;
mod search;
mod structure;

pub(in crate::repo) use build::*;
pub use embedded::EmbeddedView;
pub(in crate::repo) use layout::*;
pub(in crate::repo) use meaning::{Unembedded, wrong_vectors};
pub(in crate::repo) use open::View;
