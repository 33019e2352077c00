//! The native halves of the packages and the examples, out of the one build of the workspace.

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::fs;
use std::path::{Path, PathBuf};

use crate::command::Failure;
use crate::workspace::{FEATURES, Workspace};

/// What cargo is told to build. Examples are part of it because they need the dependencies of tests: cargo then chooses
/// the same features as for `cargo test --workspace`, and uses what that built.
pub(crate) const SELECTION: [&str; 5] = [
    "--workspace",
    "--lib",
    "--examples",
    FEATURES[0],
    FEATURES[1],
];

/// Builds all libraries and examples.
pub(crate) fn build(workspace: &Workspace) -> Result<(), Failure> {
    workspace
        .cargo()
        .args(["build", "--locked"])
        .args(SELECTION)
        .run()
}

/// Returns where cargo puts the library that other programs load.
pub(crate) fn library(workspace: &Workspace, name: &str) -> PathBuf {
    workspace
        .target("debug")
        .join(format!("{DLL_PREFIX}{name}{DLL_SUFFIX}"))
}

/// Puts a library in its place. A running program keeps the file that it has loaded, so that is never written into.
pub(crate) fn place(library: &Path, place: &Path) -> Result<(), Failure> {
    let fresh = place.with_extension("new");
    fs::copy(library, &fresh)
        .and_then(|_| fs::rename(&fresh, place))
        .map_err(|error| {
            format!(
                "cannot copy `{}` to `{}`: {error}",
                library.display(),
                place.display()
            )
        })
}
