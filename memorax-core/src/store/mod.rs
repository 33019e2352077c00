//! Takes drafts and operations, gives back memories: the log, the state derived from it, and the words to find it by.
//!
//! Start with `rows.rs` (the trait a store implements), then `ledger.rs` (log and state above it) and
//! `record.rs` (how concurrent changes merge).

mod card;
mod chain;
mod ledger;
mod lines;
mod merge;
mod postings;
mod read;
mod record;
mod redb;
mod registry;
mod rows;
mod state;
mod usage;
mod verify;
mod volatile;

pub use self::redb::{Access, Redb};
pub use ledger::*;
pub use lines::*;
pub use merge::*;
pub use read::*;
pub use rows::*;
pub use usage::{Injected, RECEIPTS_KEPT};
pub use verify::*;
pub use volatile::Volatile;
