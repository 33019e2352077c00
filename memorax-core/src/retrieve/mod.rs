//! Takes a query and what can be read (memories, a repository view, the working tree), gives back the few memories and
//! files that fit, each with its reasons; and tells whether a proposal was turned down before.
//!
//! Start with `retriever.rs` (the trait and what it needs), then `weighted.rs` (the default), then `memories.rs`,
//! `files` and `guard.rs` (the three rankings).

mod abstain;
mod agreement;
mod commands;
mod commits;
mod concepts;
mod cues;
mod diversity;
mod entities;
mod files;
mod freshness;
mod guard;
mod hints;
mod intent;
mod meaning;
mod memories;
mod misses;
mod priors;
mod proposal;
mod retriever;
mod terms;
mod weighted;

pub use commands::commands;
pub use entities::Entities;
pub use files::{Evidence, FileFeature, FileWeights, Shape, evidence};
pub use freshness::{Finding, examine};
pub use guard::DENY;
pub use intent::{Analysis, Intent, analyse};
pub use memories::MemoryWeights;
pub use retriever::*;
pub use weighted::Weighted;
