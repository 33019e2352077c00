//! Takes a place, gives back its story: what commits did to it, under which names, and what became of it.
//!
//! Start with `trail.rs` (the commits, as a view gives them); `path.rs` follows files and folders through renames,
//! `symbol.rs` a definition through the versions of its file, `tell.rs` chooses what is told.

mod follow;
mod near;
mod path;
mod symbol;
mod tell;
mod trail;

pub(in crate::repo) use follow::counterpart;
pub use near::near_names;
pub(in crate::repo) use path::{past_paths, trail};
pub use symbol::{SymbolTrail, follow_symbol};
pub use tell::{StoryOptions, tell};
pub use trail::{Trail, TrailStep};
