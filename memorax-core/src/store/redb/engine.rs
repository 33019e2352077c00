//! Opens redb databases, and turns what redb says into our errors.

use std::cell::Cell;
use std::fmt;
use std::fs::File;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use redb::{
    Builder, ConcurrencyMode, Database, DatabaseError, ReadOnlyDatabase, ReadTransaction,
    ReadableDatabase, TableDefinition, WriteTransaction,
};

use super::backend::Patient;
use super::image::Image;
use crate::disk::{self, ProcessStamp};
use crate::{Error, ErrorKind, Result};

/// Bytes that redb may keep in memory. Its default is a gigabyte; a store of 200 MB stays under 72 MB with this.
const CACHE: usize = 32 << 20;

/// A table of the store: redb types that are only bytes do not change their encoding with redb's versions.
pub(super) fn table(name: &str) -> TableDefinition<'_, &'static [u8], &'static [u8]> {
    TableDefinition::new(name)
}

/// How to open a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms {
    /// Longest wait for another process.
    pub(super) patience: Duration,
    /// Whether one process at a time has the file to itself, where locks on byte ranges do not work.
    pub(super) exclusive: bool,
}

enum Engine {
    Reader(ReadOnlyDatabase),
    Writer(Database),
}

/// An open database. It belongs to the process that opened it.
pub(super) struct Opened {
    stamp: ProcessStamp,
    generation: u64,
    path: PathBuf,
    exclusive: bool,
    // `None` only while it is dropped.
    engine: Option<Engine>,
}

/// Why a file could not be opened, as far as the opener does something about it.
pub(super) enum Refusal {
    /// There is no such file.
    Missing,
    /// The last process that had the file open for writing was killed.
    Unclean,
    Other(Error),
}

impl Opened {
    /// Opens a file for reading, beside any number of writers.
    pub(super) fn reader(path: PathBuf, generation: u64, terms: Terms) -> Result<Self, Refusal> {
        let file = disk::open_for_reading(&path).map_err(missing_or_other)?;
        let opened = guarded(&path, || {
            refuse_empty(&file)?;
            builder(terms).open_read_only_with_backend(Patient::new(file, terms.patience)?)
        });
        let database = refused(&path, opened)?;
        Ok(Self::new(path, generation, terms, Engine::Reader(database)))
    }

    /// Opens a file for reading and writing, and repairs what a killed process left.
    pub(super) fn writer(path: PathBuf, generation: u64, terms: Terms) -> Result<Self, Refusal> {
        let file = disk::open_existing(&path).map_err(missing_or_other)?;
        let opened = guarded(&path, || {
            refuse_empty(&file)?;
            builder(terms).create_with_backend(Patient::new(file, terms.patience)?)
        });
        let database = refused(&path, opened)?;
        Ok(Self::new(path, generation, terms, Engine::Writer(database)))
    }

    /// Reads a file into memory that needs a repair where nothing can be written.
    pub(super) fn copy(path: PathBuf, generation: u64, terms: Terms) -> Result<Self> {
        let database = open_image(&path, Image::unclean(&path)?)?;
        Ok(Self::new(path, generation, terms, Engine::Reader(database)))
    }

    fn new(path: PathBuf, generation: u64, terms: Terms, engine: Engine) -> Self {
        Self {
            stamp: ProcessStamp::current(),
            generation,
            path,
            exclusive: terms.exclusive,
            engine: Some(engine),
        }
    }

    /// Returns whether this process opened it.
    pub(super) fn is_ours(&self) -> bool {
        self.stamp.is_current()
    }

