//! ONNX Runtime for the tests of the feature `fastembed`, out of the Python package that carries its library.

use std::path::PathBuf;

use crate::command::Failure;
use crate::python;
use crate::workspace::Workspace;

const FOLDER: &str = "onnxruntime";
const REQUIREMENTS: &str = "xtask/runtime-requirements.txt";
/// Takes the library out of the wheel, whose hash pip has checked: `-c UNPACK FOLDER`.
const UNPACK: &str = "import pathlib, sys, zipfile
folder = pathlib.Path(sys.argv[1])
wheel = next(folder.glob('*.whl'))
with zipfile.ZipFile(wheel) as archive:
    libraries = [name for name in archive.namelist() if name.rsplit('/', 1)[-1].startswith(('libonnxruntime.', 'onnxruntime.dll')) and 'capi/' in name]
    (folder / 'part').write_bytes(archive.read(max(libraries, key=lambda name: archive.getinfo(name).file_size)))
(folder / 'part').replace(folder / sys.argv[2])
wheel.unlink()
";

/// Prepares the library, as far as it is not there, and returns its path; `None` on platforms without a package.
pub(crate) fn ready(workspace: &Workspace) -> Result<Option<PathBuf>, Failure> {
    let Some(platform) = platform() else {
        return Ok(None);
    };
    let folder = workspace.target(FOLDER);
    let name = format!(
        "{}onnxruntime{}",
        std::env::consts::DLL_PREFIX,
        std::env::consts::DLL_SUFFIX
    );
    let library = folder.join(&name);
    if library.is_file() {
        return Ok(Some(library));
    }
    python::download(workspace, REQUIREMENTS, &folder)?
        .args([
            "--implementation=cp",
            "--python-version=3.11",
            "--abi=cp311",
        ])
        .arg(format!("--platform={platform}"))
        .run()?;
    workspace
        .call(python::environment(workspace)?)
        .args(["-c", UNPACK])
        .arg(&folder)
        .arg(&name)
        .output()?;
    Ok(Some(library))
}

fn platform() -> Option<&'static str> {
    match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") => Some("manylinux_2_28_x86_64"),
        ("linux", "aarch64") => Some("manylinux_2_28_aarch64"),
        ("macos", "aarch64") => Some("macosx_14_0_arm64"),
        ("windows", "x86_64") => Some("win_amd64"),
        _ => None,
    }
}
