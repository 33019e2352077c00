//! What a handle that lives keeps of the state it read last: memories and codes of vectors, so that the next question need
//! not decode them again.
//!
//! A write by anyone changes the head of the log or the row of the embedder; then all of it is dropped. A lock that is held
//! (also by a thread that a fork left behind) is never waited for: rows are read instead.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use super::vectors::{Codes, Known};
use crate::{Memory, MemoryId};

/// Most memories that are kept.
const MOST_MEMORIES: usize = 4_000;
/// Most bytes of codes that are kept: those of 250,000 vectors of 256 numbers.
const MOST_BYTES: u64 = 64 << 20;

/// What is kept beside a store, by a ledger and its clones.
#[derive(Debug, Default)]
pub(crate) struct Warm(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// The head of the log that the memories are of.
    head: Vec<u8>,
    memories: HashMap<MemoryId, Memory>,
    codes: Option<Arc<Codes>>,
    /// The embedder as it was when its codes were last read.
    read: Option<Known>,
}

impl Warm {
    /// Returns a memory as it is at a head of the log, if it was read before.
    pub(super) fn memory(&self, head: &[u8], id: MemoryId) -> Option<Memory> {
        let state = self.0.try_lock().ok()?;
        (state.head == head).then(|| state.memories.get(&id).cloned())?
    }

    /// Keeps a memory as it is at a head of the log.
    pub(super) fn keep(&self, head: &[u8], memory: &Memory) {
        let Ok(mut state) = self.0.try_lock() else {
            return;
        };
        if state.head != head || state.memories.len() >= MOST_MEMORIES {
            head.clone_into(&mut state.head);
            state.memories.clear();
        }
        state.memories.insert(memory.id, memory.clone());
    }

    /// Returns the codes of an embedder's vectors, if they are kept and still those of the store.
    pub(super) fn codes(&self, known: &Known) -> Option<Arc<Codes>> {
        let state = self.0.try_lock().ok()?;
        state.codes.clone().filter(|codes| codes.is_of(known))
    }

    /// Says whether codes that are about to be read should be kept: when the same ones are read for the second time.
    pub(super) fn wants_codes(&self, known: &Known) -> bool {
        let Ok(mut state) = self.0.try_lock() else {
            return false;
        };
        if state.read.as_ref() == Some(known) {
            return known.vectors.saturating_mul(known.dimensions.into()) <= MOST_BYTES;
        }
        state.read = Some(known.clone());
        state.codes = None;
        false
    }

    /// Keeps codes.
    pub(super) fn keep_codes(&self, codes: Arc<Codes>) {
        if let Ok(mut state) = self.0.try_lock() {
            state.codes = Some(codes);
        }
    }
}
