//! Takes what is known, gives back the text that an agent reads: bounded, fenced as data, the same bytes every time.
//!
//! Start with `packet.rs` (the answer to a recall) and `brief.rs` (what a new colleague needs); `quote.rs` keeps foreign
//! words from becoming instructions.

mod brief;
mod packet;
mod quote;

pub use brief::*;
pub use packet::pack;
