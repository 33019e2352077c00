//! Chooses how much of each thing a packet shows: again and again the step that adds most for its tokens, until none fits.
//!
//! What a step adds falls with what is shown already (it is submodular), so that this simple order is never far from the
//! best one.

use std::collections::{HashMap, HashSet};

use super::packet::{Item, Level, Plan};
use crate::{Hit, Recall, Source, tokens_of};

/// What the best memory, file, command and past commit add, shown in full; a memory takes five to ten times the tokens of
/// a path. Set by hand.
const MEMORY: f32 = 1.0;
const FILE: f32 = 0.25;
const COMMAND: f32 = 0.3;
const COMMIT: f32 = 0.1;
/// Share of it that a title, or a path alone, and a summary add.
const TITLE: f32 = 0.6;
const SUMMARY: f32 = 0.85;
/// Share of what a memory adds that depends on words of the question that nothing shown has yet.
const NEW: f32 = 0.5;
/// Each further command of an answer is needed less.
const NEXT_COMMAND: f32 = 0.8;

/// What each thing of an answer is worth.
pub(super) struct Worth<'a> {
    recall: &'a Recall,
    /// Words of the question that each memory has.
    aspects: Vec<HashSet<&'a str>>,
    covered: HashSet<&'a str>,
    /// Tokens of each rendition that was looked at, and of its heading.
    tokens: HashMap<(Item, Level), (usize, usize)>,
}

impl<'a> Worth<'a> {
    pub(super) fn new(recall: &'a Recall) -> Self {
        Self {
            recall,
            aspects: recall.hits.iter().map(aspects).collect(),
            covered: HashSet::new(),
            tokens: HashMap::new(),
        }
    }

    /// Raises levels of a plan that shows nothing yet, as long as the budget allows it.
    pub(super) fn fill(mut self, plan: &mut Plan<'_>, budget: usize) {
        let mut open: Vec<Item> = self.items();
        while let Some((place, level)) = self.best(plan, &open) {
            let item = open[place];
            let before = set(plan, item, level);
            if tokens_of(&plan.render()) > budget {
                set(plan, item, before);
                open.remove(place);
                if let Item::Command(_) | Item::Commit(_) = item {
                    // The rest of a list comes after it.
                    open.retain(|other| {
                        std::mem::discriminant(other) != std::mem::discriminant(&item)
                    });
                }
                continue;
            }
            if let Item::Memory(memory) = item {
                self.covered.extend(&self.aspects[memory]);
            }
            if self.next(plan, item).is_none() {
                open.remove(place);
            }
        }
    }

    /// Returns everything that can be shown, in the order that decides between equals.
    fn items(&self) -> Vec<Item> {
        let recall = self.recall;
        (0..recall.hits.len())
            .map(Item::Memory)
            .chain((0..recall.commands.len()).map(Item::Command))
            .chain((0..recall.files.len()).map(Item::File))
            .chain((0..recall.commits.len()).map(Item::Commit))
            .collect()
    }

    /// Returns the place and the next level of what adds most for its tokens.
    fn best(&mut self, plan: &Plan<'_>, open: &[Item]) -> Option<(usize, Level)> {
        let mut best: Option<(f32, usize, Level)> = None;
        for (place, item) in open.iter().enumerate() {
            let Some((before, level)) = self.next(plan, *item) else {
                continue;
            };
            let (own, heading) = self.tokens(plan, *item, level);
            let tokens = if before > Level::Out {
                own.saturating_sub(self.tokens(plan, *item, before).0)
            } else if plan.is_first(*item) {
                own + heading
            } else {
                own
            };
            let rate = self.gain(*item, before, level) / tokens.max(1) as f32;
            // Strictly greater: at a tie the earlier one wins.
            if best.is_none_or(|(most, ..)| rate > most) {
                best = Some((rate, place, level));
            }
        }
        best.map(|(_, place, level)| (place, level))
    }

    fn tokens(&mut self, plan: &Plan<'_>, item: Item, level: Level) -> (usize, usize) {
        *self
            .tokens
            .entry((item, level))
            .or_insert_with(|| plan.tokens(item, level))
    }

    /// Returns how much of a thing is shown, and what comes next; `None` where all is shown, or others come first.
    fn next(&self, plan: &Plan<'_>, item: Item) -> Option<(Level, Level)> {
        let whole =
            |place: usize, shown: usize| (place == shown).then_some((Level::Out, Level::Full));
        match item {
            Item::Memory(place) => {
                let level = plan.memories[place];
                let next = match level {
                    Level::Out => Level::Title,
                    Level::Title => Level::Summary,
                    Level::Summary => Level::Full,
                    Level::Full => return None,
                };
                Some((level, next))
            }
            Item::File(place) => match plan.files[place] {
                Level::Out => Some((Level::Out, Level::Title)),
                Level::Title if !self.recall.files[place].symbols.is_empty() => {
                    Some((Level::Title, Level::Full))
                }
                _ => None,
            },
            Item::Command(place) => whole(place, plan.commands),
            Item::Commit(place) => whole(place, plan.commits),
        }
    }

    /// Returns what a step from one level to the next adds.
    fn gain(&self, item: Item, before: Level, level: Level) -> f32 {
        let recall = self.recall;
        let share = share(level) - share(before);
        match item {
            Item::Memory(place) => {
                let relative = relative(recall.hits[place].score, recall.hits[0].score);
                let aspects = &self.aspects[place];
                let novelty = if before > Level::Out || aspects.is_empty() {
                    1.0
                } else {
                    let new = aspects.difference(&self.covered).count();
                    1.0 - NEW + NEW * new as f32 / aspects.len() as f32
                };
                MEMORY * relative * share * novelty
            }
            Item::File(place) => {
                FILE * share * relative(recall.files[place].score, recall.files[0].score)
            }
            Item::Command(place) => COMMAND * share * NEXT_COMMAND.powi(place as i32),
            Item::Commit(place) => {
                COMMIT * share * relative(recall.commits[place].score, recall.commits[0].score)
            }
        }
    }
}

/// Returns the share of what a thing adds that it adds at a level.
fn share(level: Level) -> f32 {
    match level {
        Level::Out => 0.0,
        Level::Title => TITLE,
        Level::Summary => SUMMARY,
        Level::Full => 1.0,
    }
}

/// Shows a thing at a level; returns how it was shown before.
fn set(plan: &mut Plan<'_>, item: Item, level: Level) -> Level {
    let count = |shown: &mut usize, place: usize| {
        *shown = if level == Level::Out {
            place
        } else {
            place + 1
        };
        Level::Out
    };
    match item {
        Item::Memory(place) => std::mem::replace(&mut plan.memories[place], level),
        Item::File(place) => std::mem::replace(&mut plan.files[place], level),
        Item::Command(place) => count(&mut plan.commands, place),
        Item::Commit(place) => count(&mut plan.commits, place),
    }
}

fn relative(score: f32, best: f32) -> f32 {
    if best > 0.0 {
        (score / best).clamp(0.0, 1.0)
    } else {
        1.0
    }
}

/// Returns the words and names of the question that a memory has.
fn aspects(hit: &Hit) -> HashSet<&str> {
    hit.why
        .iter()
        .filter(|signal| matches!(signal.source, Source::Words | Source::Entity))
        .flat_map(|signal| signal.detail.split_whitespace())
        .collect()
}