    pub(super) fn generation(&self) -> u64 {
        self.generation
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn begin_read(&self) -> Result<ReadTransaction> {
        guard(&self.path, || match &self.engine {
            Some(Engine::Reader(database)) => database.begin_read(),
            Some(Engine::Writer(database)) => database.begin_read(),
            None => Err(redb::StorageError::DatabaseClosed.into()),
        })
    }

    /// Begins the write transaction; `None` when someone else is in one.
    pub(super) fn try_begin_write(&self) -> Result<Option<WriteTransaction>> {
        let Some(Engine::Writer(database)) = &self.engine else {
            return Err(Error::new(
                ErrorKind::ReadOnly,
                format!("`{}` is open for reading only", self.path.display()),
            ));
        };
        guard(&self.path, || match database.try_begin_write() {
            Ok(mut transaction) => {
                // Opening after a crash then takes milliseconds, not a walk over the file. Shared modes always do it.
                transaction.set_quick_repair(true);
                Ok(Some(transaction))
            }
            Err(redb::TransactionError::WouldBlock) => Ok(None),
            Err(error) => Err(error),
        })
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        let Some(engine) = self.engine.take() else {
            return;
        };
        if !self.is_ours() {
            // Closing an inherited database would write its header and release the parent's locks.
            std::mem::forget(engine);
            return;
        }
        // redb closes what it can; an unclean end is repaired by the next process that opens the file.
        let _ = guard(&self.path, || match engine {
            Engine::Reader(database) => database.close(),
            Engine::Writer(database) => database.close(),
        });
    }
}

impl fmt::Debug for Opened {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let writes = matches!(self.engine, Some(Engine::Writer(_)));
        formatter
            .debug_struct("Opened")
            .field("path", &self.path)
            .field("stamp", &self.stamp)
            .field("writes", &writes)
            .field("exclusive", &self.exclusive)
            .finish_non_exhaustive()
    }
}

/// Writes a new database, which has its name only once it is whole and on disk.
pub(super) fn build(path: &Path, fill: impl FnOnce(&WriteTransaction) -> Result<()>) -> Result<()> {
    let temporary = disk::temporary_name(path);
    let built = build_at(&temporary, fill).and_then(|()| disk::rename(&temporary, path));
    if built.is_err() {
        // The first error is the one to report; the next sweep removes what stays.
        let _ = disk::remove(&temporary);
    }
    built
}

fn build_at(path: &Path, fill: impl FnOnce(&WriteTransaction) -> Result<()>) -> Result<()> {
    // Nobody else knows the name: the locks are free, and the mode must be the one of all later openings.
    let terms = Terms {
        patience: Duration::ZERO,
        exclusive: false,
    };
    let file = disk::create_new(path)?;
    let database = guard(path, || {
        builder(terms).create_with_backend(redb::backends::FileBackend::new(file)?)
    })?;
    let transaction = guard(path, || database.begin_write())?;
    fill(&transaction)?;
    guard(path, || transaction.commit())?;
    guard(path, || database.close())
}

/// Opens a copy in memory for reading.
pub(super) fn open_image(path: &Path, image: Image) -> Result<ReadOnlyDatabase> {
    let terms = Terms {
        patience: Duration::ZERO,
        exclusive: false,
    };
    guard(path, || builder(terms).open_read_only_with_backend(image))
}

fn builder(terms: Terms) -> Builder {
    let mut builder = Builder::new();
    builder
        .set_cache_size(CACHE)
        .set_concurrency_mode(if terms.exclusive {
            ConcurrencyMode::ExclusiveWriter
        } else {
            ConcurrencyMode::MultiWriter
        });
    builder
}

/// An empty file is no store, and redb would start a new one in it: ours have their names only once they are whole.
fn refuse_empty(file: &File) -> Result<(), DatabaseError> {
    match file.metadata()?.len() {
        0 => Err(io::Error::from(io::ErrorKind::UnexpectedEof).into()),
        _ => Ok(()),
    }
}

fn missing_or_other(error: Error) -> Refusal {
    match error.kind() {
        ErrorKind::NotFound => Refusal::Missing,
        _ => Refusal::Other(error),
    }
}

fn refused<T>(path: &Path, opened: Guarded<T, DatabaseError>) -> Result<T, Refusal> {
    opened.map_err(|problem| match problem {
        Problem::Refused(DatabaseError::RepairAborted) => Refusal::Unclean,
        Problem::Refused(error) => Refusal::Other(failure(path, error.into())),
        Problem::Panicked(error) => Refusal::Other(error),
    })
}

