//! Takes what an agent did, gives back what is worth keeping of it.
//!
//! Start with `skill.rs` (the trait that finds procedures).

mod skill;

pub use skill::{SkillChange, SkillExtractor};
