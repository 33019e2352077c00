//! Takes typed arguments, asks the core, hands the answer to a renderer.
//!
//! Start with `session.rs` (what a command works with) and `dispatch.rs` (which command is which function).

mod completions;
mod dispatch;
mod session;

pub(crate) use dispatch::dispatch;
pub(crate) use session::Session;
