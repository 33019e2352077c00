//! Takes what is known, gives back the text that an agent reads: bounded, fenced as data, the same bytes every time.
//!
//! Start with `brief.rs` (what a new colleague needs).

mod brief;

pub use brief::*;
