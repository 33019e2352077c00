//! Takes what was learned from files, gives back segments: immutable files of the index that are keyed by blob.
//!
//! Start with `segment.rs` (reading), then `writer.rs`; `vectors.rs` is what other embedders make of the same blobs.

mod merge;
mod segment;
mod vectors;
mod writer;

pub(in crate::repo) use merge::merge;
pub(in crate::repo) use segment::*;
pub(in crate::repo) use vectors::*;
pub(in crate::repo) use writer::CodeWriter;
