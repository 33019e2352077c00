//! Moves the rows into a new file: what was removed from a store is gone from the disk only then.

use std::path::{Path, PathBuf};

use redb::{ReadTransaction, TableHandle, WriteTransaction};

use super::engine::{self, guard, table};
use super::handle::{RETIRED, Redb};
use crate::store::{RowsMut, Table};
use crate::{Error, ErrorKind, Result, disk};

/// What moving the rows into a new file did.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rewritten {
    /// The generation that holds the rows now.
    pub generation: u64,
    /// Bytes of the file before.
    pub before: u64,
    /// Bytes of the file now.
    pub after: u64,
    /// Files that still hold removed rows, because another process has them open.
    pub leftovers: Vec<Leftover>,
}

/// A file of a store that is no longer part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Leftover {
    /// Where the file is.
    pub path: PathBuf,
    /// How large it is.
    pub bytes: u64,
    /// Why it is still there.
    pub reason: LeftoverReason,
}

/// Why a file that is no longer part of a store is still there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LeftoverReason {
    /// A newer file holds its rows, but it could not be removed yet; the next write tries again.
    Replaced,
    /// The process that wrote it is still at it or was killed; the next write removes it.
    Unfinished,
    /// It was damaged, and was kept by a repair. Nothing removes it but its owner.
    Damaged,
}

impl Redb {
    /// Moves all rows into a new file and removes the old one, which makes the store as small as it can be and leaves no
    /// removed row on the disk. Processes that have the old file open move on with their next call.
    ///
    /// The change of files is one commit: a process that is killed at any moment leaves the old file or the new one in
    /// charge, with the same rows.
    pub fn rewrite(&self) -> Result<Rewritten> {
        let space = self.slot().space();
        let (mut next, mut before) = (0, 0);
        let old = self.with_changes(&mut |changes, opened| {
            next = opened.generation() + 1;
            before = size(opened.path())?;
            space.sweep(opened.generation());
            step("begun");
            // Nobody else can commit while this transaction is open: the snapshot is its state.
            let snapshot = opened.begin_read()?;
            engine::build(&space.file(next), |target| {
                copy(&snapshot, opened.path(), target)
            })?;
            step("copied");
            changes.put(Table::Meta, RETIRED, &next.to_be_bytes())
        })?;
        step("retired");
        self.follow(&old, next)?;
        // Windows removes a file only after the last handle is closed.
        drop(old);
        step("named");
        space.sweep(next);
        Ok(Rewritten {
            generation: next,
            before,
            after: size(&space.file(next))?,
            leftovers: self.leftovers()?,
        })
    }

    /// Removes the files that are no longer part of the store, and returns those that stay.
    pub fn gc(&self) -> Result<Vec<Leftover>> {
        if self.slot().space().generation()?.is_some() {
            self.with_changes(&mut |_, opened| {
                self.slot().space().sweep(opened.generation());
                Ok(())
            })?;
        }
        self.leftovers()
    }

    /// Lists the files that are no longer part of the store. A purge is complete when none of them was replaced.
    pub fn leftovers(&self) -> Result<Vec<Leftover>> {
        let mut generation = None;
        self.with_snapshot(&mut |snapshot| {
            generation = snapshot.map(|(_, opened)| opened.generation());
            Ok(())
        })?;
        let found = self.slot().space().leftovers(generation)?;
        Ok(found
            .into_iter()
            .map(|(path, reason)| Leftover {
                bytes: size(&path).unwrap_or(0),
                path,
                reason,
            })
            .collect())
    }

    /// Copies all rows, as they are at one moment, into a new file. Writers go on meanwhile.
    ///
    /// # Errors
    /// `InvalidInput` when the file exists or is where the store itself keeps its files.
    pub fn backup(&self, to: &Path) -> Result<()> {
        if to.exists() || self.slot().space().owns(to) {
            return Err(Error::new(
                ErrorKind::InvalidInput,
                format!("`{}` is taken", to.display()),
            )
            .with_hint("name a file that does not exist"));
        }
        self.with_snapshot(&mut |snapshot| {
            engine::build(to, |target| match snapshot {
                Some((snapshot, opened)) => copy(snapshot.transaction(), opened.path(), target),
                None => Ok(()),
            })
        })
    }
}

/// Copies every table, also those that this version does not know.
pub(super) fn copy(source: &ReadTransaction, path: &Path, target: &WriteTransaction) -> Result<()> {
    let names: Vec<String> = guard(path, || {
        let tables = source.list_tables()?;
        Ok::<_, redb::StorageError>(tables.map(|table| table.name().to_owned()).collect())
    })?;
    for name in names {
        let rows = guard(path, || source.open_table(table(&name)))?;
        guard::<_, redb::Error>(path, || {
            let mut copied = target.open_table(table(&name))?;
            for row in rows.range::<&[u8]>(..)? {
                let (key, value) = row?;
                copied.insert(key.value(), value.value())?;
            }
            Ok(())
        })?;
    }
    Ok(())
}

fn size(path: &Path) -> Result<u64> {
    path.metadata()
        .map(|data| data.len())
        .map_err(|source| disk::reading_failed(path, source))
}

/// Ends the process where a test asked for it, as a crash at this step would.
fn step(name: &str) {
    if cfg!(any(test, feature = "testing"))
        && std::env::var("MEMORAX_TEST_ABORT").is_ok_and(|chosen| chosen == name)
    {
        std::process::abort();
    }
}
