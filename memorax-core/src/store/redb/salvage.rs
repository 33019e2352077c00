//! Brings the readable rows of a damaged store into a new file.

use std::collections::BTreeSet;
use std::ops::Bound;
use std::path::{Path, PathBuf};

use redb::backends::FileBackend;
use redb::{
    ReadOnlyDatabase, ReadTransaction, ReadableDatabase, ReadableTableMetadata, StorageBackend,
};

use super::engine::{self, guard, table};
use super::handle::{PATIENCE, RETIRED, Redb};
use super::harvest::{harvest, starts};
use super::image::Image;
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
    /// Where the damaged file is kept; none when it was gone.
    pub kept: Option<PathBuf>,
    /// What was found in each table.
    pub tables: Vec<SalvagedTable>,
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
        let Some((generation, damaged)) = newest(&space)? else {
            return Err(Error::new(
                ErrorKind::NotFound,
                format!("no store at `{}`", path.display()),
            ));
        };
        let _alone = alone(&damaged)?;
        let last = space.generations()?.last().copied();
        let next = generation.max(last.unwrap_or(0)) + 1;
        let bytes = bytes(&damaged)?;
        let (commits, starts) = (commits(&damaged, &bytes)?, starts(&bytes));
        let mut tables = Vec::new();
        engine::build(&space.file(next), |target| {
            for name in Table::ALL {
                tables.push(bring_over(name, &damaged, &commits, &starts, target)?);
            }
            Ok(())
        })?;
        let kept = keep(&damaged)?;
        space.say_whatever_is_there(next, &lock)?;
        Ok(Salvaged {
            generation: next,
            kept,
            tables,
        })
    }
}

/// Returns the file that held the rows last, also when `meta.json` cannot be read.
fn newest(space: &Space) -> Result<Option<(u64, PathBuf)>> {
    let mut generation = match space.generation() {
        Ok(generation) => generation,
        Err(error) if error.kind() == ErrorKind::Corrupted => space.generations()?.first().copied(),
        Err(error) => return Err(error),
    };
    while let Some(current) = generation {
        let file = space.file(current);
        let retired = commits(&file, &bytes(&file)?)?.first().and_then(|last| {
            let rows = guard(&file, || last.open_table(table(Table::Meta.as_str()))).ok()?;
            let value = guard(&file, || {
                let value = rows.get(RETIRED)?;
                Ok::<_, redb::StorageError>(value.map(|value| value.value().to_vec()))
            });
            Some(u64::from_be_bytes(value.ok()??.try_into().ok()?))
        });
        let later = retired.filter(|next| *next > current && space.file(*next).exists());
        if later.is_none() {
            return Ok(Some((current, file)));
        }
        generation = later;
    }
    Ok(None)
}

/// Opens the last commit of a damaged file, and the one before; those that cannot be opened are left out.
fn commits(file: &Path, bytes: &[u8]) -> Result<Vec<ReadTransaction>> {
    let images = Image::of_damaged(file, bytes)?;
    Ok(images
        .into_iter()
        .filter_map(|image| {
            let database: ReadOnlyDatabase = engine::open_image(file, image).ok()?;
            guard(file, || database.begin_read()).ok()
        })
        .collect())
}

fn bytes(file: &Path) -> Result<Vec<u8>> {
    match disk::read(file) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        read => read,
    }
}

fn bring_over(
    name: Table,
    file: &Path,
    commits: &[ReadTransaction],
    starts: &BTreeSet<Vec<u8>>,
    target: &redb::WriteTransaction,
) -> Result<SalvagedTable> {
    let mut outcome = SalvagedTable {
        table: name,
        saved: 0,
        lost: None,
    };
    let mut copied = guard(file, || target.open_table(table(name.as_str())))?;
    // The commit before the last one may hold rows that the last one removed: it is asked only where the last one has
    // nothing to say at all.
    for commit in commits {
        let opened = guard(file, || match commit.open_table(table(name.as_str())) {
            Ok(rows) => Ok(Some(rows)),
            Err(redb::TableError::TableDoesNotExist(_)) => Ok(None),
            Err(error) => Err(error),
        });
        let Ok(opened) = opened else { continue };
        let Some(rows) = opened else {
            outcome.lost = Some(0);
            break;
        };
        let number = guard(file, || rows.len()).ok();
        outcome.saved = harvest(&rows, file, starts, &mut |key, value| {
            guard(file, || copied.insert(key, value).map(drop))
        })?;
        outcome.lost = number.map(|number| number.saturating_sub(outcome.saved));
        break;
    }
    Ok(outcome)
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

fn keep(file: &Path) -> Result<Option<PathBuf>> {
    if !file.exists() {
        return Ok(None);
    }
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let today = jiff::Timestamp::now().strftime("%Y-%m-%d").to_string();
    let names = (1..).map(|count| match count {
        1 => format!("{name}.damaged-{today}"),
        count => format!("{name}.damaged-{today}.{count}"),
    });
    let free = names
        .map(|name| file.with_file_name(name))
        .find(|path| !path.exists())
        .expect("there is no end of numbers");
    disk::rename(file, &free)?;
    Ok(Some(free))
}
