//! Where the bytes of a repository's files come from: a folder, or the blobs of a bare repository.

use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

/// Largest file that is read for facts; manifests, CI files and documents are far below it.
const LARGEST: u64 = 1 << 20;

/// Reads files of a repository by path.
pub trait Tree {
    /// Returns the bytes of the file, or `None` when it cannot be read. Called on the thread that builds.
    fn read(&self, path: &str) -> Option<Vec<u8>>;
}

/// The files of a folder on disk.
#[derive(Clone, Debug)]
pub struct FolderTree {
    root: PathBuf,
}

impl FolderTree {
    /// Creates a tree of the files below `root`.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }
}

impl Tree for FolderTree {
    fn read(&self, path: &str) -> Option<Vec<u8>> {
        // A path from a manifest must not lead out of the folder.
        if path.starts_with('/') || path.contains('\\') || path.contains(':') {
            return None;
        }
        let mut full = self.root.clone();
        for part in path.split('/') {
            if part == ".." {
                return None;
            }
            full.push(part);
        }
        let file = File::open(full).ok()?;
        if !file.metadata().ok()?.is_file() {
            return None;
        }
        let mut bytes = Vec::new();
        file.take(LARGEST).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }
}
