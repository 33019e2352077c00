//! Takes the words of memories, gives back the memories that a query's words fit best (BM25), inside the store and in
//! the transaction of the data.
//!
//! Start with `document.rs` (what is counted), then `block.rs` (how rows look), `write.rs`, `search.rs`.

mod block;
mod check;
mod document;
mod search;
mod similar;
#[cfg(test)]
mod tests;
mod write;

pub(in crate::store) use check::{check, check_totals};
pub(in crate::store) use document::Document;
#[cfg(test)]
pub(in crate::store) use search::WordHit;
pub(in crate::store) use search::{Candidate, count, documents, search};
pub(in crate::store) use similar::similar;
pub(in crate::store) use write::{forget_totals, index, remove};
