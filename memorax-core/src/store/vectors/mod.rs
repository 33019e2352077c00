//! Vectors of memories: which memories have one of which embedder, and which are nearest to a question.
//!
//! Takes vectors that were made before the transaction began (`ready.rs`). Each is kept twice: exact enough to be compared
//! for good (`exact.rs`, one row a memory), and as a short code, thirty in a row (`block.rs`), so that one scan compares a
//! question with all of them (`search.rs`). They are derived: no operation of the log knows them, a memory may wait for
//! its vector (`missing.rs`), and `check.rs` says which is not of the text that its memory has now.

#[cfg(not(feature = "hnsw"))]
mod absent;
mod block;
mod check;
mod exact;
mod follow;
#[cfg(feature = "hnsw")]
mod graph;
mod ledger;
mod missing;
mod ready;
mod rows;
mod search;

#[cfg(not(feature = "hnsw"))]
pub(crate) use absent::Graph;
pub(super) use check::check;
pub(super) use follow::{follow, forget_all, keep_place, withdraw};
#[cfg(feature = "hnsw")]
pub use graph::Graph;
pub(crate) use ready::{Ready, embedded_text};
pub(crate) use rows::EmbedderKey;
pub(crate) use search::Asked;
