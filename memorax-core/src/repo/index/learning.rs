//! Reads files that are not known yet, on all cores, and writes what is learned into segments.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::cache::{Cache, FileKind};
use super::store::CodeStore;
use crate::repo::Progress;
use crate::repo::code::{BlobId, BlobKey, CodeWriter};
use crate::repo::facts::{LARGEST, Language, Learner};
use crate::repo::history::interrupted;
use crate::repo::view::{TOO_LARGE, UNREADABLE};
use crate::{Error, ErrorKind, Result};

/// Bytes of text after which a segment is written, so that memory stays small and an interrupted run keeps its work.
const SEGMENT: usize = 24 << 20;

/// A file whose content is wanted.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    pub(super) language: Language,
    pub(super) content: Content,
}

/// Where content comes from.
#[derive(Clone, Debug)]
pub(super) enum Content {
    /// A file on disk, and the blob that the commit has under its path.
    Disk(PathBuf, Option<BlobId>),
    /// A blob of the repository.
    Blob(BlobId),
}

/// What became of a wanted file.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Outcome {
    pub(super) id: BlobId,
    pub(super) size: u64,
    /// Why nothing is known of it, see [`crate::repo::view::REASONS`]; 0 if it is known.
    pub(super) skipped: u8,
}

/// What learning needs from the outside.
pub(super) struct Learning<'a> {
    pub(super) cache: &'a Cache,
    pub(super) repository: Option<&'a gix::ThreadSafeRepository>,
    pub(super) interrupt: &'a AtomicBool,
    pub(super) progress: &'a (dyn Fn(Progress) + Sync),
}

impl Learning<'_> {
    /// Reads all wanted files; afterwards `store` knows the content of each that was not skipped.
    pub(super) fn run(&self, store: &mut CodeStore, wanted: &[Wanted]) -> Result<Vec<Outcome>> {
        let next = AtomicUsize::new(0);
        let finished = AtomicUsize::new(0);
        let claimed = Mutex::new(HashSet::new());
        let outcomes = Mutex::new(vec![Outcome::default(); wanted.len()]);
        let shared = Shared {
            next,
            finished,
            claimed,
            outcomes,
        };
        let threads = std::thread::available_parallelism()
            .map_or(1, std::num::NonZero::get)
            .min(8)
            .min(wanted.len().div_ceil(64).max(1));
        let known = &*store;
        let results: Vec<Result<Vec<String>>> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads)
                .map(|_| {
                    scope.spawn(|| {
                        let mut worker = Worker {
                            learning: self,
                            repository: self
                                .repository
                                .map(gix::ThreadSafeRepository::to_thread_local),
                            writer: CodeWriter::default(),
                            learner: Learner::default(),
                            names: Vec::new(),
                        };
                        worker.work(known, wanted, &shared)?;
                        worker.flush()?;
                        Ok(worker.names)
                    })
                })
                .collect();
            workers
                .into_iter()
                .map(|worker| worker.join().unwrap_or_else(|_| Err(failed())))
                .collect()
        });
        let mut names = Vec::new();
        for result in results {
            names.extend(result?);
        }
        names.sort_unstable();
        store.open(self.cache, names)?;
        if self.interrupt.load(Ordering::Relaxed) {
            return Err(interrupted());
        }
        shared.outcomes.into_inner().map_err(|_| failed())
    }
}

fn failed() -> Error {
    Error::new(ErrorKind::Io, "a thread that read files failed")
}

/// What the threads share.
struct Shared {
    next: AtomicUsize,
    finished: AtomicUsize,
    /// Content that some thread learns from already.
    claimed: Mutex<HashSet<BlobKey>>,
    outcomes: Mutex<Vec<Outcome>>,
}

/// Size and content of a blob.
type Read = (u64, Option<Vec<u8>>);
/// Why a blob is not read, and its size.
type Skipped = (u8, u64);

struct Worker<'a> {
    learning: &'a Learning<'a>,
    repository: Option<gix::Repository>,
    writer: CodeWriter,
    learner: Learner,
    names: Vec<String>,
}

