//! Lines that hooks leave behind without ever waiting for the store: one file a session, in one folder.
//!
//! Start with `folder.rs` (appending and listing), then `file.rs` (reading lines once and removing what was read), then
//! `name.rs` (which file a session has).

mod file;
mod folder;
mod name;
#[cfg(test)]
mod tests;

pub(crate) use file::SpoolFile;
#[cfg(test)]
pub(crate) use file::SpoolLines;
pub(crate) use folder::Spool;
