//! Near-duplicates out, different things in.

use std::collections::HashSet;

use crate::text;
use crate::{Hit, Memory};

/// How much relevance counts against novelty (Carbonell and Goldstein 1998; .7 is the customary value).
const RELEVANCE: f32 = 0.7;

/// How many different hits are chosen from, for each that is wanted.
const CHOICE: usize = 4;

/// Likeness below which two texts are not compared closely; near-duplicates share 85 % of their words.
const SUSPICIOUS: f32 = 0.7;

/// Why a hit that fits is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Surplus {
    /// It says the same as a better one.
    Repeats,
    /// There are enough others.
    More,
}

/// Chooses at most `limit` hits by maximal marginal relevance; best score first. Returns also what was left out, and why.
///
/// `hits` come best first; of two that say the same, the first stays.
pub(super) fn choose(hits: Vec<Hit>, limit: usize) -> (Vec<Hit>, Vec<(Hit, Surplus)>) {
    let mut surplus = Vec::new();
    let mut rest: Vec<(Hit, HashSet<String>)> = Vec::new();
    for hit in hits {
        if rest.len() >= limit.saturating_mul(CHOICE) {
            surplus.push((hit, Surplus::More));
            continue;
        }
        let words = text::words(&hit.memory.text).into_iter().collect();
        // Comparing words is cheap, and what shares few cannot say the same.
        let repeats = |(kept, other): &(Hit, HashSet<String>)| {
            likeness(&words, other) >= SUSPICIOUS && says_the_same(&kept.memory, &hit.memory)
        };
        if rest.iter().any(repeats) {
            surplus.push((hit, Surplus::Repeats));
        } else {
            rest.push((hit, words));
        }
    }
    let best = rest
        .first()
        .map_or(1.0, |(hit, _)| hit.score)
        .max(f32::MIN_POSITIVE);
    let mut chosen: Vec<(Hit, HashSet<String>)> = Vec::new();
    while chosen.len() < limit && !rest.is_empty() {
        let gain = |(hit, words): &(Hit, HashSet<String>)| {
            let nearest = chosen
                .iter()
                .map(|(_, other)| likeness(words, other))
                .fold(0.0, f32::max);
            RELEVANCE * hit.score / best - (1.0 - RELEVANCE) * nearest
        };
        let mut place = 0;
        let mut most = gain(&rest[0]);
        for (index, candidate) in rest.iter().enumerate().skip(1) {
            let gain = gain(candidate);
            // Strictly greater: at a tie the better score wins, which comes first.
            if gain > most {
                (place, most) = (index, gain);
            }
        }
        chosen.push(rest.remove(place));
    }
    let mut chosen: Vec<Hit> = chosen.into_iter().map(|(hit, _)| hit).collect();
    sort(&mut chosen);
    surplus.extend(rest.into_iter().map(|(hit, _)| (hit, Surplus::More)));
    (chosen, surplus)
}

/// Sorts hits best first, ties by id.
pub(super) fn sort(hits: &mut [Hit]) {
    hits.sort_by(|left, right| {
        right
            .score
            .total_cmp(&left.score)
            .then_with(|| left.memory.id.cmp(&right.memory.id))
    });
}

fn says_the_same(left: &Memory, right: &Memory) -> bool {
    left.kind == right.kind && text::near_duplicate(&left.text, &right.text)
}

fn likeness(left: &HashSet<String>, right: &HashSet<String>) -> f32 {
    let common = left.intersection(right).count();
    let all = left.len() + right.len() - common;
    if all == 0 {
        1.0
    } else {
        common as f32 / all as f32
    }
}
