//! Approximate search for stores of very many memories: graphs of the codes, kept in memory by handles that live long.
//!
//! A graph finds candidates only. Each of them is compared again by its exact vector and checked against the filters, so
//! what a graph knows of old or of removed vectors costs time, never a wrong answer; what it does not know yet is compared
//! one by one. Start with `graph.rs`; `shard.rs` is the one place that calls `hnsw_rs`, `files.rs` keeps graphs in the
//! repository's cache.

mod files;
#[expect(
    clippy::module_inception,
    reason = "the module's one idea has its name"
)]
mod graph;
mod shard;

pub use graph::Graph;
