//! Words of queries and how much a word says.

use std::collections::{BTreeMap, HashSet};
use std::sync::LazyLock;

use crate::repo::QueryWord;
use crate::text;

use super::Frequencies;

/// Words that tasks about any program have, so that sharing one says little. Already split and stemmed.
const GENERIC: &str = "add allow also always app apply bad base bug build call case change check class clean clear code \
    command config correct create current data debug default delete different do doc docs done edit enable ensure error \
    example exist existing fail fail failing failure feature field file find first fix fixe follow format full function get \
    give go good handle have help here implement import improve include info input instead issue item keep kind last let \
    like line list load local log look main make many method missing mode module move name need never new next now number \
    object old only open option order other output package page param parse pass path please point prefer print problem \
    project proper public put python query question read real really refactor reject remove rename replace repo repository \
    request require result return review right run rust same save see send set should show simple single skip some \
    source start state step still stop string support sure system take task test tests text thing time tool try turn type \
    unit up update upgrade use user value version via view want way well work world write wrong year day week today people \
    best better write explain plan talk tell think know mean ask answer idea long short big small large fast slow high \
    low off on out over under before after between each every any all one two three";

/// How much a generic word counts against another one.
const GENERIC_SHARE: f32 = 0.35;

/// Rarity is computed as if there were at least this many memories: in a store of ten, every word is rare.
const LEAST_MEMORIES: f32 = 200.0;

/// Splits a text into query words with their capped frequencies, sorted by word.
pub(super) fn query_words(text: &str) -> Vec<QueryWord> {
    text::query_words(text)
        .into_iter()
        .map(|(word, weight)| QueryWord { word, weight })
        .collect()
}

/// Says whether a word is in tasks about any program.
pub(super) fn is_generic(word: &str) -> bool {
    static SET: LazyLock<HashSet<String>> =
        LazyLock::new(|| text::words(GENERIC).into_iter().collect());
    SET.contains(word)
}

/// How much each word of a query says: 0 for one that every memory has, 1 for one that hardly any has.
#[derive(Clone, Debug, Default)]
pub(super) struct Rarity(BTreeMap<String, f32>);

impl Rarity {
    /// Computes the rarity of words from how often they occur.
    pub(super) fn new(words: &[QueryWord], frequencies: &Frequencies) -> Self {
        let memories = (frequencies.memories as f32).max(LEAST_MEMORIES);
        let idf = |count: f32| (1.0 + (memories - count + 0.5) / (count + 0.5)).ln();
        let counts = frequencies
            .counts
            .iter()
            .copied()
            .chain(std::iter::repeat(0));
        Self(
            words
                .iter()
                .zip(counts)
                .map(|(word, count)| {
                    // A word of one memory is as rare as a word gets among those that can be found.
                    let share = (idf(count as f32) / idf(1.0)).min(1.0);
                    let share = if is_generic(&word.word) {
                        share * GENERIC_SHARE
                    } else {
                        share
                    };
                    (word.word.clone(), share)
                })
                .collect(),
        )
    }

    /// Returns how much a word says; 0 for a word that was not asked about.
    pub(super) fn of(&self, word: &str) -> f32 {
        self.0.get(word).copied().unwrap_or(0.0)
    }

    /// Returns the rarities of all words.
    pub(super) fn values(&self) -> impl Iterator<Item = f32> + '_ {
        self.0.values().copied()
    }
}
