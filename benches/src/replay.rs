//! A repository view that grows commit by commit, so that a query sees only what came before it.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use memorax_core::repo::{
    CommitHit, CommitSelection, Field, FileScore, QueryWord, RepositoryView, Structure,
};
use memorax_core::text::word_counts;
use memorax_core::{CommitInfo, FileInfo, FileRole, Result, Timestamp, ViewInfo};

use crate::corpus::Corpus;
use crate::git::{Blobs, Change, Commit};

/// Lines of a chunk.
const CHUNK: usize = 50;
/// Larger files are not read.
const LARGEST: usize = 300_000;

/// The view, as of the commits applied so far.
#[derive(Debug)]
pub(crate) struct Replay {
    info: ViewInfo,
    slots: Vec<Slot>,
    paths: BTreeMap<String, u32>,
    code: Corpus,
    names: Corpus,
    messages: Corpus,
    commits: Vec<Past>,
    files: Vec<FileInfo>,
    places: HashMap<u32, u32>,
    order: Vec<u32>,
}

#[derive(Debug)]
struct Slot {
    path: String,
    blob: String,
    is_file: bool,
    chunks: Vec<u32>,
    first_lines: Vec<u32>,
    name: Option<u32>,
    commits: Vec<u32>,
    alive: bool,
}

#[derive(Debug)]
struct Past {
    info: CommitInfo,
    slots: Vec<u32>,
}

impl Replay {
    pub(crate) fn new() -> Self {
        Self {
            info: ViewInfo::default(),
            slots: Vec::new(),
            paths: BTreeMap::new(),
            code: Corpus::new(0.75),
            names: Corpus::new(0.3),
            messages: Corpus::new(0.75),
            commits: Vec::new(),
            files: Vec::new(),
            places: HashMap::new(),
            order: Vec::new(),
        }
    }

    pub(crate) fn has(&self, path: &str) -> bool {
        self.paths.contains_key(path)
    }

    /// Applies a commit; texts are read only when `blobs` is given.
    pub(crate) fn apply(
        &mut self,
        commit: &Commit,
        message: &str,
        mut blobs: Option<&mut Blobs>,
    ) -> Result<()> {
        let number = u32::try_from(self.commits.len()).expect("fewer than 2^32 commits");
        let mut touched = Vec::new();
        for change in &commit.changes {
            if let Some(slot) = self.change(change) {
                self.slots[slot as usize].commits.push(number);
                touched.push(slot);
                if let Some(blobs) = blobs.as_deref_mut() {
                    self.read(slot, blobs)?;
                }
            }
        }
        let (subject, body) = message.split_once('\n').unwrap_or((message, ""));
        let mut info = CommitInfo::new(
            &commit.id,
            subject.trim(),
            Timestamp::from_millis(commit.seconds * 1000),
        );
        body.trim().clone_into(&mut info.body);
        info.author.clone_from(&commit.author);
        info.paths = commit
            .changes
            .iter()
            .map(|change| change.new.clone())
            .collect();
        if !touched.is_empty() {
            self.messages.add(number, &word_counts(message));
        }
        self.commits.push(Past {
            info,
            slots: touched,
        });
        Ok(())
    }

    /// Reads the texts of all files, once, after commits were applied without blobs.
    pub(crate) fn read_all(&mut self, blobs: &mut Blobs) -> Result<()> {
        let slots: Vec<u32> = self.paths.values().copied().collect();
        slots
            .into_iter()
            .try_for_each(|slot| self.read(slot, blobs))
    }

    /// Makes the list of files that a query sees.
    pub(crate) fn settle(&mut self) {
        let newest = u32::try_from(self.commits.len()).expect("fewer than 2^32 commits");
        self.files.clear();
        self.places.clear();
        self.order.clear();
        for (path, slot) in &self.paths {
            let place = u32::try_from(self.files.len()).expect("fewer than 2^32 files");
            let mut file = FileInfo::new(path, role(path));
            let commits = &self.slots[*slot as usize].commits;
            file.changes = u32::try_from(commits.len()).expect("fewer than 2^32 commits");
            file.last_change = commits.last().map(|last| newest - 1 - last);
            self.files.push(file);
            self.places.insert(*slot, place);
            self.order.push(*slot);
        }
        self.info.files = self.files.len();
        self.info.commits = self.commits.len();
        self.info.commit = self.commits.last().map(|past| past.info.id.clone());
    }

    fn change(&mut self, change: &Change) -> Option<u32> {
        if change.kind == 'D' {
            if let Some(slot) = self.paths.remove(&change.old) {
                self.forget(slot);
                self.slots[slot as usize].alive = false;
            }
            return None;
        }
        let renamed = if change.kind == 'R' {
            self.paths.remove(&change.old)
        } else {
            None
        };
        let slot = renamed
            .or_else(|| self.paths.get(&change.new).copied())
            .unwrap_or_else(|| {
                self.slots.push(Slot {
                    path: String::new(),
                    blob: String::new(),
                    is_file: true,
                    chunks: Vec::new(),
                    first_lines: Vec::new(),
                    name: None,
                    commits: Vec::new(),
                    alive: true,
                });
                u32::try_from(self.slots.len() - 1).expect("fewer than 2^32 files")
            });
        if let Some(other) = self
            .paths
            .insert(change.new.clone(), slot)
            .filter(|other| *other != slot)
        {
            self.forget(other);
            self.slots[other as usize].alive = false;
        }
        let place = &mut self.slots[slot as usize];
        place.path.clone_from(&change.new);
        place.blob.clone_from(&change.blob);
        place.is_file = change.is_file;
        Some(slot)
    }

