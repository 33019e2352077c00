//! Taking turns at writing: without it, a process that writes again and again always comes before those that wait.

use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::disk::FileLock;

/// How long a process goes on writing before it lets others come first. Changing the writer costs each of them what it
/// had read of the file: on a busy machine 800 writes of two processes that alternate took 5.5 to 8.6 s, with
/// this 2.3 to 3.9 s.
const STREAK: Duration = Duration::from_millis(50);

/// The right to be the next writer. Whoever has it waits for the current one and then gives it up; the current one has
/// to get it again like all others, unless it is in its streak.
#[derive(Debug)]
pub(super) struct Turn {
    lock: Option<FileLock>,
    skipped: bool,
}

impl Turn {
    /// Waits for the turn, for at most half of the time that is left: its holder may be a stopped process, and then
    /// everybody tries without it. `began` is when the streak of this process began.
    pub(super) fn take(path: &Path, began: &AtomicU64, deadline: Instant) -> Self {
        let now = Instant::now();
        let give_up = now + deadline.saturating_duration_since(now) / 2;
        let lock = loop {
            match FileLock::try_exclusive(path) {
                Ok(None) if Instant::now() < give_up => sleep(pause()),
                Ok(lock) => break lock,
                // Turns make writing fair, not safe: where they cannot be taken, writing says what is wrong.
                Err(_) => break None,
            }
        };
        began.store(millis(), Ordering::Relaxed);
        Self {
            lock,
            skipped: false,
        }
    }

    /// Goes without a turn while the streak of this process lasts.
    pub(super) fn skip(began: &AtomicU64) -> Option<Self> {
        let since = millis().abs_diff(began.load(Ordering::Relaxed));
        (Duration::from_millis(since) < STREAK).then_some(Self {
            lock: None,
            skipped: true,
        })
    }

    /// Returns whether nobody was asked yet.
    pub(super) fn was_skipped(&self) -> bool {
        self.skipped
    }

    /// Returns how long to wait before the next try for the write transaction: short for the one who is next.
    pub(super) fn pause(&self) -> Duration {
        match self.lock {
            Some(_) => Duration::from_micros(500),
            None => pause(),
        }
    }
}

fn millis() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |now| now.as_millis() as u64)
}

// Spread out, so that writers that met once do not meet again and again.
fn pause() -> Duration {
    let random = RandomState::new().hash_one(Instant::now());
    Duration::from_micros(2_000 + random % 18_000)
}
