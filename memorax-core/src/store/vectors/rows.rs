//! Which embedders have vectors here, and under which keys they are kept.

use sha2::{Digest, Sha256};

use crate::embed::Embedder;
use crate::store::{Rows, RowsMut, Table};
use crate::{Error, ErrorKind, Result};

/// Version of the row of an embedder.
const VERSION: u8 = 1;
/// Bytes of a key's first part.
pub(super) const PREFIX: usize = 8;

/// Tells the vectors of one embedder from those of all others; the keys of its rows begin with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct EmbedderKey([u8; PREFIX]);

impl EmbedderKey {
    /// Returns the key of an embedder: the beginning of the SHA-256 of its id and the length of its vectors.
    pub(crate) fn of(embedder: &dyn Embedder) -> Self {
        Self::named(embedder.id(), embedder.dimensions())
    }

    fn named(id: &str, dimensions: usize) -> Self {
        let digest = Sha256::new()
            .chain_update((dimensions as u64).to_be_bytes())
            .chain_update(id)
            .finalize();
        Self(*digest.first_chunk().expect("a SHA-256 has 32 bytes"))
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns the key of a place in the order of the vectors.
    pub(super) fn at(self, place: u64) -> [u8; PREFIX + 8] {
        let mut key = [0; PREFIX + 8];
        key[..PREFIX].copy_from_slice(&self.0);
        key[PREFIX..].copy_from_slice(&place.to_be_bytes());
        key
    }

    /// Returns the key of a memory's vector, or of a block.
    pub(super) fn with(self, number: u32) -> [u8; PREFIX + 4] {
        let mut key = [0; PREFIX + 4];
        key[..PREFIX].copy_from_slice(&self.0);
        key[PREFIX..].copy_from_slice(&number.to_be_bytes());
        key
    }
}

/// Returns the number of a memory or block from a key.
pub(super) fn number_of(key: &[u8]) -> Result<u32> {
    let number = key.get(PREFIX..).and_then(|rest| rest.try_into().ok());
    number.map(u32::from_be_bytes).ok_or_else(|| damaged(key))
}

/// An embedder that has vectors in a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    /// Its id.
    pub(crate) id: String,
    /// Length of its vectors.
    pub(crate) dimensions: u32,
    /// How many memories have a vector of it.
    pub(crate) vectors: u64,
    /// Place of the next vector in the order in which they are put.
    pub(crate) next: u64,
    /// Tells this order from one that was begun anew, after a repair.
    pub(crate) order: [u8; 16],
}

impl Known {
    pub(super) fn new(id: &str, dimensions: usize) -> Result<Self> {
        let dimensions = u32::try_from(dimensions).ok().filter(|count| *count > 0);
        let dimensions = dimensions.ok_or_else(|| {
            Error::new(
                ErrorKind::InvalidInput,
                format!("the embedder `{id}` has vectors without a length"),
            )
        })?;
        Ok(Self {
            id: id.to_owned(),
            dimensions,
            vectors: 0,
            next: 0,
            order: *uuid::Uuid::new_v4().as_bytes(),
        })
    }

    pub(crate) fn key(&self) -> EmbedderKey {
        EmbedderKey::named(&self.id, self.dimensions as usize)
    }

    /// Reads what is known of an embedder; `None` where nothing was ever embedded with it.
    pub(super) fn read(rows: &dyn Rows, key: EmbedderKey) -> Result<Option<Self>> {
        rows.get(Table::Embedder, key.as_bytes())?
            .map(|row| Self::decode(key.as_bytes(), &row))
            .transpose()
    }

    /// Reads what is known of all embedders.
    pub(super) fn all(rows: &dyn Rows) -> Result<Vec<Self>> {
        let mut all = Vec::new();
        rows.range(Table::Embedder, &[], &[], &mut |key, row| {
            all.push(Self::decode(key, row)?);
            Ok(std::ops::ControlFlow::Continue(()))
        })?;
        Ok(all)
    }

    /// Writes the row, or removes it with the last vector.
    pub(super) fn save(&self, rows: &mut dyn RowsMut) -> Result<()> {
        let key = self.key();
        if self.vectors == 0 {
            return rows.remove(Table::Embedder, key.as_bytes());
        }
        let mut row = vec![VERSION];
        row.extend_from_slice(&self.dimensions.to_be_bytes());
        row.extend_from_slice(&self.vectors.to_be_bytes());
        row.extend_from_slice(&self.next.to_be_bytes());
        row.extend_from_slice(&self.order);
        row.extend_from_slice(self.id.as_bytes());
        rows.put(Table::Embedder, key.as_bytes(), &row)
    }

    fn decode(key: &[u8], row: &[u8]) -> Result<Self> {
        let known = || {
            let rest = row.strip_prefix(&[VERSION])?;
            let (dimensions, rest) = rest.split_first_chunk()?;
            let (vectors, rest) = rest.split_first_chunk()?;
            let (next, rest) = rest.split_first_chunk()?;
            let (order, id) = rest.split_first_chunk()?;
            let known = Self {
                id: std::str::from_utf8(id).ok()?.to_owned(),
                dimensions: u32::from_be_bytes(*dimensions),
                vectors: u64::from_be_bytes(*vectors),
                next: u64::from_be_bytes(*next),
                order: *order,
            };
            (known.key().as_bytes() == key).then_some(known)
        };
        known().ok_or_else(|| damaged(key))
    }
}

pub(super) fn damaged(key: &[u8]) -> Error {
    Error::new(
        ErrorKind::Corrupted,
        format!("cannot read the vector row `{}`", key.escape_ascii()),
    )
    .with_hint("memorax repair")
}
