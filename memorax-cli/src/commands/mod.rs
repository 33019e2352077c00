//! Takes typed arguments, asks the core, hands the answer to a renderer.
//!
//! Start with `session.rs` (what a command works with) and `dispatch.rs` (which command is which function).

mod ask;
mod branches;
mod completions;
mod dispatch;
mod edit;
mod editor;
mod exchange;
mod forget;
mod history;
mod keep;
mod look;
mod place;
mod session;
mod start;
mod write;

pub(crate) use dispatch::dispatch;
use place::place;
pub(crate) use session::Session;
