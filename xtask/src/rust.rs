//! The stages that need cargo only.
//!
//! Warnings are made errors after cargo's `--`, not through `RUSTFLAGS`: changed flags would build everything twice.

use crate::command::Failure;
use crate::tally::Tally;
use crate::workspace::Workspace;

pub(crate) fn format(workspace: &Workspace) -> Result<Tally, Failure> {
    workspace.cargo().args(["fmt", "--all", "--check"]).run()?;
    Ok(Tally::one(true))
}

pub(crate) fn lint(workspace: &Workspace) -> Result<Tally, Failure> {
    workspace
        .cargo()
        .args([
            "clippy",
            "--workspace",
            "--all-targets",
            "--locked",
            "--",
            "-D",
            "warnings",
        ])
        .run()?;
    Ok(Tally::one(true))
}

pub(crate) fn docs(workspace: &Workspace) -> Result<Tally, Failure> {
    workspace
        .cargo()
        .args(["doc", "--workspace", "--no-deps", "--locked"])
        .env("RUSTDOCFLAGS", "-D warnings")
        .run()?;
    Ok(Tally::one(true))
}

pub(crate) fn test(workspace: &Workspace) -> Result<Tally, Failure> {
    workspace
        .cargo()
        .args(["test", "--workspace", "--locked", "--no-fail-fast"])
        .count(Tally::of_cargo)
}
