//! The only place that opens files for writing. Takes paths and bytes, gives back files that are whole or absent.
//!
//! Start with `file.rs` (atomic writes and the errors they give), then `lock.rs` and `process.rs` (what several
//! processes and forks need), then `spool.rs` and `inbox.rs` (where those write who do not get the store's lock).

mod failure;
mod file;
mod home;
mod inbox;
mod leftover;
mod lock;
mod process;
mod sharing;
mod spool;

pub(crate) use failure::{reading_failed, writing_failed};
#[cfg(test)]
pub(crate) use file::append_line;
#[cfg(feature = "hnsw")]
pub(crate) use file::sync;
pub(crate) use file::{
    create_dir_private, create_new, entries, is_temporary, mark_used, open_existing,
    open_for_append, open_for_reading, open_for_update, read, remove, rename, temporary_name,
    write_atomic,
};
pub(crate) use home::home;
pub(crate) use inbox::Inbox;
pub(crate) use leftover::{is_kept_aside, keep_aside, remove_abandoned, sweep_temporary};
pub(crate) use lock::FileLock;
pub(crate) use process::ProcessStamp;
pub(crate) use sharing::{append_beside_others, open_alone};
pub(crate) use spool::{Spool, SpoolFile};
