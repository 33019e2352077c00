//! Plain data that every other stage speaks: memories, scopes, lines, provenance, operations, queries and results.
//!
//! Takes nothing, does no input or output. Start with `memory.rs`, then `operation.rs` (how a memory changes)
//! and `recall.rs` (how it comes back).

mod anchor;
mod id;
mod line;
mod memory;
mod named;
mod operation;
mod provenance;
mod query;
mod recall;
mod receipt;
mod repository;
mod scope;
mod skill;
mod story;
mod time;
mod trajectory;

pub use anchor::*;
pub use id::*;
pub use line::*;
pub use memory::*;
pub(crate) use named::named;
pub use operation::*;
pub use provenance::*;
pub use query::*;
pub use recall::*;
pub use receipt::*;
pub use repository::*;
pub use scope::*;
pub use skill::*;
pub use story::*;
pub use time::*;
pub use trajectory::*;
