//! The default indexer: lists, reads what is new, and writes a view.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use super::attributes::Attributes;
use super::cache::{Cache, FileKind, Segments, label_of};
use super::learning::{Content, Learning, Wanted};
use super::source::Source;
use super::store::CodeStore;
use super::tree::{TreeKind, TreeReader};
use super::walk::{DiskFile, walk};
use crate::repo::code::{BlobId, BlobKey};
use crate::repo::facts::Language;
use crate::repo::history::{BATCH, History, HistoryWriter, Reading, Unknown, interrupted};
use crate::repo::view::{FileState, Meta, View, ViewFile, ViewParts, build, file_flag};
use crate::repo::{IndexRequest, Progress, RepoIndexer, RepositoryView};
use crate::{Error, ErrorKind, Result};

/// Most segments of history before they are joined.
const MOST_HISTORY: usize = 8;
/// A file that changed so shortly before the walk may have changed again unnoticed: clocks of file systems tick in up
/// to 10 ms, and on some in whole or even seconds.
const FINE_TICK: i64 = 20_000_000;
const COARSE_TICK: i64 = 2_000_000_000;

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
        }
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
}

/// One run.
struct Run<'a> {
    redact: &'a Redact,
    request: &'a IndexRequest<'a>,
    cache: &'a Cache,
    source: Source,
}

/// Files of the present state, before their content is known.
#[derive(Default)]
struct Listing {
    files: Vec<Listed>,
    skipped: BTreeMap<&'static str, usize>,
    /// Blob of each path in the commit.
    committed: HashMap<String, BlobId>,
}

struct Listed {
    path: String,
    content: Content,
    size: u64,
    modified: i64,
    inode: u64,
}

