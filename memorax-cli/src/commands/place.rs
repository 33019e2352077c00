//! Paths as people type them, and as memories hold them.

use std::path::{Component, Path, PathBuf};

use memorax_core::{Error, ErrorKind, Memorax};

use super::Session;
use crate::failure::Failure;

/// Returns a typed path relative to the root of the repository, with `/` between parts; `None` for the root itself.
///
/// A relative path starts where the program was started, as for git; one that exists only from the root, such as
/// one copied out of an answer, starts there.
pub(crate) fn place(
    session: &Session<'_>,
    handle: &Memorax,
    typed: &str,
) -> Result<Option<String>, Failure> {
    let root = canonical(handle.root());
    let from_here = canonical(&session.resolve(Path::new("."))).join(typed);
    let from_root = root.join(typed);
    let path = if !from_here.exists() && from_root.exists() {
        from_root
    } else {
        from_here
    };
    let folded = fold(&path);
    let outside = |_| {
        Error::new(
            ErrorKind::InvalidInput,
            format!("path `{typed}` is not below `{}`", root.display()),
        )
        .with_hint(
            "name a file or folder of this repository, or start elsewhere with: memorax -C DIR",
        )
    };
    let relative = match folded.strip_prefix(&root) {
        Ok(relative) => relative.to_path_buf(),
        // Perhaps it was typed through a link, or in another form of the same place.
        Err(_) => canonical(&folded)
            .strip_prefix(&root)
            .map_err(outside)?
            .to_path_buf(),
    };
    let parts: Vec<_> = relative.iter().map(|part| part.to_string_lossy()).collect();
    Ok(Some(parts.join("/")).filter(|path| !path.is_empty()))
}

fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

/// Takes `.` and `..` out of a path without asking the disk: the place need not exist.
fn fold(path: &Path) -> PathBuf {
    let mut folded = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                folded.pop();
            }
            other => folded.push(other),
        }
    }
    folded
}
