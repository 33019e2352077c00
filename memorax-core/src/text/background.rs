//! How common words are in what developers write, known before a single memory is stored.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::words::words;

/// Words by how many paragraphs have them, a digit and words on each line: 0 for one in ten paragraphs or more, 9 for
/// one in 2,000; words that are rarer are left out.
///
/// Counted over 116,000 paragraphs of 30 sources under permissive licences: the commit messages and documents of
/// programs in Rust, Python, TypeScript, JavaScript, Go and Java, the manuals of Rust and its tools, the documents of
/// 360 crates, and the docstrings of Python's own library. Each source counts alike, a word must stand in five of them,
/// and the names of the programs themselves were taken out.
const TABLE: &str = include_str!("background.txt");

/// Highest level of the table, which stands for nine tenths of what a word can say.
const LEVELS: f32 = 10.0;

/// Returns how much sharing a word says about two texts, 0 to 1, from how common it is in what developers write.
///
/// ```
/// use memorax_core::text::informativeness;
/// assert_eq!(informativeness("add"), 0.0);
/// assert!(informativeness("test") < 0.4 && informativeness("deploy") > 0.5);
/// assert_eq!(informativeness("gorilla"), 1.0);
/// ```
///
/// The word is one that [`words`](super::words()) gives: lower-case and stemmed.
pub fn informativeness(word: &str) -> f32 {
    static LEVEL: LazyLock<HashMap<String, u8>> = LazyLock::new(levels);
    LEVEL
        .get(word)
        .map_or(1.0, |level| f32::from(*level) / LEVELS)
}

fn levels() -> HashMap<String, u8> {
    let mut levels = HashMap::new();
    for line in TABLE.lines() {
        let Some((level, common)) = line.split_once(' ') else {
            continue;
        };
        let level: u8 = level.parse().unwrap_or(0);
        // The table is sorted by level, and the commonest form of a word speaks for all.
        for word in words(common) {
            levels.entry(word).or_insert(level);
        }
    }
    levels
}
