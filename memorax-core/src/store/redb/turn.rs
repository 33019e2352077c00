//! Taking turns at writing: without it, a process that writes again and again always comes before those that wait.

use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::disk::FileLock;

/// The right to be the next writer. Whoever has it waits for the current one and then gives it up; the current one has
/// to get it again like all others before its next write.
#[derive(Debug)]
pub(super) struct Turn {
    lock: Option<FileLock>,
}

impl Turn {
    /// Waits for the turn, for at most half of the time that is left: its holder may be a stopped process, and then
    /// everybody tries without it.
    pub(super) fn take(path: &Path, deadline: Instant) -> Self {
        let now = Instant::now();
        let give_up = now + deadline.saturating_duration_since(now) / 2;
        loop {
            match FileLock::try_exclusive(path) {
                Ok(None) if Instant::now() < give_up => sleep(pause()),
                Ok(lock) => return Self { lock },
                // Turns make writing fair, not safe: where they cannot be taken, writing says what is wrong.
                Err(_) => return Self { lock: None },
            }
        }
    }

    /// Returns how long to wait before the next try for the write transaction: short for the one who is next.
    pub(super) fn pause(&self) -> Duration {
        match self.lock {
            Some(_) => Duration::from_micros(500),
            None => pause(),
        }
    }
}

// Spread out, so that writers that met once do not meet again and again.
fn pause() -> Duration {
    let random = RandomState::new().hash_one(Instant::now());
    Duration::from_micros(2_000 + random % 18_000)
}
