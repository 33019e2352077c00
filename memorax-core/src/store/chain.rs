//! The chain: how operations are sealed, hashed and stored.
//!
//! One chain per (device, incarnation); each link holds the hash of the one before it. The hash covers the body only
//! through SHA-256(salt, body), so that a purge can drop salt and body and the chain still verifies.

use sha2::{Digest, Sha256};

use super::record::{decode, encode};
use super::rows::{Rows, RowsMut, Table};
use crate::{
    Body, DeviceId, Error, ErrorKind, HybridTime, IncarnationId, MemoryId, Operation, OperationId,
    Payload, Result, SpaceId,
};

/// Domain of the hash; the number is the version of what is hashed.
const DOMAIN: &[u8] = b"memorax/operation/1";

/// Place of an operation in a chain: device, incarnation and index, big-endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Link(pub(crate) [u8; 40]);

impl Link {
    pub(crate) fn new(device: DeviceId, incarnation: IncarnationId, index: u64) -> Self {
        let mut key = [0; 40];
        key[..16].copy_from_slice(device.as_bytes());
        key[16..32].copy_from_slice(incarnation.as_bytes());
        key[32..].copy_from_slice(&index.to_be_bytes());
        Self(key)
    }

    pub(crate) fn of(operation: &Operation) -> Self {
        Self::new(operation.device, operation.incarnation, operation.index)
    }

    pub(crate) fn from_key(key: &[u8]) -> Result<Self> {
        key.try_into().map(Self).map_err(|_| {
            Error::new(
                ErrorKind::Corrupted,
                "a place in the log has a wrong length",
            )
        })
    }

    /// Returns device and incarnation: the name of the chain.
    pub(crate) fn chain(&self) -> &[u8] {
        &self.0[..32]
    }

    pub(crate) fn index(&self) -> u64 {
        let mut index = [0; 8];
        index.copy_from_slice(&self.0[32..]);
        u64::from_be_bytes(index)
    }

    pub(crate) fn at(&self, index: u64) -> Self {
        let mut link = *self;
        link.0[32..].copy_from_slice(&index.to_be_bytes());
        link
    }
}

/// Returns SHA-256 of salt and body.
pub(crate) fn body_hash(body: &Body) -> [u8; 32] {
    Sha256::new()
        .chain_update(body.salt)
        .chain_update(&body.bytes)
        .finalize()
        .into()
}

/// Returns the hash that the next operation of the chain names.
pub(crate) fn operation_hash(operation: &Operation) -> [u8; 32] {
    let space = operation.space.as_str().as_bytes();
    Sha256::new()
        .chain_update(DOMAIN)
        .chain_update((space.len() as u64).to_be_bytes())
        .chain_update(space)
        .chain_update(operation.device.as_bytes())
        .chain_update(operation.incarnation.as_bytes())
        .chain_update(operation.index.to_be_bytes())
        .chain_update(operation.previous)
        .chain_update(operation.time.to_bits().to_be_bytes())
        .chain_update(operation.id.as_bytes())
        .chain_update(operation.body_hash)
        .finalize()
        .into()
}

/// The store's own chain and clock; one row in `Meta`.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Head {
    pub(crate) space: SpaceId,
    pub(crate) device: DeviceId,
    pub(crate) incarnation: IncarnationId,
    /// Index of the next operation.
    pub(crate) next: u64,
    /// Hash of the last one.
    pub(crate) last: [u8; 32],
    /// The hybrid logical clock.
    pub(crate) clock: HybridTime,
    /// Next place in the sequence of applied operations.
    pub(crate) sequence: u64,
    /// Next ordinal of a memory.
    pub(crate) ordinal: u32,
}

const HEAD: &[u8] = b"head";

/// Returns the row of the head of the log; empty before the first write. Every change of a memory changes it.
pub(crate) fn head_row(rows: &dyn Rows) -> Result<Vec<u8>> {
    Ok(rows.get(Table::Meta, HEAD)?.unwrap_or_default())
}

impl Head {
    /// Starts a chain.
    pub(crate) fn new(space: SpaceId, device: DeviceId) -> Self {
        Self {
            space,
            device,
            incarnation: IncarnationId::new(),
            next: 0,
            last: [0; 32],
            clock: HybridTime::default(),
            sequence: 0,
            ordinal: 0,
        }
    }

