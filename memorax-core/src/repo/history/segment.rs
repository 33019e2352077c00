//! Segments of history: immutable files of commits that are keyed by commit id.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::{Change, ChangeKind, CommitId, Record, commit_mark};
use crate::Result;
use crate::repo::format::{
    Bytes, Container, Kind, Lexicon, LexiconWriter, Reader, put_bytes, put_u32, put_u64,
    put_varint, seal, u32_at, u64_at,
};
use crate::repo::manifest::Note;
use crate::repo::recipe;
use crate::text::for_each_word;

/// Kind of the file, see [`Container`].
pub(in crate::repo) const HISTORY_KIND: Kind = Kind {
    number: 2,
    recipe: recipe::HISTORY,
};

mod section {
    pub(super) const IDS: usize = 0;
    pub(super) const TABLE: usize = 1;
    pub(super) const PARENTS: usize = 2;
    pub(super) const TEXTS: usize = 3;
    pub(super) const CHANGES: usize = 4;
    pub(super) const PATHS: usize = 5;
    pub(super) const PATH_ENDS: usize = 6;
    pub(super) const LENGTHS: usize = 7;
    pub(super) const WORDS: usize = 8;
}

const ID: usize = 20;
const ROW: usize = 44;

/// Collects commits for a segment.
#[derive(Default)]
pub(in crate::repo) struct HistoryWriter {
    ids: Vec<u8>,
    table: Vec<u8>,
    parents: Vec<u8>,
    texts: Vec<u8>,
    changes: Vec<u8>,
    paths: Vec<u8>,
    path_ends: Vec<u8>,
    known_paths: HashMap<String, u32>,
    lengths: Vec<u8>,
    words: LexiconWriter,
}

impl HistoryWriter {
    /// Adds a commit.
    pub(in crate::repo) fn add(&mut self, record: &Record) {
        let ordinal = (self.ids.len() / ID) as u32;
        self.ids.extend_from_slice(&record.id);
        let parents_at = self.parents.len() / ID;
        for parent in &record.parents {
            self.parents.extend_from_slice(parent);
        }
        let text_at = self.texts.len();
        for text in [&record.author, &record.subject, &record.body] {
            put_bytes(&mut self.texts, text.as_bytes());
        }
        Note::write(&record.notes, &mut self.texts);
        let changes_at = self.changes.len();
        for change in &record.changes {
            let path = self.path(&change.path);
            let from = change.from.as_ref().map(|from| self.path(from));
            let kind = u64::from(change.kind.number());
            put_varint(
                &mut self.changes,
                u64::from(path) << 3 | kind << 1 | u64::from(from.is_some()),
            );
            if let Some(from) = from {
                put_varint(&mut self.changes, u64::from(from));
            }
        }
        put_u64(&mut self.table, record.committed.cast_unsigned());
        put_u64(&mut self.table, record.authored.cast_unsigned());
        for value in [
            usize::from(record.marks),
            parents_at,
            record.parents.len(),
            text_at,
            self.texts.len() - text_at,
            changes_at,
            self.changes.len() - changes_at,
        ] {
            put_u32(&mut self.table, value as u32);
        }
        let mut length = 0;
        // A merge's message repeats what its commits say; finding it would vote for no file.
        if record.marks & commit_mark::MERGE == 0 {
            for text in [&record.subject, &record.body] {
                for_each_word(text, &mut |word| {
                    length += 1;
                    self.words.add(word, ordinal, 1);
                });
            }
        }
        put_u32(&mut self.lengths, length);
    }

    fn path(&mut self, path: &str) -> u32 {
        if let Some(number) = self.known_paths.get(path) {
            return *number;
        }
        let number = self.known_paths.len() as u32;
        self.paths.extend_from_slice(path.as_bytes());
        put_u32(&mut self.path_ends, self.paths.len() as u32);
        self.known_paths.insert(path.to_owned(), number);
        number
    }

    /// Returns the bytes of the segment.
    pub(in crate::repo) fn finish(self) -> Vec<u8> {
        let mut sections = vec![
            self.ids,
            self.table,
            self.parents,
            self.texts,
            self.changes,
            self.paths,
            self.path_ends,
            self.lengths,
        ];
        sections.extend(self.words.finish());
        seal(HISTORY_KIND, &sections)
    }
}

/// An open segment of history.
#[derive(Debug)]
pub(in crate::repo) struct HistorySegment {
    pub(in crate::repo) container: Container,
    /// Words of messages.
    pub(in crate::repo) words: Lexicon,
    lengths: OnceLock<Bytes>,
    paths: OnceLock<Paths>,
    tables: OnceLock<Tables>,
}

/// What is read whole when the first commit is asked for: an answer has hundreds of them.
#[derive(Debug)]
struct Tables {
    ids: Bytes,
    rows: Bytes,
    changes: Bytes,
}

/// Paths of a segment.
#[derive(Debug)]
pub(in crate::repo) struct Paths {
    bytes: Bytes,
    ends: Bytes,
}

