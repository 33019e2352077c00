//! Whether a proposal repeats something that was turned down.

use std::collections::BTreeMap;

use crate::repo::QueryWord;
use crate::text;
use crate::{Check, Freshness, Memory, MemoryKind, RejectionHit, Result, Status, Trust};

use super::freshness::examine;
use super::proposal::{Claim, Clause, Link, Tone, clauses};
use super::terms::{Rarity, query_words};
use super::{Context, MemorySelection, Reach};

/// Confidence from which a visible, fresh rejection denies.
pub const DENY: f32 = 0.6;
/// Confidence from which a rejection is shown at all.
const SHOW: f32 = 0.4;
/// Rejections that are looked at.
const DEPTH: usize = 50;
/// Rejections of other lines that are looked at.
const ELSEWHERE: usize = 10;
/// How much more a name says than a word of prose.
const NAME: f32 = 1.5;
/// How much less its place and its purpose say than the idea itself.
const ASIDE: f32 = 0.5;
/// Sentences or lines that a repeated idea may span.
const SPAN: usize = 3;
/// How much surer talking about a thing is than doing it.
const TALK: f32 = 0.5;
/// Least weight of an idea: with less, it consists of words that every task has.
const LEAST_IDEA: f32 = 0.6;

/// Compares a proposal with the live rejections.
///
/// What was rejected are the words that its text says no to, without the reason; the confidence is the share of them
/// (rare words and names counting more) that the proposal wants in the same direction, within three sentences or lines.
/// A proposal that says no to the same thing, removes it, or only talks about it repeats nothing.
pub(super) fn check(context: &Context<'_>, proposal: &str) -> Result<Check> {
    let wanted = clauses(proposal);
    let words = query_words(proposal);
    if words.is_empty() {
        return Ok(Check::new(Vec::new()));
    }
    let kinds = [MemoryKind::Rejection];
    let selection = MemorySelection::words(&words).kinds(&kinds);
    let mut candidates = context.memories.search(&selection, DEPTH)?;
    candidates.extend(
        context
            .memories
            .search(&selection.reach(Reach::Elsewhere), ELSEWHERE)?,
    );
    let talk = if is_talk(proposal) { TALK } else { 1.0 };
    let mut hits = Vec::new();
    for candidate in candidates {
        let memory = candidate.memory;
        if memory.expires.is_some_and(|end| end <= context.now) {
            continue;
        }
        let (share, evidence) = repeated(context, &memory, &wanted)?;
        let confidence = share * talk;
        if confidence < SHOW {
            continue;
        }
        let finding = examine(context, &memory)?;
        let denies = confidence >= DENY
            && context.sight.sees(&memory.scope)
            && memory.status == Status::Active
            && finding.freshness < Freshness::Changed
            && !matches!(memory.trust, Trust::External | Trust::Tool);
        let mut hit = RejectionHit::new(memory, confidence, denies, finding.freshness);
        hit.evidence = evidence;
        hits.push(hit);
    }
    hits.sort_by(|left, right| {
        (right.denies.cmp(&left.denies))
            .then(right.confidence.total_cmp(&left.confidence))
            .then_with(|| left.memory.id.cmp(&right.memory.id))
    });
    Ok(Check::new(hits))
}

/// Returns the share of a rejected idea that the proposal repeats, and the words.
fn repeated(
    context: &Context<'_>,
    memory: &Memory,
    wanted: &[Clause],
) -> Result<(f32, Vec<String>)> {
    let mut best = (0.0, Vec::new());
    for idea in ideas(memory) {
        let words: Vec<QueryWord> = idea
            .iter()
            .map(|claim| QueryWord {
                word: claim.word.clone(),
                weight: 1.0,
            })
            .collect();
        let rarity = Rarity::new(&words, &context.memories.frequencies(&words)?);
        let weight = |claim: &Claim| {
            let factor = match claim.tone {
                Tone::Name => NAME,
                Tone::Word => 1.0,
                Tone::Aside => ASIDE,
            };
            rarity.of(&claim.word) * factor
        };
        let parts = parts(&idea);
        let weigh = |part: &Part| {
            part.claims
                .iter()
                .map(|claim| weight(claim))
                .fold(0.0, f32::max)
        };
        let total: f32 = parts.iter().map(weigh).sum();
        if total < LEAST_IDEA {
            continue;
        }
        let last = wanted.last().map_or(0, |clause| clause.sentence);
        for first in 0..=last.saturating_sub(SPAN - 1) {
            let window: Vec<&Clause> = wanted
                .iter()
                .filter(|clause| (first..first + SPAN).contains(&clause.sentence))
                .collect();
            let mut share = 0.0;
            let mut evidence = Vec::new();
            for part in &parts {
                let (fraction, words) = part.wanted(&window);
                share += weigh(part) * fraction / total;
                evidence.extend(words.into_iter().map(str::to_owned));
            }
            if share > best.0 {
                best = (share, evidence);
            }
        }
    }
    Ok(best)
}

