//! The bytes of a database in memory, to read what cannot be opened where it is.

use std::fmt;
use std::io;
use std::ops::{Bound, Range};
use std::path::Path;

use redb::{BackendError, StorageBackend};

use super::engine;
use crate::{Result, disk};

// Places in the first page, from redb's design document.
const FLAGS: usize = 9;
const GEOMETRY: Range<usize> = 10..64;
const SLOTS: [Range<usize>; 2] = [64..192, 192..320];

const SECOND_SLOT: u8 = 1;
const UNCLEAN: u8 = 2;
const TWO_PHASES: u8 = 4;

/// A copy of a database file. Nobody else can reach it, so every lock is free.
pub(super) struct Image(Vec<u8>);

impl Image {
    /// Reads a file that no process has open and that nobody can repair, because the place cannot be written.
    pub(super) fn unclean(path: &Path) -> Result<Self> {
        let mut bytes = disk::read(path)?;
        if let Some(flags) = bytes.get_mut(FLAGS) {
            // Commits of shared modes are in two phases: the tree of the last one is whole.
            *flags &= !UNCLEAN;
        }
        Ok(Self(bytes))
    }

    /// Makes readable what can be of a damaged file: its last commit, and the one before.
    ///
    /// The header says how large pages and regions are, which never changes, and where the trees of the last two commits
    /// are. The first is taken from a new database, the second from each commit in turn.
    pub(super) fn of_damaged(file: &Path, bytes: &[u8]) -> Result<Vec<Self>> {
        let whole = new_database(file)?;
        let mut bytes = bytes.to_vec();
        if bytes.len() < whole.len() {
            bytes.resize(whole.len(), 0);
        }
        let last = usize::from(bytes[FLAGS] & SECOND_SLOT);
        let slots = [last, 1 - last].map(|slot| bytes[SLOTS[slot].clone()].to_vec());
        bytes[..FLAGS].copy_from_slice(&whole[..FLAGS]);
        bytes[GEOMETRY].copy_from_slice(&whole[GEOMETRY]);
        bytes[FLAGS] = TWO_PHASES;
        Ok(slots
            .into_iter()
            // Where nothing is left of a commit, redb would see one without tables.
            .filter(|slot| slot.iter().any(|byte| *byte != 0))
            .map(|slot| {
                let mut bytes = bytes.clone();
                for place in SLOTS {
                    bytes[place].copy_from_slice(&slot);
                }
                Self(bytes)
            })
            .collect())
    }
}

fn new_database(beside: &Path) -> Result<Vec<u8>> {
    let path = disk::temporary_name(beside);
    let bytes = engine::build(&path, |_| Ok(())).and_then(|()| disk::read(&path));
    disk::remove(&path)?;
    bytes
}

impl fmt::Debug for Image {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Image({} bytes)", self.0.len())
    }
}

impl StorageBackend for Image {
    fn len(&self) -> io::Result<u64> {
        Ok(self.0.len() as u64)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let part = usize::try_from(offset)
            .ok()
            .and_then(|start| self.0.get(start..start.checked_add(out.len())?))
            .ok_or(io::ErrorKind::UnexpectedEof)?;
        out.copy_from_slice(part);
        Ok(())
    }

    fn set_len(&self, _len: u64) -> io::Result<()> {
        Err(io::ErrorKind::ReadOnlyFilesystem.into())
    }

    fn sync_data(&self) -> io::Result<()> {
        Ok(())
    }

    fn write(&self, _offset: u64, _data: &[u8]) -> io::Result<()> {
        Err(io::ErrorKind::ReadOnlyFilesystem.into())
    }

    fn try_lock_range(&self, _: Bound<u64>, _: Bound<u64>) -> Result<bool, BackendError> {
        Ok(true)
    }

    fn try_lock_shared_range(&self, _: Bound<u64>, _: Bound<u64>) -> Result<bool, BackendError> {
        Ok(true)
    }

    fn lock_range(&self, _: Bound<u64>, _: Bound<u64>) -> Result<(), BackendError> {
        Ok(())
    }

    fn lock_shared_range(&self, _: Bound<u64>, _: Bound<u64>) -> Result<(), BackendError> {
        Ok(())
    }

    fn unlock_range(&self, _: Bound<u64>, _: Bound<u64>) -> Result<(), BackendError> {
        Ok(())
    }

    fn query_lock_range(&self, _: Bound<u64>, _: Bound<u64>) -> Result<bool, BackendError> {
        Ok(false)
    }
}
