//! Which memories a task needs.

use std::collections::BTreeMap;

use crate::{
    ErrorKind, Hit, Memory, MemoryId, MemoryKind, NearMiss, Query, Result, Signal, Source, Trust,
    text,
};

use super::abstain::Evidence;
use super::agreement::{Named, agreement};
use super::concepts::Concepts;
use super::diversity::{choose, sort};
use super::freshness::examine;
use super::hints::hinted;
use super::meaning::nearness;
use super::misses::Misses;
use super::priors::prior;
use super::{Analysis, Context, Intent, MemorySelection, NearMemory, Reach};

/// Candidates by words.
const DEPTH: usize = 40;
/// Candidates by meaning.
const NEAR: usize = 10;
/// Candidates by each path.
const BY_PATH: usize = 20;
/// Paths of a query that are looked up.
const PATHS: usize = 8;
/// Candidates of other lines, and of what is in flight.
const FEW: usize = 10;
/// Days after which recency counts 1/e, seen from the newest candidate.
const RECENT_DAYS: f32 = 180.0;
/// Share of the best score below which a candidate would only distract.
const LEAST_SHARE: f32 = 0.4;
const DAY: f32 = 86_400_000.0;

/// How much each source counts for memories.
///
/// Words are divided by the best candidate's score; everything else lies between 0 and 1 by itself. Set by hand.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MemoryWeights {
    /// BM25 of the words.
    pub words: f32,
    /// Share of the query's informative words that the memory has.
    pub coverage: f32,
    /// Nearness of the meaning, by vectors.
    pub meaning: f32,
    /// Paths, names, commands, errors and issue numbers that stand in both.
    pub entity: f32,
    /// The kind fits the intent.
    pub intent: f32,
    /// It is about the path that is worked on.
    pub scope: f32,
    /// It helped before, or did harm.
    pub usage: f32,
    /// It is among the newest candidates.
    pub recency: f32,
    /// A person said it.
    pub trust: f32,
}

impl Default for MemoryWeights {
    fn default() -> Self {
        Self {
            words: 1.0,
            coverage: 0.4,
            meaning: 0.5,
            entity: 0.8,
            intent: 0.25,
            scope: 0.3,
            usage: 0.3,
            recency: 0.1,
            trust: 0.1,
        }
    }
}

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) hits: Vec<Hit>,
    pub(super) dropped: usize,
    pub(super) notes: Vec<String>,
    /// What came closest and was held back; only where the query asks to explain.
    pub(super) near_misses: Vec<NearMiss>,
}

struct Candidate {
    memory: Memory,
    score: f32,
    matched: Vec<String>,
    cites: bool,
    /// How near its meaning is, and the cosine that says so.
    near: [f32; 2],
}

/// Ranks the memories that fit; empty when none does.
pub(super) fn recall(
    context: &Context<'_>,
    query: &Query,
    analysis: &Analysis,
    weights: &MemoryWeights,
) -> Result<Found> {
    let mut found = Found::default();
    if query.memories == 0 {
        return Ok(found);
    }
    let concepts = Concepts::new(context.memories, &query.text, &analysis.words)?;
    let near = near(context, query, &mut found.notes)?;
    let candidates = candidates(context, query, analysis, &concepts, near)?;
    let rarity = concepts.rarity(&analysis.words);
    let kinds = hinted(&query.text);
    let best = candidates
        .values()
        .map(|candidate| candidate.score)
        .fold(0.0, f32::max);
    let newest = candidates
        .values()
        .map(|candidate| candidate.memory.updated)
        .max();
    let mut stale = 0;
    let mut hits = Vec::new();
    let mut misses = Misses::new(query.explain);
    for candidate in candidates.into_values() {
        let memory = &candidate.memory;
        let names = agreement(&analysis.entities, memory, &rarity);
        let is_hinted = kinds.contains(&memory.kind);
        let evidence =
            Evidence::new(&concepts, &candidate.matched, &names, is_hinted).near(candidate.near[0]);
        if let Some(end) = memory.expires.filter(|end| *end <= context.now) {
            misses.expired(candidate.memory, &evidence, end);
            continue;
        }
        let wanted = analysis.intent == Intent::Continue && memory.kind == MemoryKind::Progress;
        if !evidence.fits() && !candidate.cites && !wanted {
            misses.unfit(candidate.memory, &evidence);
            continue;
        }
        let finding = examine(context, memory)?;
        if !finding.holds() {
            stale += 1;
            let remarks = finding.remarks.join(", ");
            found.notes.push(format!(
                "{} `{}` was left out: {remarks}",
                memory.kind, memory.id,
            ));
            misses.stale(candidate.memory, &evidence, &remarks);
            continue;
        }
        misses.fitting(memory.id, &evidence);
        let mut why = signals(&candidate, &names, &evidence, analysis, weights, best);
        let age = newest.map_or(0, |newest| newest.as_millis() - memory.updated.as_millis());
        let recency = weights.recency * (-(age as f32) / DAY / RECENT_DAYS).exp();
        why.push(Signal::new(Source::Recency, recency, memory.updated.date()));
        let kind = if is_hinted {
            1.0
        } else {
            prior(analysis.intent, memory.kind)
        };
        let sum: f32 = why.iter().map(|signal| signal.score).sum::<f32>()
            + weights.intent * kind
            + weights.trust * trust(memory.trust);
        why.sort_by(|left, right| right.score.total_cmp(&left.score));
        hits.push(Hit::new(
            candidate.memory,
            sum * finding.validity,
            why,
            finding.freshness,
        ));
    }
    sort(&mut hits);
    let top = hits.first().map_or(0.0, |hit| hit.score);
    let (hits, weak): (Vec<Hit>, Vec<Hit>) = hits
        .into_iter()
        .partition(|hit| hit.score >= top * LEAST_SHARE);
    let (hits, surplus) = choose(hits, query.memories);
    found.dropped = surplus.len() + weak.len() + stale;
    misses.outranked(weak, surplus, top);
    found.hits = hits;
    found.near_misses = misses.closest();
    Ok(found)
}