/// Words of an idea that count once.
struct Part<'a> {
    claims: Vec<&'a Claim>,
    link: Link,
}

impl Part<'_> {
    /// Returns how much of it the clauses want, 0 to 1, and the words: of several alternatives one is all, a name
    /// counts by its parts.
    fn wanted<'b>(&'b self, clauses: &[&Clause]) -> (f32, Vec<&'b str>) {
        let words: Vec<&str> = self
            .claims
            .iter()
            .filter(|claim| wants(clauses, claim))
            .map(|claim| claim.written.as_str())
            .collect();
        let all = if self.link == Link::Or {
            1
        } else {
            self.claims.len()
        };
        ((words.len() as f32 / all as f32).min(1.0), words)
    }
}

fn parts(idea: &[Claim]) -> Vec<Part<'_>> {
    let mut parts: Vec<Part<'_>> = Vec::new();
    for claim in idea {
        match parts.last_mut() {
            Some(part)
                if claim.link != Link::Apart
                    && (part.claims.len() == 1 || part.link == claim.link) =>
            {
                part.claims.push(claim);
                part.link = claim.link;
            }
            _ => parts.push(Part {
                claims: vec![claim],
                link: Link::Apart,
            }),
        }
    }
    parts
}

/// Returns what a rejection says no to: a list of claims for each of its sentences that says no.
fn ideas(memory: &Memory) -> Vec<Vec<Claim>> {
    let mut text = memory.text.clone();
    if !memory.title.is_empty()
        && !memory
            .text
            .contains(memory.title.trim_end_matches(['…', '.']))
    {
        text = format!("{}\n{}", memory.title, memory.text);
    }
    let clauses = clauses(&text);
    let mut said: BTreeMap<usize, Vec<Claim>> = BTreeMap::new();
    for clause in clauses.iter().filter(|clause| !clause.reason) {
        for claim in clause.claims.iter().filter(|claim| claim.stand.negated) {
            add(said.entry(clause.sentence).or_default(), claim);
        }
    }
    if said.is_empty() {
        // Written down as the idea itself, without a no: the first sentence is what was rejected.
        for clause in clauses
            .iter()
            .filter(|clause| clause.sentence == 0 && !clause.reason)
        {
            for claim in &clause.claims {
                add(said.entry(0).or_default(), claim);
            }
        }
    }
    said.into_values().collect()
}

fn add(idea: &mut Vec<Claim>, claim: &Claim) {
    if !idea.iter().any(|known| known.word == claim.word) {
        idea.push(claim.clone());
    }
}

/// Says whether one of the clauses wants what the claim is about, in the same direction.
fn wants(clauses: &[&Clause], idea: &Claim) -> bool {
    clauses
        .iter()
        .flat_map(|clause| &clause.claims)
        .any(|claim| {
            !claim.stand.negated
                && claim.stand.away == idea.stand.away
                && (claim.word == idea.word
                    || claim.tone == Tone::Name && text::words(&claim.written).contains(&idea.word))
        })
}

/// Says whether a proposal asks about something or describes it rather than doing it.
fn is_talk(proposal: &str) -> bool {
    let first = proposal
        .split_whitespace()
        .find(|word| {
            !matches!(
                word.to_lowercase().as_str(),
                "please" | "can" | "you" | "could" | "let's" | "lets"
            )
        })
        .unwrap_or_default()
        .to_lowercase();
    matches!(
        first.trim_matches(|edge: char| !edge.is_alphanumeric()),
        "why"
            | "what"
            | "who"
            | "when"
            | "where"
            | "how"
            | "explain"
            | "document"
            | "describe"
            | "summarise"
            | "summarize"
            | "grep"
            | "rg"
    )
}
