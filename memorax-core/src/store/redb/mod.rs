//! The store on disk: a redb file that any number of processes read and write.
//!
//! Start with `handle.rs` (reading and writing), then `slot.rs` (what a process has open of a file, across forks),
//! `space.rs` (which file holds the rows now) and `rewrite.rs` (how they move to the next one).

mod backend;
mod engine;
mod handle;
mod harvest;
mod image;
mod meta;
mod rewrite;
mod rows;
mod salvage;
mod sizes;
mod slot;
mod space;
mod turn;

pub use engine::contains_panics;
pub use handle::{Access, Redb};
pub use meta::Loss;
pub use rewrite::{Leftover, LeftoverReason, Rewritten};
pub use salvage::{FileState, Salvaged, SalvagedTable};
pub use sizes::Sizes;
pub(super) use slot::Slot;
pub(super) use space::Space;