enum Problem<E> {
    Refused(E),
    Panicked(Error),
}

type Guarded<T, E> = Result<T, Problem<E>>;

fn guarded<T, E>(path: &Path, work: impl FnOnce() -> Result<T, E>) -> Guarded<T, E> {
    // redb trusts files that it closed itself and panics over some that were damaged afterwards. What it was working
    // on is thrown away by the caller, so no broken state is seen later.
    match contained(work) {
        Ok(result) => result.map_err(Problem::Refused),
        Err(panic) => {
            let reason = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| panic.downcast_ref::<&str>().copied())
                .unwrap_or("no reason given");
            Err(Problem::Panicked(damaged(path).with_source(reason)))
        }
    }
}

thread_local! {
    static CONTAINED: Cell<bool> = const { Cell::new(false) };
}

/// Says whether a panic of this thread now would be caught and become an error that names the damaged file.
///
/// A program's panic hook may stay silent then. A library must not set one: it belongs to the whole process.
pub fn contains_panics() -> bool {
    CONTAINED.get()
}

fn contained<T>(work: impl FnOnce() -> T) -> std::thread::Result<T> {
    let before = CONTAINED.replace(true);
    let outcome = catch_unwind(AssertUnwindSafe(work));
    CONTAINED.set(before);
    outcome
}

/// Runs one call of redb: its errors and panics become errors that name the file.
pub(super) fn guard<T, E: Into<redb::Error>>(
    path: &Path,
    work: impl FnOnce() -> Result<T, E>,
) -> Result<T> {
    guarded(path, work).map_err(|problem| match problem {
        Problem::Refused(error) => failure(path, error.into()),
        Problem::Panicked(error) => error,
    })
}

fn damaged(path: &Path) -> Error {
    Error::new(
        ErrorKind::Corrupted,
        format!("the store `{}` is damaged", path.display()),
    )
    .with_hint("memorax repair")
}

/// Says what redb's error means to a caller.
pub(super) fn failure(path: &Path, source: redb::Error) -> Error {
    use redb::Error as Cause;
    let name = path.display();
    match source {
        Cause::Io(source) => match source.kind() {
            io::ErrorKind::TimedOut => locked(path).with_source(source),
            // Not a database, shorter than its header says, or a page number outside of any file.
            io::ErrorKind::InvalidData
            | io::ErrorKind::UnexpectedEof
            | io::ErrorKind::InvalidInput => damaged(path).with_source(source),
            _ => disk::writing_failed(path, source),
        },
        Cause::WouldBlock | Cause::DatabaseAlreadyOpen => locked(path).with_source(source),
        Cause::Unsupported => Error::new(
            ErrorKind::Locked,
            format!("`{name}` is on a file system without the locks that sharing needs"),
        )
        .with_hint("set MEMORAX_HOME to a local folder, or MEMORAX_EXCLUSIVE=1")
        .with_source(source),
        Cause::LockProtocolMismatch | Cause::UpgradeRequired(_) => Error::new(
            ErrorKind::Incompatible,
            format!("another version of the program has `{name}` open or wrote it"),
        )
        .with_hint("install the newest memorax everywhere on this machine")
        .with_source(source),
        Cause::ValueTooLarge(_) => Error::new(
            ErrorKind::InvalidInput,
            format!("a row is too large for `{name}`"),
        )
        .with_source(source),
        Cause::PreviousIo | Cause::DatabaseClosed | Cause::LockPoisoned(_) => {
            Error::new(ErrorKind::Io, format!("an earlier failure closed `{name}`"))
                .with_hint("try again")
                .with_source(source)
        }
        _ => damaged(path).with_source(source),
    }
}

/// Says that someone else writes for longer than the caller would wait.
pub(super) fn locked(path: &Path) -> Error {
    Error::new(
        ErrorKind::Locked,
        format!("another process is writing to `{}`", path.display()),
    )
    .with_hint("try again")
}
