//! Rows inside one redb transaction.

use std::cell::OnceCell;
use std::ops::{Bound, ControlFlow};
use std::path::Path;

use redb::{ReadOnlyTable, ReadTransaction, ReadableTable, TableError, WriteTransaction};

use super::engine::{guard, table as definition};
use crate::Result;
use crate::store::{Rows, RowsMut, Table, Visit};

type Bytes = &'static [u8];
type ReadTable = ReadOnlyTable<Bytes, Bytes>;
type WriteTable<'txn> = redb::Table<'txn, Bytes, Bytes>;
type Sheets<T> = [OnceCell<T>; Table::ALL.len()];

/// The rows that a read transaction sees.
pub(super) struct Snapshot<'txn> {
    transaction: &'txn ReadTransaction,
    path: &'txn Path,
    // `None` is a table that nothing was ever written to.
    tables: Sheets<Option<ReadTable>>,
}

impl<'txn> Snapshot<'txn> {
    pub(super) fn new(transaction: &'txn ReadTransaction, path: &'txn Path) -> Self {
        Self {
            transaction,
            path,
            tables: Sheets::default(),
        }
    }

    pub(super) fn transaction(&self) -> &ReadTransaction {
        self.transaction
    }

    fn table(&self, table: Table) -> Result<Option<&ReadTable>> {
        let cell = &self.tables[table as usize];
        if cell.get().is_none() {
            let opened = guard(self.path, || {
                match self.transaction.open_table(definition(table.as_str())) {
                    Ok(opened) => Ok(Some(opened)),
                    Err(TableError::TableDoesNotExist(_)) => Ok(None),
                    Err(error) => Err(error),
                }
            })?;
            // The cell was empty and one thread uses it: the value is kept.
            let _ = cell.set(opened);
        }
        Ok(cell.get().and_then(Option::as_ref))
    }
}

impl Rows for Snapshot<'_> {
    fn get(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>> {
        match self.table(table)? {
            Some(table) => get(table, self.path, key),
            None => Ok(None),
        }
    }

    fn range(
        &self,
        table: Table,
        from: &[u8],
        to: &[u8],
        visit: &mut dyn FnMut(&[u8], &[u8]) -> Visit,
    ) -> Result<()> {
        match self.table(table)? {
            Some(table) => range(table, self.path, from, to, visit),
            None => Ok(()),
        }
    }

    fn last(&self, table: Table) -> Result<Option<(Vec<u8>, Vec<u8>)>> {
        match self.table(table)? {
            Some(table) => last(table, self.path),
            None => Ok(None),
        }
    }
}

/// The rows inside the write transaction.
pub(super) struct Changes<'txn> {
    transaction: &'txn WriteTransaction,
    path: &'txn Path,
    tables: Sheets<WriteTable<'txn>>,
    changed: bool,
}

impl<'txn> Changes<'txn> {
    pub(super) fn new(transaction: &'txn WriteTransaction, path: &'txn Path) -> Self {
        Self {
            transaction,
            path,
            tables: Sheets::default(),
            changed: false,
        }
    }

    /// Returns whether there is anything to commit.
    pub(super) fn changed(&self) -> bool {
        self.changed
    }

    fn table(&self, table: Table) -> Result<&WriteTable<'txn>> {
        let cell = &self.tables[table as usize];
        if cell.get().is_none() {
            let opened = guard(self.path, || {
                self.transaction.open_table(definition(table.as_str()))
            })?;
            // The cell was empty and one thread uses it: the value is kept.
            let _ = cell.set(opened);
        }
        Ok(cell.get().expect("the cell was just filled"))
    }

    fn table_mut(&mut self, table: Table) -> Result<&mut WriteTable<'txn>> {
        self.table(table)?;
        self.changed = true;
        Ok(self.tables[table as usize]
            .get_mut()
            .expect("the cell was just filled"))
    }
}

impl Rows for Changes<'_> {
    fn get(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>> {
        get(self.table(table)?, self.path, key)
    }

    fn range(
        &self,
        table: Table,
        from: &[u8],
        to: &[u8],
        visit: &mut dyn FnMut(&[u8], &[u8]) -> Visit,
    ) -> Result<()> {
        range(self.table(table)?, self.path, from, to, visit)
    }

    fn last(&self, table: Table) -> Result<Option<(Vec<u8>, Vec<u8>)>> {
        last(self.table(table)?, self.path)
    }
}

impl RowsMut for Changes<'_> {
    fn put(&mut self, table: Table, key: &[u8], value: &[u8]) -> Result<()> {
        let path = self.path;
        let table = self.table_mut(table)?;
        guard(path, || table.insert(key, value).map(drop))
    }

    fn remove(&mut self, table: Table, key: &[u8]) -> Result<()> {
        let path = self.path;
        let table = self.table_mut(table)?;
        guard(path, || table.remove(key).map(drop))
    }

    fn as_rows(&self) -> &dyn Rows {
        self
    }
}

fn get(
    table: &impl ReadableTable<Bytes, Bytes>,
    path: &Path,
    key: &[u8],
) -> Result<Option<Vec<u8>>> {
    guard(path, || {
        let found = table.get(key)?;
        Ok::<_, redb::StorageError>(found.map(|value| value.value().to_vec()))
    })
}

fn last(
    table: &impl ReadableTable<Bytes, Bytes>,
    path: &Path,
) -> Result<Option<(Vec<u8>, Vec<u8>)>> {
    guard(path, || {
        let found = table.last()?;
        Ok::<_, redb::StorageError>(
            found.map(|(key, value)| (key.value().to_vec(), value.value().to_vec())),
        )
    })
}

fn range(
    table: &impl ReadableTable<Bytes, Bytes>,
    path: &Path,
    from: &[u8],
    to: &[u8],
    visit: &mut dyn FnMut(&[u8], &[u8]) -> Visit,
) -> Result<()> {
    let end = match to {
        [] => Bound::Unbounded,
        to if to <= from => return Ok(()),
        to => Bound::Excluded(to),
    };
    let mut found = guard(path, || table.range::<&[u8]>((Bound::Included(from), end)))?;
    // The visitor runs outside of the guard: its panics are not the store's. Its bytes were read inside.
    let (mut key, mut value) = (Vec::new(), Vec::new());
    loop {
        let more = guard(path, || {
            let Some((found_key, found_value)) = found.next().transpose()? else {
                return Ok::<_, redb::StorageError>(false);
            };
            key.clear();
            key.extend_from_slice(found_key.value());
            value.clear();
            value.extend_from_slice(found_value.value());
            Ok(true)
        })?;
        if !more {
            return Ok(());
        }
        if let ControlFlow::Break(()) = visit(&key, &value)? {
            return Ok(());
        }
    }
}