fn candidates(
    context: &Context<'_>,
    query: &Query,
    analysis: &Analysis,
    concepts: &Concepts,
    near: Vec<NearMemory>,
) -> Result<BTreeMap<MemoryId, Candidate>> {
    let mut candidates = BTreeMap::new();
    let mut add = |memory: Memory, score: f32, matched: Vec<String>, cites: bool| {
        let place = candidates.entry(memory.id).or_insert(Candidate {
            memory,
            score,
            matched,
            cites: false,
            near: [0.0; 2],
        });
        place.cites |= cites;
    };
    let source = context.memories;
    let wants = |kind: MemoryKind| query.kinds.is_empty() || query.kinds.contains(&kind);
    if !concepts.words.is_empty() {
        let selection = MemorySelection::words(&concepts.words).kinds(&query.kinds);
        for hit in source.search(&selection, DEPTH)? {
            add(hit.memory, hit.score, hit.matched, false);
        }
        if wants(MemoryKind::Rejection) {
            // A rejection of a branch beside this one is worth knowing; it never denies.
            let selection = selection
                .kinds(&[MemoryKind::Rejection])
                .reach(Reach::Elsewhere);
            for hit in source.search(&selection, FEW)? {
                add(hit.memory, hit.score, hit.matched, false);
            }
        }
    }
    if analysis.intent == Intent::Continue && wants(MemoryKind::Progress) {
        let selection = MemorySelection::words(&[]).kinds(&[MemoryKind::Progress]);
        for hit in source.search(&selection, FEW)? {
            add(hit.memory, 0.0, Vec::new(), false);
        }
    }
    let paths = query.path.iter().chain(&analysis.entities.paths);
    for path in paths.take(PATHS) {
        for memory in source.citing(path, BY_PATH)? {
            if wants(memory.kind) {
                add(memory, 0.0, Vec::new(), true);
            }
        }
    }
    for near in near {
        let place = candidates
            .entry(near.memory.id)
            .or_insert_with(|| Candidate {
                matched: matched(&near.memory, concepts),
                memory: near.memory.clone(),
                score: 0.0,
                cites: false,
                near: [0.0; 2],
            });
        place.near = [nearness(&near), near.cosine];
    }
    Ok(candidates)
}

/// Finds memories by meaning. Where an embedder fails, words must do, and the answer says so.
fn near(context: &Context<'_>, query: &Query, notes: &mut Vec<String>) -> Result<Vec<NearMemory>> {
    let selection = MemorySelection::words(&[]).kinds(&query.kinds);
    match context.memories.nearest(&query.text, &selection, NEAR) {
        Err(error) if error.kind() != ErrorKind::Corrupted => {
            notes.push(format!("meanings were not compared: {error}"));
            Ok(Vec::new())
        }
        near => near,
    }
}

/// Returns the searched words that a memory has.
fn matched(memory: &Memory, concepts: &Concepts) -> Vec<String> {
    let has = text::words(&format!("{}\n{}", memory.title, memory.text));
    let words = concepts.words.iter().map(|word| &word.word);
    words.filter(|word| has.contains(word)).cloned().collect()
}

fn signals(
    candidate: &Candidate,
    names: &Named,
    evidence: &Evidence,
    analysis: &Analysis,
    weights: &MemoryWeights,
    best: f32,
) -> Vec<Signal> {
    let memory = &candidate.memory;
    let mut why = Vec::new();
    if candidate.score > 0.0 {
        let words = evidence.told.words.join(" ");
        let score = weights.words * candidate.score / best + weights.coverage * evidence.coverage;
        why.push(Signal::new(Source::Words, score, words));
    }
    let [nearness, cosine] = candidate.near;
    if nearness > 0.0 {
        let detail = format!("cosine {cosine:.2}");
        why.push(Signal::new(
            Source::Meaning,
            weights.meaning * nearness.min(1.0),
            detail,
        ));
    }
    if names.weight > 0.0 {
        why.push(Signal::new(
            Source::Entity,
            weights.entity * names.weight,
            names.names.join(" "),
        ));
    }
    if candidate.cites {
        let detail = memory
            .scope
            .path
            .clone()
            .unwrap_or_else(|| "cites the path".to_owned());
        why.push(Signal::new(Source::Scope, weights.scope, detail));
    }
    let (helpful, harmful) = (memory.stats.helpful as f32, memory.stats.harmful as f32);
    if helpful + harmful > 0.0 {
        // Shrunk towards nothing: four opinions count as much as none.
        let usage = (helpful - harmful) / (helpful + harmful + 4.0);
        let detail = format!(
            "helped {} times, harmed {}",
            memory.stats.helpful, memory.stats.harmful
        );
        why.push(Signal::new(Source::Usage, weights.usage * usage, detail));
    }
    if analysis.intent == Intent::Continue && memory.kind == MemoryKind::Progress {
        why.push(Signal::new(Source::Scope, weights.scope, "in flight"));
    }
    why
}

/// How far a writer is believed, 0 to 1.
fn trust(trust: Trust) -> f32 {
    match trust {
        Trust::User => 1.0,
        Trust::Agent => 0.5,
        Trust::Imported => 0.4,
        Trust::Tool => 0.3,
        Trust::External => 0.0,
    }
}
