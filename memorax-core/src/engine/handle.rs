//! The handle: opens the memory of the repository that a path lies in.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use arc_swap::ArcSwap;

use super::actor::Actor;
use super::graphs::Graphs;
use super::home::{Device, Home, Installation};
use super::upkeep::Finding;
use crate::disk::{Inbox, Spool};
use crate::embed::{Embedder, Embedders};
use crate::repo::{Checkout, Facts, Indexer, RepoIndexer, identify};
use crate::retrieve::{Retriever, Weighted};
use crate::store::{Access, Ledger, MemoryStore, Redb};
use crate::text::Redactor;
use crate::{Clock, Identity, Result, SpaceId, SystemClock, disk};

/// The memory of one repository, and of the user everywhere. Cheap to clone, and shared by threads.
///
/// Opening reads; the store is created by the first write. A handle that was opened before a fork may be used on both
/// sides of it.
///
/// ```
/// use memorax_core::{Memorax, MemoryKind, Query};
/// # let (folder, home) = (tempfile::tempdir()?, tempfile::tempdir()?);
/// // `Memorax::open(".")` takes the user's own folder; a test takes one that goes away.
/// let memory = Memorax::builder().home(home.path()).open(folder.path())?;
/// memory.remember("We chose redb as storage engine: one file, crash safe.", MemoryKind::Decision)?;
/// let recall = memory.recall(&Query::new("which storage engine?").budget(800))?;
/// assert!(recall.text().contains("redb"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Memorax {
    root: PathBuf,
    home: PathBuf,
    /// Swapped when the repository gets its identity, from this process or another one.
    inner: Arc<ArcSwap<Inner>>,
}

pub(super) struct Inner {
    parts: Parts,
    pub(super) identity: Identity,
    /// Whether the identity is written down; until then nothing is.
    pub(super) known: bool,
    pub(super) device: Device,
    pub(super) repository: Place,
    pub(super) user: Place,
    redactor: Redactor,
    /// Whether this handle looked for what killed writers left.
    swept: AtomicBool,
}

/// What a handle is made of, whatever the repository's identity.
#[derive(Clone)]
pub(super) struct Parts {
    pub(super) home: Home,
    pub(super) root: PathBuf,
    pub(super) facts: Facts,
    pub(super) indexer: Option<Arc<dyn RepoIndexer>>,
    pub(super) retriever: Arc<dyn Retriever>,
    pub(super) embedders: Embedders,
    #[cfg(feature = "hnsw")]
    pub(super) hnsw_threshold: u64,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) actor: Actor,
    /// Files of the installation that could not be understood.
    pub(super) damage: Vec<Finding>,
    store: Option<Arc<dyn MemoryStore>>,
}

impl std::ops::Deref for Inner {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.parts
    }
}

/// One store with the folder of its spool and inbox.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) folder: PathBuf,
    pub(super) ledger: Ledger,
    pub(super) graphs: Graphs,
    /// The store on disk; `None` where the caller brought another one.
    pub(super) redb: Option<Arc<Redb>>,
}

impl std::fmt::Debug for Inner {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Inner")
            .field("root", &self.root)
            .field("identity", &self.identity)
            .field("home", &self.home)
            .field("actor", &self.actor)
            .finish_non_exhaustive()
    }
}

impl Memorax {
    /// Opens the memory of the repository that `path` lies in, with the defaults.
    ///
    /// # Errors
    /// `NotFound` where nothing is at `path`; `Incompatible` where the store was written by a newer version.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::builder().open(path)
    }

    /// Starts a handle with parts of your own.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// Returns which repository this is, and why that is believed.
    pub fn identity(&self) -> Identity {
        self.inner.load().identity.clone()
    }

    /// Returns the root of the working tree, of the bare repository, or of the folder without git.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the folder of everything that is remembered on this machine.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// Ends the use of the handle. Nothing is lost without it: every call that returned is durable.
    pub fn close(self) {
        drop(self);
    }
}

impl Memorax {
    /// Returns what reading calls work on; looks first whether another process gave the repository its identity.
    pub(super) fn inner(&self) -> Result<Arc<Inner>> {
        let inner = self.inner.load_full();
        if inner.known {
            return Ok(inner);
        }
        let written = inner.home.read()?;
        if written.registry.known(&inner.facts).is_none() {
            return Ok(inner);
        }
        let mut identity = identify(&written.registry, &inner.facts, &mut |_| false).identity;
        identity.add_roots(&written.registry);
        self.swap(&inner, identity, written.device)
    }

