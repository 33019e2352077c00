//! What a retrieval reads: both stores and what waits in their inboxes, as one.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::handle::{Inner, Place};
use super::reverts::UNEXPLAINED;
use crate::embed::Embedder;
use crate::repo::QueryWord;
use crate::retrieve::{
    Frequencies, MemoryScore, MemorySelection, MemorySource, NearMemory, Reach, Sight,
};
use crate::store::{Asked, Card, EmbedderKey, Graph, Reading, embedded_text};
use crate::{Action, Draft, LineId, Memory, MemoryId, MemoryKind, Result, Stats, Status, text};

/// Most memories of the inboxes that a question is compared with by meaning; more are rare, and all are found by words.
const MOST_WAITING: usize = 64;
/// Most rejections of the history in one answer, and fewest words that each must share with the question.
const DERIVED: usize = 8;
const SHARED: usize = 2;

/// The memories of a repository and of the user everywhere, as seen from one line.
pub(super) struct Sources<'a> {
    readings: [&'a Reading<'a>; 2],
    sight: &'a Sight,
    open: Vec<LineId>,
    waiting: &'a [Memory],
    /// Those that may be called now, the chosen one first.
    embedders: Vec<&'a dyn Embedder>,
    /// Graphs of the chosen one's vectors, by store.
    graphs: [Option<Arc<Graph>>; 2],
    /// Rejections that the history tells; not counted where the rarity of words is.
    derived: &'a [Memory],
}

impl<'a> Sources<'a> {
    pub(super) fn new(
        readings: [&'a Reading<'a>; 2],
        sight: &'a Sight,
        open: Vec<LineId>,
        waiting: &'a [Memory],
    ) -> Self {
        Self {
            readings,
            sight,
            open,
            waiting,
            embedders: Vec::new(),
            graphs: [None, None],
            derived: &[],
        }
    }

    /// Finds meanings with some embedders.
    pub(super) fn embedders(
        mut self,
        embedders: impl Iterator<Item = &'a dyn Embedder>,
        graphs: [Option<Arc<Graph>>; 2],
    ) -> Self {
        self.embedders = embedders.collect();
        self.graphs = graphs;
        self
    }

    /// Adds rejections that are in no store.
    pub(super) fn derived(mut self, derived: &'a [Memory]) -> Self {
        self.derived = derived;
        self
    }

    fn reaches(&self, reach: Reach, line: Option<LineId>) -> bool {
        match (reach, line) {
            (Reach::Elsewhere, None) => false,
            (Reach::Elsewhere, Some(line)) => {
                !self.sight.visible.contains(&line) && self.open.contains(&line)
            }
            (_, None) => true,
            (_, Some(line)) => self.sight.visible.contains(&line),
        }
    }

    /// Adds rejections of the history behind those that were written: the newest, or those with two of the words.
    fn add_derived(
        &self,
        selection: &MemorySelection<'_>,
        floor: f32,
        limit: usize,
        found: &mut Vec<(Memory, f32, Vec<String>)>,
    ) {
        let room = limit.saturating_sub(found.len()).min(DERIVED);
        let mut fitting: Vec<(Memory, f32, Vec<String>)> = Vec::new();
        for memory in self
            .derived
            .iter()
            .filter(|memory| self.accepts(selection, memory.kind, memory.scope.line))
        {
            if selection.words.is_empty() {
                if !memory.tags.iter().any(|tag| tag == UNEXPLAINED) {
                    fitting.push((memory.clone(), 0.0, Vec::new()));
                }
                continue;
            }
            let has = text::words(&memory.text);
            let words = selection.words.iter().map(|word| &word.word);
            let matched: Vec<String> = words.filter(|word| has.contains(word)).cloned().collect();
            if matched.len() >= SHARED {
                let score = if floor.is_finite() { floor } else { 1.0 };
                fitting.push((memory.clone(), score, matched));
            }
        }
        fitting.sort_by(|left, right| {
            (right.2.len().cmp(&left.2.len()))
                .then(right.0.updated.cmp(&left.0.updated))
                .then(left.0.id.cmp(&right.0.id))
        });
        found.extend(fitting.into_iter().take(room));
    }

    fn accepts(
        &self,
        selection: &MemorySelection<'_>,
        kind: MemoryKind,
        line: Option<LineId>,
    ) -> bool {
        (selection.kinds.is_empty() || selection.kinds.contains(&kind))
            && self.reaches(selection.reach, line)
    }
}

