//! Takes a history, gives back its milestones: modules that were born, moved, split or removed, dependencies that were
//! swapped, programs, releases; and what was tried and taken back. Few, dated, each with its commit.
//!
//! Start with `timeline.rs` (what goes in) and `find.rs` (from the oldest commit to the newest); each other file knows one
//! kind of turn, `event.rs` puts turns of one event together.

mod dependencies;
mod event;
mod find;
mod folders;
mod modules;
mod names;
mod programs;
mod releases;
mod reverts;
mod timeline;

pub(in crate::repo) use find::find;
pub(in crate::repo) use releases::Tag;
pub(in crate::repo) use timeline::Timeline;