    /// Returns what writing calls work on: device and identity are written down, and the folders are there.
    pub(super) fn settled(&self) -> Result<Arc<Inner>> {
        let mut inner = self.inner()?;
        let device = inner.home.settle(&inner.device)?;
        if !inner.known {
            let identity = inner
                .home
                .settle_identity(&inner.facts, inner.identity.id)?;
            inner = self.swap(&inner, identity, device)?;
        } else if device != inner.device {
            // A repair gave this installation another id since the handle was opened.
            inner = self.swap(&inner, inner.identity.clone(), device)?;
        }
        disk::create_dir_private(&inner.repository.folder)?;
        disk::create_dir_private(&inner.user.folder)?;
        inner.home.keep_evidence(inner.identity.id)?;
        if !inner.swept.swap(true, Ordering::Relaxed) {
            inner.sweep_temporary()?;
        }
        Ok(inner)
    }

    fn swap(&self, old: &Inner, identity: Identity, device: Device) -> Result<Arc<Inner>> {
        let inner = Arc::new(Inner::new(old.parts.clone(), identity, true, device)?);
        self.inner.store(inner.clone());
        Ok(inner)
    }
}

impl Inner {
    fn new(mut parts: Parts, identity: Identity, known: bool, device: Device) -> Result<Self> {
        let redactor = Redactor::new(device.redaction_key);
        parts.actor = parts.actor.redacted(&redactor);
        let repository = Place::new(
            parts.home.repository(identity.id),
            &device,
            parts.store.clone(),
        )?;
        let user = Place::new(parts.home.user(), &device, None)?;
        Ok(Self {
            parts,
            identity,
            known,
            device,
            repository,
            user,
            redactor,
            swept: AtomicBool::new(false),
        })
    }

    /// Returns what understands the repository; the default one takes secrets out with this installation's key.
    pub(super) fn indexer(&self) -> Arc<dyn RepoIndexer> {
        self.parts.indexer.clone().unwrap_or_else(|| {
            let redactor = self.redactor().clone();
            Arc::new(Indexer::new().redact(move |text| redactor.redact(text).text.into_owned()))
        })
    }

    /// Returns what takes secrets out, with this installation's key.
    pub(super) fn redactor(&self) -> &Redactor {
        &self.redactor
    }

    /// Returns the folder of the derived index.
    pub(super) fn cache(&self) -> PathBuf {
        self.repository.folder.join("index")
    }

    /// Reads what is checked out now.
    pub(super) fn checkout(&self) -> Result<Checkout> {
        let redactor = self.redactor().clone();
        let checkout = Checkout::discover(&self.root)?;
        Ok(checkout.hide_secrets(move |name| redactor.redact(name).text.into_owned()))
    }
}

/// Makes a handle with parts of your own.
#[derive(Default)]
pub struct Builder {
    home: Option<PathBuf>,
    store: Option<Arc<dyn MemoryStore>>,
    indexer: Option<Arc<dyn RepoIndexer>>,
    retriever: Option<Arc<dyn Retriever>>,
    /// `None`: the built-in one.
    embedders: Option<Embedders>,
    #[cfg(feature = "hnsw")]
    hnsw_threshold: Option<u64>,
    clock: Option<Arc<dyn Clock>>,
    actor: Option<Actor>,
}

impl std::fmt::Debug for Builder {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Builder")
            .field("home", &self.home)
            .field("actor", &self.actor)
            .finish_non_exhaustive()
    }
}

impl Builder {
    /// Sets the folder of everything that is remembered; default: `MEMORAX_HOME`, else the platform's data directory.
    #[must_use]
    pub fn home(mut self, home: impl Into<PathBuf>) -> Self {
        self.home = Some(home.into());
        self
    }

    /// Keeps the repository's memories in a store of your own.
    #[must_use]
    pub fn store(mut self, store: Arc<dyn MemoryStore>) -> Self {
        self.store = Some(store);
        self
    }

    /// Understands repositories in a way of your own.
    #[must_use]
    pub fn indexer(mut self, indexer: Arc<dyn RepoIndexer>) -> Self {
        self.indexer = Some(indexer);
        self
    }

    /// Ranks in a way of your own.
    #[must_use]
    pub fn retriever(mut self, retriever: Arc<dyn Retriever>) -> Self {
        self.retriever = Some(retriever);
        self
    }

