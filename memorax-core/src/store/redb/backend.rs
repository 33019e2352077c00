//! The file under a redb database, with waits that end.

use std::fs::File;
use std::io;
use std::ops::Bound;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use redb::backends::FileBackend;
use redb::{BackendError, DatabaseError, StorageBackend};

use crate::{Error, ErrorKind, Result, disk};

/// Waits for locks by trying again until its patience ends. redb waits for ever, also for a process that is stopped:
/// when it opens a file for writing, and for the moment in which a commit writes the header.
#[derive(Debug)]
pub(super) struct Patient {
    file: FileBackend,
    patience: Duration,
}

impl Patient {
    pub(super) fn new(file: File, patience: Duration) -> Result<Self, DatabaseError> {
        Ok(Self {
            file: FileBackend::new(file)?,
            patience,
        })
    }

    fn wait(
        &self,
        mut attempt: impl FnMut() -> Result<bool, BackendError>,
    ) -> Result<(), BackendError> {
        let deadline = Instant::now() + self.patience;
        let mut pause = Duration::from_micros(20);
        while !attempt()? {
            if Instant::now() >= deadline {
                return Err(BackendError::Io(io::Error::new(
                    io::ErrorKind::TimedOut,
                    "another process holds a lock of the store",
                )));
            }
            sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(5));
        }
        Ok(())
    }
}

impl StorageBackend for Patient {
    fn len(&self) -> io::Result<u64> {
        self.file.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.file.read(offset, out)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.file.set_len(len)
    }

    fn sync_data(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.file.write(offset, data)
    }

    fn close(&self) -> io::Result<()> {
        self.file.close()
    }

    fn try_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.file.try_lock_range(start, end)
    }

    fn try_lock_shared_range(
        &self,
        start: Bound<u64>,
        end: Bound<u64>,
    ) -> Result<bool, BackendError> {
        self.file.try_lock_shared_range(start, end)
    }

    fn lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.wait(|| self.file.try_lock_range(start, end))
    }

    fn lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.wait(|| self.file.try_lock_shared_range(start, end))
    }

    fn unlock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.file.unlock_range(start, end)
    }

    fn query_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.file.query_lock_range(start, end)
    }
}

/// Checks that byte ranges can be locked in a folder, with the locks that redb uses: on some network file systems two
/// writers would not see each other.
pub(super) fn check_locks(probe: &Path) -> Result<()> {
    let open = || -> Result<FileBackend> {
        FileBackend::new(disk::open_for_update(probe)?)
            .map_err(|source| super::engine::failure(probe, source.into()))
    };
    let (one, other) = (open()?, open()?);
    let byte = Bound::Included(1 << 20);
    let excluded = one.try_lock_range(byte, byte).and_then(|taken| {
        let refused = !other.try_lock_range(byte, byte)?;
        let seen = other.query_lock_range(byte, byte)?;
        // A probe that runs elsewhere at the same moment holds the byte: that shows locks that work as well.
        Ok(!taken || (refused && seen))
    });
    match excluded {
        Ok(true) => Ok(()),
        Ok(false) => Err(no_locks(probe)),
        Err(source) => Err(no_locks(probe).with_source(source)),
    }
}

fn no_locks(probe: &Path) -> Error {
    let folder = probe.parent().unwrap_or(probe);
    Error::new(
        ErrorKind::Locked,
        format!(
            "`{}` is on a file system without working locks, where two processes could harm the store",
            folder.display()
        ),
    )
    .with_hint(
        "set MEMORAX_HOME to a local folder, or MEMORAX_EXCLUSIVE=1 if only one process at a time will use it",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_for_a_held_lock_ends() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("file");
        let patience = Duration::from_millis(20);
        let open = || Patient::new(disk::open_for_update(&path)?, patience).map_err(Into::into);
        let one: Result<Patient, Box<dyn std::error::Error>> = open();
        let other: Result<Patient, Box<dyn std::error::Error>> = open();
        let (one, other) = (one?, other?);
        let byte = Bound::Included(7);
        one.lock_range(byte, byte)?;
        let started = Instant::now();
        let refused = other
            .lock_shared_range(byte, byte)
            .expect_err("the byte is locked");
        assert!(started.elapsed() >= patience);
        assert_eq!(
            io::Error::from(refused).kind(),
            io::ErrorKind::TimedOut,
            "a caller can tell a wait that ended from a failure"
        );
        one.unlock_range(byte, byte)?;
        other.lock_shared_range(byte, byte)?;
        check_locks(&folder.path().join("probe"))?;
        Ok(())
    }
}