impl Paths {
    pub(in crate::repo) fn len(&self) -> usize {
        self.ends.len() / 4
    }

    /// Returns the path of a number.
    pub(in crate::repo) fn get(&self, number: u32) -> Option<&str> {
        let number = number as usize;
        let start = match number.checked_sub(1) {
            Some(before) => u32_at(&self.ends, before * 4) as usize,
            None => 0,
        };
        let end = u32_at(&self.ends, number * 4) as usize;
        std::str::from_utf8(self.bytes.get(start..end)?).ok()
    }
}

/// What the order of commits is made from.
#[derive(Clone, Debug)]
pub(super) struct Outline {
    pub(super) id: CommitId,
    pub(super) committed: i64,
    pub(super) marks: u8,
    pub(super) parents: Vec<CommitId>,
}

/// A change with its paths as numbers of the segment's paths.
#[derive(Clone, Copy, Debug)]
pub(in crate::repo) struct NumberedChange {
    pub(in crate::repo) path: u32,
    pub(in crate::repo) kind: ChangeKind,
    pub(in crate::repo) from: Option<u32>,
}

/// What a commit says and when, without the files that it changed.
#[derive(Clone, Debug)]
pub(in crate::repo) struct Told<'a> {
    pub(in crate::repo) committed: i64,
    pub(in crate::repo) author: &'a str,
    pub(in crate::repo) subject: &'a str,
    pub(in crate::repo) body: &'a str,
    pub(in crate::repo) notes: Vec<Note>,
}

impl HistorySegment {
    pub(in crate::repo) fn new(container: Container) -> Self {
        Self {
            container,
            words: Lexicon::new(section::WORDS),
            lengths: OnceLock::new(),
            paths: OnceLock::new(),
            tables: OnceLock::new(),
        }
    }

    /// Returns the number of commits.
    pub(in crate::repo) fn len(&self) -> usize {
        self.container.length(section::IDS) / ID
    }

    /// Returns the number of words of a commit's message; 0 for merges, which are not searched.
    pub(in crate::repo) fn length(&self, ordinal: u32) -> Result<u32> {
        let lengths = if let Some(lengths) = self.lengths.get() {
            lengths
        } else {
            let bytes = self.container.section(section::LENGTHS)?;
            self.lengths.get_or_init(|| bytes)
        };
        Ok(u32_at(lengths, ordinal as usize * 4))
    }

    pub(super) fn outlines(&self) -> Result<Vec<Outline>> {
        let ids = self.container.section(section::IDS)?;
        let table = self.container.section(section::TABLE)?;
        let parents = self.container.section(section::PARENTS)?;
        let read = |row: &[u8], id: &[u8]| -> Option<Outline> {
            let first = u32_at(row, 20) as usize * ID;
            let last = first + u32_at(row, 24) as usize * ID;
            Some(Outline {
                id: id.try_into().ok()?,
                committed: u64_at(row, 0).cast_signed(),
                marks: u32_at(row, 16) as u8,
                parents: parents
                    .get(first..last)?
                    .chunks_exact(ID)
                    .filter_map(|parent| parent.try_into().ok())
                    .collect(),
            })
        };
        table
            .chunks_exact(ROW)
            .zip(ids.chunks_exact(ID))
            .map(|(row, id)| read(row, id).ok_or_else(|| self.container.damage()))
            .collect()
    }

    /// Returns all paths, to be looked up by number.
    pub(in crate::repo) fn paths(&self) -> Result<&Paths> {
        if let Some(paths) = self.paths.get() {
            return Ok(paths);
        }
        let paths = Paths {
            bytes: self.container.section(section::PATHS)?,
            ends: self.container.section(section::PATH_ENDS)?,
        };
        Ok(self.paths.get_or_init(|| paths))
    }

    /// Returns the changes of all commits, by ordinal.
    pub(in crate::repo) fn changes(&self) -> Result<Vec<Vec<NumberedChange>>> {
        let table = self.container.section(section::TABLE)?;
        let changes = self.container.section(section::CHANGES)?;
        table
            .chunks_exact(ROW)
            .map(|row| {
                let first = u32_at(row, 36) as usize;
                let last = first + u32_at(row, 40) as usize;
                changes
                    .get(first..last)
                    .and_then(numbered)
                    .ok_or_else(|| self.container.damage())
            })
            .collect()
    }

    fn tables(&self) -> Result<&Tables> {
        if let Some(tables) = self.tables.get() {
            return Ok(tables);
        }
        let tables = Tables {
            ids: self.container.section(section::IDS)?,
            rows: self.container.section(section::TABLE)?,
            changes: self.container.section(section::CHANGES)?,
        };
        Ok(self.tables.get_or_init(|| tables))
    }

