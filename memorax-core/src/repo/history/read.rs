//! Reads commits from git that are not known yet.

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use gix::diff::tree::recorder;

use super::manifests::Manifests;
use super::record::split_message;
use super::rename::{Side, pair};
use super::{Change, ChangeKind, CommitId, History, Record, commit_mark, path_text};
use crate::repo::Progress;
use crate::repo::manifest::Note;
use crate::{Error, ErrorKind, Result};

/// Commits read at once; after each batch the work is kept.
pub(in crate::repo) const BATCH: usize = 8192;
/// Objects kept decoded in memory by each thread while trees are compared.
const CACHE: usize = 16 << 20;
/// Bytes of a message that are looked at; far more than is kept of it.
const LONGEST_MESSAGE: usize = 20_000;
/// Largest file that is compared to find a rename.
const LARGEST: u64 = 256 << 10;

/// Commits behind a tip of which not everything is known.
#[derive(Debug, Default)]
pub(in crate::repo) struct Unknown {
    headers: Vec<Header>,
    trees: HashMap<CommitId, gix::ObjectId>,
    /// Parents that are not in this clone.
    pub(in crate::repo) missing: usize,
    /// Commits reached, known ones included.
    pub(in crate::repo) reached: usize,
}

/// What the walk needs of a commit; the rest is read later, on all cores and in batches.
#[derive(Clone, Debug)]
struct Header {
    id: CommitId,
    parents: Vec<CommitId>,
    tree: gix::ObjectId,
    /// The first parent is in this clone, or there is none.
    whole: bool,
}

/// What reading needs from the outside.
pub(in crate::repo) struct Reading<'a> {
    pub(in crate::repo) repository: &'a gix::ThreadSafeRepository,
    pub(in crate::repo) redact: &'a (dyn Fn(&str) -> String + Send + Sync),
    pub(in crate::repo) interrupt: &'a AtomicBool,
    pub(in crate::repo) progress: &'a (dyn Fn(Progress) + Sync),
}

impl Unknown {
    /// Returns how many commits there are to read.
    pub(in crate::repo) fn len(&self) -> usize {
        self.headers.len()
    }

    /// Walks from `tip` to the roots; what is known costs no access to git.
    pub(in crate::repo) fn find(
        reading: &Reading<'_>,
        tip: &CommitId,
        history: &History,
    ) -> Result<Self> {
        let repository = reading.repository.to_thread_local();
        let mut unknown = Self::default();
        let mut missing = HashSet::new();
        let mut seen = HashSet::from([*tip]);
        let mut open = vec![*tip];
        while let Some(id) = open.pop() {
            if reading.interrupt.load(Ordering::Relaxed) {
                return Err(interrupted());
            }
            unknown.reached += 1;
            let parents = if let Some(parents) = history.parents(&id) {
                parents.to_vec()
            } else if let Some(header) = read_header(&repository, &id) {
                let parents = header.parents.clone();
                unknown.trees.insert(id, header.tree);
                unknown.headers.push(header);
                if unknown.headers.len().is_multiple_of(1000) {
                    let done = unknown.headers.len() as u64;
                    (reading.progress)(Progress::new("reading history", done, None));
                }
                parents
            } else {
                unknown.reached -= 1;
                missing.insert(id);
                continue;
            };
            for parent in parents {
                if seen.insert(parent) {
                    open.push(parent);
                }
            }
        }
        for header in &mut unknown.headers {
            let first = header.parents.first();
            header.whole = first.is_none_or(|parent| !missing.contains(parent));
        }
        unknown.missing = missing.len();
        // A commit at the edge of a shallow clone is looked at in every run, but only read again when its parent came.
        unknown
            .headers
            .retain(|header| header.whole || history.place(&header.id).is_none());
        Ok(unknown)
    }

