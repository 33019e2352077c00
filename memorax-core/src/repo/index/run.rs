//! The default indexer: lists, reads what is new, and writes a view.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{SystemTime, UNIX_EPOCH};

use super::cache::{Cache, FileKind, label_of};
use super::commits::KnownHistory;
use super::contents::read_files;
use super::learning::Learning;
use super::listing::Listing;
use super::source::{GitSource, Source};
use super::states::States;
use super::store::CodeStore;
use super::walk::{DiskFile, walk};
use crate::repo::code::BlobKey;
use crate::repo::history::{Reading, hex, interrupted};
use crate::repo::view::{Imports, Meta, Turns, View, ViewFile, ViewParts, build};
use crate::repo::{
    EmbedRequest, IndexRequest, IndexSwept, Progress, RepoIndexer, RepositoryView, VectorCount,
};
use crate::{Error, ErrorKind, Result};

/// Most bytes of the cache of one repository.
const LIMIT: u64 = 1_000_000_000;

/// Replaces secrets in a message.
pub(super) type Redact = Arc<dyn Fn(&str) -> String + Send + Sync>;

/// Understands repositories by reading git directly and parsing with tree-sitter; keeps what it learned by blob.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use memorax_core::repo::{CommitSelection, IndexRequest, Indexer, RepoIndexer};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let folder = std::env::temp_dir().join(format!("memorax-doc-{}", std::process::id()));
/// std::fs::create_dir_all(folder.join("project"))?;
/// std::fs::write(folder.join("project/lib.rs"), "pub struct Engine;\n")?;
/// let view = Indexer::new().index(&IndexRequest {
///     root: &folder.join("project"),
///     cache: &folder.join("cache"),
///     interrupt: &AtomicBool::new(false),
///     progress: &|_| {},
///     clock: &memorax_core::SystemClock,
/// })?;
/// assert_eq!(view.files()?[0].path, "lib.rs");
/// assert!(view.commits(&CommitSelection::Newest, 5)?.is_empty());
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Indexer {
    pub(super) redact: Redact,
    pub(super) limit: u64,
}

impl fmt::Debug for Indexer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Indexer").finish_non_exhaustive()
    }
}

impl Default for Indexer {
    fn default() -> Self {
        Self::new()
    }
}

impl Indexer {
    /// Creates an indexer that keeps commit messages as they are.
    pub fn new() -> Self {
        Self {
            redact: Arc::new(str::to_owned),
            limit: LIMIT,
        }
    }

    /// Sets how many bytes the cache of one repository may have before the views that were used least recently are
    /// dropped; default: 1 GB. The view of the present working tree stays, however large it is.
    #[must_use]
    pub fn limit(mut self, bytes: u64) -> Self {
        self.limit = bytes;
        self
    }

    /// Sets what is done to every commit message before it is kept. Called on several threads.
    #[must_use]
    pub fn redact(mut self, redact: impl Fn(&str) -> String + Send + Sync + 'static) -> Self {
        self.redact = Arc::new(redact);
        self
    }
}

impl RepoIndexer for Indexer {
    fn index(&self, request: &IndexRequest<'_>) -> Result<Arc<dyn RepositoryView>> {
        let cache = Cache::new(request.cache);
        let Some(_lock) = cache.lock()? else {
            // Another process is at it; what it made last is better than waiting.
            return match cache.view(request.root) {
                Some(view) => Ok(Arc::new(view)),
                None => Err(Error::new(
                    ErrorKind::Locked,
                    format!("another process is indexing `{}`", request.root.display()),
                )),
            };
        };
        if !request.root.is_dir() {
            return Err(Error::new(
                ErrorKind::NotFound,
                format!("no folder `{}`", request.root.display()),
            ));
        }
        let run = Run {
            redact: &self.redact,
            limit: self.limit,
            request,
            cache: &cache,
            source: Source::open(request.root),
        };
        run.index()?;
        let view = cache.view(request.root).ok_or_else(|| {
            Error::new(
                ErrorKind::Io,
                format!("the index in `{}` was removed", request.cache.display()),
            )
        })?;
        Ok(Arc::new(view))
    }

    fn open(&self, root: &Path, cache: &Path) -> Result<Option<Arc<dyn RepositoryView>>> {
        let view = Cache::new(cache).view(root);
        Ok(view.map(|view| Arc::new(view) as Arc<dyn RepositoryView>))
    }

    fn embed(&self, request: &EmbedRequest<'_>) -> Result<VectorCount> {
        self.embed_view(request)
    }

    fn sweep(&self, root: &Path, cache: &Path) -> Result<IndexSwept> {
        if !cache.is_dir() {
            return Ok(IndexSwept::default());
        }
        let cache = Cache::new(cache);
        // Another process that indexes sweeps at its end.
        Ok(match cache.lock()? {
            Some(_lock) => cache.sweep(root, self.limit),
            None => IndexSwept::default(),
        })
    }
}

/// Returns the folder below the root in which memories are kept, where somebody put it there: the nearest folder around
/// the index that has a device's name, or the index alone.
fn own_folder(request: &IndexRequest<'_>) -> Option<PathBuf> {
    let root = request.root.canonicalize().ok()?;
    let cache = request.cache.canonicalize().ok()?;
    let around = cache
        .ancestors()
        .take_while(|folder| folder.starts_with(&root) && *folder != root);
    let mut around = around.peekable();
    let index = around.peek().copied();
    let inside = around
        .find(|folder| folder.join("device.json").is_file())
        .or(index)?
        .strip_prefix(&root)
        .ok()?
        .to_path_buf();
    // Named as the walk names it.
    Some(request.root.join(inside))
}

