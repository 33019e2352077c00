//! How large a store is.

use redb::{ReadableTableMetadata, TableError};

use super::engine::{guard, table};
use super::handle::Redb;
use crate::store::Table;
use crate::{Result, disk};

/// How large a store on disk is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sizes {
    /// Which file holds the rows; 0 when nothing was ever written.
    pub generation: u64,
    /// Bytes of that file.
    pub bytes: u64,
    /// Number of rows in each table.
    pub rows: Vec<(Table, u64)>,
}

impl Redb {
    /// Measures the store.
    pub fn sizes(&self) -> Result<Sizes> {
        let mut sizes = Sizes::default();
        self.with_snapshot(&mut |snapshot| {
            let Some((snapshot, opened)) = snapshot else {
                sizes.rows = Table::ALL.map(|name| (name, 0)).to_vec();
                return Ok(());
            };
            let path = opened.path();
            sizes.generation = opened.generation();
            sizes.bytes = path
                .metadata()
                .map_err(|source| disk::reading_failed(path, source))?
                .len();
            for name in Table::ALL {
                let rows = guard::<_, redb::Error>(path, || {
                    match snapshot.transaction().open_table(table(name.as_str())) {
                        Ok(rows) => Ok(rows.len()?),
                        Err(TableError::TableDoesNotExist(_)) => Ok(0),
                        Err(error) => Err(error.into()),
                    }
                })?;
                sizes.rows.push((name, rows));
            }
            Ok(())
        })?;
        Ok(sizes)
    }
}
