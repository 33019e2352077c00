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
mod vectors;
mod verify;
mod volatile;

pub use self::redb::{
    Access, FileState, Leftover, LeftoverReason, Loss, Redb, Rewritten, Salvaged, SalvagedTable,
    Sizes, contains_panics,
};
pub(crate) use card::Card;
pub(crate) use chain::Head;
pub use ledger::Ledger;
pub(crate) use ledger::apply;
pub use lines::*;
pub use merge::*;
pub use read::{Counts, LogEntry};
pub(crate) use read::{Reading, lines_of};
pub use rows::*;
pub(crate) use usage::{Fold, fold, forget_spool, scrub_receipts};
pub use usage::{Injections, RECEIPTS_KEPT};
#[cfg(feature = "hnsw")]
pub use vectors::Graph;
#[cfg(not(feature = "hnsw"))]
pub(crate) use vectors::Graph;
pub(crate) use vectors::{Asked, EmbedderKey, Ready, embedded_text};
pub use verify::*;
pub use volatile::Volatile;
