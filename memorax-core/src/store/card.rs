//! Cards: what a search must know about a memory before it reads it, in 64 bytes.

use crate::{Error, ErrorKind, LineId, Memory, MemoryId, MemoryKind, Result, Status, Timestamp};

/// What decides whether a memory is a candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Card {
    pub(crate) id: MemoryId,
    pub(crate) kind: MemoryKind,
    /// Whether it is active or pending.
    pub(crate) in_force: bool,
    pub(crate) line: Option<LineId>,
    pub(crate) expires: Option<Timestamp>,
    pub(crate) updated: Timestamp,
}

const LENGTH: usize = 64;
/// Stands for "never" in the bytes of `expires`.
const NEVER: i64 = i64::MAX;

impl Card {
    pub(crate) fn of(memory: &Memory) -> Self {
        Self {
            id: memory.id,
            kind: memory.kind,
            in_force: matches!(memory.status, Status::Active | Status::Pending),
            line: memory.scope.line,
            expires: memory.expires,
            updated: memory.updated,
        }
    }

    /// Encodes: id, kind, in force, has a line, padding to 24, line, expiry, time of the last change.
    pub(crate) fn encode(&self) -> [u8; LENGTH] {
        let mut bytes = [0; LENGTH];
        bytes[..16].copy_from_slice(self.id.as_bytes());
        bytes[16] = MemoryKind::ALL
            .iter()
            .position(|kind| *kind == self.kind)
            .unwrap_or(0) as u8;
        bytes[17] = u8::from(self.in_force);
        if let Some(line) = self.line {
            bytes[18] = 1;
            bytes[24..40].copy_from_slice(line.as_bytes());
        }
        bytes[40..48].copy_from_slice(
            &self
                .expires
                .map_or(NEVER, Timestamp::as_millis)
                .to_be_bytes(),
        );
        bytes[48..56].copy_from_slice(&self.updated.as_millis().to_be_bytes());
        bytes
    }

    /// Returns the key of the kind's row of an ordinal.
    pub(crate) fn kind_key(kind: MemoryKind, ordinal: u32) -> Vec<u8> {
        let mut key = kind.as_str().as_bytes().to_vec();
        key.push(0);
        key.extend_from_slice(&ordinal.to_be_bytes());
        key
    }

    pub(crate) fn decode(bytes: &[u8]) -> Result<Self> {
        let bytes: &[u8; LENGTH] = bytes
            .try_into()
            .map_err(|_| Error::new(ErrorKind::Corrupted, "a card has a wrong length"))?;
        let part = |from: usize| {
            let mut part = [0; 16];
            part.copy_from_slice(&bytes[from..from + 16]);
            part
        };
        let number = |from: usize| {
            let mut part = [0; 8];
            part.copy_from_slice(&bytes[from..from + 8]);
            i64::from_be_bytes(part)
        };
        let kind = MemoryKind::ALL
            .get(usize::from(bytes[16]))
            .ok_or_else(|| Error::new(ErrorKind::Corrupted, "a card has an unknown kind"))?;
        Ok(Self {
            id: MemoryId::from_bytes(part(0)),
            kind: *kind,
            in_force: bytes[17] == 1,
            line: (bytes[18] == 1).then(|| LineId::from_bytes(part(24))),
            expires: Some(number(40))
                .filter(|millis| *millis != NEVER)
                .map(Timestamp::from_millis),
            updated: Timestamp::from_millis(number(48)),
        })
    }
}
