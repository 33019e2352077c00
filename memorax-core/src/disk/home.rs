//! Where everything is kept that is not in the user's repositories.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::{Error, ErrorKind, Result};

/// Returns the folder that holds every store: `MEMORAX_HOME`, or `memorax` in the platform's data folder.
///
/// # Errors
/// `NotFound` when the environment names neither.
pub(crate) fn home() -> Result<PathBuf> {
    let variable = |name: &str| std::env::var_os(name);
    let chosen = variable("MEMORAX_HOME").filter(|value| !value.is_empty());
    if let Some(chosen) = chosen {
        // A relative value would name another folder after every change of directory.
        return std::path::absolute(&chosen).map_err(|source| {
            Error::new(
                ErrorKind::InvalidInput,
                format!(
                    "MEMORAX_HOME `{}` cannot be used",
                    Path::new(&chosen).display()
                ),
            )
            .with_source(source)
        });
    }
    data_folder(&variable)
        .map(|folder| folder.join("memorax"))
        .ok_or_else(|| {
            Error::new(
                ErrorKind::NotFound,
                "no home directory in the environment to keep memories in",
            )
            .with_hint("set MEMORAX_HOME to a folder that can be written")
        })
}

fn data_folder(variable: &dyn Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let folder = |name: &str| {
        variable(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    if cfg!(windows) {
        folder("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        folder("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        folder("XDG_DATA_HOME").or_else(|| folder("HOME").map(|home| home.join(".local/share")))
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_data_folder_follows_the_platform_and_ignores_relative_values() {
        let folder = |data: &str, home: &str| {
            data_folder(&|name| {
                let value = if name == "XDG_DATA_HOME" { data } else { home };
                (!value.is_empty()).then(|| value.into())
            })
        };
        assert_eq!(folder("/data", "/home/a"), Some("/data".into()));
        assert_eq!(
            folder("data", "/home/a"),
            Some("/home/a/.local/share".into()),
            "the XDG rules say that a relative value is ignored"
        );
        assert_eq!(folder("", ""), None);
    }
}