impl Sources<'_> {
    /// Compares a question with what waits in the inboxes, with a quick embedder: it has no vectors yet.
    fn nearest_waiting(
        &self,
        question: &str,
        selection: &MemorySelection<'_>,
    ) -> Result<Vec<NearMemory>> {
        let embedder = self.embedders.iter().find(|embedder| embedder.is_quick());
        let waiting: Vec<&Memory> = self
            .waiting
            .iter()
            .filter(|memory| self.accepts(selection, memory.kind, memory.scope.line))
            .take(MOST_WAITING)
            .collect();
        let (Some(embedder), false) = (embedder, waiting.is_empty()) else {
            return Ok(Vec::new());
        };
        let texts: Vec<String> = std::iter::once(question.to_owned())
            .chain(
                waiting
                    .iter()
                    .map(|memory| embedded_text(&memory.title, &memory.text)),
            )
            .collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let vectors = embedder.embed(&texts)?;
        let Some((asked, vectors)) = vectors.split_first() else {
            return Ok(Vec::new());
        };
        Ok(waiting
            .into_iter()
            .zip(vectors)
            .map(|(memory, vector)| {
                NearMemory::new(memory.clone(), cosine(asked, vector), embedder.id())
            })
            .collect())
    }
}

/// Returns the cosine of two vectors; 0 where one is zero.
fn cosine(one: &[f32], other: &[f32]) -> f32 {
    let product = |left: &[f32], right: &[f32]| -> f32 {
        left.iter()
            .zip(right)
            .map(|(left, right)| left * right)
            .sum()
    };
    let length = (product(one, one) * product(other, other)).sqrt();
    if length > 0.0 {
        product(one, other) / length
    } else {
        0.0
    }
}

impl MemorySource for Sources<'_> {
    fn search(&self, selection: &MemorySelection<'_>, limit: usize) -> Result<Vec<MemoryScore>> {
        if selection.reach == Reach::Elsewhere
            && self
                .open
                .iter()
                .all(|line| self.sight.visible.contains(line))
        {
            return Ok(Vec::new());
        }
        let accept = |card: &Card| self.accepts(selection, card.kind, card.line);
        let mut found = Vec::new();
        if selection.words.is_empty() {
            for reading in self.readings {
                found.extend(
                    reading
                        .newest(selection.kinds, limit, &accept)?
                        .into_iter()
                        .map(|memory| (memory, 0.0, Vec::new())),
                );
            }
        } else {
            let words: Vec<(String, f32)> = selection
                .words
                .iter()
                .map(|word| (word.word.clone(), word.weight))
                .collect();
            for reading in self.readings {
                found.extend(reading.search(&words, selection.kinds, limit, &accept)?);
            }
        }
        // The least score of what is indexed: what waits has no statistics yet and must not outrank it by accident.
        let floor = found
            .iter()
            .map(|(_, score, _)| *score)
            .fold(f32::INFINITY, f32::min);
        for memory in self
            .waiting
            .iter()
            .filter(|memory| self.accepts(selection, memory.kind, memory.scope.line))
        {
            let has = text::words(&format!("{} {}", memory.title, memory.text));
            let matched: Vec<String> = selection
                .words
                .iter()
                .filter(|word| has.contains(&word.word))
                .map(|word| word.word.clone())
                .collect();
            if selection.words.is_empty() || !matched.is_empty() {
                let score = if selection.words.is_empty() {
                    0.0
                } else if floor.is_finite() {
                    floor
                } else {
                    matched.len() as f32
                };
                found.push((memory.clone(), score, matched));
            }
        }
        if selection.words.is_empty() {
            found.sort_by(|a, b| b.0.updated.cmp(&a.0.updated).then(a.0.id.cmp(&b.0.id)));
        } else {
            found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.id.cmp(&b.0.id)));
        }
        found.truncate(limit);
        self.add_derived(selection, floor, limit, &mut found);
        Ok(found
            .into_iter()
            .map(|(memory, score, matched)| MemoryScore {
                memory,
                score,
                matched,
            })
            .collect())
    }

    fn citing(&self, path: &str, limit: usize) -> Result<Vec<Memory>> {
        let words = text::query_words(path);
        let accept = |card: &Card| self.reaches(Reach::Visible, card.line);
        let mut found = BTreeMap::new();
        for reading in self.readings {
            // Anchors are indexed by their words; a path's own words find those that cite it.
            for (memory, _, _) in reading.search(&words, &[], limit.saturating_mul(4), &accept)? {
                found.insert(memory.id, memory);
            }
        }
        let waiting = self
            .waiting
            .iter()
            .filter(|memory| self.reaches(Reach::Visible, memory.scope.line));
        found.extend(waiting.map(|memory| (memory.id, memory.clone())));
        let mut citing: Vec<Memory> = found
            .into_values()
            .filter(|memory| {
                memory
                    .anchors
                    .iter()
                    .any(|anchor| anchor.cited_path() == Some(path))
                    || memory.scope.path.is_some() && memory.scope.covers(path)
            })
            .collect();
        citing.sort_by(|a, b| b.updated.cmp(&a.updated).then(a.id.cmp(&b.id)));
        citing.truncate(limit);
        Ok(citing)
    }

    fn nearest(
        &self,
        question: &str,
        selection: &MemorySelection<'_>,
        limit: usize,
    ) -> Result<Vec<NearMemory>> {
        let accept = |card: &Card| self.accepts(selection, card.kind, card.line);
        let mut found: Vec<NearMemory> = Vec::new();
        let mut asked: Vec<EmbedderKey> = Vec::new();
        for embedder in &self.embedders {
            let key = EmbedderKey::of(*embedder);
            // The one beside stands in for what waits for a vector of the chosen one.
            let mut lacking = Vec::with_capacity(self.readings.len());
            for reading in self.readings {
                lacking.push(reading.lacks_vectors(&asked)?);
            }
            if !lacking.contains(&true) && !asked.is_empty() {
                break;
            }
            let vectors = embedder.embed(&[question])?;
            let Some(vector) = vectors.first() else {
                continue;
            };
            let stores = self.readings.into_iter().zip(&self.graphs).zip(lacking);
            for ((reading, graph), lacks) in stores {
                if !lacks {
                    continue;
                }
                let near = Asked {
                    embedder: key,
                    vector,
                    kinds: selection.kinds,
                    limit,
                    graph: graph.as_deref(),
                };
                let near = reading.nearest(&near, &accept)?;
                for (memory, cosine) in near {
                    if !reading.has_vector(&asked, memory.id)? {
                        found.push(NearMemory::new(memory, cosine, embedder.id()));
                    }
                }
            }
            asked.push(key);
        }
        found.extend(self.nearest_waiting(question, selection)?);
        found.sort_by(|a, b| {
            b.cosine
                .total_cmp(&a.cosine)
                .then(a.memory.id.cmp(&b.memory.id))
        });
        found.truncate(limit);
        Ok(found)
    }

    fn frequencies(&self, words: &[QueryWord]) -> Result<Frequencies> {
        let mut sum = Frequencies {
            memories: self.waiting.len() as u64,
            counts: vec![0; words.len()],
        };
        for reading in self.readings {
            let (memories, counts) =
                reading.frequencies(words.iter().map(|word| word.word.as_str()))?;
            sum.memories += memories;
            for (total, count) in sum.counts.iter_mut().zip(counts) {
                *total += count;
            }
        }
        Ok(sum)
    }
}