/// One run.
struct Run<'a> {
    redact: &'a Redact,
    limit: u64,
    request: &'a IndexRequest<'a>,
    cache: &'a Cache,
    source: Source,
}

impl Run<'_> {
    /// Returns the name of the branch, without secrets.
    fn branch(&self) -> Option<String> {
        let branch = self.source.git.as_ref()?.branch.as_deref()?;
        Some((self.redact)(branch))
    }

    fn index(&self) -> Result<()> {
        let previous = self
            .cache
            .view(self.request.root)
            .filter(|view| view.own.is_current());
        let walked = now_nanos();
        self.progress("reading files", 0);
        let git = self.source.git.as_ref();
        let bare = git.is_some_and(|git| git.bare);
        let on_disk = (!bare).then(|| walk(&self.source, own_folder(self.request).as_deref()));
        if self.request.interrupt.load(Ordering::Relaxed) {
            return Err(interrupted());
        }
        let before = previous.as_ref().map(States::of).transpose()?;
        if let (Some(view), Some(before)) = (&previous, &before)
            && self.is_current(view)
            && on_disk
                .as_ref()
                .is_none_or(|walked| is_same(before, &walked.files))
        {
            return Ok(());
        }
        let segments = self.cache.segments();
        let reading = git.map(|git| Reading {
            repository: &git.shared,
            redact: &**self.redact,
            interrupt: self.request.interrupt,
            progress: self.request.progress,
        });
        let head = git.and_then(|git| git.head.as_ref());
        let history = KnownHistory::update(self.cache, segments.history, reading.as_ref(), head)?;
        let listing = Listing::new(&self.source, on_disk);
        let mut store = CodeStore::new(segments.code)?;
        let learning = Learning {
            cache: self.cache,
            repository: git.map(|git| &git.shared),
            interrupt: self.request.interrupt,
            progress: self.request.progress,
        };
        let mut files = read_files(
            &self.source,
            &learning,
            &mut store,
            &listing,
            before.as_ref(),
        )?;
        let live: HashSet<BlobKey> = files
            .iter()
            .filter(|file| file.state.skipped == 0)
            .map(key_of)
            .collect();
        store.tidy(self.cache, &live)?;
        for file in &mut files {
            file.place = match file.state.skipped {
                0 => store.place(&key_of(file)),
                _ => None,
            };
        }
        self.write_view(walked, &files, &store, &history, listing.skipped)
    }

    fn progress(&self, stage: &'static str, done: u64) {
        (self.request.progress)(Progress::new(stage, done, None));
    }

    /// Says whether a view is of the present commit, and all of its files are whole and say what would be said now.
    fn is_current(&self, view: &View) -> bool {
        let git = self.source.git.as_ref();
        let head = git.and_then(|git| git.head).map(|head| hex(&head));
        let meta = &view.meta;
        meta.info.commit == head
            && meta.info.branch == self.branch()
            && meta.missing == 0
            && meta.tags == git.map_or(0, GitSource::tag_sum)
            && view
                .containers()
                .all(|container| container.is_current() && container.verify().is_ok())
    }

    fn write_view(
        &self,
        walked: i64,
        files: &[ViewFile],
        store: &CodeStore,
        known: &KnownHistory,
        mut skipped: BTreeMap<&'static str, usize>,
    ) -> Result<()> {
        self.progress("writing the view", 0);
        let git = self.source.git.as_ref();
        if known.missing > 0 {
            skipped.insert("commits outside of a shallow clone", known.missing);
        }
        let (names, segments): (Vec<_>, Vec<_>) = store.segments.iter().cloned().unzip();
        let mut meta = Meta {
            prefix: git.map_or_else(String::new, |git| git.prefix.clone()),
            code: names,
            history: known.names.clone(),
            walked,
            root: self.source.root.to_str().map(str::to_owned),
            missing: known.missing,
            ..Meta::default()
        };
        meta.info.commit = git.and_then(|git| git.head).map(|head| hex(&head));
        meta.info.branch = self.branch();
        meta.info.indexed = self.request.clock.now();
        meta.tags = git.map_or(0, GitSource::tag_sum);
        let mut tags = git.map_or_else(Vec::new, |git| git.tags.clone());
        for tag in &mut tags {
            tag.name = (self.redact)(&tag.name);
        }
        let skipped: Vec<(&'static str, usize)> = skipped.into_iter().collect();
        let built = build(ViewParts {
            meta,
            files,
            code: &segments,
            history: &known.history,
            order: &known.order,
            skipped: &skipped,
            imports: Imports::Resolved,
            turns: Turns::Found(&tags),
        })?;
        let label = format!("{}-", label_of(self.request.root));
        let tree = self.cache.write_once(FileKind::Tree, &built.tree)?;
        self.cache.write(FileKind::View, &label, &built.own(tree))?;
        self.cache.sweep(self.request.root, self.limit);
        Ok(())
    }
}

/// Says whether the files on disk are certainly those of a view.
fn is_same(before: &States, files: &[DiskFile]) -> bool {
    files.len() == before.len() && files.iter().all(|file| before.unchanged(file).is_some())
}

fn key_of(file: &ViewFile) -> BlobKey {
    BlobKey {
        id: file.state.id,
        language: file.language,
    }
}

/// The machine's clock in nanoseconds since 1970, to compare with times of files.
fn now_nanos() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .ok()
        .and_then(|since| i64::try_from(since.as_nanos()).ok())
        .unwrap_or(0)
}
