//! The handle of a store on disk: how a read and a write go.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use redb::WriteTransaction;

use super::engine::{self, Opened, guard};
use super::meta::Loss;
use super::rows::{Changes, Snapshot};
use super::slot::Slot;
use super::space::Space;
use super::turn::Turn;
use crate::store::{MemoryStore, Rows, RowsMut, Table, registry};
use crate::{Error, ErrorKind, Result};

/// Longest wait for another writer: commits take milliseconds, and a person or an agent waits for the answer.
pub(super) const PATIENCE: Duration = Duration::from_secs(2);

/// Key in [`Table::Meta`] of a file that was replaced: its value is the next generation, as eight bytes, big end first.
pub(super) const RETIRED: &[u8] = b"store.retired";

/// Looks at a snapshot and at the file it is of; `None` stands for a store that is not there.
type WithSnapshot<'a> = dyn FnMut(Option<(&Snapshot<'_>, &Opened)>) -> Result<()> + 'a;

/// What a handle may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Access {
    /// Reads; nothing is created, and a write is refused.
    Read,
    /// Reads and writes; the file is opened for writing at the first write.
    Write,
}

/// A store on disk. Any number of handles, threads and processes may use one file at a time, also across forks.
///
/// ```
/// use memorax_core::store::{Access, MemoryStore, Redb, Table};
///
/// let folder = tempfile::tempdir()?;
/// let store = Redb::open(&folder.path().join("local.redb"), Access::Write)?;
/// store.write(&mut |rows| rows.put(Table::Meta, b"name", b"value"))?;
///
/// let other = Redb::open(&folder.path().join("local.redb"), Access::Read)?;
/// other.read(&mut |rows| {
///     assert_eq!(rows.get(Table::Meta, b"name")?, Some(b"value".to_vec()));
///     Ok(())
/// })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Redb {
    slot: Arc<Slot>,
    access: Access,
    patience: Duration,
}

impl Redb {
    /// Opens the store that `path` names, `<folder>/<space>.redb`. A store that is not there yet is empty, and is
    /// created by the first write.
    ///
    /// # Errors
    /// `Incompatible` when another version wrote it.
    pub fn open(path: &Path, access: Access) -> Result<Self> {
        let exclusive = std::env::var_os("MEMORAX_EXCLUSIVE").is_some_and(|value| value == "1");
        let space = Space::new(path)?;
        match space.generation() {
            // Whoever repairs must get a handle; every call on it says the same.
            Err(error) if error.kind() == ErrorKind::Corrupted => {}
            generation => {
                generation?;
            }
        }
        Ok(Self {
            slot: registry::slot(&space, exclusive),
            access,
            patience: PATIENCE,
        })
    }

    /// Sets how long a write waits for another writer.
    #[must_use]
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Tests that two processes can exclude each other where the store is.
    ///
    /// # Errors
    /// `Locked` where byte-range locks do not work; `ReadOnly` where nothing can be written.
    pub fn test_locks(&self) -> Result<()> {
        let lock = self.slot.space().lock();
        crate::disk::create_dir_private(self.slot.space().folder())?;
        super::backend::check_locks(&lock)
    }

    /// Returns which files of the store were lost with their rows, as repairs wrote it down.
    pub fn losses(&self) -> Result<Vec<Loss>> {
        self.slot.space().losses()
    }

    /// Keeps a description that cannot be understood aside, so that the files themselves say which of them holds the rows;
    /// returns where it is kept.
    pub fn mend_description(&self) -> Result<Option<PathBuf>> {
        self.slot.space().mend_description()
    }

    /// Returns how often this process found the file as a killed process left it, and repaired it in order to read.
    pub fn repairs(&self) -> u64 {
        self.slot.repairs()
    }

    pub(super) fn slot(&self) -> &Slot {
        &self.slot
    }

    fn deadline(&self) -> Instant {
        Instant::now() + self.patience
    }

    /// Runs `work` on one snapshot of the newest generation.
    pub(super) fn with_snapshot(&self, work: &mut WithSnapshot<'_>) -> Result<()> {
        let deadline = self.deadline();
        let mut after_failure = false;
        loop {
            let Some(opened) = self.slot.for_reading(deadline)? else {
                return work(None);
            };
            let transaction = match opened.begin_read() {
                Ok(transaction) => transaction,
                Err(error) => {
                    self.slot.discard(&opened);
                    // Another thread's call may have failed and closed the database: it is opened anew, once.
                    if std::mem::replace(&mut after_failure, true) || !may_be_stale(&error) {
                        return Err(error);
                    }
                    continue;
                }
            };
            let snapshot = Snapshot::new(&transaction, opened.path());
            let outcome = match next_generation(&snapshot) {
                Ok(None) => Some(work(Some((&snapshot, &opened)))),
                Ok(Some(next)) => {
                    self.follow(&opened, next)?;
                    None
                }
                Err(error) => Some(Err(error)),
            };
            if !opened.is_ours() {
                // `work` forked and this is the child: ending the transaction would end the parent's.
                std::mem::forget(snapshot);
                std::mem::forget(transaction);
                return outcome.unwrap_or(Ok(()));
            }
            drop(snapshot);
            drop(transaction);
            if let Some(outcome) = outcome {
                self.settle(&opened, &outcome);
                return outcome;
            }
        }
    }

