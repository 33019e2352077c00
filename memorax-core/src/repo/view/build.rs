//! Writes a view: counts over its files, words of their paths, and which commits changed them.

use std::collections::HashMap;
use std::sync::Arc;

use super::layout::{
    FileRow, FileState, Meta, NONE, REASONS, TREE_KIND, VIEW_KIND, file_flag, own, section,
};
use crate::Result;
use crate::repo::code::{BlobRow, CodeSegment};
use crate::repo::facts::{Language, mark, role_of};
use crate::repo::format::{LexiconWriter, put_u32, put_varint, seal};
use crate::repo::history::{History, Place};
use crate::repo::milestones::{self, Tag, Timeline};
use crate::repo::resolve::{Source, resolve};
use crate::text::for_each_word;

/// A file of a view that is to be written.
#[derive(Clone, Debug)]
pub(in crate::repo) struct ViewFile {
    pub(in crate::repo) path: String,
    pub(in crate::repo) language: Language,
    pub(in crate::repo) flags: u8,
    pub(in crate::repo) state: FileState,
    /// Where its content is known: segment and blob.
    pub(in crate::repo) place: Option<(u32, u32)>,
}

/// What a view is made from. The files are sorted by path.
pub(in crate::repo) struct ViewParts<'a> {
    pub(in crate::repo) meta: Meta,
    pub(in crate::repo) files: &'a [ViewFile],
    pub(in crate::repo) code: &'a [Arc<CodeSegment>],
    pub(in crate::repo) history: &'a History,
    pub(in crate::repo) order: &'a [Place],
    /// What was left out besides files, by reason.
    pub(in crate::repo) skipped: &'a [(&'static str, usize)],
    pub(in crate::repo) imports: Imports,
    pub(in crate::repo) turns: Turns<'a>,
}

/// Whether a view says which file imports which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::repo) enum Imports {
    Resolved,
    /// Left out: a replay makes thousands of views.
    Absent,
}

/// Whether a view tells milestones and reverts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::repo) enum Turns<'a> {
    /// Found, with releases by these tags.
    Found(&'a [Tag]),
    /// Left out: a replay makes thousands of views.
    Absent,
}

/// A view that is not written yet.
pub(in crate::repo) struct Built {
    /// Bytes of the file that working trees share.
    pub(in crate::repo) tree: Vec<u8>,
    pub(in crate::repo) meta: Meta,
    states: Vec<u8>,
}

impl Built {
    /// Returns the bytes of the working tree's own file, which names the shared one.
    pub(in crate::repo) fn own(mut self, tree: String) -> Vec<u8> {
        self.meta.tree = tree;
        let mut sections = vec![Vec::new(); 2];
        sections[own::META] = serde_json::to_vec(&self.meta)
            .expect("a view's facts have text keys and no special numbers");
        sections[own::STATES] = self.states;
        seal(VIEW_KIND, &sections)
    }
}

/// Counts over the files and puts the view together.
pub(in crate::repo) fn build(parts: ViewParts<'_>) -> Result<Built> {
    let ViewParts {
        mut meta,
        files,
        code,
        history,
        order,
        skipped,
        imports,
        turns,
    } = parts;
    let mut sections = vec![Vec::new(); section::COUNT];
    let mut states = Vec::new();
    let touched = touch(files, history, order, &meta.prefix)?;
    let mut paths = PathWords::default();
    let mut reasons = [0_usize; REASONS.len()];
    let mut path_end = 0_u32;
    meta.info.symbols = 0;
    (meta.chunks, meta.chunk_words) = (0, 0);
    for (number, file) in files.iter().enumerate() {
        let row = match file.place {
            Some((segment, blob)) => code[segment as usize].blob(blob)?,
            None => BlobRow::default(),
        };
        match file.state.skipped {
            0 if row.marks & mark::BINARY != 0 => reasons[2] += 1,
            0 if row.marks & mark::SLOW != 0 => reasons[3] += 1,
            0 => {}
            reason => reasons[usize::from(reason - 1).min(1)] += 1,
        }
        let (stem_words, path_words) = paths.add(&file.path, number as u32);
        let ages = &touched.by_file[number];
        path_end += file.path.len() as u32;
        sections[section::PATHS].extend_from_slice(file.path.as_bytes());
        let generated = row.marks & mark::GENERATED != 0 || file.flags & file_flag::GENERATED != 0;
        FileRow {
            segment: file.place.map_or(NONE, |place| place.0),
            blob: file.place.map_or(NONE, |place| place.1),
            role: role_of(&file.path, file.language, generated),
            language: file.language,
            flags: file.flags,
            stem_words,
            path_words,
            size: file.state.size,
            lines: row.lines,
            last_change: ages.first().copied().unwrap_or(NONE),
            changes: ages.len() as u32,
            path_end,
            first_chunk: row.first_chunk,
            chunks: row.chunks,
        }
        .write(&mut sections[section::FILES]);
        file.state.write(&mut states);
        meta.info.symbols += row.symbols as usize;
        meta.chunks += u64::from(row.chunks);
        let added = u64::from(stem_words) * 3 + u64::from(path_words);
        meta.chunk_words += u64::from(row.words) + added * u64::from(row.chunks);
    }
    (meta.messages, meta.message_words) = (0, 0);
    for place in order {
        put_u32(&mut sections[section::ORDER], place.segment);
        put_u32(&mut sections[section::ORDER], place.ordinal);
        let length = history.segments[place.segment as usize].length(place.ordinal)?;
        meta.messages += u64::from(length > 0);
        meta.message_words += u64::from(length);
    }
    let (ends, bytes) = gaps(&touched.by_commit);
    sections[section::COMMIT_ENDS] = ends;
    sections[section::COMMIT_FILES] = bytes;
    let (ends, bytes) = gaps(&touched.by_file);
    sections[section::TOUCH_ENDS] = ends;
    sections[section::TOUCHES] = bytes;
    if imports == Imports::Resolved {
        for (from, to) in resolve(&sources(files, code)?) {
            put_u32(&mut sections[section::IMPORTS], from);
            put_u32(&mut sections[section::IMPORTS], to);
        }
    }
    if let Turns::Found(tags) = turns {
        let present: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
        let found = milestones::find(&Timeline {
            history,
            order,
            prefix: &meta.prefix,
            files: &present,
            tags,
        })?;
        sections[section::MILESTONES] = json(&found.milestones);
        sections[section::REVERTS] = json(&found.reverts);
    }
    meta.path_words = paths.total;
    for (base, lexicon) in [
        (section::PATH_WORDS, paths.words),
        (section::STEM_WORDS, paths.stems),
    ] {
        for (offset, bytes) in lexicon.finish().into_iter().enumerate() {
            sections[base + offset] = bytes;
        }
    }
    meta.info.files = files.len();
    meta.info.uncommitted = files
        .iter()
        .filter(|file| file.flags & file_flag::UNCOMMITTED != 0)
        .count();
    meta.info.commits = order.len();
    meta.info.skipped = REASONS
        .iter()
        .copied()
        .zip(reasons)
        .chain(skipped.iter().copied())
        .filter(|(_, count)| *count > 0)
        .map(|(reason, count)| (reason.to_owned(), count))
        .collect();
    Ok(Built {
        tree: seal(TREE_KIND, &sections),
        meta,
        states,
    })
}

