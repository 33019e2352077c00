//! A store that lives in memory and dies with its process.

use std::collections::BTreeMap;
use std::ops::{Bound, ControlFlow};
use std::sync::{Arc, Mutex, TryLockError};
use std::time::{Duration, Instant};

use arc_swap::ArcSwap;

use super::{MemoryStore, Rows, RowsMut, Table, Visit};
use crate::{Error, ErrorKind, Result};

const PATIENCE: Duration = Duration::from_secs(2); // as long as the store on disk waits

type Sheet = BTreeMap<Vec<u8>, Arc<[u8]>>;

/// Keeps rows in memory: for tests, for deriving a state a second time, and for embedders that want nothing on disk.
///
/// ```
/// use memorax_core::store::{MemoryStore, Table, Volatile};
///
/// let store = Volatile::new();
/// store.write(&mut |rows| rows.put(Table::Meta, b"name", b"value"))?;
/// store.read(&mut |rows| {
///     assert_eq!(rows.get(Table::Meta, b"name")?, Some(b"value".to_vec()));
///     Ok(())
/// })?;
/// # Ok::<(), memorax_core::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Volatile {
    state: ArcSwap<State>,
    writing: Mutex<()>,
}

// A write copies the tables it touches, so that readers keep what they started with.
#[derive(Clone, Debug, Default)]
struct State {
    sheets: [Arc<Sheet>; Table::ALL.len()],
}

impl Volatile {
    /// Creates an empty store.
    pub fn new() -> Self {
        Self::default()
    }
}

impl MemoryStore for Volatile {
    fn read(&self, work: &mut dyn FnMut(&dyn Rows) -> Result<()>) -> Result<()> {
        work(&*self.state.load_full())
    }

    fn write(&self, work: &mut dyn FnMut(&mut dyn RowsMut) -> Result<()>) -> Result<()> {
        let deadline = Instant::now() + PATIENCE;
        let _turn = loop {
            match self.writing.try_lock() {
                Ok(turn) => break turn,
                // The state changes only after `work` succeeded: a panic in it left nothing behind.
                Err(TryLockError::Poisoned(poisoned)) => break poisoned.into_inner(),
                Err(TryLockError::WouldBlock) if Instant::now() >= deadline => {
                    return Err(Error::new(
                        ErrorKind::Locked,
                        "another thread holds the store in memory",
                    ));
                }
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(1)),
            }
        };
        let mut next = State::clone(&self.state.load());
        work(&mut next)?;
        self.state.store(Arc::new(next));
        Ok(())
    }
}

impl Rows for State {
    fn get(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>> {
        Ok(self.sheets[table as usize]
            .get(key)
            .map(|value| value.to_vec()))
    }

    fn range(
        &self,
        table: Table,
        from: &[u8],
        to: &[u8],
        visit: &mut dyn FnMut(&[u8], &[u8]) -> Visit,
    ) -> Result<()> {
        let end = match to {
            [] => Bound::Unbounded,
            to if to <= from => return Ok(()),
            to => Bound::Excluded(to),
        };
        for (key, value) in
            self.sheets[table as usize].range::<[u8], _>((Bound::Included(from), end))
        {
            if let ControlFlow::Break(()) = visit(key, value)? {
                break;
            }
        }
        Ok(())
    }

    fn last(&self, table: Table) -> Result<Option<(Vec<u8>, Vec<u8>)>> {
        Ok(self.sheets[table as usize]
            .last_key_value()
            .map(|(key, value)| (key.clone(), value.to_vec())))
    }
}

impl RowsMut for State {
    fn put(&mut self, table: Table, key: &[u8], value: &[u8]) -> Result<()> {
        Arc::make_mut(&mut self.sheets[table as usize]).insert(key.to_vec(), value.into());
        Ok(())
    }

    fn remove(&mut self, table: Table, key: &[u8]) -> Result<()> {
        Arc::make_mut(&mut self.sheets[table as usize]).remove(key);
        Ok(())
    }

    fn as_rows(&self) -> &dyn Rows {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_store_in_memory_keeps_the_contract() {
        crate::contract::store_contract(&|| Arc::new(Volatile::new()));
    }
}
