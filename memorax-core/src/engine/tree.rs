//! The working tree as it is now, for the freshness of what memories cite.

use std::path::PathBuf;

use crate::repo::{Checkout, CheckoutKind, definitions};
use crate::retrieve::Tree;
use crate::{Result, Symbol};

/// Largest file whose definitions are read at recall time; a larger one would hold up a hook.
const LARGEST: u64 = 512 * 1024;

/// The files below a root.
#[derive(Clone, Debug)]
pub(super) struct WorkingTree {
    root: PathBuf,
    bare: bool,
}

impl WorkingTree {
    /// Creates the tree; a bare repository has none, and nothing can be said about its files.
    pub(super) fn new(checkout: &Checkout) -> Self {
        let bare = checkout.kind() == CheckoutKind::Bare;
        Self {
            root: checkout.root().to_path_buf(),
            bare,
        }
    }
}

impl Tree for WorkingTree {
    fn exists(&self, path: &str) -> Option<bool> {
        if self.bare {
            return None;
        }
        Some(self.root.join(path).symlink_metadata().is_ok())
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
