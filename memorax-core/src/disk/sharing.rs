//! Being one of many at a file, or alone with it, without ever waiting.
//!
//! Unix has locks that only those see who ask; on Windows a locked range cannot be written at all, even by its holder,
//! but a file can be opened so that nobody else can open it.

use std::fs::File;
use std::path::Path;

use super::{open_existing, open_for_append};
use crate::{ErrorKind, Result};

/// Opens a file for appending beside others who do the same; `None` while someone is alone with it.
pub(crate) fn append_beside_others(path: &Path) -> Result<Option<File>> {
    imp::shared(path)
}

/// Opens a file for reading and writing while nobody else appends to it; `None` when it is in use or gone.
pub(crate) fn open_alone(path: &Path) -> Result<Option<File>> {
    match imp::alone(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        other => other,
    }
}

#[cfg(not(windows))]
mod imp {
    use std::fs::TryLockError;

    use super::{File, Path, Result, open_existing, open_for_append};
    use crate::disk::writing_failed;

    pub(super) fn shared(path: &Path) -> Result<Option<File>> {
        let file = open_for_append(path)?;
        taken(path, file.try_lock_shared()).map(|taken| taken.then_some(file))
    }

    pub(super) fn alone(path: &Path) -> Result<Option<File>> {
        let file = open_existing(path)?;
        taken(path, file.try_lock()).map(|taken| taken.then_some(file))
    }

    fn taken(path: &Path, outcome: Result<(), TryLockError>) -> Result<bool> {
        match outcome {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(source)) => Err(writing_failed(path, source)),
        }
    }
}

#[cfg(windows)]
mod imp {
    use std::error::Error as _;
    use std::io;

    use super::{File, Path, Result, open_existing, open_for_append};
    use crate::Error;
    use crate::disk::file::open_unshared;

    const SHARING_VIOLATION: i32 = 32;

    pub(super) fn shared(path: &Path) -> Result<Option<File>> {
        unless_in_use(open_for_append(path))
    }

    pub(super) fn alone(path: &Path) -> Result<Option<File>> {
        // Tells a file that is gone from one that is in use.
        drop(open_existing(path)?);
        unless_in_use(open_unshared(path))
    }

    fn unless_in_use(opened: Result<File>) -> Result<Option<File>> {
        let in_use = |error: &Error| {
            error
                .source()
                .and_then(|source| source.downcast_ref::<io::Error>())
                .and_then(io::Error::raw_os_error)
                == Some(SHARING_VIOLATION)
        };
        match opened {
            Err(error) if in_use(&error) => Ok(None),
            other => other.map(Some),
        }
    }
}
