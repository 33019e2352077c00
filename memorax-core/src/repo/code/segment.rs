//! Reads a segment of code: blobs, their chunks, words, definitions and imports.

use std::sync::OnceLock;

use crate::embed::quantised::LENGTH;
use crate::repo::facts::{Definition, Language};
use crate::repo::format::{Bytes, Container, Kind, Lexicon, Reader, u32_at, u64_at};
use crate::repo::recipe;
use crate::{Result, SymbolKind};

/// Kind of the file, see [`Container`].
pub(in crate::repo) const KIND: Kind = Kind {
    number: 1,
    recipe: recipe::CODE,
};

/// Sections of the file.
pub(super) mod section {
    pub(in crate::repo) const KEYS: usize = 0;
    pub(in crate::repo) const BLOBS: usize = 1;
    pub(in crate::repo) const CHUNKS: usize = 2;
    pub(in crate::repo) const SYMBOLS: usize = 3;
    pub(in crate::repo) const STRINGS: usize = 4;
    pub(in crate::repo) const IMPORTS: usize = 5;
    pub(in crate::repo) const WORDS: usize = 6;
    pub(in crate::repo) const NAMES: usize = 9;
    pub(in crate::repo) const PARTS: usize = 12;
    pub(in crate::repo) const VECTORS: usize = 15;
}

pub(super) const KEY_ROW: usize = 24;
pub(super) const BLOB_ROW: usize = 36;
pub(super) const CHUNK_ROW: usize = 12;
pub(super) const SYMBOL_ROW: usize = 40;

/// Id of a blob as git computes it.
pub(in crate::repo) type BlobId = [u8; 20];

/// What a row of the index is about: the same bytes may be read as two languages under two names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::repo) struct BlobKey {
    pub(in crate::repo) id: BlobId,
    pub(in crate::repo) language: Language,
}

impl BlobKey {
    /// Reads a key from a row of a table.
    pub(super) fn of_row(row: &[u8]) -> Self {
        Self {
            id: std::array::from_fn(|index| row.get(index).copied().unwrap_or(0)),
            language: Language(row.get(20).copied().unwrap_or(0)),
        }
    }
}

/// Facts about a blob of a segment.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::repo) struct BlobRow {
    pub(in crate::repo) marks: u8,
    pub(in crate::repo) lines: u32,
    pub(in crate::repo) first_chunk: u32,
    pub(in crate::repo) chunks: u32,
    /// Number of words in all chunks.
    pub(in crate::repo) words: u32,
    pub(in crate::repo) first_symbol: u32,
    pub(in crate::repo) symbols: u32,
    imports_at: u32,
    imports: u32,
}

/// A chunk of a blob.
#[derive(Clone, Copy, Debug)]
pub(in crate::repo) struct ChunkRow {
    /// First line, from 1.
    pub(in crate::repo) line: u32,
    /// Number of words.
    pub(in crate::repo) words: u32,
}

/// What a search needs of a definition.
#[derive(Clone, Copy, Debug)]
pub(in crate::repo) struct SymbolRow {
    pub(in crate::repo) blob: u32,
    pub(in crate::repo) kind: SymbolKind,
    /// Number of words in its name.
    pub(in crate::repo) words: u8,
    pub(in crate::repo) line: u32,
}

/// An open segment.
#[derive(Debug)]
pub(in crate::repo) struct CodeSegment {
    pub(in crate::repo) container: Container,
    /// Words of chunks.
    pub(in crate::repo) words: Lexicon,
    /// Exact names of definitions.
    pub(in crate::repo) names: Lexicon,
    /// Words of names of definitions.
    pub(in crate::repo) parts: Lexicon,
    keys: OnceLock<Bytes>,
    blobs: OnceLock<Bytes>,
    chunks: OnceLock<Bytes>,
    symbols: OnceLock<Bytes>,
    strings: OnceLock<Bytes>,
    imports: OnceLock<Bytes>,
}

impl CodeSegment {
    pub(in crate::repo) fn new(container: Container) -> Self {
        Self {
            container,
            words: Lexicon::new(section::WORDS),
            names: Lexicon::new(section::NAMES),
            parts: Lexicon::new(section::PARTS),
            keys: OnceLock::new(),
            blobs: OnceLock::new(),
            chunks: OnceLock::new(),
            symbols: OnceLock::new(),
            strings: OnceLock::new(),
            imports: OnceLock::new(),
        }
    }

    /// Returns the number of blobs.
    pub(in crate::repo) fn len(&self) -> usize {
        self.container.length(section::KEYS) / KEY_ROW
    }

    /// Returns the keys of all blobs, by ordinal.
    pub(in crate::repo) fn keys(&self) -> Result<Vec<BlobKey>> {
        let bytes = self.container.section(section::KEYS)?;
        Ok(bytes.chunks_exact(KEY_ROW).map(BlobKey::of_row).collect())
    }

    /// Returns the key of one blob. The table is kept: who wants one key wants those of many.
    pub(in crate::repo) fn key(&self, ordinal: u32) -> Result<BlobKey> {
        let table = self.table(&self.keys, section::KEYS)?;
        let start = ordinal as usize * KEY_ROW;
        let row = table.get(start..start + KEY_ROW);
        row.map(BlobKey::of_row)
            .ok_or_else(|| self.container.damage())
    }

