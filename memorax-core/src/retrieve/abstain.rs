//! When to say nothing of a memory.

use super::agreement::Named;
use super::concepts::{Concepts, Told};

/// Evidence that a query can ask for at most, in words that hardly any memory has: a long prompt is about more than
/// one memory can say.
const MOST_ASKED: f32 = 4.5;
/// Share of what is asked that a memory must have, with evidence of which weight, in a store of few memories and in
/// one of many: the more memories there are, the likelier one of them shares a word by accident.
const BARS: [(f32, [f32; 2]); 3] = [(0.34, [0.6, 1.2]), (0.45, [0.5, 0.8]), (0.6, [0.4, 0.4])];
/// Share of what is asked that one word alone must be: two words that meet by accident are rare, one is not.
const ALONE: f32 = 0.38;
/// What are few memories, and what are many.
const FEW_AND_MANY: [f32; 2] = [50.0, 500.0];
/// How much less evidence a memory needs whose kind the question asks for.
const HINTED: f32 = 0.15;
/// How near a meaning must be that speaks alone, in a store of few memories and in one of many; and one that speaks
/// together with words, with the share of what is asked that they must be.
const MEANING: [f32; 2] = [1.0, 1.3];
const MEANING_WITH_WORDS: [f32; 2] = [0.37, 0.3];
/// Logistic sum that says how likely a memory that fits is a right one: its start, and what coverage and names count.
/// Fitted to the answers in the seen half of `tests/it/retrieve/paraphrase.rs`.
const SURE: [f32; 3] = [-2.25, 5.68, 3.78];
/// Least weight of names that stand in both.
const NAMES: f32 = 0.5;

/// What speaks for a memory.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Evidence {
    /// What of the question it has.
    pub(super) told: Told,
    /// The weight of what it has as a share of what is asked, at most 1.
    pub(super) coverage: f32,
    /// Weight of the names that stand in both.
    names: f32,
    /// The form of the question asks for its kind.
    hinted: bool,
    /// How near its meaning is, 0 for what any two texts share.
    nearness: f32,
    memories: f32,
}

impl Evidence {
    pub(super) fn new(
        concepts: &Concepts,
        matched: &[String],
        names: &Named,
        hinted: bool,
    ) -> Self {
        let asked = concepts.asked;
        let told = concepts.told(matched);
        Self {
            coverage: if asked > 0.0 {
                (told.weight / asked.min(MOST_ASKED)).min(1.0)
            } else {
                0.0
            },
            told,
            names: names.weight,
            hinted,
            nearness: 0.0,
            memories: concepts.memories as f32,
        }
    }

    /// Adds how near its meaning is.
    pub(super) fn near(mut self, nearness: f32) -> Self {
        self.nearness = nearness;
        self
    }

    /// Says whether the memory has anything to do with the question.
    ///
    /// It does if both name the same thing exactly, if it has enough of what the question's words say, or if its meaning is
    /// near.
    pub(super) fn fits(&self) -> bool {
        let ease = if self.hinted { HINTED } else { 0.0 };
        let least = if self.told.things > 1 { 0.0 } else { ALONE };
        let [near, share] = MEANING_WITH_WORDS;
        self.names >= NAMES
            || self.nearness >= self.between(MEANING)
            || self.nearness >= near && self.coverage >= share
            || BARS.iter().any(|(share, weights)| {
                self.coverage >= (share - ease / 2.0).max(least)
                    && self.told.weight >= self.between(*weights) - ease
            })
    }

    /// Says how likely a memory that fits is one that the question is about.
    pub(super) fn confidence(&self) -> f32 {
        let [bias, share, names] = SURE;
        let sum = bias + share * self.coverage + names * self.names;
        1.0 / (1.0 + (-sum).exp())
    }

    /// Says why it does not fit, as half a sentence.
    pub(super) fn lack(&self) -> String {
        if self.told.words.is_empty() {
            return "it shares no word with the question".to_owned();
        }
        let words = self.told.words.join("`, `");
        format!(
            "it shares only `{words}` with the question, {:.0} % of what is asked",
            self.coverage * 100.0
        )
    }

    /// Returns what lies between a figure for few memories and one for many.
    fn between(&self, [few, many]: [f32; 2]) -> f32 {
        let [low, high] = FEW_AND_MANY.map(f32::ln);
        let place = ((self.memories.max(1.0).ln() - low) / (high - low)).clamp(0.0, 1.0);
        few + (many - few) * place
    }
}