    /// Returns what every commit says, by ordinal; `read` is called for each.
    pub(in crate::repo) fn each_told(&self, mut read: impl FnMut(u32, Told<'_>)) -> Result<()> {
        let rows = self.container.section(section::TABLE)?;
        let texts = self.container.section(section::TEXTS)?;
        for (ordinal, row) in rows.chunks_exact(ROW).enumerate() {
            let start = u32_at(row, 28) as usize;
            let mut reader = Reader::new(
                texts
                    .get(start..start + u32_at(row, 32) as usize)
                    .ok_or_else(|| self.container.damage())?,
            );
            let mut told = || -> Option<Told<'_>> {
                Some(Told {
                    committed: u64_at(row, 0).cast_signed(),
                    author: reader.text()?,
                    subject: reader.text()?,
                    body: reader.text()?,
                    notes: Note::read(&mut reader)?,
                })
            };
            let told = told().ok_or_else(|| self.container.damage())?;
            read(ordinal as u32, told);
        }
        Ok(())
    }

    /// Reads one commit, all but its parents.
    pub(in crate::repo) fn record(&self, ordinal: u32) -> Result<Record> {
        let paths = self.paths()?;
        let tables = self.tables()?;
        let at = ordinal as usize;
        let row = tables
            .rows
            .get(at * ROW..(at + 1) * ROW)
            .ok_or_else(|| self.container.damage())?;
        let text_at = u32_at(row, 28) as usize;
        let texts = self
            .container
            .read(section::TEXTS, text_at..text_at + u32_at(row, 32) as usize)?;
        let read = || -> Option<Record> {
            let mut texts = Reader::new(&texts);
            let first = u32_at(row, 36) as usize;
            let changes = tables
                .changes
                .get(first..first + u32_at(row, 40) as usize)?;
            Some(Record {
                id: tables.ids.get(at * ID..(at + 1) * ID)?.try_into().ok()?,
                parents: Vec::new(),
                committed: u64_at(row, 0).cast_signed(),
                authored: u64_at(row, 8).cast_signed(),
                author: texts.text()?.to_owned(),
                subject: texts.text()?.to_owned(),
                body: texts.text()?.to_owned(),
                marks: u32_at(row, 16) as u8,
                changes: numbered(changes)?
                    .into_iter()
                    .map(|change| {
                        Some(Change {
                            path: paths.get(change.path)?.to_owned(),
                            kind: change.kind,
                            from: match change.from {
                                Some(from) => Some(paths.get(from)?.to_owned()),
                                None => None,
                            },
                        })
                    })
                    .collect::<Option<_>>()?,
                notes: Note::read(&mut texts)?,
            })
        };
        read().ok_or_else(|| self.container.damage())
    }
}

fn numbered(bytes: &[u8]) -> Option<Vec<NumberedChange>> {
    let mut reader = Reader::new(bytes);
    let mut changes = Vec::new();
    while !reader.is_empty() {
        let head = reader.varint()?;
        changes.push(NumberedChange {
            path: u32::try_from(head >> 3).ok()?,
            kind: ChangeKind::of_number((head >> 1 & 3) as u8),
            from: match head & 1 {
                1 => Some(reader.number()?),
                _ => None,
            },
        });
    }
    Some(changes)
}

#[cfg(test)]
mod tests {
    use super::super::{Change, ChangeKind, Record};
    use super::{HISTORY_KIND, HistorySegment, HistoryWriter};
    use crate::Result;
    use crate::repo::format::Container;
    use crate::repo::manifest::{Note, NoteKind};

    #[test]
    fn a_commit_comes_back_as_it_was_added() -> Result<()> {
        let change = |path: &str, kind, from: Option<&str>| Change {
            path: path.to_owned(),
            kind,
            from: from.map(str::to_owned),
        };
        let first = Record {
            id: [1; 20],
            committed: -5,
            authored: 7,
            author: "Ann".to_owned(),
            subject: "Add parser".to_owned(),
            changes: vec![change("a.rs", ChangeKind::Added, None)],
            notes: vec![Note {
                path: "Cargo.toml".to_owned(),
                kind: NoteKind::DependencyAdded,
                name: "serde".to_owned(),
            }],
            ..Record::default()
        };
        let second = Record {
            id: [2; 20],
            parents: vec![[1; 20]],
            subject: "Move parser".to_owned(),
            body: "Why not.".to_owned(),
            changes: vec![
                change("b.rs", ChangeKind::Added, Some("a.rs")),
                change("c.rs", ChangeKind::Deleted, None),
            ],
            ..Record::default()
        };
        let mut writer = HistoryWriter::default();
        writer.add(&first);
        writer.add(&second);
        let segment = HistorySegment::new(Container::in_memory(writer.finish(), HISTORY_KIND)?);
        assert_eq!(segment.record(0)?, first);
        let alone = Record {
            parents: Vec::new(),
            ..second
        };
        assert_eq!(segment.record(1)?, alone);
        assert_eq!(segment.outlines()?[1].parents, [[1; 20]]);
        assert!(segment.record(2).is_err(), "there is no third");
        Ok(())
    }
}
