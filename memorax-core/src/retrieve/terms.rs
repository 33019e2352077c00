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
    low off on out over under before after between each every any all one two three may might shall must could";

/// Words that only frame a question or a wish; what they share with a memory says nothing.
const FRAMING: &str = "about across after again also am are can could did does doing done even ever far handle get give go got had has have help here \
    how inside into just know let like live lives long many may me might much must need now often onto ok okay our ours please shall should show some \
    tell thanks them there they through under until those us very via want was we were what when where which while who within without whom whose why will would \
    write yes you your";

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

/// Says whether a word only frames a question or a wish.
pub(super) fn is_framing(word: &str) -> bool {
    static SET: LazyLock<HashSet<String>> =
        LazyLock::new(|| text::words(FRAMING).into_iter().collect());
    SET.contains(word)
}

/// Says whether a word is in tasks about any program.
pub(super) fn is_generic(word: &str) -> bool {
    static SET: LazyLock<HashSet<String>> =
        LazyLock::new(|| text::words(GENERIC).into_iter().collect());
    SET.contains(word)
}

/// How much each word of a query says: 0 for one that every memory has, 1 for one that hardly any has.
#[derive(Clone, Debug, Default)]
pub(super) struct Rarity {
    words: BTreeMap<String, f32>,
}

impl Rarity {
    /// Computes the rarity of words from how often they occur.
    pub(super) fn new(words: &[QueryWord], frequencies: &Frequencies) -> Self {
        let memories = (frequencies.memories as f32).max(LEAST_MEMORIES);
        let idf = |count: f32| (1.0 + (memories - count + 0.5) / (count + 0.5)).ln();
        let mut rarity = Self::default();
        let counts = frequencies.counts.iter().copied();
        for (word, count) in words.iter().zip(counts.chain(std::iter::repeat(0))) {
            let word = &word.word;
            // A word of one memory is as rare as a word gets among those that can be found.
            let share = (idf(count as f32) / idf(1.0)).min(1.0);
            let factor = if is_framing(word) {
                0.0
            } else if is_generic(word) {
                GENERIC_SHARE
            } else {
                1.0
            };
            rarity.words.insert(word.clone(), share * factor);
        }
        rarity
    }

    /// Returns how much a word says; 0 for a word that was not asked about.
    pub(super) fn of(&self, word: &str) -> f32 {
        self.words.get(word).copied().unwrap_or(0.0)
    }
}
