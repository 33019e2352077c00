//! Words in sorted blocks, and for each the numbered things in which it stands and how often.
//!
//! Three sections: the first word of every block (read whole), the blocks, and the postings (read for wanted words only).

use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;

use super::{Bytes, Container, Reader, put_bytes, put_u32, put_varint, u32_at};
use crate::Result;

/// Words in a block: a lookup reads one block and scans it.
const BLOCK: usize = 32;
/// Bytes of a fixed entry in the first section: offsets of the block, of its postings and of its first word.
const ENTRY: usize = 12;

/// Collects words; the numbers given for one word never fall.
#[derive(Debug, Default)]
pub(in crate::repo) struct LexiconWriter {
    numbers: HashMap<Box<str>, u32>,
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    open: u32,
    times: u32,
    previous: u32,
    postings: Vec<u8>,
}

impl Entry {
    /// Writes the posting that is still being counted.
    fn close(&mut self) {
        let gap = u64::from(self.open - self.previous);
        if self.times == 1 {
            put_varint(&mut self.postings, gap << 1 | 1);
        } else {
            put_varint(&mut self.postings, gap << 1);
            put_varint(&mut self.postings, u64::from(self.times));
        }
        self.previous = self.open;
    }
}

impl LexiconWriter {
    /// Counts a word of a document.
    pub(in crate::repo) fn add(&mut self, word: &str, document: u32, times: u32) {
        if let Some(&number) = self.numbers.get(word) {
            let entry = &mut self.entries[number as usize];
            if entry.open == document {
                entry.times += times;
            } else {
                entry.close();
                entry.open = document;
                entry.times = times;
            }
            return;
        }
        self.numbers.insert(word.into(), self.entries.len() as u32);
        self.entries.push(Entry {
            open: document,
            times,
            previous: 0,
            postings: Vec::new(),
        });
    }

    /// Returns the three sections.
    pub(in crate::repo) fn finish(mut self) -> [Vec<u8>; 3] {
        let mut words: Vec<(Box<str>, u32)> = self.numbers.drain().collect();
        words.sort_unstable();
        let mut out = SortedWriter::default();
        for (word, number) in words {
            let entry = &mut self.entries[number as usize];
            entry.close();
            out.add(&word, &entry.postings);
            entry.postings = Vec::new();
        }
        out.finish()
    }
}

/// Writes words that come sorted, with their postings.
#[derive(Debug, Default)]
struct SortedWriter {
    heads: Vec<u8>,
    firsts: Vec<u8>,
    blocks: Vec<u8>,
    postings: Vec<u8>,
    last: String,
    count: usize,
}

impl SortedWriter {
    fn add(&mut self, word: &str, postings: &[u8]) {
        if self.count.is_multiple_of(BLOCK) {
            put_u32(&mut self.heads, self.blocks.len() as u32);
            put_u32(&mut self.heads, self.postings.len() as u32);
            put_u32(&mut self.heads, self.firsts.len() as u32);
            put_bytes(&mut self.firsts, word.as_bytes());
            self.last.clear();
        }
        let shared = word
            .bytes()
            .zip(self.last.bytes())
            .take_while(|(left, right)| left == right)
            .count();
        put_varint(&mut self.blocks, shared as u64);
        put_bytes(&mut self.blocks, &word.as_bytes()[shared..]);
        put_varint(&mut self.blocks, postings.len() as u64);
        self.postings.extend_from_slice(postings);
        self.last.clear();
        self.last.push_str(word);
        self.count += 1;
    }

    fn finish(self) -> [Vec<u8>; 3] {
        let mut heads = Vec::with_capacity(4 + self.heads.len() + self.firsts.len());
        put_u32(&mut heads, (self.heads.len() / ENTRY) as u32);
        heads.extend_from_slice(&self.heads);
        heads.extend_from_slice(&self.firsts);
        [heads, self.blocks, self.postings]
    }
}

/// Finds words in three sections of a container, the first of which is `base`.
#[derive(Debug)]
pub(in crate::repo) struct Lexicon {
    base: usize,
    heads: OnceLock<Bytes>,
}

/// Where a word stands.
#[derive(Debug)]
pub(in crate::repo) struct Postings {
    bytes: Bytes,
}

impl Postings {
    /// Calls `visit` with every document and how often the word stands in it; `None` if the bytes make no sense.
    pub(in crate::repo) fn each(&self, visit: impl FnMut(u32, u32)) -> Option<()> {
        each_posting(&self.bytes, visit)
    }
}

fn each_posting(bytes: &[u8], mut visit: impl FnMut(u32, u32)) -> Option<()> {
    let mut reader = Reader::new(bytes);
    let mut document = 0_u32;
    while !reader.is_empty() {
        let head = reader.varint()?;
        document = document.checked_add(u32::try_from(head >> 1).ok()?)?;
        let times = if head & 1 == 1 { 1 } else { reader.number()? };
        visit(document, times);
    }
    Some(())
}

impl Lexicon {
    pub(in crate::repo) fn new(base: usize) -> Self {
        Self {
            base,
            heads: OnceLock::new(),
        }
    }

