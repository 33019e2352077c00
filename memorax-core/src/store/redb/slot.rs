//! What a process has open of one space: at most one database for reading and one for writing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use arc_swap::ArcSwapOption;

use super::backend::check_locks;
use super::engine::{Opened, Refusal, Terms};
use super::space::Space;
use super::turn::Turn;
use crate::{Error, ErrorKind, Result};

/// How often a generation may end while a file is being opened.
const CHASES: usize = 64;

/// Longest wait of a reader, which waits for nothing but the moment in which a commit writes the header.
const READER_PATIENCE: Duration = Duration::from_secs(1);

/// The open files of a space. Everything in it is reached without a lock: a thread that holds one when another thread
/// forks never releases it in the child.
#[derive(Debug)]
pub(in crate::store) struct Slot {
    space: Space,
    exclusive: bool,
    reader: ArcSwapOption<Opened>,
    writer: ArcSwapOption<Opened>,
    repairs: AtomicU64,
    // The newest generation that a replaced file named: `meta.json` may not say it yet.
    newest: AtomicU64,
    // Whether files may be left that a killed or busy process did not remove.
    sweep: AtomicBool,
    // When this process began to write without letting others come first.
    streak: AtomicU64,
}

impl Slot {
    pub(in crate::store) fn new(space: Space, exclusive: bool) -> Self {
        Self {
            space,
            exclusive,
            reader: ArcSwapOption::empty(),
            writer: ArcSwapOption::empty(),
            repairs: AtomicU64::new(0),
            newest: AtomicU64::new(0),
            sweep: AtomicBool::new(true),
            streak: AtomicU64::new(0),
        }
    }

    pub(in crate::store) fn serves(&self, space: &Space, exclusive: bool) -> bool {
        self.space == *space && self.exclusive == exclusive
    }

    pub(super) fn space(&self) -> &Space {
        &self.space
    }

    /// Returns how often a reader found what a killed process left and had to repair it.
    pub(super) fn repairs(&self) -> u64 {
        self.repairs.load(Ordering::Relaxed)
    }

    /// Returns a database for reading; `None` when nothing was ever written.
    pub(super) fn for_reading(&self, deadline: Instant) -> Result<Option<Arc<Opened>>> {
        if let Some(opened) = current(&self.writer).or_else(|| current(&self.reader)) {
            return Ok(Some(opened));
        }
        let Some(mut generation) = self.generation()? else {
            return Ok(None);
        };
        let mut chases = 0;
        while chases < CHASES {
            chases += 1;
            let path = self.space.file(generation);
            let patience = left(deadline).min(READER_PATIENCE);
            match Opened::reader(path, generation, self.terms(patience)) {
                Ok(opened) => return Ok(Some(publish(&self.reader, opened))),
                Err(Refusal::Missing) => match self.space.generation_instead_of(generation)? {
                    Some(next) => generation = next,
                    None => return Ok(None),
                },
                Err(Refusal::Unclean) => {
                    self.repairs.fetch_add(1, Ordering::Relaxed);
                    let path = self.space.file(generation);
                    match Opened::writer(path, generation, self.terms(left(deadline))) {
                        // Closed at once: a reader does not stay open for writing.
                        Ok(repaired) => drop(repaired),
                        Err(Refusal::Missing | Refusal::Unclean) => {}
                        // Nobody can repair it here. The copy is not kept: elsewhere others may go on writing.
                        Err(Refusal::Other(error)) if error.kind() == ErrorKind::ReadOnly => {
                            let path = self.space.file(generation);
                            let terms = self.terms(Duration::ZERO);
                            return Opened::copy(path, generation, terms)
                                .map(|opened| Some(Arc::new(opened)));
                        }
                        Err(Refusal::Other(error)) => return Err(error),
                    }
                }
                Err(Refusal::Other(error)) => {
                    // Waiting for one's turn is no chase; the deadline ends it.
                    self.wait_or(error, deadline)?;
                    chases -= 1;
                }
            }
        }
        Err(self.restless())
    }

