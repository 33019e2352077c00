//! Keeps memories in a store of your own: one ordered map, to show what an implementation has to promise.
//!
//! Run with `cargo run -p memorax-examples --example own_store`.

#![expect(clippy::print_stdout, reason = "an example shows what it found")]

use std::collections::BTreeMap;
use std::ops::{Bound, ControlFlow};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use memorax_core::store::{MemoryStore, Rows, RowsMut, Table, Visit};
use memorax_core::{Memorax, MemoryKind, Query, Result};

/// All tables in one map. Readers share a snapshot; a writer changes a copy and swaps it in when it succeeded.
#[derive(Debug, Default)]
struct OneMap {
    rows: RwLock<Arc<Snapshot>>,
    writer: Mutex<()>,
}

#[derive(Clone, Debug, Default)]
struct Snapshot(BTreeMap<(Table, Vec<u8>), Vec<u8>>);

impl OneMap {
    fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(&self.rows.read().unwrap_or_else(PoisonError::into_inner))
    }
}

impl MemoryStore for OneMap {
    fn read(&self, work: &mut dyn FnMut(&dyn Rows) -> Result<()>) -> Result<()> {
        work(&*self.snapshot())
    }

    fn write(&self, work: &mut dyn FnMut(&mut dyn RowsMut) -> Result<()>) -> Result<()> {
        let _one_at_a_time = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let mut next = Snapshot::clone(&self.snapshot());
        work(&mut next)?;
        *self.rows.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(next);
        Ok(())
    }
}

impl Rows for Snapshot {
    fn get(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>> {
        Ok(self.0.get(&(table, key.to_vec())).cloned())
    }

    fn range(
        &self,
        table: Table,
        from: &[u8],
        to: &[u8],
        visit: &mut dyn FnMut(&[u8], &[u8]) -> Visit,
    ) -> Result<()> {
        let rows = self
            .0
            .range((Bound::Included((table, from.to_vec())), Bound::Unbounded));
        for ((_, key), value) in rows.take_while(|((in_table, key), _)| {
            *in_table == table && (to.is_empty() || key.as_slice() < to)
        }) {
            if let ControlFlow::Break(()) = visit(key, value)? {
                break;
            }
        }
        Ok(())
    }

    fn last(&self, table: Table) -> Result<Option<(Vec<u8>, Vec<u8>)>> {
        let rows = self.0.range((table, Vec::new())..);
        let last = rows
            .take_while(|((in_table, _), _)| *in_table == table)
            .last();
        Ok(last.map(|((_, key), value)| (key.clone(), value.clone())))
    }
}

impl RowsMut for Snapshot {
    fn put(&mut self, table: Table, key: &[u8], value: &[u8]) -> Result<()> {
        self.0.insert((table, key.to_vec()), value.to_vec());
        Ok(())
    }

    fn remove(&mut self, table: Table, key: &[u8]) -> Result<()> {
        self.0.remove(&(table, key.to_vec()));
        Ok(())
    }

    fn as_rows(&self) -> &dyn Rows {
        self
    }
}

fn main() -> Result<()> {
    memorax_core::contract::store_contract(&|| Arc::new(OneMap::default()));

    let memory = Memorax::builder()
        .store(Arc::new(OneMap::default()))
        .open(".")?;
    memory.remember("Deploys happen on Tuesdays only.", MemoryKind::Convention)?;
    let recall = memory.recall(&Query::new("on which day do deploys happen?"))?;
    println!("{}", recall.text());
    assert!(
        recall.text().contains("Tuesdays"),
        "what the store keeps is recalled"
    );
    Ok(())
}
