//! Writes a segment of code.

use std::collections::HashMap;

use super::segment::{BLOB_ROW, BlobKey, CHUNK_ROW, KEY_ROW, KIND, SYMBOL_ROW, number_of, section};
use crate::embed::quantised::vector;
use crate::repo::facts::{Facts, Learner, mark};
use crate::repo::format::{LexiconWriter, put_bytes, put_u32, put_u64, seal};
use crate::text::for_each_word;

/// Longest part of a chunk that is embedded, in bytes; a chunk has eighty lines at most.
const EMBEDDED: usize = 4000;

/// Collects what is learned from files until it is worth a segment.
#[derive(Default)]
pub(in crate::repo) struct CodeWriter {
    keys: Vec<u8>,
    blobs: Vec<u8>,
    chunks: Vec<u8>,
    symbols: Vec<u8>,
    strings: Vec<u8>,
    parents: HashMap<String, u32>,
    imports: Vec<u8>,
    words: LexiconWriter,
    names: LexiconWriter,
    parts: LexiconWriter,
    vectors: Vec<u8>,
    bytes: usize,
}

impl CodeWriter {
    /// Returns how many bytes of text were added.
    pub(in crate::repo) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Says whether nothing was added.
    pub(in crate::repo) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Learns from a file and adds it; returns its ordinal.
    pub(in crate::repo) fn add(
        &mut self,
        key: BlobKey,
        bytes: &[u8],
        learner: &mut Learner,
    ) -> u32 {
        let ordinal = self.next_blob();
        let base = self.next_chunk();
        let mut lengths: Vec<u32> = Vec::new();
        let words = &mut self.words;
        let facts = learner.learn(bytes, key.language, |chunk, word, times| {
            lengths.resize(lengths.len().max(chunk as usize + 1), 0);
            lengths[chunk as usize] += times;
            words.add(word, base + chunk, times);
        });
        lengths.resize(facts.chunks.len(), 0);
        self.bytes += bytes.len();
        self.add_facts(key, &facts, &lengths);
        self.add_vectors(bytes, &facts);
        ordinal
    }

    /// Adds the vector of each chunk; of what programs wrote, zeros.
    fn add_vectors(&mut self, bytes: &[u8], facts: &Facts) {
        let unread = facts.marks & (mark::GENERATED | mark::BINARY) != 0;
        let text = String::from_utf8_lossy(if unread { &[] } else { bytes });
        let lines: Vec<&str> = text.lines().collect();
        let place = |line: &str| line.as_ptr().addr() - text.as_ptr().addr();
        for chunk in &facts.chunks {
            let (first, last) = (chunk.first as usize - 1, chunk.last as usize - 1);
            let words = match (lines.get(first), lines.get(last)) {
                (Some(first), Some(last)) => &text[place(first)..place(last) + last.len()],
                _ => "",
            };
            let words = &words[..words.floor_char_boundary(EMBEDDED)];
            self.vectors
                .extend(vector(words).into_iter().map(i8::cast_unsigned));
        }
    }

    /// Adds the vectors of the next chunks of another segment.
    pub(super) fn copy_vectors(&mut self, vectors: &[u8]) {
        self.vectors.extend_from_slice(vectors);
    }

    /// Returns the ordinal that the next blob gets.
    pub(super) fn next_blob(&self) -> u32 {
        (self.keys.len() / KEY_ROW) as u32
    }

    /// Returns the ordinal that the next chunk gets.
    pub(super) fn next_chunk(&self) -> u32 {
        (self.chunks.len() / CHUNK_ROW) as u32
    }

    /// Adds words of chunks of another segment, whose new ordinals never fall for one word.
    pub(super) fn words_mut(&mut self) -> &mut LexiconWriter {
        &mut self.words
    }

    /// Adds everything of a blob but its words; `lengths` are the numbers of words of its chunks.
    pub(super) fn add_facts(&mut self, key: BlobKey, facts: &Facts, lengths: &[u32]) {
        let ordinal = self.next_blob();
        let first_chunk = self.next_chunk();
        let first_symbol = (self.symbols.len() / SYMBOL_ROW) as u32;
        self.keys.extend_from_slice(&key.id);
        self.keys.extend_from_slice(&[key.language.0, 0, 0, 0]);
        for (chunk, length) in facts.chunks.iter().zip(lengths) {
            put_u32(&mut self.chunks, ordinal);
            put_u32(&mut self.chunks, chunk.first);
            put_u32(&mut self.chunks, *length);
        }
        for definition in &facts.definitions {
            let number = (self.symbols.len() / SYMBOL_ROW) as u32;
            self.names.add(&definition.name, number, 1);
            let mut count = 0_u8;
            for_each_word(&definition.name, &mut |word| {
                count = count.saturating_add(1);
                self.parts.add(word, number, 1);
            });
            let name_at = self.strings.len() as u32;
            self.strings.extend_from_slice(definition.name.as_bytes());
            let parent = definition.parent.as_deref().unwrap_or_default();
            let parent_at = self.parent(ordinal, parent);
            let symbols = &mut self.symbols;
            put_u32(symbols, name_at);
            symbols.extend_from_slice(&(definition.name.len() as u16).to_le_bytes());
            symbols.extend_from_slice(&[number_of(definition.kind), count]);
            put_u32(symbols, definition.line);
            put_u32(symbols, definition.end);
            put_u32(symbols, parent_at);
            symbols.extend_from_slice(&(parent.len() as u16).to_le_bytes());
            symbols.extend_from_slice(&[0, 0]);
            put_u64(symbols, definition.body);
            put_u32(symbols, ordinal);
            put_u32(symbols, 0);
        }
        let imports_at = self.imports.len();
        for entry in &facts.imports {
            put_bytes(&mut self.imports, entry.as_bytes());
        }
        for value in [
            u32::from(facts.marks),
            facts.lines,
            first_chunk,
            facts.chunks.len() as u32,
            lengths.iter().sum(),
            first_symbol,
            facts.definitions.len() as u32,
            imports_at as u32,
            (self.imports.len() - imports_at) as u32,
        ] {
            put_u32(&mut self.blobs, value);
        }
        debug_assert_eq!(self.blobs.len(), (ordinal as usize + 1) * BLOB_ROW);
    }

    /// Stores the name of a parent once per blob, so that the strings of a blob lie together.
    fn parent(&mut self, ordinal: u32, name: &str) -> u32 {
        if name.is_empty() {
            return 0;
        }
        let key = format!("{ordinal} {name}");
        let strings = &mut self.strings;
        *self.parents.entry(key).or_insert_with(|| {
            strings.extend_from_slice(name.as_bytes());
            (strings.len() - name.len()) as u32
        })
    }

    /// Returns the bytes of the segment.
    pub(in crate::repo) fn finish(self) -> Vec<u8> {
        let mut sections = vec![Vec::new(); section::VECTORS + 1];
        sections[section::KEYS] = self.keys;
        sections[section::BLOBS] = self.blobs;
        sections[section::CHUNKS] = self.chunks;
        sections[section::SYMBOLS] = self.symbols;
        sections[section::STRINGS] = self.strings;
        sections[section::IMPORTS] = self.imports;
        sections[section::VECTORS] = self.vectors;
        for (base, lexicon) in [
            (section::WORDS, self.words),
            (section::NAMES, self.names),
            (section::PARTS, self.parts),
        ] {
            for (offset, bytes) in lexicon.finish().into_iter().enumerate() {
                sections[base + offset] = bytes;
            }
        }
        seal(KIND, &sections)
    }
}
