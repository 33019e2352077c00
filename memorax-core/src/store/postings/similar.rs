//! Finds memories that may say the same as a text, by the rarest words they share.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::block::quantised;
use super::document::Document;
use super::search::List;
use crate::Result;
use crate::store::Rows;

/// Words in more memories than this are common; their lists are read only where there are no rarer ones.
const COMMON: usize = 64;

/// Rare words that are compared. Near-duplicates share 85 % of all words, so most of any 16.
const RARE: usize = 16;

/// Fewest words that are compared, common ones if need be.
const FEWEST: usize = 4;

/// Returns the memories that share at least half of the rarest words of a document, the likeliest first.
///
/// These are candidates for [`crate::text::near_duplicate`]; reads a few blocks for each word, however many memories
/// there are, unless nearly all words of the document are common.
pub(in crate::store) fn similar(
    rows: &dyn Rows,
    document: &Document,
    limit: usize,
) -> Result<Vec<u32>> {
    let mut lists = Vec::new();
    let mut common = Vec::new();
    for (word, _) in &document.words {
        let list = List::read_some(rows, word, COMMON)?;
        match list.documents() {
            0 => {}
            1..=COMMON => lists.push(list),
            _ => common.push(word),
        }
    }
    lists.sort_by_key(List::documents);
    lists.truncate(RARE);
    if lists.len() < FEWEST {
        // Longer words are rarer.
        common.sort_by_key(|word| Reverse(word.len()));
        for word in common.into_iter().take(FEWEST - lists.len()) {
            lists.push(List::read(rows, word)?);
        }
    }
    // Ordinal to shared words and quantised length.
    let mut shared: HashMap<u32, (usize, u8)> = HashMap::new();
    for list in &lists {
        list.each(|ordinal, _, length| shared.entry(ordinal).or_insert((0, length)).0 += 1);
    }
    let own = quantised(document.length);
    let mut candidates: Vec<_> = shared
        .into_iter()
        .filter(|(_, (words, _))| *words * 2 >= lists.len())
        .map(|(ordinal, (words, length))| (Reverse(words), length.abs_diff(own), ordinal))
        .collect();
    candidates.sort_unstable();
    candidates.truncate(limit);
    Ok(candidates
        .into_iter()
        .map(|(_, _, ordinal)| ordinal)
        .collect())
}
