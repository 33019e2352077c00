//! Takes bytes in sections, gives back files of the derived index that notice damage, and sorted words in them.
//!
//! Start with `container.rs` (the file), then `lexicon.rs` (words and where they stand).

mod bytes;
mod container;
mod lexicon;

pub(in crate::repo) use bytes::*;
pub(in crate::repo) use container::*;
pub(in crate::repo) use lexicon::*;
