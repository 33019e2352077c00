//! The Node package: its development dependencies, the native half, Node's test runner and the type check.

use crate::command::{Call, Failure};
use crate::model;
use crate::native;
use crate::tally::Tally;
use crate::workspace::Workspace;

const PACKAGE: &str = "bindings/node";
const OLDEST: u32 = 20;

/// Builds the package and runs its tests.
pub(crate) fn test(workspace: &Workspace) -> Result<Tally, Failure> {
    ready(workspace)?;
    let package = workspace.path(PACKAGE);
    let mut tests = workspace
        .call("node")
        .folder(&package)
        .args(["--test", "--test-reporter=spec"]);
    if let Some(model) = model::prepared(workspace) {
        tests = tests.env("MEMORAX_MODEL_DIR", model);
    }
    let mut tally = tests.count(Tally::of_node)?;
    let typed = npm(workspace)
        .folder(&package)
        .args(["run", "--silent", "types"])
        .run();
    if let Err(failure) = &typed {
        eprintln!("error: {failure}");
    }
    tally += Tally::one(typed.is_ok());
    Ok(tally)
}

/// Installs the development dependencies and builds the native half, as far as it is not there.
pub(crate) fn ready(workspace: &Workspace) -> Result<(), Failure> {
    let version = workspace
        .call("node")
        .arg("--version")
        .output()
        .map_err(|failure| format!("Node {OLDEST} or later is needed: {failure}"))?;
    let major = version
        .trim_start_matches('v')
        .split('.')
        .next()
        .and_then(|number| number.parse::<u32>().ok());
    if major.is_none_or(|major| major < OLDEST) {
        return Err(format!(
            "Node {OLDEST} or later is needed; `node` is {version}"
        ));
    }
    install(workspace, PACKAGE)?;
    workspace
        .call("node")
        .arg(workspace.path("bindings/node/build.mjs"))
        .args(native::SELECTION)
        .env("CARGO_TARGET_DIR", workspace.target(""))
        .run()
}

/// Installs what a package's lock file names.
pub(crate) fn install(workspace: &Workspace, package: &str) -> Result<(), Failure> {
    npm(workspace)
        .folder(&workspace.path(package))
        .args(["ci", "--no-audit", "--no-fund", "--loglevel=error"])
        .run()
}

/// Prepares a call of npm, which is a script with an ending on Windows.
pub(crate) fn npm(workspace: &Workspace) -> Call {
    workspace.call(if cfg!(windows) { "npm.cmd" } else { "npm" })
}
