//! The stages that need cargo only.
//!
//! Warnings are made errors after cargo's `--`, not through `RUSTFLAGS`: changed flags would build everything twice.

use std::path::Path;

use crate::command::Failure;
use crate::tally::Tally;
use crate::workspace::{FEATURES, Workspace};

pub(crate) fn format(workspace: &Workspace) -> Result<Tally, Failure> {
    workspace.cargo().args(["fmt", "--all", "--check"]).run()?;
    Ok(Tally::one(true))
}

pub(crate) fn lint(workspace: &Workspace) -> Result<Tally, Failure> {
    workspace
        .cargo()
        .args(["clippy", "--workspace", "--all-targets", "--locked"])
        .args(FEATURES)
        .args(["--", "-D", "warnings"])
        .run()?;
    Ok(Tally::one(true))
}

pub(crate) fn docs(workspace: &Workspace) -> Result<Tally, Failure> {
    workspace
        .cargo()
        .args(["doc", "--workspace", "--no-deps", "--locked"])
        .args(FEATURES)
        .env("RUSTDOCFLAGS", "-D warnings")
        .run()?;
    Ok(Tally::one(true))
}

pub(crate) fn test(workspace: &Workspace) -> Result<Tally, Failure> {
    workspace
        .cargo()
        .args(["test", "--workspace", "--locked", "--no-fail-fast"])
        .args(FEATURES)
        .count(Tally::of_cargo)
}

/// Runs the tests that are left out elsewhere because they need a sentence model.
pub(crate) fn test_with_model(workspace: &Workspace, model: &Path) -> Result<Tally, Failure> {
    workspace
        .cargo()
        .args(["test", "--workspace", "--locked"])
        .args(FEATURES)
        .args(["--test", "it", "with_a_model", "--", "--ignored"])
        .env("MEMORAX_TEST_MODEL", model)
        .count(Tally::of_cargo)
}

/// Runs the tests of sentence models on ONNX Runtime. The feature is named here alone: it costs minutes of compiling.
pub(crate) fn test_with_library(
    workspace: &Workspace,
    model: &Path,
    library: &Path,
) -> Result<Tally, Failure> {
    workspace
        .cargo()
        .args(["test", "--workspace", "--locked"])
        .args(FEATURES)
        .args(["--features", "memorax-core/fastembed"])
        .args(["--test", "it", "with_a_library", "--", "--include-ignored"])
        .env("MEMORAX_TEST_MODEL", model)
        .env("MEMORAX_TEST_LIBRARY", library)
        .count(Tally::of_cargo)
}
