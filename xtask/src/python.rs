//! The Python package: a virtual environment of our own, the package built into it, pytest and mypy.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::command::{Call, Failure};
use crate::model;
use crate::native;
use crate::tally::Tally;
use crate::workspace::Workspace;

const PACKAGE: &str = "bindings/python";
const REQUIREMENTS: &str = "bindings/python/requirements.txt";
const ENVIRONMENT: &str = "python-venv";

/// Builds the package into the environment and runs its tests.
pub(crate) fn test(workspace: &Workspace) -> Result<Tally, Failure> {
    let python = ready(workspace)?;
    let package = workspace.path(PACKAGE);
    let mut tests =
        workspace
            .call(&python)
            .folder(&package)
            .args(["-m", "pytest", "--color=no", "-q", "-rs"]);
    if let Some(model) = model::prepared(workspace) {
        tests = tests.env("MEMORAX_MODEL_DIR", model);
    }
    let mut tally = tests.count(Tally::of_pytest)?;
    let typed = [
        workspace
            .call(&python)
            .folder(&package)
            .args([
                "-m",
                "mypy.stubtest",
                "memorax_code",
                "--allowlist",
                "tests/stubtest.txt",
            ])
            .run(),
        workspace
            .call(&python)
            .folder(&package)
            .args(["-m", "mypy", "tests"])
            .run(),
    ];
    for result in typed {
        if let Err(failure) = &result {
            eprintln!("error: {failure}");
        }
        tally += Tally::one(result.is_ok());
    }
    Ok(tally)
}

/// Makes the environment with the package in it, as far as it is not there, and returns its interpreter.
///
/// The native half comes out of the one build of the workspace and is put into the source folder, which the environment
/// names; a wheel built by maturin would compile nearly everything once more, with fewer features.
pub(crate) fn ready(workspace: &Workspace) -> Result<PathBuf, Failure> {
    let python = environment(workspace)?;
    native::build(workspace)?;
    let ending = if cfg!(windows) { "pyd" } else { "abi3.so" };
    let sources = workspace.path("bindings/python/python");
    native::place(
        &native::library(workspace, "memorax_python"),
        &sources
            .join("memorax_code")
            .join(format!("_native.{ending}")),
    )?;
    let packages = workspace
        .call(&python)
        .args([
            "-c",
            "import sysconfig; print(sysconfig.get_path('purelib'))",
        ])
        .output()?;
    let link = Path::new(&packages).join("memorax_code.pth");
    fs::write(&link, format!("{}\n", sources.display()))
        .map_err(|error| format!("cannot write `{}`: {error}", link.display()))?;
    Ok(python)
}

/// Makes the environment without the package, as far as it is not there, and returns its interpreter.
pub(crate) fn environment(workspace: &Workspace) -> Result<PathBuf, Failure> {
    let folder = workspace.target(ENVIRONMENT);
    let python = if cfg!(windows) {
        folder.join("Scripts/python.exe")
    } else {
        folder.join("bin/python")
    };
    let wanted = fs::read_to_string(workspace.path(REQUIREMENTS))
        .map_err(|error| format!("cannot read `{REQUIREMENTS}`: {error}"))?;
    // Written last, so that an interrupted installation is done again.
    let installed = folder.join("installed.txt");
    if fs::read_to_string(&installed).is_ok_and(|text| text == wanted)
        && workspace.call(&python).arg("--version").output().is_ok()
    {
        return Ok(python);
    }
    let system = interpreter(workspace)?;
    workspace
        .call(&system)
        .args(["-m", "venv", "--clear"])
        .arg(&folder)
        .run()?;
    workspace
        .call(&python)
        .args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--requirement",
        ])
        .arg(workspace.path(REQUIREMENTS))
        .run()?;
    fs::write(&installed, wanted)
        .map_err(|error| format!("cannot write `{}`: {error}", installed.display()))?;
    Ok(python)
}

/// Prepares a call of pip that puts the wheels which a file names, with their hashes, into a folder.
pub(crate) fn download(
    workspace: &Workspace,
    requirements: &str,
    folder: &Path,
) -> Result<Call, Failure> {
    fs::create_dir_all(folder)
        .map_err(|error| format!("cannot make `{}`: {error}", folder.display()))?;
    let call = workspace.call(environment(workspace)?);
    let call = call.args([
        "-m",
        "pip",
        "download",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
        "--require-hashes",
        "--only-binary=:all:",
    ]);
    let requirements = workspace.path(requirements);
    Ok(call
        .arg("--requirement")
        .arg(requirements)
        .arg("--dest")
        .arg(folder))
}

/// Finds Python 3.10 or later that can make virtual environments.
fn interpreter(workspace: &Workspace) -> Result<String, Failure> {
    let named = env::var("PYTHON").ok();
    let candidates = named
        .into_iter()
        .chain(["python3", "python"].map(str::to_owned));
    let version = "import sys; print(sys.version_info >= (3, 10))";
    let found = candidates
        .into_iter()
        .find(|name| {
            workspace
                .call(name)
                .args(["-c", version])
                .output()
                .is_ok_and(|answer| answer == "True")
        })
        .ok_or("Python 3.10 or later is needed: neither `python3` nor `python` is one (PYTHON=path names another)")?;
    if workspace
        .call(&found)
        .args(["-c", "import venv, ensurepip"])
        .output()
        .is_err()
    {
        return Err(format!(
            "`{found}` cannot make virtual environments. Install its `venv` module:\n  \
             Debian, Ubuntu   apt install python3-venv\n  \
             Fedora           dnf install python3-pip\n  \
             macOS            brew install python"
        ));
    }
    Ok(found)
}
