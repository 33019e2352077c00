//! The folder of the derived index: immutable files under names that are never used twice, and a lock.
//!
//! A file's name has its kind, a generation that grows, and a part of its content's checksum. Nothing is ever replaced:
//! a reader that has an old view keeps reading the old files, and what no view needs is removed by the next run.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use sha2::{Digest, Sha256};

use crate::Result;
use crate::disk::{self, FileLock};
use crate::repo::code::{self, CodeSegment};
use crate::repo::format::{Container, checksum};
use crate::repo::history::{HISTORY_KIND, HistorySegment, hex};
use crate::repo::view::{TREE_KIND, VIEW_KIND, View};

pub(super) const ENDING: &str = ".mxi";
const LOCK: &str = "index.lock";

/// The folder.
#[derive(Debug)]
pub(super) struct Cache {
    pub(super) folder: PathBuf,
    generation: AtomicU64,
}

/// Kinds of files in the folder, by the first part of their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileKind {
    Code,
    History,
    Tree,
    View,
    Vectors,
}

impl FileKind {
    fn as_str(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::History => "history",
            Self::Tree => "tree",
            Self::View => "view",
            Self::Vectors => "vectors",
        }
    }
}

impl Cache {
    /// Uses a folder that may not exist.
    pub(super) fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            generation: AtomicU64::new(0),
        }
    }

    /// Takes the lock; `None` when another process indexes.
    pub(super) fn lock(&self) -> Result<Option<FileLock>> {
        disk::create_dir_private(&self.folder)?;
        let lock = FileLock::try_exclusive(&self.folder.join(LOCK))?;
        self.number();
        Ok(lock)
    }

    /// Takes the lock, waiting for the one who has it for a while.
    pub(super) fn lock_within(&self, patience: Duration) -> Result<FileLock> {
        let lock = FileLock::exclusive(&self.folder.join(LOCK), patience)?;
        self.number();
        Ok(lock)
    }

    /// Goes on numbering where the files of the folder end.
    fn number(&self) {
        let last = self
            .names()
            .iter()
            .filter_map(|name| generation_of(name))
            .max();
        self.generation.store(last.unwrap_or(0), Ordering::Relaxed);
    }

    pub(super) fn names(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(&self.folder) else {
            return Vec::new();
        };
        let mut names: Vec<String> = entries
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .collect();
        names.sort_unstable();
        names
    }

    pub(super) fn names_of(&self, kind: FileKind) -> Vec<String> {
        let start = format!("{}-", kind.as_str());
        let mut names = self.names();
        names.retain(|name| name.starts_with(&start) && name.ends_with(ENDING));
        names
    }

    /// Writes a file whole under a new name, which is returned. `label` stands between kind and generation.
    pub(super) fn write(&self, kind: FileKind, label: &str, bytes: &[u8]) -> Result<String> {
        let generation = self.generation.fetch_add(1, Ordering::Relaxed) + 1;
        let sum = checksum(&bytes[..bytes.len().min(512)]) as u32;
        let kind = kind.as_str();
        let name = format!("{kind}-{label}{generation:08x}-{sum:08x}{ENDING}");
        disk::write_atomic(&self.folder.join(&name), bytes)?;
        Ok(name)
    }

    /// Returns the name of a file with these bytes; writes it where there is none yet.
    pub(super) fn write_once(&self, kind: FileKind, bytes: &[u8]) -> Result<String> {
        let label = format!("{:016x}-", checksum(bytes));
        let start = format!("{}-{label}", kind.as_str());
        for name in self.names_of(kind) {
            if name.starts_with(&start)
                && disk::read(&self.folder.join(&name)).is_ok_and(|there| there == bytes)
            {
                return Ok(name);
            }
        }
        self.write(kind, &label, bytes)
    }

    /// Opens a segment of code.
    pub(super) fn code(&self, name: &str) -> Result<Arc<CodeSegment>> {
        let container = Container::open(&self.folder.join(name), code::KIND)?;
        Ok(Arc::new(CodeSegment::new(container)))
    }

    /// Opens a segment of history.
    pub(super) fn history(&self, name: &str) -> Result<Arc<HistorySegment>> {
        let container = Container::open(&self.folder.join(name), HISTORY_KIND)?;
        Ok(Arc::new(HistorySegment::new(container)))
    }

    /// Opens every whole segment of code and of history, used by a view or left by an interrupted run; damaged ones are
    /// removed. Those by another recipe are passed over: an older view may need them until it is made again.
    pub(super) fn segments(&self) -> Segments {
        let mut segments = Segments::default();
        for name in self.names_of(FileKind::Code) {
            let opened = self.code(&name).and_then(|segment| {
                segment.container.verify()?;
                Ok(segment)
            });
            match opened {
                Ok(segment) if segment.container.is_current() => {
                    segments.code.push((name, segment));
                }
                Ok(_) => {}
                Err(_) => self.remove(&name),
            }
        }
        for name in self.names_of(FileKind::History) {
            let opened = self.history(&name).and_then(|segment| {
                segment.container.verify()?;
                Ok(segment)
            });
            match opened {
                Ok(segment) if segment.container.is_current() => {
                    segments.history.push((name, segment));
                }
                Ok(_) => {}
                Err(_) => self.remove(&name),
            }
        }
        segments
    }

    /// Opens the newest whole view of a root.
    pub(super) fn view(&self, root: &Path) -> Option<View> {
        let start = format!("view-{}-", label_of(root));
        // A run in another process may remove what the list named; what it made then is on the next list.
        for _ in 0..3 {
            let mut names = self.names_of(FileKind::View);
            names.retain(|name| name.starts_with(&start));
            if names.is_empty() {
                return None;
            }
            for name in names.iter().rev() {
                if let Ok(view) = self.open_view(name) {
                    disk::mark_used(&self.folder.join(name));
                    return Some(view);
                }
            }
        }
        None
    }

    fn open_view(&self, name: &str) -> Result<View> {
        let own = Container::open(&self.folder.join(name), VIEW_KIND)?;
        let meta = View::meta(&own)?;
        let tree = Container::open(&self.folder.join(&meta.tree), TREE_KIND)?;
        let code = meta
            .code
            .iter()
            .map(|name| self.code(name))
            .collect::<Result<_>>()?;
        let history = meta
            .history
            .iter()
            .map(|name| self.history(name))
            .collect::<Result<_>>()?;
        Ok(View::open(own, tree, meta, code, history)?.beside(&self.folder))
    }

    /// Removes a file; one that is held open elsewhere on Windows is removed by a later run.
    pub(super) fn remove(&self, name: &str) {
        let _ = disk::remove(&self.folder.join(name));
    }
}

/// Whole segments of the folder, by name, oldest first.
#[derive(Debug, Default)]
pub(super) struct Segments {
    pub(super) code: Vec<(String, Arc<CodeSegment>)>,
    pub(super) history: Vec<(String, Arc<HistorySegment>)>,
}

/// Names a root in file names: the worktrees of a repository share a folder.
pub(super) fn label_of(root: &Path) -> String {
    let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let digest = Sha256::digest(root.as_os_str().as_encoded_bytes());
    hex(&digest[..8])
}

fn generation_of(name: &str) -> Option<u64> {
    let stem = name.strip_suffix(ENDING)?;
    let mut parts = stem.rsplit('-');
    parts.next()?;
    u64::from_str_radix(parts.next()?, 16).ok()
}