impl Inner {
    /// Returns the memories that wait in the inboxes of both stores, so that a process always sees its own writes.
    pub(super) fn waiting_memories(&self) -> Result<Vec<Memory>> {
        let mut waiting = Vec::new();
        for place in [&self.repository, &self.user] {
            waiting.extend(memories_of(&Self::waiting_drafts(place)?, place)?);
        }
        Ok(waiting)
    }
}

fn memories_of(drafts: &[Draft], place: &Place) -> Result<Vec<Memory>> {
    let mut memories: Vec<Memory> = Vec::new();
    for draft in drafts {
        match &draft.action {
            Action::Remember { memory } if place.ledger.get_deleted(memory.id)?.is_none() => {
                memories.push(Memory {
                    id: memory.id,
                    kind: memory.kind,
                    title: memory.title.clone(),
                    text: memory.text.clone(),
                    scope: memory.scope.clone(),
                    anchors: memory.anchors.clone(),
                    tags: memory.tags.clone(),
                    status: memory.status.clone(),
                    trust: memory.trust,
                    visibility: memory.visibility.clone(),
                    provenance: memory
                        .origin
                        .clone()
                        .unwrap_or_else(|| draft.provenance.clone()),
                    stats: memory
                        .past
                        .as_ref()
                        .map_or_else(Stats::default, |past| past.stats.clone()),
                    conflicts: Vec::new(),
                    created: draft.provenance.at,
                    updated: memory
                        .past
                        .as_ref()
                        .map_or(draft.provenance.at, |past| past.updated),
                    expires: memory.expires,
                    version: Vec::new(),
                });
            }
            Action::Delete { memory } | Action::Purge { memory } => {
                memories.retain(|known| known.id != *memory);
            }
            _ => {}
        }
    }
    memories.retain(|memory: &Memory| matches!(memory.status, Status::Active | Status::Pending));
    Ok(memories)
}

/// Finds one memory among those that wait.
pub(super) fn waiting_by_id(waiting: &[Memory], id: MemoryId) -> Option<&Memory> {
    waiting.iter().find(|memory| memory.id == id)
}
