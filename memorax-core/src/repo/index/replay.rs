//! Views of older commits, for an evaluation that asks what would have been found at that time.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use super::cache::{Cache, Segments};
use super::commits::read_commits;
use super::embedding::Embedding;
use super::learning::{Content, Learning, Wanted};
use super::run::Indexer;
use super::source::Source;
use super::store::CodeStore;
use super::tree::{TreeFile, TreeKind, TreeReader};
use crate::repo::code::{BlobId, BlobKey, CodeSegment, Vectors};
use crate::repo::facts::Language;
use crate::repo::format::Container;
use crate::repo::history::{CommitId, History, HistorySegment, Reading, hex};
use crate::repo::view::{
    FileState, Imports, Meta, TOO_LARGE, TREE_KIND, Turns, VIEW_KIND, View, ViewFile, ViewParts,
    build,
};
use crate::repo::{IndexRequest, Progress, RepositoryView, VectorCount};
use crate::{Embedder, Error, ErrorKind, Result};

/// Gives the view as it was at any of the commits that it was made for.
///
/// Everything that the trees of those commits hold is read once, when the replay is made; a view then costs a few
/// milliseconds. Files are those of the commit's tree, the history is the commit and what is behind it.
pub struct Replay {
    repository: Mutex<gix::Repository>,
    trees: Mutex<TreeReader>,
    prefix: String,
    names: Vec<String>,
    code: Vec<Arc<CodeSegment>>,
    store: CodeStore,
    history: History,
    history_segments: Vec<Arc<HistorySegment>>,
    commits: Vec<String>,
    sizes: HashMap<BlobId, u64>,
    folder: PathBuf,
}

impl fmt::Debug for Replay {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Replay")
            .field("commits", &self.commits.len())
            .finish_non_exhaustive()
    }
}

impl Indexer {
    /// Prepares views of older commits: of `commits` (full hexadecimal ids), or of all behind the present one where
    /// the list is empty. What is read is kept in `request.cache`, which should not be the cache of the working tree's
    /// view: each removes what the other needs.
    ///
    /// ```no_run
    /// # fn show(request: &memorax_core::repo::IndexRequest<'_>) -> memorax_core::Result<()> {
    /// use memorax_core::repo::Indexer;
    /// let replay = Indexer::new().replay(request, &[])?;
    /// for commit in replay.commits() {
    ///     let before = replay.before(commit)?; // files of its first parent, history without the commit itself
    ///     println!("{} {}", commit, before.info().files);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn replay(&self, request: &IndexRequest<'_>, commits: &[String]) -> Result<Replay> {
        let cache = Cache::new(request.cache);
        let Some(_lock) = cache.lock()? else {
            return Err(Error::new(
                ErrorKind::Locked,
                format!("another process uses `{}`", request.cache.display()),
            ));
        };
        let source = Source::open(request.root);
        let Some(git) = source.git else {
            return Err(Error::new(
                ErrorKind::InvalidInput,
                format!("`{}` is in no git repository", request.root.display()),
            ));
        };
        let Segments { code, history } = cache.segments();
        let (mut history_names, segments): (Vec<_>, Vec<_>) = history.into_iter().unzip();
        let mut history = History::load(segments)?;
        let reading = Reading {
            repository: &git.shared,
            redact: &*self.redact,
            interrupt: request.interrupt,
            progress: request.progress,
        };
        let mut tips: Vec<CommitId> = Vec::new();
        for commit in commits {
            tips.push(parse_id(commit)?);
        }
        tips.extend(git.head.filter(|_| commits.is_empty()));
        // The last one first: most others are behind it, so that they cost no segment of their own.
        for tip in tips.iter().rev() {
            read_commits(&cache, &reading, tip, &mut history, &mut history_names)?;
        }
        let wanted: Vec<CommitId> = if commits.is_empty() {
            tips.iter()
                .flat_map(|tip| history.order(tip))
                .map(|place| history.id(place))
                .collect()
        } else {
            tips
        };
        let repository = git.shared.to_thread_local();
        let mut trees = TreeReader::default();
        let mut blobs: HashSet<(BlobId, Language)> = HashSet::new();
        let mut seen = HashSet::new();
        for id in &wanted {
            for commit in [Some(*id), history.first_parent(id)].into_iter().flatten() {
                if !seen.insert(commit) {
                    continue;
                }
                for file in trees.list(&repository, &commit, &git.prefix).0 {
                    if file.kind == TreeKind::File {
                        blobs.insert((file.id, Language::of_path(&file.path)));
                    }
                }
            }
        }
        let mut store = CodeStore::new(code)?;
        let mut blobs: Vec<_> = blobs.into_iter().collect();
        blobs.sort_unstable();
        let files = wanted_blobs(blobs);
        let learning = Learning {
            cache: &cache,
            repository: Some(&git.shared),
            interrupt: request.interrupt,
            progress: request.progress,
        };
        let outcomes = learning.run(&mut store, &files)?;
        let sizes = outcomes
            .iter()
            .map(|outcome| (outcome.id, outcome.size))
            .collect();
        let (names, code): (Vec<_>, Vec<_>) = store.segments.iter().cloned().unzip();
        Ok(Replay {
            repository: Mutex::new(repository),
            trees: Mutex::new(trees),
            prefix: git.prefix,
            names,
            code,
            store,
            history_segments: history.segments.clone(),
            history,
            commits: wanted.iter().rev().map(|id| hex(id)).collect(),
            sizes,
            folder: request.cache.to_owned(),
        })
    }
}

