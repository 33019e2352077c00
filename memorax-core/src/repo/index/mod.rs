//! Takes a folder and a cache, brings the cache up to date and gives back the view.
//!
//! Start with `run.rs` (the indexer); `cache.rs` is the folder, `listing.rs` lists files, `learning.rs` reads them,
//! `sweep.rs` keeps the cache small, `embedding.rs` makes vectors of other embedders, `replay.rs` gives views of older commits.

mod attributes;
mod cache;
mod commits;
mod contents;
mod embedding;
mod learning;
mod listing;
mod replay;
mod run;
mod source;
mod states;
mod store;
mod sweep;
mod tree;
mod walk;

pub use replay::Replay;
pub use run::Indexer;
