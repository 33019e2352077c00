//! The handle: wires the stages together, and is the only one that writes.
//!
//! Start with `handle.rs` (what a caller holds), then `write.rs` (the one gate to the store) and `ask.rs` (recall,
//! brief and check).

mod actor;
mod ask;
mod branches;
mod chunks;
mod curate;
mod exchange;
mod graphs;
mod handle;
mod history;
mod home;
mod identities;
mod note;
mod sources;
mod status;
mod tree;
mod upkeep;
mod vectors;
mod write;

pub use crate::store::Injections;
pub use actor::Actor;
pub use ask::{Brief, Init, InitOptions};
pub use branches::{BranchDecision, BranchReport};
pub use chunks::ChunkReport;
pub use curate::Shown;
pub use exchange::{ExportFormat, Restored};
pub use handle::{Builder, Memorax};
pub use history::STORY_COMMITS;
pub use home::Mended;
pub use note::{Note, Remembered};
pub use status::{StatusReport, StoreReport, VectorReport, ViewReport};
pub use upkeep::{Doctor, Finding, Purged, Repair, Repaired, Swept};
pub use vectors::Embedded;
