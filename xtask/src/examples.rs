//! The programs below `examples/`: each is run in this repository, with a memory of its own, and has to succeed.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::command::{Call, Failure};
use crate::tally::Tally;
use crate::workspace::Workspace;
use crate::{model, native, node, python};

/// Runs every example; one that fails does not keep the others from running.
pub(crate) fn run(workspace: &Workspace) -> Result<Tally, Failure> {
    let home = workspace.target("examples-home");
    if home.exists() {
        fs::remove_dir_all(&home)
            .map_err(|error| format!("cannot empty `{}`: {error}", home.display()))?;
    }
    let mut calls: Vec<Call> = Vec::new();
    native::build(workspace)?;
    for source in programs(workspace, "examples/rust", "rs")? {
        let name = source.file_stem().expect("a program has a name");
        let program = workspace.target("debug/examples").join(name);
        calls.push(workspace.call(program.with_extension(env::consts::EXE_EXTENSION)));
    }
    let interpreter = python::ready(workspace)?;
    for program in programs(workspace, "examples/python", "py")? {
        calls.push(workspace.call(&interpreter).arg(program));
    }
    node::ready(workspace)?;
    node::install(workspace, "examples/typescript")?;
    let typescript = workspace.path("examples/typescript");
    node::npm(workspace)
        .folder(&typescript)
        .args(["run", "--silent", "build"])
        .run()?;
    for program in programs(workspace, "examples/typescript/dist", "js")? {
        calls.push(workspace.call("node").arg(program));
    }
    let model = model::prepared(workspace);
    let mut tally = Tally::default();
    for call in calls {
        let mut call = call.env("MEMORAX_HOME", &home);
        if let Some(model) = &model {
            call = call.env("MEMORAX_MODEL_DIR", model);
        }
        let result = call.run();
        if let Err(failure) = &result {
            eprintln!("error: {failure}");
        }
        tally += Tally::one(result.is_ok());
    }
    Ok(tally)
}

/// Lists the programs of a folder by name; a folder without any is a mistake.
fn programs(workspace: &Workspace, folder: &str, extension: &str) -> Result<Vec<PathBuf>, Failure> {
    let unreadable = |error| format!("cannot read `{folder}`: {error}");
    let mut programs = Vec::new();
    for entry in fs::read_dir(workspace.path(folder)).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path
            .extension()
            .is_some_and(|found| Path::new(found) == Path::new(extension))
        {
            programs.push(path);
        }
    }
    programs.sort();
    if programs.is_empty() {
        return Err(format!("no program in `{folder}`"));
    }
    Ok(programs)
}
