//! Takes what was typed, gives back typed arguments.
//!
//! Start with `root.rs` (the program, its global options and the list of commands); the options of each command stand in
//! the file of its group, `help.rs` puts the groups on one screen.

mod help;
mod history;
mod keep;
mod look;
mod root;
mod value;
mod write;

pub(crate) use help::parser;
pub(crate) use history::*;
pub(crate) use keep::*;
pub(crate) use look::*;
pub(crate) use root::*;
pub(crate) use write::*;
