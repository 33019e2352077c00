//! Paths as evidence: canonical, and written the same way on every system.

use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use crate::{Error, ErrorKind, Result, Timestamp};

/// Returns the canonical folder that `path` is or lies in.
pub(super) fn existing_folder(path: &Path) -> Result<PathBuf> {
    let path = canonical(path)?;
    if path.is_dir() {
        return Ok(path);
    }
    Ok(path
        .parent()
        .map_or_else(|| path.clone(), Path::to_path_buf))
}

/// Resolves links and `..`, without the `\\?\` prefix that Windows puts before canonical paths.
pub(super) fn canonical(path: &Path) -> Result<PathBuf> {
    let resolved = std::fs::canonicalize(path).map_err(|error| {
        let (kind, message) = match error.kind() {
            std::io::ErrorKind::NotFound => (ErrorKind::NotFound, "no file or folder"),
            _ => (ErrorKind::Io, "cannot resolve the path"),
        };
        Error::new(kind, format!("{message} `{}`", path.display())).with_source(error)
    })?;
    Ok(without_verbatim_prefix(resolved))
}

fn without_verbatim_prefix(path: PathBuf) -> PathBuf {
    if !cfg!(windows) {
        return path;
    }
    let Some(text) = path.to_str() else {
        return path;
    };
    match (text.strip_prefix(r"\\?\UNC\"), text.strip_prefix(r"\\?\")) {
        (Some(share), _) => PathBuf::from(format!(r"\\{share}")),
        (None, Some(plain)) => PathBuf::from(plain),
        (None, None) => path,
    }
}

/// Writes a path with `/` between its parts.
pub(super) fn text(path: &Path) -> String {
    let text = path.to_string_lossy();
    if cfg!(windows) {
        text.replace('\\', "/")
    } else {
        text.into_owned()
    }
}

/// Returns when a folder was created, where the file system tells.
pub(super) fn born(path: &Path) -> Option<Timestamp> {
    let created = std::fs::metadata(path).ok()?.created().ok()?;
    let millis = created.duration_since(UNIX_EPOCH).ok()?.as_millis();
    i64::try_from(millis).ok().map(Timestamp::from_millis)
}
