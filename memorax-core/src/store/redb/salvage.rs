//! Brings the readable rows of a damaged store into a new file.

use std::collections::BTreeSet;
use std::ops::Bound;
use std::path::{Path, PathBuf};

use redb::backends::FileBackend;
use redb::{
    ReadTransaction, ReadableDatabase, ReadableTableMetadata, StorageBackend, TableError,
    WriteTransaction,
};

use super::engine::{self, guard, table};
use super::handle::{PATIENCE, RETIRED, Redb};
use super::harvest::{harvest, starts};
use super::image::Image;
use super::meta::Loss;
use super::space::Space;
use crate::disk::{self, FileLock};
use crate::store::{Table, registry};
use crate::{Error, ErrorKind, Result};

/// What was brought over from a damaged store.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Salvaged {
    /// The generation that holds the rows now.
    pub generation: u64,
    /// In which state the file was.
    pub found: FileState,
    /// An older generation whose rows were brought over, because the newest had none that could be read.
    pub older: Option<u64>,
    /// Where the damaged file is kept; none when it was gone.
    pub kept: Option<PathBuf>,
    /// What was found in each table.
    pub tables: Vec<SalvagedTable>,
}

/// In which state a file was that had to be salvaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileState {
    /// There were bytes, and not all of them were right.
    Damaged,
    /// It had no bytes.
    Empty,
    /// There was no file, though the store had been written.
    Gone,
}

impl FileState {
    /// Returns the state as it stands in texts.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Damaged => "damaged",
            Self::Empty => "empty",
            Self::Gone => "gone",
        }
    }
}

/// What was brought over of one table.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SalvagedTable {
    /// Which table.
    pub table: Table,
    /// Rows that were brought over.
    pub saved: u64,
    /// Rows that the table had and that could not be read; `None` when not even their number could.
    pub lost: Option<u64>,
}

impl Redb {
    /// Brings every row that can be read into a new file, and keeps the damaged one beside it. Rows are taken as they
    /// are: whoever knows what they mean has to check them afterwards.
    ///
    /// # Errors
    /// `Locked` when another process has the store open, `Incompatible` when another version wrote it.
    pub fn salvage(path: &Path) -> Result<Salvaged> {
        let space = Space::new(path)?;
        disk::create_dir_private(space.folder())?;
        let lock = FileLock::exclusive(&space.lock(), PATIENCE)?;
        registry::slot(&space, false).close();
        let Some(damaged) = Damaged::newest(&space)? else {
            return Err(Error::new(
                ErrorKind::NotFound,
                format!("no store at `{}`", path.display()),
            ));
        };
        let _alone = alone(&damaged.file)?;
        let last = space.generations()?.last().copied();
        let next = damaged.generation.max(last.unwrap_or(0)) + 1;
        let mut tables = Vec::new();
        engine::build(&space.file(next), |target| {
            for name in Table::ALL {
                tables.push(damaged.bring_over(name, target)?);
            }
            Ok(())
        })?;
        let kept = disk::keep_aside(&damaged.file)?;
        let today = jiff::Timestamp::now().strftime("%Y-%m-%d").to_string();
        let loss = damaged.commits.is_empty() || damaged.older.is_some();
        let loss = loss.then_some(Loss {
            generation: damaged.generation,
            state: damaged.found,
            on: today,
        });
        space.say_after_repair(next, loss.as_ref(), &lock)?;
        Ok(Salvaged {
            generation: next,
            found: damaged.found,
            older: damaged.older,
            kept,
            tables,
        })
    }
}

/// A file that cannot be trusted, and what can be opened of it.
struct Damaged {
    generation: u64,
    file: PathBuf,
    found: FileState,
    older: Option<u64>,
    /// The last commit and the one before, without those that cannot be opened.
    commits: Vec<ReadTransaction>,
    starts: BTreeSet<Vec<u8>>,
}

impl Damaged {
    /// Opens the file that held the rows last, also when `meta.json` cannot be read.
    fn newest(space: &Space) -> Result<Option<Self>> {
        let mut generation = match space.generation() {
            Err(error) if error.kind() == ErrorKind::Corrupted => {
                space.generations()?.first().copied()
            }
            generation => generation?,
        };
        while let Some(current) = generation {
            let damaged = Self::open(current, space.file(current))?;
            let later = damaged.retired().filter(|next| space.file(*next).exists());
            if later.is_none_or(|next| next <= current) {
                return damaged.or_older(space).map(Some);
            }
            generation = later;
        }
        Ok(None)
    }