    /// Finds near meanings with an embedder of your own; default: the built-in table.
    ///
    /// Memories that have no vector of it yet get one by and by: with later writes, with [`Memorax::init`], or at once with
    /// [`Memorax::embed`]. Where it is slow ([`Embedder::is_quick`]), the vectors of the built-in table are kept beside, for
    /// questions that may not wait ([`Query::quick`](crate::Query::quick)).
    #[must_use]
    pub fn embedder(mut self, embedder: Arc<dyn Embedder>) -> Self {
        self.embedders = Some(Embedders::of(embedder));
        self
    }

    /// Says from how many vectors in a store on they are searched by graphs (`hnsw_rs`) in place of one by one; default:
    /// 100,000.
    ///
    /// Graphs are made and read by [`Memorax::embed`] and [`Memorax::init`], never by a recall, and serve the recalls of this
    /// handle: a process that asks once has none.
    #[cfg(feature = "hnsw")]
    #[must_use]
    pub fn hnsw_threshold(mut self, vectors: u64) -> Self {
        self.hnsw_threshold = Some(vectors);
        self
    }

    /// Uses no embedder: memories are found by words alone, and nothing is embedded.
    #[must_use]
    pub fn without_embedder(mut self) -> Self {
        self.embedders = Some(Embedders::default());
        self
    }

    /// Tells the time in a way of your own.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = Some(clock);
        self
    }

    /// Says who uses the handle; default: an agent, named by the environment.
    #[must_use]
    pub fn actor(mut self, actor: Actor) -> Self {
        self.actor = Some(actor);
        self
    }

    /// Opens the memory of the repository that `path` lies in. Writes nothing.
    pub fn open(self, path: impl AsRef<Path>) -> Result<Memorax> {
        let home = Home::new(&match self.home {
            Some(home) => home,
            None => disk::home()?,
        })?;
        let checkout = Checkout::discover(path.as_ref())?;
        home.check_place(checkout.root())?;
        let Installation {
            device,
            mut registry,
            damage,
        } = home.read()?;
        let quick = Facts::quick(&checkout);
        let known = registry.known(&quick).is_some();
        if !known {
            registry = home.with_lost(registry)?.registry;
        }
        let is_met = registry.known(&quick).is_some();
        let facts = if is_met {
            quick
        } else {
            Facts::read(&checkout)?
        };
        let mut identity = identify(&registry, &facts, &mut |_| false).identity;
        if is_met {
            // Root commits are not read again for a known place; what they were is written down.
            identity.add_roots(&registry);
        }
        let parts = Parts {
            root: checkout.root().to_path_buf(),
            home,
            facts,
            indexer: self.indexer,
            retriever: self
                .retriever
                .unwrap_or_else(|| Arc::new(Weighted::default())),
            embedders: self.embedders.unwrap_or_else(Embedders::built_in),
            #[cfg(feature = "hnsw")]
            hnsw_threshold: self.hnsw_threshold.unwrap_or(super::graphs::THRESHOLD),
            clock: self.clock.unwrap_or_else(|| Arc::new(SystemClock)),
            actor: self
                .actor
                .unwrap_or_else(|| Actor::detect("library", false)),
            damage,
            store: self.store,
        };
        Ok(Memorax {
            root: parts.root.clone(),
            home: parts.home.root().to_path_buf(),
            inner: Arc::new(ArcSwap::from_pointee(Inner::new(
                parts, identity, known, device,
            )?)),
        })
    }
}

impl Place {
    fn new(folder: PathBuf, device: &Device, store: Option<Arc<dyn MemoryStore>>) -> Result<Self> {
        let space = SpaceId::local();
        if let Some(store) = store {
            let ledger = Ledger::new(store, space, device.device);
            return Ok(Self {
                folder,
                ledger,
                graphs: Graphs::default(),
                redb: None,
            });
        }
        let path = folder.join(format!("{}.redb", space.as_str()));
        let redb = Arc::new(Redb::open(&path, Access::Write)?);
        let ledger = Ledger::new(redb.clone(), space, device.device);
        Ok(Self {
            folder,
            ledger,
            graphs: Graphs::default(),
            redb: Some(redb),
        })
    }

    /// Returns the path that names the store on disk.
    pub(super) fn path(&self) -> PathBuf {
        self.folder
            .join(format!("{}.redb", SpaceId::local().as_str()))
    }

    /// Returns where lines are left by those who never wait for the store.
    pub(super) fn spool(&self) -> Spool {
        Spool::new(self.folder.join("spool"))
    }

    /// Returns where drafts wait that could not get the write lock.
    pub(super) fn inbox(&self) -> Inbox {
        Inbox::new(self.folder.join("inbox"))
    }
}