    fn forget(&mut self, slot: u32) {
        let place = &mut self.slots[slot as usize];
        place.first_lines.clear();
        for chunk in std::mem::take(&mut place.chunks) {
            self.code.remove(chunk);
        }
        if let Some(name) = place.name.take() {
            self.names.remove(name);
        }
    }

    fn read(&mut self, slot: u32, blobs: &mut Blobs) -> Result<()> {
        self.forget(slot);
        let place = &self.slots[slot as usize];
        let path = place.path.clone();
        let name = self.names.add(slot, &word_counts(&path));
        let bytes = if place.is_file {
            blobs.read(&place.blob)?
        } else {
            Vec::new()
        };
        let place = &mut self.slots[slot as usize];
        place.name = Some(name);
        if bytes.len() > LARGEST || bytes.iter().take(2000).any(|byte| *byte == 0) {
            return Ok(());
        }
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text.lines().collect();
        let stem = path
            .rsplit('/')
            .next()
            .and_then(|name| name.split('.').next())
            .unwrap_or_default();
        for (index, chunk) in lines.chunks(CHUNK).enumerate() {
            let text = format!("{path} {stem} {stem} {stem}\n{}", chunk.join("\n"));
            let chunk = self.code.add(slot, &word_counts(&text));
            place.chunks.push(chunk);
            place
                .first_lines
                .push(u32::try_from(index * CHUNK + 1).expect("fewer than 2^32 lines"));
        }
        Ok(())
    }

    fn hit(&self, number: u32, score: f32) -> CommitHit {
        let past = &self.commits[number as usize];
        let newest = u32::try_from(self.commits.len() - 1).expect("fewer than 2^32 commits");
        CommitHit {
            age: newest - number,
            score,
            files: past
                .slots
                .iter()
                .filter_map(|slot| self.places.get(slot).copied())
                .collect(),
            commit: past.info.clone(),
        }
    }
}

impl RepositoryView for Replay {
    fn info(&self) -> &ViewInfo {
        &self.info
    }

    fn files(&self) -> Result<&[FileInfo]> {
        Ok(&self.files)
    }

    fn search(&self, field: Field, words: &[QueryWord], limit: usize) -> Result<Vec<FileScore>> {
        let corpus = match field {
            Field::Code => &self.code,
            Field::Path => &self.names,
            _ => return Ok(Vec::new()),
        };
        // The documents come best first: the first three of a file count 1, 1/2, 1/4.
        let mut files: BTreeMap<u32, (u32, f32, u32)> = BTreeMap::new();
        for (slot, document, score) in corpus.search(words) {
            let Some(place) = self.places.get(&slot) else {
                continue;
            };
            let place_of = &self.slots[slot as usize];
            let line = place_of.chunks.iter().position(|chunk| *chunk == document);
            let entry = files
                .entry(*place)
                .or_insert_with(|| (0, 0.0, line.map_or(0, |index| place_of.first_lines[index])));
            if entry.0 < 3 {
                entry.1 += score / f32::from(1u16 << entry.0);
                entry.0 += 1;
            }
        }
        let mut found: Vec<FileScore> = files
            .into_iter()
            .map(|(file, (_, score, line))| FileScore { file, score, line })
            .collect();
        found.sort_by(|left, right| {
            right
                .score
                .total_cmp(&left.score)
                .then(left.file.cmp(&right.file))
        });
        found.truncate(limit);
        Ok(found)
    }

    fn commits(&self, selection: &CommitSelection<'_>, limit: usize) -> Result<Vec<CommitHit>> {
        Ok(match selection {
            CommitSelection::Words(words) => self
                .messages
                .search(words)
                .into_iter()
                .take(limit)
                .map(|(number, _, score)| self.hit(number, score))
                .collect(),
            CommitSelection::Touching(file) => self
                .order
                .get(*file as usize)
                .map(|slot| {
                    let commits = &self.slots[*slot as usize].commits;
                    commits
                        .iter()
                        .rev()
                        .take(limit)
                        .map(|number| self.hit(*number, 1.0))
                        .collect()
                })
                .unwrap_or_default(),
            _ => (0..u32::try_from(self.commits.len()).expect("fewer than 2^32 commits"))
                .rev()
                .take(limit)
                .map(|number| self.hit(number, 1.0))
                .collect(),
        })
    }

    fn structure(&self) -> Result<Arc<Structure>> {
        Ok(Arc::new(Structure::default()))
    }
}

/// Guesses what a file is for from its path.
fn role(path: &str) -> FileRole {
    let lower = path.to_ascii_lowercase();
    let name = lower.rsplit('/').next().unwrap_or(&lower);
    let folder = |names: &[&str]| {
        lower
            .rsplit_once('/')
            .is_some_and(|(folders, _)| folders.split('/').any(|part| names.contains(&part)))
    };
    if folder(&[
        "test", "tests", "testing", "spec", "testdata", "fixtures", "benches", "bench",
    ]) || name.starts_with("test_")
        || name.starts_with("conftest")
        || name
            .split('.')
            .next()
            .is_some_and(|stem| stem.ends_with("_test"))
    {
        FileRole::Test
    } else if folder(&["examples", "example", "samples"]) {
        FileRole::Example
    } else if folder(&["docs", "doc"])
        || matches!(name.rsplit_once('.'), Some((_, "md" | "rst" | "txt")))
    {
        FileRole::Document
    } else if folder(&["vendor", "vendored", "third_party", "packages"]) {
        FileRole::Vendored
    } else {
        FileRole::Source
    }
}
