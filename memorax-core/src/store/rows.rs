//! The trait that keeps rows: everything above it (log, merge, lines, search) is ours and the same for every store.

use std::fmt::Debug;
use std::ops::ControlFlow;

use crate::Result;

/// Keeps rows of bytes in a few tables, applies batches atomically and reads one consistent state.
///
/// An implementation is about a hundred lines; the log, the merge of concurrent changes, branch lines and search are
/// built on it by [`crate::store::Ledger`]. Every implementation must pass `memorax_core::contract`.
pub trait MemoryStore: Send + Sync + Debug + 'static {
    /// Runs `work` on one consistent snapshot. Never waits for a writer.
    ///
    /// `work` must not write to the same store.
    fn read(&self, work: &mut dyn FnMut(&dyn Rows) -> Result<()>) -> Result<()>;

    /// Runs `work` in the one write transaction: all of its changes are durable when the call returns `Ok`, none when
    /// it returns an error. `work` may be run once only.
    ///
    /// # Errors
    /// `Locked` when another writer holds the store for longer than the store's patience; `ReadOnly` where nothing can
    /// be written.
    fn write(&self, work: &mut dyn FnMut(&mut dyn RowsMut) -> Result<()>) -> Result<()>;
}

/// The tables of a store. Keys are compared as bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Table {
    /// Facts about the store itself, by name.
    Meta,
    /// Operations without their bodies, by chain and index.
    Log,
    /// Salts and bodies of operations, by chain and index.
    Body,
    /// Chain and index, by the order in which operations were applied here.
    Sequence,
    /// Place in the sequence, by operation id.
    Operation,
    /// Operations about a memory: memory id and place in the sequence.
    ByMemory,
    /// Records of memories, by id.
    Record,
    /// Memory that an alias names, by alias.
    Alias,
    /// Memory id and what a search filters by, by ordinal.
    Card,
    /// Ordinals of each kind, so that a search for few of many kinds need not look at all cards.
    Kind,
    /// Ordinal, by memory id.
    Ordinal,
    /// Words of memories: word and block of ordinals.
    Posting,
    /// Words of one memory, by ordinal.
    Forward,
    /// Embedders that have vectors of memories, by key.
    Embedder,
    /// Vectors of memories, by the embedder's key and ordinal.
    Vector,
    /// Short forms of vectors, by the embedder's key and block of ordinals.
    Code,
    /// Ordinals in the order in which their vectors were put, by the embedder's key and place.
    VectorOrder,
    /// Records of lines, by id.
    Line,
    /// How often a memory was shown, by id.
    Usage,
    /// Receipts, by id.
    Receipt,
    /// How far a spool file was folded in, by its id.
    Spool,
    /// Drafts that could not be applied, by operation id, with the reason.
    Refused,
}

impl Table {
    /// Every table.
    pub const ALL: [Self; 22] = [
        Self::Meta,
        Self::Log,
        Self::Body,
        Self::Sequence,
        Self::Operation,
        Self::ByMemory,
        Self::Record,
        Self::Alias,
        Self::Card,
        Self::Kind,
        Self::Ordinal,
        Self::Posting,
        Self::Forward,
        Self::Embedder,
        Self::Vector,
        Self::Code,
        Self::VectorOrder,
        Self::Line,
        Self::Usage,
        Self::Receipt,
        Self::Spool,
        Self::Refused,
    ];

    /// Returns the name under which the table is stored. Part of the format.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Meta => "meta",
            Self::Log => "log",
            Self::Body => "body",
            Self::Sequence => "sequence",
            Self::Operation => "operation",
            Self::ByMemory => "by_memory",
            Self::Record => "record",
            Self::Alias => "alias",
            Self::Card => "card",
            Self::Kind => "kind",
            Self::Ordinal => "ordinal",
            Self::Posting => "posting",
            Self::Forward => "forward",
            Self::Embedder => "embedder",
            Self::Vector => "vector",
            Self::Code => "code",
            Self::VectorOrder => "vector_order",
            Self::Line => "line",
            Self::Usage => "usage",
            Self::Receipt => "receipt",
            Self::Spool => "spool",
            Self::Refused => "refused",
        }
    }
}

/// What a visitor of rows says after each row.
pub type Visit = Result<ControlFlow<()>>;

/// One consistent state of the rows.
pub trait Rows {
    /// Returns the value of a key.
    fn get(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>>;

    /// Visits the rows whose keys are in `from..to`, in the order of the keys. An empty `to` has no end.
    fn range(
        &self,
        table: Table,
        from: &[u8],
        to: &[u8],
        visit: &mut dyn FnMut(&[u8], &[u8]) -> Visit,
    ) -> Result<()>;

    /// Visits the rows whose keys start with `prefix`.
    fn prefix(
        &self,
        table: Table,
        prefix: &[u8],
        visit: &mut dyn FnMut(&[u8], &[u8]) -> Visit,
    ) -> Result<()> {
        self.range(table, prefix, &after_prefix(prefix), visit)
    }

    /// Returns the last row of a table.
    fn last(&self, table: Table) -> Result<Option<(Vec<u8>, Vec<u8>)>>;
}

/// The rows inside a write transaction; reads see what was written before in it.
pub trait RowsMut: Rows {
    /// Writes a row.
    fn put(&mut self, table: Table, key: &[u8], value: &[u8]) -> Result<()>;

    /// Removes a row, if it is there.
    fn remove(&mut self, table: Table, key: &[u8]) -> Result<()>;

    /// Returns the rows for reading.
    fn as_rows(&self) -> &dyn Rows;
}

/// Returns the first key after all keys with a prefix; empty where there is none.
pub fn after_prefix(prefix: &[u8]) -> Vec<u8> {
    let mut end = prefix.to_vec();
    while let Some(last) = end.last_mut() {
        if *last < u8::MAX {
            *last += 1;
            return end;
        }
        end.pop();
    }
    end
}

#[cfg(test)]
mod tests {
    use super::after_prefix;

    #[test]
    fn the_end_of_a_prefix_is_the_next_key_without_it() {
        assert_eq!(after_prefix(b"ab"), b"ac");
        assert_eq!(after_prefix(&[1, 255]), [2]);
        assert!(
            after_prefix(&[255, 255]).is_empty(),
            "no key comes after all of 0xff"
        );
    }
}