impl Replay {
    /// Returns the commits that the replay was made for; all of a history come oldest first.
    pub fn commits(&self) -> &[String] {
        &self.commits
    }

    /// Returns the view at a commit: its files, and it and what is behind it as history.
    pub fn at(&self, commit: &str) -> Result<Arc<dyn RepositoryView>> {
        let id = parse_id(commit)?;
        Ok(Arc::new(self.view(Some(id), &id, false)?))
    }

    /// Returns the view that somebody had who was about to make a commit: the files of its first parent, and as history
    /// everything behind the commit, itself excluded.
    pub fn before(&self, commit: &str) -> Result<Arc<dyn RepositoryView>> {
        let id = parse_id(commit)?;
        Ok(Arc::new(self.view(
            self.history.first_parent(&id),
            &id,
            true,
        )?))
    }

    /// Makes vectors of an embedder for some files of the view at a commit, where they have none yet.
    pub fn embed(
        &self,
        commit: &str,
        files: &[u32],
        embedder: &dyn Embedder,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<VectorCount> {
        let id = parse_id(commit)?;
        let view = self.view(Some(id), &id, false)?;
        let mut wanted = view.unembedded(&Vectors::open(&self.folder, embedder.id()))?;
        wanted.retain(|blob| files.contains(&blob.file));
        let repository = self
            .repository
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let embedding = Embedding {
            cache: &Cache::new(&self.folder),
            repository: Some(&repository),
            root: None,
            room: u64::MAX,
            embedder,
            most: usize::MAX,
            interrupt: &AtomicBool::new(false),
            progress,
        };
        embedding.run(&view, &wanted)?;
        view.vectors_of(embedder.id())
    }

    fn view(&self, tree: Option<CommitId>, tip: &CommitId, without_tip: bool) -> Result<View> {
        let mut order = self.history.order(tip);
        if order.is_empty() {
            return Err(Error::new(
                ErrorKind::NotFound,
                format!("no commit `{}` in this replay", hex(tip)),
            ));
        }
        if without_tip {
            order.remove(0);
        }
        let mut files = Vec::new();
        if let Some(commit) = &tree {
            let repository = self
                .repository
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            let mut trees = self.trees.lock().unwrap_or_else(PoisonError::into_inner);
            let (listed, _) = trees.list(&repository, commit, &self.prefix);
            files.extend(
                listed
                    .into_iter()
                    .filter(|file| file.kind == TreeKind::File)
                    .map(|file| self.file(file)),
            );
        }
        let mut meta = Meta {
            prefix: self.prefix.clone(),
            code: self.names.clone(),
            ..Meta::default()
        };
        meta.info.commit = tree.as_ref().map(|commit| hex(commit));
        let mut built = build(ViewParts {
            meta,
            files: &files,
            code: &self.code,
            history: &self.history,
            order: &order,
            skipped: &[],
            imports: Imports::Absent,
            turns: Turns::Absent,
        })?;
        let tree = Container::in_memory(std::mem::take(&mut built.tree), TREE_KIND)?;
        let meta = built.meta.clone();
        let own = Container::in_memory(built.own(String::new()), VIEW_KIND)?;
        let view = View::open(
            own,
            tree,
            meta,
            self.code.clone(),
            self.history_segments.clone(),
        )?;
        Ok(view.beside(&self.folder))
    }

    fn file(&self, file: TreeFile) -> ViewFile {
        let language = Language::of_path(&file.path);
        let place = self.store.place(&BlobKey {
            id: file.id,
            language,
        });
        ViewFile {
            path: file.path,
            language,
            flags: 0,
            state: FileState {
                id: file.id,
                size: self.sizes.get(&file.id).copied().unwrap_or(0),
                skipped: if place.is_some() { 0 } else { TOO_LARGE },
                ..FileState::default()
            },
            place,
        }
    }
}

fn wanted_blobs(blobs: Vec<(BlobId, Language)>) -> Vec<Wanted> {
    let blobs = blobs.into_iter();
    blobs
        .map(|(id, language)| Wanted {
            language,
            content: Content::Blob(id),
        })
        .collect()
}

fn parse_id(commit: &str) -> Result<CommitId> {
    gix::ObjectId::from_hex(commit.as_bytes())
        .ok()
        .and_then(|id| id.as_slice().try_into().ok())
        .ok_or_else(|| {
            Error::new(
                ErrorKind::InvalidInput,
                format!("`{commit}` is not a full commit id"),
            )
        })
}