impl Run<'_> {
    fn index(&self) -> Result<()> {
        let previous = self.cache.view(self.request.root);
        let Segments { code, history } = self.cache.segments();
        let walked = now_nanos();
        self.progress("reading files", 0);
        let bare = self.source.git.as_ref().is_some_and(|git| git.bare);
        let on_disk = if bare { None } else { Some(walk(&self.source)) };
        if self
            .request
            .interrupt
            .load(std::sync::atomic::Ordering::Relaxed)
        {
            return Err(interrupted());
        }
        let before = previous.as_ref().map(States::of).transpose()?;
        if let (Some(view), Some(on_disk), Some(before)) = (&previous, &on_disk, &before)
            && self.is_current(view, before, &on_disk.files, &code, &history)
        {
            return Ok(());
        }
        let history = self.read_history(history)?;
        let listing = self.list(on_disk);
        let mut store = CodeStore::new(code)?;
        let mut files = self.read_files(&mut store, &listing, before.as_ref())?;
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
        self.write_view(walked, files, &store, history, listing.skipped)
    }

    fn progress(&self, stage: &'static str, done: u64) {
        (self.request.progress)(Progress::new(stage, done, None));
    }

    /// Says whether a view shows exactly what is there now.
    fn is_current(
        &self,
        view: &View,
        before: &States,
        files: &[DiskFile],
        code: &[(String, Arc<crate::repo::code::CodeSegment>)],
        history: &[(String, Arc<crate::repo::history::HistorySegment>)],
    ) -> bool {
        let git = self.source.git.as_ref();
        let head = git.and_then(|git| git.head).map(|head| hex(&head));
        view.meta.info.commit == head
            && view.meta.info.branch == git.and_then(|git| git.branch.clone())
            && view.meta.missing == 0
            && files.len() == before.by_path.len()
            && files.iter().all(|file| before.unchanged(file).is_some())
            && view
                .meta
                .code
                .iter()
                .all(|name| code.iter().any(|(there, _)| there == name))
            && view
                .meta
                .history
                .iter()
                .all(|name| history.iter().any(|(there, _)| there == name))
    }

    fn list(&self, on_disk: Option<super::walk::Walked>) -> Listing {
        let mut listing = Listing::default();
        let mut tree = Vec::new();
        if let Some(git) = &self.source.git
            && let Some(head) = &git.head
        {
            let repository = git.shared.to_thread_local();
            let (files, missing) = TreeReader::default().list(&repository, head, &git.prefix);
            if missing > 0 {
                listing.skipped.insert("unreadable git tree", missing);
            }
            tree = files;
        }
        if let Some(walked) = on_disk {
            listing.skipped.extend(walked.skipped);
            listing.committed = tree
                .into_iter()
                .filter(|file| file.kind == TreeKind::File)
                .map(|file| (file.path, file.id))
                .collect();
            listing.files = walked
                .files
                .into_iter()
                .map(|file| Listed {
                    content: Content::Disk(file.full, listing.committed.get(&file.path).copied()),
                    path: file.path,
                    size: file.size,
                    modified: file.modified,
                    inode: file.inode,
                })
                .collect();
        } else {
            for file in tree {
                match file.kind {
                    TreeKind::File => listing.files.push(Listed {
                        path: file.path.clone(),
                        content: Content::Blob(file.id),
                        size: 0,
                        modified: 0,
                        inode: 0,
                    }),
                    TreeKind::Link => *listing.skipped.entry("symbolic link").or_insert(0) += 1,
                    TreeKind::Submodule => *listing.skipped.entry("submodule").or_insert(0) += 1,
                    TreeKind::Folder => {}
                }
            }
        }
        if self.source.unreadable {
            listing.skipped.insert("unreadable git repository", 1);
        }
        listing
    }

    /// Finds out which blob each file is, and learns from those that are new.
    fn read_files(
        &self,
        store: &mut CodeStore,
        listing: &Listing,
        before: Option<&States>,
    ) -> Result<Vec<ViewFile>> {
        let attributes = self.attributes(listing);
        let mut files = Vec::with_capacity(listing.files.len());
        let mut wanted = Vec::new();
        let mut open = Vec::new();
        for listed in &listing.files {
            let language = Language::of_path(&listed.path);
            let mut state = FileState {
                size: listed.size,
                modified: listed.modified,
                inode: listed.inode,
                ..FileState::default()
            };
            let same = before.and_then(|before| before.unchanged_listed(listed));
            let known = match (&same, &listed.content) {
                (Some(old), _) => {
                    state = *old;
                    let key = BlobKey {
                        id: old.id,
                        language,
                    };
                    old.skipped != 0 || store.place(&key).is_some()
                }
                (None, _) => false,
            };
            if !known {
                open.push(files.len());
                wanted.push(Wanted {
                    language,
                    content: listed.content.clone(),
                });
            }
            files.push(ViewFile {
                flags: if attributes.is_generated(&listed.path) {
                    file_flag::GENERATED
                } else {
                    0
                },
                path: listed.path.clone(),
                language,
                state,
                place: None,
            });
        }
        let learning = Learning {
            cache: self.cache,
            repository: self.source.git.as_ref().map(|git| &git.shared),
            interrupt: self.request.interrupt,
            progress: self.request.progress,
        };
        let outcomes = learning.run(store, &wanted)?;
        for (index, outcome) in open.into_iter().zip(outcomes) {
            let state = &mut files[index].state;
            state.id = outcome.id;
            state.skipped = outcome.skipped;
            if state.size == 0 {
                state.size = outcome.size;
            }
        }
        for (file, listed) in files.iter_mut().zip(&listing.files) {
            if matches!(listed.content, Content::Disk(..))
                && self.source.git.is_some()
                && file.state.skipped == 0
                && listing.committed.get(&file.path) != Some(&file.state.id)
            {
                file.flags |= file_flag::UNCOMMITTED;
            }
        }
        Ok(files)
    }

    fn attributes(&self, listing: &Listing) -> Attributes {
        let repository = self
            .source
            .git
            .as_ref()
            .map(|git| git.shared.to_thread_local());
        let files: Vec<(String, String)> = listing
            .files
            .iter()
            .filter_map(|file| {
                let folder = file.path.strip_suffix(".gitattributes")?;
                if !folder.is_empty() && !folder.ends_with('/') {
                    return None;
                }
                let bytes = match &file.content {
                    Content::Disk(path, _) => std::fs::read(path).ok()?,
                    Content::Blob(id) => {
                        let id = gix::ObjectId::from_bytes_or_panic(id);
                        let object = repository.as_ref()?.try_find_object(id).ok()??;
                        object.detach().data
                    }
                };
                Some((folder.to_owned(), String::from_utf8(bytes).ok()?))
            })
            .collect();
        Attributes::new(&files)
    }

    /// Reads the commits that are not known yet.
    fn read_history(
        &self,
        segments: Vec<(String, Arc<crate::repo::history::HistorySegment>)>,
    ) -> Result<KnownHistory> {
        let (mut names, segments): (Vec<_>, Vec<_>) = segments.into_iter().unzip();
        let mut history = History::load(segments)?;
        let mut missing = 0;
        let mut order = Vec::new();
        if let Some(git) = &self.source.git
            && let Some(head) = &git.head
        {
            let reading = Reading {
                repository: &git.shared,
                redact: &**self.redact,
                interrupt: self.request.interrupt,
                progress: self.request.progress,
            };
            missing = read_commits(self.cache, &reading, head, &mut history, &mut names)?;
            order = history.order(head);
        }
        let used: HashSet<u32> = order.iter().map(|place| place.segment).collect();
        let mut kept: Vec<usize> = used.iter().map(|segment| *segment as usize).collect();
        kept.sort_unstable();
        if kept.len() > MOST_HISTORY {
            let mut writer = HistoryWriter::default();
            for place in order.iter().rev() {
                let segment = &history.segments[place.segment as usize];
                writer.add(&segment.record(place.ordinal)?);
            }
            let name = self.cache.write(FileKind::History, "", &writer.finish())?;
            history = History::load(vec![self.cache.history(&name)?])?;
            names = vec![name];
        } else if kept.len() < names.len() {
            let segments = kept
                .iter()
                .map(|index| Arc::clone(&history.segments[*index]));
            history = History::load(segments.collect())?;
            names = kept.iter().map(|index| names[*index].clone()).collect();
        }
        if let Some(head) = self.source.git.as_ref().and_then(|git| git.head) {
            order = history.order(&head);
        }
        Ok(KnownHistory {
            history,
            names,
            order,
            missing,
        })
    }

    fn write_view(
        &self,
        walked: i64,
        files: Vec<ViewFile>,
        store: &CodeStore,
        known: KnownHistory,
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
            history: known.names,
            walked,
            missing: known.missing,
            ..Meta::default()
        };
        meta.info.commit = git.and_then(|git| git.head).map(|head| hex(&head));
        meta.info.branch = git.and_then(|git| git.branch.clone());
        meta.info.indexed = self.request.clock.now();
        meta.info.bytes = self.cache.bytes();
        let skipped: Vec<(&'static str, usize)> = skipped.into_iter().collect();
        let bytes = build(ViewParts {
            meta,
            files: &files,
            code: &segments,
            history: &known.history,
            order: &known.order,
            skipped: &skipped,
        })?;
        let label = format!("{}-", label_of(self.request.root));
        self.cache.write(FileKind::View, &label, &bytes)?;
        self.cache.sweep();
        Ok(())
    }
}