    /// Reads what the commits from `start` on changed, at most [`BATCH`] of them.
    pub(in crate::repo) fn read(&self, reading: &Reading<'_>, start: usize) -> Result<Vec<Record>> {
        let batch = &self.headers[start..(start + BATCH).min(self.headers.len())];
        let next = AtomicUsize::new(0);
        let finished = AtomicUsize::new(start);
        let done = Mutex::new(Vec::new());
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        std::thread::scope(|scope| {
            for _ in 0..threads.min(8) {
                scope.spawn(|| {
                    let mut repository = reading.repository.to_thread_local();
                    repository.object_cache_size(CACHE);
                    let mut state = gix::diff::tree::State::default();
                    loop {
                        const STEP: usize = 32;
                        let from = next.fetch_add(STEP, Ordering::Relaxed);
                        if from >= batch.len() || reading.interrupt.load(Ordering::Relaxed) {
                            return;
                        }
                        let to = (from + STEP).min(batch.len());
                        let records: Vec<Record> = batch[from..to]
                            .iter()
                            .filter_map(|header| {
                                let mut record = read_record(&repository, header, reading.redact)?;
                                let redact = reading.redact;
                                self.add_changes(
                                    &repository,
                                    &mut state,
                                    header,
                                    &mut record,
                                    redact,
                                );
                                Some(record)
                            })
                            .collect();
                        if let Ok(mut done) = done.lock() {
                            done.push((from, records));
                        }
                        (reading.progress)(Progress::new(
                            "reading history",
                            (finished.fetch_add(to - from, Ordering::Relaxed) + to - from) as u64,
                            Some(self.headers.len() as u64),
                        ));
                    }
                });
            }
        });
        let mut records = done
            .into_inner()
            .map_err(|_| Error::new(ErrorKind::Io, "a thread that read the history failed"))?;
        // In the order of the walk, whichever thread was faster.
        records.sort_unstable_by_key(|(from, _)| *from);
        Ok(records.into_iter().flat_map(|(_, part)| part).collect())
    }

    fn add_changes(
        &self,
        repository: &gix::Repository,
        state: &mut gix::diff::tree::State,
        header: &Header,
        record: &mut Record,
        redact: &dyn Fn(&str) -> String,
    ) {
        if !header.whole {
            record.marks |= commit_mark::INCOMPLETE;
        }
        if record.parents.len() > 1 || !header.whole {
            return;
        }
        let old = record.parents.first().and_then(|parent| {
            self.trees
                .get(parent)
                .copied()
                .or_else(|| read_tree_id(repository, parent))
        });
        match changes(repository, state, old, header.tree) {
            Some((changes, notes)) => {
                record.changes = changes;
                if !notes.is_empty() {
                    record.marks |= commit_mark::NOTED;
                }
                record.notes = notes;
                for note in &mut record.notes {
                    note.name = redact(&note.name);
                }
            }
            None => record.marks |= commit_mark::INCOMPLETE,
        }
    }
}

/// Makes the error of a call that was told to stop.
pub(in crate::repo) fn interrupted() -> Error {
    Error::new(ErrorKind::Interrupted, "indexing was interrupted")
        .with_hint("memorax init continues where it stopped")
}

fn read_commit<'a>(repository: &'a gix::Repository, id: &CommitId) -> Option<gix::Commit<'a>> {
    let object = repository
        .try_find_object(gix::ObjectId::from_bytes_or_panic(id))
        .ok()
        .flatten()?;
    object.try_into_commit().ok()
}

fn read_header(repository: &gix::Repository, id: &CommitId) -> Option<Header> {
    let commit = read_commit(repository, id)?;
    let decoded = commit.decode().ok()?;
    Some(Header {
        id: *id,
        parents: decoded
            .parents()
            .filter_map(|parent| parent.as_slice().try_into().ok())
            .collect(),
        tree: decoded.tree(),
        whole: true,
    })
}

fn read_record(
    repository: &gix::Repository,
    header: &Header,
    redact: &dyn Fn(&str) -> String,
) -> Option<Record> {
    let commit = read_commit(repository, &header.id)?;
    let decoded = commit.decode().ok()?;
    let author = decoded.author().ok();
    // Redacted before it is cut, so that no half of a secret is left at the end.
    let message = String::from_utf8_lossy(decoded.message);
    let message = &message[..message.floor_char_boundary(LONGEST_MESSAGE)];
    let (subject, body) = split_message(&redact(message));
    let merge = header.parents.len() > 1;
    Some(Record {
        id: header.id,
        committed: commit.time().map_or(0, |time| time.seconds),
        authored: author
            .and_then(|author| author.time().ok())
            .map_or(0, |time| time.seconds),
        author: author.map_or_else(String::new, |author| {
            String::from_utf8_lossy(author.name).trim().to_owned()
        }),
        subject,
        body,
        parents: header.parents.clone(),
        marks: if merge { commit_mark::MERGE } else { 0 },
        changes: Vec::new(),
        notes: Vec::new(),
    })
}

