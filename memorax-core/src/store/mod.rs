//! Takes drafts and operations, gives back memories: the log, the state derived from it, and the words to find it by.
//!
//! Start with `rows.rs` (the trait a store implements), then `ledger.rs` (log and state above it) and
//! `record.rs` (how concurrent changes merge).

mod redb;
mod registry;
mod rows;
mod volatile;

pub use self::redb::{
    Access, Leftover, LeftoverReason, Redb, Rewritten, Salvaged, SalvagedTable, Sizes,
};
pub use rows::*;
pub use volatile::Volatile;