    /// Takes the rows of an older generation where there are none to be read.
    fn or_older(mut self, space: &Space) -> Result<Self> {
        if !self.commits.is_empty() {
            return Ok(self);
        }
        for generation in space.generations()?.into_iter().rev() {
            let other = Self::open(generation, space.file(generation))?;
            if generation != self.generation && !other.commits.is_empty() {
                self.older = Some(generation);
                self.commits = other.commits;
                self.starts = other.starts;
                break;
            }
        }
        Ok(self)
    }

    fn open(generation: u64, file: PathBuf) -> Result<Self> {
        let (bytes, found) = match disk::read(&file) {
            Err(error) if error.kind() == ErrorKind::NotFound => (Vec::new(), FileState::Gone),
            Ok(bytes) if bytes.is_empty() => (bytes, FileState::Empty),
            bytes => (bytes?, FileState::Damaged),
        };
        let images = match found {
            FileState::Damaged => Image::of_damaged(&file, &bytes)?,
            FileState::Empty | FileState::Gone => Vec::new(),
        };
        let commits = images
            .into_iter()
            .filter_map(|image| {
                let database = engine::open_image(&file, image).ok()?;
                guard(&file, || database.begin_read()).ok()
            })
            .collect();
        Ok(Self {
            generation,
            file,
            found,
            older: None,
            commits,
            starts: starts(&bytes),
        })
    }

    fn retired(&self) -> Option<u64> {
        let last = self.commits.first()?;
        let rows = guard(&self.file, || last.open_table(table(Table::Meta.as_str())));
        let rows = rows.ok()?;
        let value = guard(&self.file, || {
            let value = rows.get(RETIRED)?;
            Ok::<_, redb::StorageError>(value.map(|value| value.value().to_vec()))
        });
        Some(u64::from_be_bytes(value.ok()??.try_into().ok()?))
    }

    fn bring_over(&self, name: Table, target: &WriteTransaction) -> Result<SalvagedTable> {
        let mut outcome = SalvagedTable {
            table: name,
            saved: 0,
            lost: None,
        };
        let mut copied = guard(&self.file, || target.open_table(table(name.as_str())))?;
        // The commit before the last one may hold rows that the last one removed: it is asked only where the last one
        // has nothing to say at all.
        for commit in &self.commits {
            let opened = guard(&self.file, || {
                match commit.open_table(table(name.as_str())) {
                    Ok(rows) => Ok(Some(rows)),
                    Err(TableError::TableDoesNotExist(_)) => Ok(None),
                    Err(error) => Err(error),
                }
            });
            let Ok(opened) = opened else { continue };
            let Some(rows) = opened else {
                outcome.lost = self.older.is_none().then_some(0);
                break;
            };
            let number = guard(&self.file, || rows.len()).ok();
            outcome.saved = harvest(&rows, &self.file, &self.starts, &mut |key, value| {
                // A file that was replaced and came back is in charge again.
                if name == Table::Meta && key == RETIRED {
                    return Ok(());
                }
                guard(&self.file, || copied.insert(key, value).map(drop))
            })?;
            // What an older generation had says nothing of what came later.
            let number = number.filter(|_| self.older.is_none());
            outcome.lost = number.map(|number| number.saturating_sub(outcome.saved));
            break;
        }
        Ok(outcome)
    }
}

/// Makes sure that no process goes on with a file that is about to be put aside.
fn alone(file: &Path) -> Result<Option<FileBackend>> {
    let opened = match disk::open_existing(file) {
        Ok(opened) => opened,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let failed = |source: redb::Error| engine::failure(file, source);
    let backend = FileBackend::new(opened).map_err(|source| failed(source.into()))?;
    match backend.try_lock_range(Bound::Unbounded, Bound::Unbounded) {
        Ok(true) => Ok(Some(backend)),
        Ok(false) => Err(Error::new(
            ErrorKind::Locked,
            format!("another process has `{}` open", file.display()),
        )
        .with_hint("close the agents and pages that use memorax, then run `memorax repair` again")),
        Err(source) => Err(failed(source.into())),
    }
}
