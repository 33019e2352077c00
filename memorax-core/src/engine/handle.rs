//! The handle: opens the memory of the repository that a path lies in.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::actor::Actor;
use super::home::{Device, Home};
use crate::disk::{Inbox, Spool};
use crate::repo::{Checkout, Facts, Indexer, RepoIndexer, identify};
use crate::retrieve::{Retriever, Weighted};
use crate::store::{Access, Ledger, MemoryStore, Redb};
use crate::text::Redactor;
use crate::{Clock, Identity, Result, SpaceId, SystemClock, Trust, disk};

/// The memory of one repository, and of the user everywhere. Cheap to clone, and shared by threads.
///
/// Opening reads; the store is created by the first write. A handle that was opened before a fork may be used on both
/// sides of it.
///
/// ```
/// use memorax_core::{Memorax, MemoryKind, Query};
/// # let folder = tempfile::tempdir()?;
/// # let home = tempfile::tempdir()?;
/// # let memory = Memorax::builder().home(home.path()).open(folder.path())?;
/// # #[cfg(any())]
/// let memory = Memorax::open(".")?;
/// memory.remember("We chose redb as storage engine: one file, crash safe.", MemoryKind::Decision)?;
/// let recall = memory.recall(&Query::new("which storage engine?").budget(800))?;
/// assert!(recall.text().contains("redb"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Memorax {
    pub(super) inner: Arc<Inner>,
}

pub(super) struct Inner {
    pub(super) home: Home,
    pub(super) root: PathBuf,
    pub(super) facts: Facts,
    pub(super) identity: Identity,
    pub(super) known: bool,
    pub(super) device: Device,
    pub(super) repository: Place,
    pub(super) user: Place,
    pub(super) indexer: Arc<dyn RepoIndexer>,
    pub(super) retriever: Arc<dyn Retriever>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) actor: Actor,
    redactor: OnceLock<Redactor>,
}

/// One store with the folder of its spool and inbox.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) folder: PathBuf,
    pub(super) ledger: Ledger,
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
    pub fn identity(&self) -> &Identity {
        &self.inner.identity
    }

    /// Returns the root of the working tree, of the bare repository, or of the folder without git.
    pub fn root(&self) -> &Path {
        &self.inner.root
    }

    /// Returns the folder of everything that is remembered on this machine.
    pub fn home(&self) -> &Path {
        self.inner.home.root()
    }

    /// Ends the use of the handle. Nothing is lost without it: every call that returned is durable.
    pub fn close(self) {
        drop(self);
    }
}

impl Inner {
    /// Returns the redactor, made when first needed.
    pub(super) fn redactor(&self) -> &Redactor {
        self.redactor.get_or_init(|| Redactor::new(self.device.redaction_key))
    }

    /// Returns the folder of the derived index.
    pub(super) fn cache(&self) -> PathBuf {
        self.repository.folder.join("index")
    }

    /// Reads what is checked out now.
    pub(super) fn checkout(&self) -> Result<Checkout> {
        Checkout::discover(&self.root)
    }
}

/// Makes a handle with parts of your own.
#[derive(Default)]
pub struct Builder {
    home: Option<PathBuf>,
    store: Option<Arc<dyn MemoryStore>>,
    indexer: Option<Arc<dyn RepoIndexer>>,
    retriever: Option<Arc<dyn Retriever>>,
    clock: Option<Arc<dyn Clock>>,
    actor: Option<Actor>,
}

impl std::fmt::Debug for Builder {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Builder").field("home", &self.home).field("actor", &self.actor).finish_non_exhaustive()
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
        let home = Home::new(match self.home {
            Some(home) => home,
            None => disk::home()?,
        });
        let checkout = Checkout::discover(path.as_ref())?;
        let registry = home.registry()?;
        let quick = Facts::quick(&checkout);
        let known = registry.known(&quick).is_some();
        let facts = if known { quick } else { Facts::read(&checkout)? };
        let identity = identify(&registry, &facts, &mut |_| false).identity;
        let device = home.device()?;
        let repository = Place::new(home.repository(identity.id), &device, self.store)?;
        let user = Place::new(home.user(), &device, None)?;
        let redaction_key = device.redaction_key;
        Ok(Memorax {
            inner: Arc::new(Inner {
                root: checkout.root().to_path_buf(),
                home,
                facts,
                identity,
                known,
                device,
                repository,
                user,
                indexer: self.indexer.unwrap_or_else(|| {
                    let redactor = Redactor::new(redaction_key);
                    Arc::new(Indexer::new().redact(move |text| redactor.redact(text).text.into_owned()))
                }),
                retriever: self.retriever.unwrap_or_else(|| Arc::new(Weighted::new())),
                clock: self.clock.unwrap_or_else(|| Arc::new(SystemClock)),
                actor: self.actor.unwrap_or_else(|| {
                    let mut actor = Actor::detect("library", false);
                    actor.trust = Trust::Agent;
                    actor
                }),
                redactor: OnceLock::new(),
            }),
        })
    }
}

impl Place {
    fn new(folder: PathBuf, device: &Device, store: Option<Arc<dyn MemoryStore>>) -> Result<Self> {
        let space = SpaceId::local();
        Ok(match store {
            Some(store) => Self { ledger: Ledger::new(store, space, device.device), folder, redb: None },
            None => {
                let path = folder.join(format!("{}.redb", space.as_str()));
                let redb = Arc::new(Redb::open(&path, Access::Write)?);
                Self { ledger: Ledger::new(redb.clone(), space, device.device), folder, redb: Some(redb) }
            }
        })
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