fn json(found: &impl serde::Serialize) -> Vec<u8> {
    serde_json::to_vec(found).expect("turns have text keys and finite numbers")
}

fn sources<'a>(files: &'a [ViewFile], code: &[Arc<CodeSegment>]) -> Result<Vec<Source<'a>>> {
    files
        .iter()
        .map(|file| {
            let entries = match file.place {
                Some((segment, blob)) => {
                    let segment = &code[segment as usize];
                    segment.imports(&segment.blob(blob)?)?
                }
                None => Vec::new(),
            };
            Ok(Source {
                path: &file.path,
                language: file.language,
                entries,
            })
        })
        .collect()
}

/// Words of paths, and of file names without their endings.
#[derive(Default)]
struct PathWords {
    words: LexiconWriter,
    stems: LexiconWriter,
    total: u64,
}

impl PathWords {
    fn add(&mut self, path: &str, file: u32) -> (u16, u16) {
        let name = path.rsplit('/').next().unwrap_or(path);
        let stem = match name.split_once('.') {
            Some(("", _)) | None => name,
            Some((stem, _)) => stem,
        };
        let (mut stem_words, mut path_words) = (0_u16, 0_u16);
        for_each_word(stem, &mut |word| {
            stem_words = stem_words.saturating_add(1);
            self.stems.add(word, file, 1);
        });
        for_each_word(path, &mut |word| {
            path_words = path_words.saturating_add(1);
            self.words.add(word, file, 1);
        });
        self.total += u64::from(path_words);
        (stem_words, path_words)
    }
}

/// Which commits changed which files, by age and by file; both sorted.
struct Touched {
    by_file: Vec<Vec<u32>>,
    by_commit: Vec<Vec<u32>>,
}

/// Follows every file back through its renames, from the newest commit to the oldest.
fn touch(files: &[ViewFile], history: &History, order: &[Place], prefix: &str) -> Result<Touched> {
    let mut touched = Touched {
        by_file: vec![Vec::new(); files.len()],
        by_commit: Vec::with_capacity(order.len()),
    };
    if order.is_empty() {
        return Ok(touched);
    }
    let changes = history.changes()?;
    let mut present: HashMap<u32, u32> = HashMap::with_capacity(files.len());
    for (file, entry) in files.iter().enumerate() {
        let number = if prefix.is_empty() {
            changes.numbers.get(&entry.path)
        } else {
            changes.numbers.get(&format!("{prefix}{}", entry.path))
        };
        if let Some(number) = number {
            present.insert(*number, file as u32);
        }
    }
    for (age, place) in order.iter().enumerate() {
        let mut commit = Vec::new();
        for change in changes.of(*place) {
            let Some(file) = present.get(&change.path).copied() else {
                continue;
            };
            commit.push(file);
            if let Some(from) = change.from {
                // In older commits the former path means this file.
                present.insert(from, file);
            }
        }
        commit.sort_unstable();
        commit.dedup();
        for file in &commit {
            touched.by_file[*file as usize].push(age as u32);
        }
        touched.by_commit.push(commit);
    }
    Ok(touched)
}

/// Writes sorted lists as gaps, with the end of each.
fn gaps(lists: &[Vec<u32>]) -> (Vec<u8>, Vec<u8>) {
    let mut ends = Vec::with_capacity(lists.len() * 4);
    let mut bytes = Vec::new();
    for list in lists {
        let mut previous = 0;
        for value in list {
            put_varint(&mut bytes, u64::from(value - previous));
            previous = *value;
        }
        put_u32(&mut ends, bytes.len() as u32);
    }
    (ends, bytes)
}