    /// Runs `work` in the write transaction of the newest generation and commits what it changed.
    pub(super) fn with_changes(
        &self,
        work: &mut dyn FnMut(&mut Changes<'_>, &Opened) -> Result<()>,
    ) -> Result<Arc<Opened>> {
        if self.access == Access::Read {
            let name = self.slot.space().meta();
            return Err(Error::new(
                ErrorKind::ReadOnly,
                format!("the store of `{}` was opened for reading", name.display()),
            ));
        }
        let deadline = self.deadline();
        let mut after_failure = false;
        loop {
            let turn = self.slot.turn_or_streak(deadline);
            let opened = self.slot.for_writing(deadline)?;
            let transaction = match self.begin_write(&opened, turn, deadline) {
                Ok(transaction) => transaction,
                Err(error) => {
                    if std::mem::replace(&mut after_failure, true) || !may_be_stale(&error) {
                        return Err(error);
                    }
                    continue;
                }
            };
            let mut changes = Changes::new(&transaction, opened.path());
            match next_generation(&changes) {
                Ok(None) => {}
                Ok(Some(next)) => {
                    drop(changes);
                    drop(transaction);
                    self.follow(&opened, next)?;
                    continue;
                }
                Err(error) => {
                    drop(changes);
                    drop(transaction);
                    self.slot.discard(&opened);
                    return Err(error);
                }
            }
            self.slot.sweep_once(&opened);
            let outcome = catch_unwind(AssertUnwindSafe(|| work(&mut changes, &opened)));
            if !opened.is_ours() {
                // `work` forked and this is the child: the transaction is the parent's to finish.
                std::mem::forget(changes);
                std::mem::forget(transaction);
                return Err(Error::new(
                    ErrorKind::Conflict,
                    "the process forked inside of a write; the parent finishes it",
                ));
            }
            let changed = changes.changed();
            drop(changes);
            let outcome = match outcome {
                Ok(outcome) => outcome.and_then(|()| end(&opened, transaction, changed)),
                Err(panic) => {
                    // Ended in order, before the panic goes on: redb would otherwise have to repair.
                    let _ = guard(opened.path(), || transaction.abort());
                    resume_unwind(panic)
                }
            };
            self.settle(&opened, &outcome);
            return outcome.map(|()| opened);
        }
    }

    fn begin_write(
        &self,
        opened: &Arc<Opened>,
        mut turn: Turn,
        deadline: Instant,
    ) -> Result<WriteTransaction> {
        loop {
            match opened.try_begin_write() {
                Ok(Some(transaction)) => return Ok(transaction),
                Ok(None) if Instant::now() >= deadline => {
                    self.slot.finish(opened);
                    return Err(engine::locked(opened.path()));
                }
                // Someone came in between: its streak is over.
                Ok(None) if turn.was_skipped() => turn = self.slot.turn(deadline),
                Ok(None) => std::thread::sleep(turn.pause()),
                Err(error) => {
                    self.slot.discard(opened);
                    return Err(error);
                }
            }
        }
    }

    /// Leaves a file that was replaced, and sees to it that all who open the space from now on find the next one.
    pub(super) fn follow(&self, opened: &Arc<Opened>, next: u64) -> Result<()> {
        self.slot.moved_to(next);
        self.slot.discard(opened);
        let space = self.slot.space();
        if space.generation()?.is_some_and(|named| named >= next) {
            return Ok(());
        }
        // The process that replaced the file was killed before it could say so.
        match space.switch(next, Duration::from_millis(200)) {
            Err(error)
                if !matches!(
                    error.kind(),
                    // This process knows the way; another one will say it.
                    ErrorKind::ReadOnly | ErrorKind::Locked | ErrorKind::Full
                ) =>
            {
                Err(error)
            }
            _ => Ok(()),
        }
    }

    // What failed inside of the engine is opened anew by the next call.
    fn settle<T>(&self, opened: &Arc<Opened>, outcome: &Result<T>) {
        let broken = outcome.as_ref().is_err_and(|error| {
            matches!(
                error.kind(),
                ErrorKind::Corrupted | ErrorKind::Full | ErrorKind::Io | ErrorKind::Locked
            )
        });
        if broken {
            self.slot.discard(opened);
        } else {
            self.slot.finish(opened);
        }
    }
}

impl MemoryStore for Redb {
    fn read(&self, work: &mut dyn FnMut(&dyn Rows) -> Result<()>) -> Result<()> {
        self.with_snapshot(&mut |snapshot| match snapshot {
            Some((snapshot, _)) => work(snapshot),
            None => crate::store::Volatile::new().read(work),
        })
    }

    fn write(&self, work: &mut dyn FnMut(&mut dyn RowsMut) -> Result<()>) -> Result<()> {
        self.with_changes(&mut |changes, _| work(changes)).map(drop)
    }
}

/// Returns the generation that replaced this one, if one did.
fn next_generation(rows: &dyn Rows) -> Result<Option<u64>> {
    let Some(value) = rows.get(Table::Meta, RETIRED)? else {
        return Ok(None);
    };
    let bytes = value.as_slice().try_into().map_err(|_| {
        Error::new(
            ErrorKind::Corrupted,
            "the store names no generation that replaced it",
        )
        .with_hint("memorax repair")
    })?;
    Ok(Some(u64::from_be_bytes(bytes)))
}

/// Returns whether an error may come from the open database alone, and not from the file.
fn may_be_stale(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Io | ErrorKind::Corrupted)
}

fn end(opened: &Opened, transaction: WriteTransaction, changed: bool) -> Result<()> {
    if changed {
        guard(opened.path(), || transaction.commit())
    } else {
        guard(opened.path(), || transaction.abort())
    }
}
