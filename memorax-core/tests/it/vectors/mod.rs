//! Vectors of memories: kept in step with the texts, filtered exactly, caught up where they are missing.

mod fixture;
#[cfg(feature = "hnsw")]
mod graph;
mod handle;
mod ledger;
