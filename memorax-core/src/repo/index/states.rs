//! What files looked like on disk when they were read, to tell the unchanged ones without reading them.

use std::collections::HashMap;

use super::learning::Content;
use super::listing::Listed;
use super::walk::DiskFile;
use crate::Result;
use crate::repo::view::{FileState, UNREADABLE, View};

/// A file that changed so shortly before the walk may have changed again unnoticed: clocks of file systems tick in up
/// to 10 ms, and on some in whole or even seconds.
const FINE_TICK: i64 = 20_000_000;
const COARSE_TICK: i64 = 2_000_000_000;

/// What the files of a view looked like when they were read.
pub(super) struct States {
    files: usize,
    by_path: HashMap<String, FileState>,
    walked: i64,
}

impl States {
    pub(super) fn of(view: &View) -> Result<Self> {
        Ok(Self {
            files: view.meta.info.files,
            by_path: view
                .states()?
                .into_iter()
                .map(|(path, _, state)| (path, state))
                .collect(),
            walked: view.meta.walked,
        })
    }

    /// Returns the number of files.
    pub(super) fn len(&self) -> usize {
        self.files
    }

    /// Returns the state of a file that is certainly the same as then.
    pub(super) fn unchanged(&self, file: &DiskFile) -> Option<&FileState> {
        self.same(&file.path, file.size, file.modified, file.inode)
    }

    pub(super) fn unchanged_listed(&self, file: &Listed) -> Option<FileState> {
        match &file.content {
            Content::Disk(..) => self
                .same(&file.path, file.size, file.modified, file.inode)
                .copied(),
            Content::Blob(id) => self
                .by_path
                .get(&file.path)
                .filter(|state| state.id == *id && state.modified == 0)
                .copied(),
        }
    }

    fn same(&self, path: &str, size: u64, modified: i64, inode: u64) -> Option<&FileState> {
        let tick = if modified % 1_000_000_000 == 0 {
            COARSE_TICK
        } else {
            FINE_TICK
        };
        self.by_path.get(path).filter(|state| {
            (state.size, state.modified, state.inode) == (size, modified, inode)
                && modified != 0
                && modified < self.walked - tick
                // What could not be read may be readable now.
                && state.skipped != UNREADABLE
        })
    }
}
