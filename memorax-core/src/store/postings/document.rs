//! The words of one memory, counted before the transaction begins.

use std::collections::BTreeMap;

use crate::text::for_each_word;
use crate::{Error, ErrorKind, Result};

/// How often a word of the title counts; the text usually says it again.
const TITLE: u32 = 2;

/// Highest frequency that is stored. BM25 hardly tells 20 from 255.
pub(super) const HIGHEST_FREQUENCY: u32 = 255;

/// Words of a memory with their frequencies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::store) struct Document {
    /// Word and frequency, 1 to 255; sorted by word.
    pub(super) words: Vec<(String, u8)>,
    /// Sum of all frequencies, before they were capped.
    pub(super) length: u32,
}

impl Document {
    /// Counts the words of a memory. `cited` is what its anchors name: paths, symbols, commands.
    pub(in crate::store) fn of<'a>(
        title: &str,
        text: &str,
        tags: &[String],
        cited: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        let mut count = |part: &str, weight: u32| {
            for_each_word(part, &mut |word| match counts.get_mut(word) {
                Some(count) => *count = count.saturating_add(weight),
                None => {
                    counts.insert(word.to_owned(), weight);
                }
            });
        };
        count(title, TITLE);
        count(text, 1);
        for tag in tags {
            count(tag, 1);
        }
        for part in cited {
            count(part, 1);
        }
        let length = counts
            .values()
            .fold(0u32, |sum, count| sum.saturating_add(*count));
        let words = counts
            .into_iter()
            .filter(|(word, _)| u8::try_from(word.len()).is_ok())
            .map(|(word, count)| (word, count.min(HIGHEST_FREQUENCY) as u8))
            .collect();
        Self { words, length }
    }

    /// Writes the row of [`Table::Forward`](crate::store::Table::Forward): the length as u32, then for each word its
    /// length in bytes, its frequency and itself.
    pub(super) fn encode(&self) -> Vec<u8> {
        let size = self
            .words
            .iter()
            .map(|(word, _)| word.len() + 2)
            .sum::<usize>();
        let mut row = Vec::with_capacity(4 + size);
        row.extend_from_slice(&self.length.to_be_bytes());
        for (word, frequency) in &self.words {
            row.push(u8::try_from(word.len()).expect("longer words are left out"));
            row.push(*frequency);
            row.extend_from_slice(word.as_bytes());
        }
        row
    }

    /// Reads what [`encode`](Self::encode) wrote.
    pub(super) fn decode(ordinal: u32, row: &[u8]) -> Result<Self> {
        Self::read(row).ok_or_else(|| {
            Error::new(
                ErrorKind::Corrupted,
                format!("cannot read the words of memory number `{ordinal}`"),
            )
            .with_hint("memorax repair")
        })
    }

    fn read(row: &[u8]) -> Option<Self> {
        let (length, mut rest) = row.split_first_chunk::<4>()?;
        let mut words = Vec::new();
        while let Some((head, tail)) = rest.split_first_chunk::<2>() {
            let (word, tail) = tail.split_at_checked(usize::from(head[0]))?;
            words.push((std::str::from_utf8(word).ok()?.to_owned(), head[1]));
            rest = tail;
        }
        rest.is_empty().then(|| Self {
            words,
            length: u32::from_be_bytes(*length),
        })
    }
}
