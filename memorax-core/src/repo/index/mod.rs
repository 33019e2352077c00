//! Takes a folder and a cache, brings the cache up to date and gives back the view.
//!
//! Start with `run.rs` (the indexer); `cache.rs` is the folder, `walk.rs` and `tree.rs` list files, `learning.rs` reads them.

mod attributes;
mod cache;
mod learning;
mod replay;
mod run;
mod source;
mod store;
mod tree;
mod walk;

pub use replay::Replay;
pub use run::Indexer;