    /// Starts another chain in the same store.
    pub(crate) fn begin(&mut self, device: DeviceId) {
        self.device = device;
        self.incarnation = IncarnationId::new();
        self.next = 0;
        self.last = [0; 32];
    }

    pub(crate) fn load(rows: &dyn Rows) -> Result<Option<Self>> {
        rows.get(Table::Meta, HEAD)?
            .map(|bytes| decode(&bytes, || "the head of the log".to_owned()))
            .transpose()
    }

    pub(crate) fn save(&self, rows: &mut dyn RowsMut) -> Result<()> {
        rows.put(Table::Meta, HEAD, &encode(self)?)
    }

    /// Seals a payload as the next operation of the store's own chain.
    pub(crate) fn seal(&mut self, id: OperationId, payload: &Payload) -> Result<Operation> {
        let body = Body::new(*OperationId::new().as_bytes(), encode(payload)?);
        self.clock = self.clock.next(payload.provenance.at);
        let operation = Operation {
            id,
            space: self.space.clone(),
            device: self.device,
            incarnation: self.incarnation,
            index: self.next,
            previous: self.last,
            time: self.clock,
            body_hash: body_hash(&body),
            body: Some(body),
            purged: None,
        };
        self.last = operation_hash(&operation);
        self.next += 1;
        Ok(operation)
    }
}

/// Writes an operation and its place in the sequence.
pub(crate) fn store(rows: &mut dyn RowsMut, head: &mut Head, operation: &Operation) -> Result<u64> {
    let link = Link::of(operation);
    let envelope = Operation {
        body: None,
        ..operation.clone()
    };
    rows.put(Table::Log, &link.0, &encode(&envelope)?)?;
    if let Some(body) = &operation.body {
        let mut bytes = body.salt.to_vec();
        bytes.extend_from_slice(&body.bytes);
        rows.put(Table::Body, &link.0, &bytes)?;
    }
    let sequence = head.sequence;
    head.sequence += 1;
    rows.put(Table::Sequence, &sequence.to_be_bytes(), &link.0)?;
    rows.put(
        Table::Operation,
        operation.id.as_bytes(),
        &sequence.to_be_bytes(),
    )?;
    Ok(sequence)
}

/// Drops salt and body of an operation, and writes down whose purge did so.
pub(crate) fn drop_body(
    rows: &mut dyn RowsMut,
    operation: &Operation,
    memory: MemoryId,
) -> Result<()> {
    let link = Link::of(operation);
    let envelope = Operation {
        body: None,
        purged: Some(memory),
        ..operation.clone()
    };
    rows.put(Table::Log, &link.0, &encode(&envelope)?)?;
    rows.remove(Table::Body, &link.0)
}

/// Reads the operation at a place in the chain.
pub(crate) fn load(rows: &dyn Rows, link: Link) -> Result<Option<Operation>> {
    let Some(envelope) = rows.get(Table::Log, &link.0)? else {
        return Ok(None);
    };
    let mut operation: Operation = decode(&envelope, || {
        format!("operation {} of the log", link.index())
    })?;
    operation.body = rows
        .get(Table::Body, &link.0)?
        .map(|bytes| split_body(&bytes))
        .transpose()?;
    Ok(Some(operation))
}

/// Reads the operation with an id.
pub(crate) fn load_by_id(rows: &dyn Rows, id: OperationId) -> Result<Option<Operation>> {
    let Some(sequence) = rows.get(Table::Operation, id.as_bytes())? else {
        return Ok(None);
    };
    let Some(link) = rows.get(Table::Sequence, &sequence)? else {
        return Ok(None);
    };
    load(rows, Link::from_key(&link)?)
}

/// Decodes the payload of an operation; `None` after a purge.
pub(crate) fn payload(operation: &Operation) -> Result<Option<Payload>> {
    operation
        .body
        .as_ref()
        .map(|body| {
            decode(&body.bytes, || {
                format!("the body of operation `{}`", operation.id)
            })
        })
        .transpose()
}

fn split_body(bytes: &[u8]) -> Result<Body> {
    let (salt, body) = bytes.split_first_chunk::<16>().ok_or_else(|| {
        Error::new(
            ErrorKind::Corrupted,
            "a body in the log is shorter than its salt",
        )
    })?;
    Ok(Body::new(*salt, body.to_vec()))
}