fn read_tree_id(repository: &gix::Repository, commit: &CommitId) -> Option<gix::ObjectId> {
    let commit = repository
        .find_commit(gix::ObjectId::from_bytes_or_panic(commit))
        .ok()?;
    commit.tree_id().ok().map(gix::Id::detach)
}

/// Compares two trees; `None` if one cannot be read.
fn changes(
    repository: &gix::Repository,
    state: &mut gix::diff::tree::State,
    old: Option<gix::ObjectId>,
    new: gix::ObjectId,
) -> Option<(Vec<Change>, Vec<Note>)> {
    let empty = Vec::new();
    let old_tree = match old {
        Some(id) => Some(repository.try_find_object(id).ok().flatten()?.detach()),
        None => None,
    };
    let new_tree = repository.try_find_object(new).ok().flatten()?;
    let old_bytes = old_tree.as_ref().map_or(&empty, |tree| &tree.data);
    let mut recorder = gix::diff::tree::Recorder::default();
    let kind = new.kind();
    gix::diff::tree(
        gix::objs::TreeRefIter::from_bytes(old_bytes, kind),
        gix::objs::TreeRefIter::from_bytes(&new_tree.data, kind),
        state,
        &repository.objects,
        &mut recorder,
    )
    .ok()?;
    Some(with_renames(repository, recorder.records))
}

fn with_renames(
    repository: &gix::Repository,
    records: Vec<recorder::Change>,
) -> (Vec<Change>, Vec<Note>) {
    let mut changes = Vec::with_capacity(records.len());
    let mut blobs = Vec::with_capacity(records.len());
    let mut manifests = Manifests::default();
    for record in records {
        let (path, kind, oid, mode) = match record {
            recorder::Change::Addition {
                entry_mode,
                oid,
                path,
                ..
            } => (path, ChangeKind::Added, oid, entry_mode),
            recorder::Change::Deletion {
                entry_mode,
                oid,
                path,
                ..
            } => (path, ChangeKind::Deleted, oid, entry_mode),
            recorder::Change::Modification {
                previous_oid,
                entry_mode,
                oid,
                path,
                ..
            } => {
                manifests.before(&path_text(&path), previous_oid);
                (path, ChangeKind::Changed, oid, entry_mode)
            }
        };
        if mode.is_blob() {
            changes.push(Change {
                path: path_text(&path),
                kind,
                from: None,
            });
            blobs.push(oid);
        }
    }
    let side = |wanted| -> Vec<usize> {
        (0..changes.len())
            .filter(|index| changes[*index].kind == wanted)
            .collect()
    };
    let (deleted, added) = (side(ChangeKind::Deleted), side(ChangeKind::Added));
    let sides = |indexes: &[usize]| -> Vec<Side<'_>> {
        indexes
            .iter()
            .filter_map(|index| {
                Some(Side {
                    path: &changes[*index].path,
                    blob: blobs[*index].as_slice().try_into().ok()?,
                })
            })
            .collect()
    };
    let pairs = pair(&sides(&deleted), &sides(&added), |blob| {
        let id = gix::ObjectId::from_bytes_or_panic(blob);
        let header = repository.try_find_header(id).ok().flatten()?;
        if header.size() > LARGEST {
            return None;
        }
        repository
            .try_find_object(id)
            .ok()
            .flatten()
            .map(|object| object.detach().data)
    });
    for (change, blob) in changes.iter().zip(&blobs) {
        match change.kind {
            ChangeKind::Deleted => manifests.before(&change.path, *blob),
            _ => manifests.after(&change.path, *blob),
        }
    }
    let mut gone = HashSet::new();
    for (old, new) in pairs {
        let from = changes[deleted[old]].path.clone();
        manifests.moved(&from, &changes[added[new]].path);
        changes[added[new]].from = Some(from);
        gone.insert(deleted[old]);
    }
    let mut index = 0;
    changes.retain(|_| {
        index += 1;
        !gone.contains(&(index - 1))
    });
    changes.sort_by(|left, right| left.path.cmp(&right.path));
    (changes, manifests.notes(repository))
}
