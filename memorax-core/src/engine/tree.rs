//! The working tree as it is now, for the freshness of what memories cite.

use std::path::{Path, PathBuf};

use super::shims::definitions;
use crate::retrieve::Tree;
use crate::{Result, Symbol};

/// Largest file whose definitions are read at recall time; a larger one would hold up a hook.
const LARGEST: u64 = 512 * 1024;

/// The files below a root.
#[derive(Clone, Debug)]
pub(super) struct WorkingTree {
    root: PathBuf,
}

impl WorkingTree {
    pub(super) fn new(root: &Path) -> Self {
        Self {
            root: root.to_path_buf(),
        }
    }
}

impl Tree for WorkingTree {
    fn exists(&self, path: &str) -> bool {
        self.root.join(path).symlink_metadata().is_ok()
    }

    fn definitions(&self, path: &str) -> Result<Option<Vec<Symbol>>> {
        let file = self.root.join(path);
        let Ok(metadata) = file.metadata() else {
            return Ok(None);
        };
        if !metadata.is_file() || metadata.len() > LARGEST {
            return Ok(None);
        }
        let Ok(bytes) = std::fs::read(&file) else {
            return Ok(None);
        };
        Ok(definitions(path, &bytes))
    }
}