    /// Returns the database for writing, and creates the store if it is not there.
    pub(super) fn for_writing(&self, deadline: Instant) -> Result<Arc<Opened>> {
        if let Some(opened) = current(&self.writer) {
            return Ok(opened);
        }
        let mut generation = match self.generation()? {
            Some(generation) => generation,
            None => self.begin(deadline)?,
        };
        if !self.exclusive {
            check_locks(&self.space.lock())?;
        }
        let mut chases = 0;
        while chases < CHASES {
            chases += 1;
            let path = self.space.file(generation);
            match Opened::writer(path, generation, self.terms(left(deadline))) {
                Ok(opened) => {
                    let opened = publish(&self.writer, opened);
                    self.reader.store(None);
                    return Ok(opened);
                }
                Err(Refusal::Missing) => {
                    generation = match self.space.generation_instead_of(generation)? {
                        Some(next) => next,
                        None => self.begin(deadline)?,
                    }
                }
                Err(Refusal::Unclean) => {}
                Err(Refusal::Other(error)) => {
                    // Waiting for one's turn is no chase; the deadline ends it.
                    self.wait_or(error, deadline)?;
                    chases -= 1;
                }
            }
        }
        Err(self.restless())
    }

    /// Waits until this process is the next to write.
    pub(super) fn turn(&self, deadline: Instant) -> Turn {
        Turn::take(&self.space.turn(), &self.streak, deadline)
    }

    /// Does the same, unless this process was writing just now and may go on.
    pub(super) fn turn_or_streak(&self, deadline: Instant) -> Turn {
        current(&self.writer)
            .and_then(|_| Turn::skip(&self.streak))
            .unwrap_or_else(|| self.turn(deadline))
    }

    /// Removes what is no longer part of the space, until nothing is left. The caller is in the write transaction of the
    /// newest generation.
    pub(super) fn sweep_once(&self, opened: &Opened) {
        if self.sweep.load(Ordering::Relaxed) {
            let left = self.space.sweep(opened.generation());
            self.sweep.store(left > 0, Ordering::Relaxed);
        }
    }

    /// Remembers that a file named the one that replaced it.
    pub(super) fn moved_to(&self, generation: u64) {
        self.newest.fetch_max(generation, Ordering::Relaxed);
        self.sweep.store(true, Ordering::Relaxed);
    }

    /// Gives up an open file: its generation ended, or its state is not to be trusted any more.
    pub(super) fn discard(&self, opened: &Arc<Opened>) {
        for cell in [&self.reader, &self.writer] {
            cell.compare_and_swap(opened, None);
        }
    }

    /// Gives up everything that is open.
    pub(super) fn close(&self) {
        for cell in [&self.reader, &self.writer] {
            cell.store(None);
        }
    }

    /// Ends a call: where only one process at a time can have the file, nothing stays open.
    pub(super) fn finish(&self, opened: &Arc<Opened>) {
        if self.exclusive {
            self.discard(opened);
        }
    }

    fn generation(&self) -> Result<Option<u64>> {
        let named = self.space.generation()?;
        Ok(named.map(|named| named.max(self.newest.load(Ordering::Relaxed))))
    }

    fn begin(&self, deadline: Instant) -> Result<u64> {
        self.space.create(left(deadline))?;
        self.space.generation()?.ok_or_else(|| self.restless())
    }

    // Where one process at a time has the file, the others take turns.
    fn wait_or(&self, error: Error, deadline: Instant) -> Result<()> {
        if self.exclusive && error.kind() == ErrorKind::Locked && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(5));
            return Ok(());
        }
        Err(error)
    }

    fn terms(&self, patience: Duration) -> Terms {
        Terms {
            patience,
            exclusive: self.exclusive,
        }
    }

    fn restless(&self) -> Error {
        Error::new(
            ErrorKind::Locked,
            format!(
                "`{}` was replaced again and again while it was opened",
                self.space.meta().display()
            ),
        )
        .with_hint("try again")
    }
}

// Two threads may open at once: one database is kept, the other closes as that of another process would.
fn publish(cell: &ArcSwapOption<Opened>, opened: Opened) -> Arc<Opened> {
    let opened = Arc::new(opened);
    let before = cell.compare_and_swap(&None::<Arc<Opened>>, Some(opened.clone()));
    match &*before {
        Some(faster) if faster.is_ours() => faster.clone(),
        Some(inherited) => {
            cell.compare_and_swap(inherited, Some(opened.clone()));
            opened
        }
        None => opened,
    }
}

/// Returns what this process opened; what it inherited through a fork is put away.
fn current(cell: &ArcSwapOption<Opened>) -> Option<Arc<Opened>> {
    let opened = cell.load_full()?;
    if opened.is_ours() {
        return Some(opened);
    }
    cell.compare_and_swap(&opened, None);
    None
}

fn left(deadline: Instant) -> Duration {
    deadline.saturating_duration_since(Instant::now())
}