impl Worker<'_> {
    fn work(&mut self, known: &CodeStore, wanted: &[Wanted], shared: &Shared) -> Result<()> {
        const STEP: usize = 16;
        loop {
            let from = shared.next.fetch_add(STEP, Ordering::Relaxed);
            if from >= wanted.len() || self.learning.interrupt.load(Ordering::Relaxed) {
                return Ok(());
            }
            let to = (from + STEP).min(wanted.len());
            let mut done = Vec::with_capacity(to - from);
            for file in &wanted[from..to] {
                done.push(self.one(known, file, &shared.claimed));
                if self.writer.bytes() >= SEGMENT {
                    self.flush()?;
                }
            }
            shared.outcomes.lock().map_err(|_| failed())?[from..to].copy_from_slice(&done);
            let finished = shared.finished.fetch_add(to - from, Ordering::Relaxed) + to - from;
            (self.learning.progress)(Progress::new(
                "parsing",
                finished as u64,
                Some(wanted.len() as u64),
            ));
        }
    }

    fn one(
        &mut self,
        known: &CodeStore,
        file: &Wanted,
        claimed: &Mutex<HashSet<BlobKey>>,
    ) -> Outcome {
        let skip = |skipped, size| Outcome {
            size,
            skipped,
            ..Outcome::default()
        };
        let (id, size, bytes) = match &file.content {
            Content::Disk(path, committed) => {
                match std::fs::metadata(path) {
                    Ok(data) if data.len() > LARGEST => return skip(TOO_LARGE, data.len()),
                    Ok(_) => {}
                    Err(_) => return skip(UNREADABLE, 0),
                }
                let Ok(bytes) = std::fs::read(path) else {
                    return skip(UNREADABLE, 0);
                };
                let size = bytes.len() as u64;
                let Some((id, bytes)) = as_git_sees(bytes, committed.as_ref()) else {
                    return skip(UNREADABLE, size);
                };
                (id, size, Some(bytes))
            }
            Content::Blob(id) => (*id, 0, None),
        };
        let key = BlobKey {
            id,
            language: file.language,
        };
        let mut outcome = Outcome {
            id,
            size,
            skipped: 0,
        };
        let new = known.place(&key).is_none()
            && claimed.lock().is_ok_and(|mut claimed| claimed.insert(key));
        if let Some(bytes) = bytes {
            if new {
                self.writer.add(key, &bytes, &mut self.learner);
            }
            return outcome;
        }
        match self.blob(&id, new) {
            Ok((size, bytes)) => {
                outcome.size = size;
                if let Some(bytes) = bytes {
                    self.writer.add(key, &bytes, &mut self.learner);
                }
            }
            Err((reason, size)) => {
                outcome.skipped = reason;
                outcome.size = size;
            }
        }
        outcome
    }

    /// Returns the size of a blob, and its content if that is wanted.
    fn blob(&self, id: &BlobId, content: bool) -> Result<Read, Skipped> {
        let repository = self.repository.as_ref().ok_or((UNREADABLE, 0))?;
        let id = gix::ObjectId::from_bytes_or_panic(id);
        let header = repository
            .try_find_header(id)
            .ok()
            .flatten()
            .ok_or((UNREADABLE, 0))?;
        if header.size() > LARGEST {
            return Err((TOO_LARGE, header.size()));
        }
        if !content {
            return Ok((header.size(), None));
        }
        let object = repository
            .try_find_object(id)
            .ok()
            .flatten()
            .ok_or((UNREADABLE, header.size()))?;
        Ok((header.size(), Some(object.detach().data)))
    }

    fn flush(&mut self) -> Result<()> {
        if self.writer.is_empty() {
            return Ok(());
        }
        let bytes = std::mem::take(&mut self.writer).finish();
        self.names
            .push(self.learning.cache.write(FileKind::Code, "", &bytes)?);
        Ok(())
    }
}

/// Returns the blob that git would make of a file. Git may store Windows line endings as plain ones; that is assumed
/// where it gives the blob of the commit.
pub(super) fn as_git_sees(bytes: Vec<u8>, committed: Option<&BlobId>) -> Option<(BlobId, Vec<u8>)> {
    let id = blob_id(&bytes)?;
    if committed.is_some_and(|committed| *committed != id) && bytes.contains(&b'\r') {
        let mut plain = bytes.clone();
        let mut index = 0;
        plain.retain(|byte| {
            index += 1;
            *byte != b'\r' || bytes.get(index) != Some(&b'\n')
        });
        let plain_id = blob_id(&plain)?;
        if committed == Some(&plain_id) {
            return Some((plain_id, plain));
        }
    }
    Some((id, bytes))
}

fn blob_id(bytes: &[u8]) -> Option<BlobId> {
    let id = gix::objs::compute_hash(gix::hash::Kind::Sha1, gix::objs::Kind::Blob, bytes).ok()?;
    id.as_slice().try_into().ok()
}
