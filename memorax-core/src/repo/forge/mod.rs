//! Takes issues and pull requests from a forge's own program, or from a file that it exported; gives them back redacted,
//! kept beside the index, to be searched and told.
//!
//! Start with `issue.rs` (what is kept of one) and `read.rs` (where they come from); `json.rs` understands every answer,
//! `program.rs` runs programs, `kept.rs` is the file.

mod issue;
mod json;
mod kept;
mod program;
mod read;

pub use issue::Issue;
pub use json::parse_issues;
pub(in crate::repo) use kept::Kept;
pub use kept::{issues_since, keep_issues};
pub use read::{IssueReading, read_issues};