    fn table<'a>(&'a self, cell: &'a OnceLock<Bytes>, section: usize) -> Result<&'a Bytes> {
        if let Some(bytes) = cell.get() {
            return Ok(bytes);
        }
        let bytes = self.container.section(section)?;
        Ok(cell.get_or_init(|| bytes))
    }

    /// Returns the facts about a blob.
    pub(in crate::repo) fn blob(&self, ordinal: u32) -> Result<BlobRow> {
        let table = self.table(&self.blobs, section::BLOBS)?;
        let at = ordinal as usize * BLOB_ROW;
        if at + BLOB_ROW > table.len() {
            return Err(self.container.damage());
        }
        Ok(BlobRow {
            marks: u32_at(table, at) as u8,
            lines: u32_at(table, at + 4),
            first_chunk: u32_at(table, at + 8),
            chunks: u32_at(table, at + 12),
            words: u32_at(table, at + 16),
            first_symbol: u32_at(table, at + 20),
            symbols: u32_at(table, at + 24),
            imports_at: u32_at(table, at + 28),
            imports: u32_at(table, at + 32),
        })
    }

    /// Returns the number of chunks of all blobs.
    pub(in crate::repo) fn chunk_count(&self) -> usize {
        self.container.length(section::CHUNKS) / CHUNK_ROW
    }

    /// Returns a chunk.
    pub(in crate::repo) fn chunk(&self, ordinal: u32) -> Result<ChunkRow> {
        let table = self.table(&self.chunks, section::CHUNKS)?;
        let at = ordinal as usize * CHUNK_ROW;
        if at + CHUNK_ROW > table.len() {
            return Err(self.container.damage());
        }
        Ok(ChunkRow {
            line: u32_at(table, at + 4),
            words: u32_at(table, at + 8),
        })
    }

    /// Returns the vectors of some consecutive chunks, [`LENGTH`] bytes each; nothing where none are kept.
    pub(in crate::repo) fn vectors(&self, first: u32, count: u32) -> Result<Option<Bytes>> {
        if LENGTH == 0 || self.container.length(section::VECTORS) == 0 {
            return Ok(None);
        }
        let start = first as usize * LENGTH;
        let range = start..start + count as usize * LENGTH;
        self.container.read(section::VECTORS, range).map(Some)
    }

    /// Returns what a search needs of a definition.
    pub(in crate::repo) fn symbol(&self, ordinal: u32) -> Result<SymbolRow> {
        let table = self.table(&self.symbols, section::SYMBOLS)?;
        let at = ordinal as usize * SYMBOL_ROW;
        if at + SYMBOL_ROW > table.len() {
            return Err(self.container.damage());
        }
        Ok(SymbolRow {
            blob: u32_at(table, at + 32),
            kind: kind_of(table[at + 6]),
            words: table[at + 7],
            line: u32_at(table, at + 8),
        })
    }

    /// Returns the definitions of a blob. The tables are kept: who wants those of one blob wants those of many.
    pub(in crate::repo) fn definitions(&self, row: &BlobRow) -> Result<Vec<Definition>> {
        let table = self.table(&self.symbols, section::SYMBOLS)?;
        let strings = self.table(&self.strings, section::STRINGS)?;
        let start = row.first_symbol as usize * SYMBOL_ROW;
        table
            .get(start..start + row.symbols as usize * SYMBOL_ROW)
            .and_then(|rows| {
                rows.chunks_exact(SYMBOL_ROW)
                    .map(|row| definition(row, strings))
                    .collect()
            })
            .ok_or_else(|| self.container.damage())
    }

    /// Returns the import entries of a blob.
    pub(in crate::repo) fn imports(&self, row: &BlobRow) -> Result<Vec<String>> {
        let table = self.table(&self.imports, section::IMPORTS)?;
        let start = row.imports_at as usize;
        let read = || {
            let mut reader = Reader::new(table.get(start..start + row.imports as usize)?);
            let mut entries = Vec::new();
            while !reader.is_empty() {
                entries.push(reader.text()?.to_owned());
            }
            Some(entries)
        };
        read().ok_or_else(|| self.container.damage())
    }
}

fn definition(row: &[u8], strings: &[u8]) -> Option<Definition> {
    let text = |at: usize, length: [u8; 2]| -> Option<String> {
        let start = u32_at(row, at) as usize;
        let part = strings.get(start..start + usize::from(u16::from_le_bytes(length)))?;
        std::str::from_utf8(part).ok().map(str::to_owned)
    };
    let parent = text(16, [row[20], row[21]])?;
    Some(Definition {
        name: text(0, [row[4], row[5]])?,
        kind: kind_of(row[6]),
        line: u32_at(row, 8),
        end: u32_at(row, 12),
        parent: (!parent.is_empty()).then_some(parent),
        body: u64_at(row, 24),
    })
}

/// Kinds of definitions by their number in the format.
const KINDS: [SymbolKind; 6] = [
    SymbolKind::Type,
    SymbolKind::Function,
    SymbolKind::Constant,
    SymbolKind::Module,
    SymbolKind::Macro,
    SymbolKind::Heading,
];

fn kind_of(number: u8) -> SymbolKind {
    KINDS
        .get(usize::from(number))
        .copied()
        .unwrap_or(SymbolKind::Heading)
}

/// Returns the number of a kind of definition in the format.
pub(super) fn number_of(kind: SymbolKind) -> u8 {
    KINDS
        .iter()
        .position(|known| *known == kind)
        .unwrap_or(KINDS.len() - 1) as u8
}
