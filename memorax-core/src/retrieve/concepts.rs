//! What a question asks for: its words with what they weigh, and the other words by which a memory may say the same.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::LazyLock;

use crate::Result;
use crate::repo::QueryWord;
use crate::text::{self, informativeness, relatives};

use super::terms::Rarity;
use super::{Frequencies, MemorySource};

/// Words that only frame a question; what they share with a memory says nothing.
const FRAMING: &str = "able about across actually again ain't all allowed almost already although am any anymore anyone anything \
    anyway aren't around away been being best better both can't could couldn't currently did didn't doesn't doing \
    don't done eight either else ever every exactly explain fine first five four get gets getting give given goes \
    going gone got had half hasn't haven't having help her here hers him his how i i'd i'll i'm i've idea ideas \
    instead into isn't it's kind know let's like live lives long many may maybe me might mine much must need \
    needed needs nine no not now off often ok okay once one onto ought our ours out please possible quick quickly \
    quite rather really said say second see seven shall she should shouldn't show six some somebody someone \
    something sort step steps still suppose supposed sure tell ten than thanks that's their them then they thing \
    things think third those three through too two under until up us use used using very via want wanted wants was \
    wasn't way ways were weren't what's when where whether who whom whose why will within without won't work works \
    yes yet your yours";

/// Memories in a store from which on it is not searched by other words: among so many, the own words are found, and
/// more postings would be read than a hook has time for.
const MANY_MEMORIES: u64 = 2_000;
/// Words of a question that are searched by other words too; a longer text says what it is about more than once.
const WIDENED: usize = 16;
/// Rarity is computed as if there were at least this many memories: in a store of ten, every word is rare.
const LEAST_MEMORIES: f32 = 200.0;
/// How much a part of an identifier counts where the whole is not found.
const PART: f32 = 0.4;
/// Least weight of a word that does not only frame the question: asked alone, `run` means something.
const COMMON: f32 = 0.2;
/// Weight of a single letter, a day and a year: `c` may be a language, or anything.
const LETTER: f32 = 0.3;
/// Least weight in the search of a word that says nothing by itself.
const LEAST_WEIGHT: f32 = 0.1;

/// One thing that is asked for.
#[derive(Clone, Debug, PartialEq)]
struct Concept {
    /// How much it says, 0 to 1.
    weight: f32,
    /// The word and its relatives, with how much each counts for it.
    forms: BTreeMap<String, f32>,
    /// Words of the question that contain it, as `getuser` contains `get`: they say it already.
    wholes: BTreeSet<String>,
}

/// What a question asks for.
#[derive(Clone, Debug, Default)]
pub(super) struct Concepts {
    /// Each by its word.
    each: BTreeMap<String, Concept>,
    /// What is searched for: the words and their relatives, sorted by word.
    pub(super) words: Vec<QueryWord>,
    /// How many memories there are.
    pub(super) memories: u64,
    /// How much is asked for.
    pub(super) asked: f32,
    counts: BTreeMap<String, u64>,
    /// Words of the question that each form stands for.
    meanings: HashMap<String, Vec<String>>,
}

/// What of a question a memory has.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Told {
    /// Sum of the weights.
    pub(super) weight: f32,
    /// How many different things it has.
    pub(super) things: usize,
    /// Words of the question that it has, itself or by a relative.
    pub(super) words: Vec<String>,
}

impl Concepts {
    /// Weighs the words of a question by how common they are among developers and in the store.
    pub(super) fn new(
        source: &dyn MemorySource,
        question: &str,
        words: &[QueryWord],
    ) -> Result<Self> {
        let memories = source.frequencies(&[])?.memories;
        let mut concepts: BTreeMap<String, Concept> = BTreeMap::new();
        let wholes = wholes(question);
        for word in words.iter().filter(|word| !is_framing(&word.word)) {
            let mut forms = BTreeMap::from([(word.word.clone(), 1.0)]);
            if memories < MANY_MEMORIES && concepts.len() < WIDENED {
                forms.extend(relatives(&word.word));
            }
            let wholes = wholes.get(&word.word).cloned().unwrap_or_default();
            concepts.insert(
                word.word.clone(),
                Concept {
                    weight: weight_of(&word.word),
                    forms,
                    wholes,
                },
            );
        }
        let mut searched: BTreeMap<String, f32> = BTreeMap::new();
        for word in words {
            let Some(concept) = concepts.get(&word.word) else {
                continue;
            };
            for (form, share) in &concept.forms {
                let weight = word.weight * share * concept.weight.max(LEAST_WEIGHT);
                let place = searched.entry(form.clone()).or_insert(weight);
                *place = place.max(weight);
            }
        }
        let words: Vec<QueryWord> = searched
            .into_iter()
            .map(|(word, weight)| QueryWord { word, weight })
            .collect();
        let frequencies = source.frequencies(&words)?;
        let shares = shares(&words, &frequencies);
        let mut known = words.clone();
        for concept in concepts.values_mut() {
            // As rare as the commonest of its forms: a question in other words is no rarer than its answer.
            let share = |(form, share): (&String, &f32)| {
                let rarity = shares.get(form).copied().unwrap_or(1.0);
                1.0 - (1.0 - rarity) * share
            };
            concept.weight *= concept.forms.iter().map(share).fold(1.0, f32::min);
        }
        let counts: BTreeMap<String, u64> = words
            .into_iter()
            .zip(frequencies.counts)
            .map(|(word, count)| (word.word, count))
            .collect();
        // Relatives that no memory has are not looked up again; what waits to be written is found by the own words.
        known.retain(|word| counts[&word.word] > 0 || concepts.contains_key(&word.word));
        let mut meanings: HashMap<String, Vec<String>> = HashMap::new();
        for (word, concept) in &concepts {
            for form in concept.forms.keys() {
                meanings.entry(form.clone()).or_default().push(word.clone());
            }
        }
        Ok(Self {
            asked: asked(&concepts, &alternatives(question)),
            each: concepts,
            words: known,
            memories,
            counts,
            meanings,
        })
    }

