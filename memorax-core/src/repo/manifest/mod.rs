//! Takes the text of a manifest before and after a commit, gives back what changed: packages, dependencies, entry points.
//!
//! Start with `declared.rs` (what a manifest declares, and how two of them differ); one file reads each kind.

mod cargo;
mod declared;
mod go;
mod java;
mod node;
mod note;
mod python;

pub(in crate::repo) use declared::{Declared, differ_in_versions_only, differences, is_manifest};
pub(in crate::repo) use note::{Note, NoteKind};
