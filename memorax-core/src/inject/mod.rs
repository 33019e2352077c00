//! Takes what is known, gives back the text that an agent reads: bounded, fenced as data, the same bytes every time.
//!
//! Start with `brief.rs` (what a new colleague needs) and `packet.rs` (the answer to a recall; `choice.rs` says how much of
//! it); `quote.rs` keeps foreign words from becoming instructions.

mod brief;
mod choice;
mod packet;
mod quote;

pub use brief::*;

pub use packet::pack;
