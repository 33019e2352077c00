//! Whole-file locks between processes.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

use super::{ProcessStamp, open_for_update, writing_failed};
use crate::{Error, ErrorKind, Result};

/// A lock on a file, held until it is dropped or its process ends.
#[derive(Debug)]
pub(crate) struct FileLock {
    file: File,
    stamp: ProcessStamp,
}

impl FileLock {
    /// Creates the file if it is missing and locks it, unless someone else holds it.
    pub(crate) fn try_exclusive(path: &Path) -> Result<Option<Self>> {
        let file = open_for_update(path)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self {
                file,
                stamp: ProcessStamp::current(),
            })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(source)) => Err(writing_failed(path, source)),
        }
    }

    /// Locks the file, waiting for its holder for at most `patience`.
    ///
    /// # Errors
    /// `Locked` when the holder kept it for longer.
    pub(crate) fn exclusive(path: &Path, patience: Duration) -> Result<Self> {
        let deadline = Instant::now() + patience;
        loop {
            if let Some(lock) = Self::try_exclusive(path)? {
                return Ok(lock);
            }
            if Instant::now() >= deadline {
                return Err(Error::new(
                    ErrorKind::Locked,
                    format!("another process holds `{}`", path.display()),
                ));
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        // A forked child shares the lock: unlocking there would unlock the parent, closing does not.
        if self.stamp.is_current() {
            // Closing the file releases the lock too, should this fail.
            let _ = self.file.unlock();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_excludes_others_until_it_is_dropped() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("space.lock");
        let held = FileLock::try_exclusive(&path)?.expect("nobody else knows the file");
        assert!(
            FileLock::try_exclusive(&path)?.is_none(),
            "two holders at once"
        );
        let refused = FileLock::exclusive(&path, Duration::ZERO).expect_err("the lock is held");
        assert_eq!(refused.kind(), ErrorKind::Locked);
        drop(held);
        assert!(FileLock::try_exclusive(&path)?.is_some());
        Ok(())
    }
}