    /// Finds a word.
    pub(in crate::repo) fn find(
        &self,
        container: &Container,
        word: &str,
    ) -> Result<Option<Postings>> {
        let heads = if let Some(heads) = self.heads.get() {
            heads
        } else {
            let read = container.section(self.base)?;
            self.heads.get_or_init(|| read)
        };
        if heads.is_empty() {
            return Ok(None);
        }
        let blocks = blocks_to(heads, word).ok_or_else(|| container.damage())?;
        let Some(block) = blocks.checked_sub(1) else {
            return Ok(None);
        };
        let count = u32_at(heads, 0) as usize;
        let start = u32_at(heads, 4 + block * ENTRY) as usize;
        let end = if block + 1 < count {
            u32_at(heads, 4 + (block + 1) * ENTRY) as usize
        } else {
            container.length(self.base + 1)
        };
        let bytes = container.read(self.base + 1, start..end)?;
        let postings = u32_at(heads, 8 + block * ENTRY) as usize;
        let range = scan(&bytes, word, postings).ok_or_else(|| container.damage())?;
        if range.is_empty() {
            return Ok(None);
        }
        Ok(Some(Postings {
            bytes: container.read(self.base + 2, range)?,
        }))
    }

    /// Calls `visit` with every word, document and count, in the order of the words.
    pub(in crate::repo) fn each(
        &self,
        container: &Container,
        mut visit: impl FnMut(&str, u32, u32),
    ) -> Result<()> {
        let blocks = container.section(self.base + 1)?;
        let postings = container.section(self.base + 2)?;
        let mut walk = || -> Option<()> {
            let mut reader = Reader::new(&blocks);
            let mut word = Vec::new();
            let mut from = 0;
            let mut index = 0_usize;
            while !reader.is_empty() {
                if index.is_multiple_of(BLOCK) {
                    word.clear();
                }
                let entry = next(&mut reader, &mut word)?;
                let to = from + entry;
                let text = std::str::from_utf8(&word).ok()?;
                each_posting(postings.get(from..to)?, |document, times| {
                    visit(text, document, times);
                })?;
                from = to;
                index += 1;
            }
            Some(())
        };
        walk().ok_or_else(|| container.damage())
    }
}

/// Reads the next word of a block into `word`; returns the length of its postings.
fn next(reader: &mut Reader<'_>, word: &mut Vec<u8>) -> Option<usize> {
    let shared = usize::try_from(reader.varint()?).ok()?;
    if shared > word.len() {
        return None;
    }
    word.truncate(shared);
    word.extend_from_slice(reader.bytes()?);
    usize::try_from(reader.varint()?).ok()
}

/// Returns the number of blocks whose first words are not after the word: the last of them is the only one that may
/// have it.
fn blocks_to(heads: &[u8], word: &str) -> Option<usize> {
    let count = u32_at(heads, 0) as usize;
    let firsts = heads.get(4 + count * ENTRY..)?;
    let first = |block: usize| -> Option<&[u8]> {
        let offset = u32_at(heads, 12 + block * ENTRY) as usize;
        Reader::new(firsts.get(offset..)?).bytes()
    };
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = usize::midpoint(low, high);
        if first(middle)? <= word.as_bytes() {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    Some(low)
}

/// Returns where the postings of a word of a block are; an empty range if the block does not have the word.
fn scan(block: &[u8], wanted: &str, postings: usize) -> Option<Range<usize>> {
    let mut reader = Reader::new(block);
    let mut word = Vec::new();
    let mut from = postings;
    while !reader.is_empty() {
        let length = next(&mut reader, &mut word)?;
        if word == wanted.as_bytes() {
            return Some(from..from + length);
        }
        from += length;
    }
    Some(from..from)
}

#[cfg(test)]
mod tests {
    use super::super::{Kind, seal};
    use super::{Container, Lexicon, LexiconWriter};
    use crate::Result;

    #[test]
    fn every_word_is_found_with_its_documents_and_no_other_is() -> Result<()> {
        let mut writer = LexiconWriter::default();
        let words: Vec<String> = (0..500).map(|number| format!("w{number}")).collect();
        for document in 0..50_u32 {
            for (index, word) in words.iter().enumerate() {
                if (index as u32).is_multiple_of(document + 1) {
                    writer.add(word, document, 1 + document % 3);
                }
            }
        }
        let kind = Kind {
            number: 1,
            recipe: 1,
        };
        let container = Container::in_memory(seal(kind, &writer.finish()), kind)?;
        let lexicon = Lexicon::new(0);
        let mut all = 0;
        for (index, word) in words.iter().enumerate() {
            let mut seen = Vec::new();
            let postings = lexicon.find(&container, word)?.expect("the word was added");
            postings
                .each(|document, times| seen.push((document, times)))
                .expect("the bytes are whole");
            let expected: Vec<_> = (0..50_u32)
                .filter(|document| (index as u32).is_multiple_of(document + 1))
                .map(|document| (document, 1 + document % 3))
                .collect();
            assert_eq!(seen, expected, "documents of {word}");
            all += expected.len();
        }
        for missing in ["", "a", "w5000", "zzz", "w1x"] {
            assert!(lexicon.find(&container, missing)?.is_none(), "{missing}");
        }
        let mut visited = 0;
        lexicon.each(&container, |_, _, _| visited += 1)?;
        assert_eq!(visited, all, "a walk over all meets each posting once");
        Ok(())
    }
}
