//! Which files a text is about.
//!
//! Start with `rank.rs` (the order of things), then `feature.rs` (the kinds of evidence), `weights.rs` (how much each
//! counts, by the shape of the text) and `board.rs` (the sums). The rest gathers evidence: `named.rs` from what the text
//! names, `votes.rs` from history.

mod board;
mod feature;
mod links;
mod named;
mod rank;
mod shape;
mod symbols;
mod votes;
mod weights;

pub use feature::FileFeature;
pub(super) use rank::rank;
pub use rank::{Evidence, evidence};
pub use shape::Shape;
pub(super) use shape::shape_of;
pub use weights::FileWeights;