/// The history behind the present commit.
struct KnownHistory {
    history: History,
    names: Vec<String>,
    order: Vec<crate::repo::history::Place>,
    missing: usize,
}

/// Reads what is not known behind `tip` into segments; returns how many commits are not in this clone.
pub(super) fn read_commits(
    cache: &Cache,
    reading: &Reading<'_>,
    tip: &crate::repo::history::CommitId,
    history: &mut History,
    names: &mut Vec<String>,
) -> Result<usize> {
    let unknown = Unknown::find(reading, tip, history)?;
    for start in (0..unknown.len()).step_by(BATCH) {
        let records = unknown.read(reading, start)?;
        let mut writer = HistoryWriter::default();
        for record in &records {
            writer.add(record);
        }
        if !records.is_empty() {
            let name = cache.write(FileKind::History, "", &writer.finish())?;
            history.add(cache.history(&name)?)?;
            names.push(name);
        }
        if reading.interrupt.load(std::sync::atomic::Ordering::Relaxed) {
            return Err(interrupted());
        }
    }
    Ok(unknown.missing)
}

fn key_of(file: &ViewFile) -> BlobKey {
    BlobKey {
        id: file.state.id,
        language: file.language,
    }
}

/// What the files of a view looked like when they were read.
struct States {
    by_path: HashMap<String, FileState>,
    walked: i64,
}

impl States {
    fn of(view: &View) -> Result<Self> {
        Ok(Self {
            by_path: view
                .states()?
                .into_iter()
                .map(|(path, _, state)| (path, state))
                .collect(),
            walked: view.meta.walked,
        })
    }

    /// Returns the state of a file that is certainly the same as then.
    fn unchanged(&self, file: &DiskFile) -> Option<&FileState> {
        self.same(&file.path, file.size, file.modified, file.inode)
    }

    fn unchanged_listed(&self, file: &Listed) -> Option<FileState> {
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
                && state.skipped != crate::repo::view::UNREADABLE
        })
    }
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The machine's clock in nanoseconds since 1970, to compare with times of files.
fn now_nanos() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .ok()
        .and_then(|since| i64::try_from(since.as_nanos()).ok())
        .unwrap_or(0)
}