    /// Returns how rare the words of the question are in the store, for what both name exactly.
    pub(super) fn rarity(&self, words: &[QueryWord]) -> Rarity {
        let count = |word: &QueryWord| self.counts.get(&word.word).copied().unwrap_or(0);
        let frequencies = Frequencies {
            memories: self.memories,
            counts: words.iter().map(count).collect(),
        };
        Rarity::new(words, &frequencies)
    }

    /// Returns what of it a memory has that matched some of the searched words.
    pub(super) fn told(&self, matched: &[String]) -> Told {
        // A pasted text has hundreds of words: only those that are there are looked at.
        let mut shares: BTreeMap<&str, f32> = BTreeMap::new();
        for form in matched {
            for word in self.meanings.get(form).into_iter().flatten() {
                let share = self.each[word].forms[form];
                let place = shares.entry(word).or_insert(share);
                *place = place.max(share);
            }
        }
        let mut told = Told::default();
        for (word, share) in shares {
            let concept = &self.each[word];
            let part = if concept.wholes.iter().any(|whole| matched.contains(whole)) {
                0.0
            } else if concept.wholes.is_empty() {
                1.0
            } else {
                PART
            };
            told.words.push(word.to_owned());
            told.weight += concept.weight * share * part;
            told.things += usize::from(concept.wholes.is_empty());
        }
        told
    }
}

/// Returns how much is asked for; parts of others count nothing, alternatives once.
fn asked(concepts: &BTreeMap<String, Concept>, alternatives: &[(String, String)]) -> f32 {
    let weight = |word: &String| {
        let concept = concepts.get(word)?;
        concept.wholes.is_empty().then_some(concept.weight)
    };
    let all: f32 = concepts.keys().filter_map(weight).sum();
    let either: f32 = alternatives
        .iter()
        .filter_map(|(one, other)| Some(weight(one)?.min(weight(other)?)))
        .sum();
    all - either
}

fn weight_of(word: &str) -> f32 {
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
    let is_year = word.len() == 4 && (word.starts_with("19") || word.starts_with("20"));
    if word.len() == 1 || is_number && (word.len() == 2 || is_year) {
        return LETTER;
    }
    informativeness(word).max(COMMON)
}

fn shares(words: &[QueryWord], frequencies: &Frequencies) -> BTreeMap<String, f32> {
    let memories = (frequencies.memories as f32).max(LEAST_MEMORIES);
    let idf = |count: f32| (1.0 + (memories - count + 0.5) / (count + 0.5)).ln();
    let counts = frequencies.counts.iter().copied();
    words
        .iter()
        .zip(counts.chain(std::iter::repeat(0)))
        .map(|(word, count)| {
            // A word of one memory is as rare as a word gets among those that can be found.
            (word.word.clone(), (idf(count as f32) / idf(1.0)).min(1.0))
        })
        .collect()
}

/// Returns for each part of an identifier in a text the whole that it stands in.
fn wholes(text: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut wholes: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for token in
        text.split(|letter: char| !letter.is_alphanumeric() && letter != '_' && letter != '-')
    {
        let words = text::words(token);
        let Some((whole, parts)) = words.split_first() else {
            continue;
        };
        for part in parts.iter().filter(|part| whole.contains(*part)) {
            wholes
                .entry(part.clone())
                .or_default()
                .insert(whole.clone());
        }
    }
    wholes
}

/// Returns the words of a text that stand on both sides of an `or`.
fn alternatives(text: &str) -> Vec<(String, String)> {
    let tokens: Vec<&str> = text.split_whitespace().collect();
    let whole = |token: &str| text::words(token).into_iter().next();
    tokens
        .windows(3)
        .filter(|window| window[1].eq_ignore_ascii_case("or"))
        .filter_map(|window| Some((whole(window[0])?, whole(window[2])?)))
        .filter(|(one, other)| one != other)
        .collect()
}

fn is_framing(word: &str) -> bool {
    static SET: LazyLock<HashSet<String>> =
        LazyLock::new(|| text::words(FRAMING).into_iter().collect());
    SET.contains(word)
}
