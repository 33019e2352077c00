//! Memories in a list, searched by BM25, for tests of the retriever alone.

use std::collections::{BTreeMap, BTreeSet};

use memorax_core::repo::QueryWord;
use memorax_core::retrieve::{
    Frequencies, MemoryScore, MemorySelection, MemorySource, NearMemory, Reach, Sight,
};
use memorax_core::text::{word_counts, words};
use memorax_core::{Embedder, LineId, Memory, MemoryKind, Result, StaticEmbedder};
use serde_json::json;

/// Memories and the words of each.
#[derive(Default)]
pub(super) struct List {
    memories: Vec<(Memory, BTreeMap<String, u32>)>,
    /// Vectors of the memories, in their order; empty where meanings do not matter.
    vectors: Vec<Vec<f32>>,
    sight: Sight,
}

/// Builds a memory; `number` gives the id, the order and the date.
pub(super) fn memory(number: u32, kind: MemoryKind, text: &str) -> Memory {
    let at = format!("2026-01-{:02}T12:00:00Z", number % 28 + 1);
    serde_json::from_value(json!({
        "id": format!("00000000-0000-7000-8000-{number:012x}"),
        "kind": kind,
        "title": memorax_core::title_of(text),
        "text": text,
        "scope": { "repo": null, "line": null, "path": null },
        "anchors": [],
        "tags": [],
        "status": { "state": "active" },
        "trust": "user",
        "visibility": "local",
        "provenance": { "actor": "ada", "trust": "user", "at": at },
        "stats": { "repeated": 0, "recalled": 0, "helpful": 0, "harmful": 0 },
        "conflicts": [],
        "created": at,
        "updated": at,
        "expires": null,
    }))
    .expect("the fields are those of a memory")
}

impl List {
    pub(super) fn new(memories: impl IntoIterator<Item = Memory>, sight: Sight) -> Self {
        let memories = memories
            .into_iter()
            .map(|memory| {
                let words = word_counts(&memory.text).into_iter().collect();
                (memory, words)
            })
            .collect();
        Self {
            memories,
            vectors: Vec::new(),
            sight,
        }
    }

    /// Also finds meanings, with the built-in embedder.
    pub(super) fn embedded(mut self) -> Result<Self> {
        let texts: Vec<&str> = self
            .memories
            .iter()
            .map(|(memory, _)| memory.text.as_str())
            .collect();
        self.vectors = StaticEmbedder::new().embed(&texts)?;
        Ok(self)
    }

    fn reached(&self, memory: &Memory, reach: Reach) -> bool {
        self.sight.sees(&memory.scope) == (reach == Reach::Visible)
    }

    fn idf(&self, word: &str) -> f32 {
        let count = self.count(word) as f32;
        (1.0 + (self.memories.len() as f32 - count + 0.5) / (count + 0.5)).ln()
    }

    fn count(&self, word: &str) -> u64 {
        self.memories
            .iter()
            .filter(|(_, words)| words.contains_key(word))
            .count() as u64
    }
}

impl MemorySource for List {
    fn search(&self, selection: &MemorySelection<'_>, limit: usize) -> Result<Vec<MemoryScore>> {
        let lengths: u32 = self
            .memories
            .iter()
            .flat_map(|(_, words)| words.values())
            .sum();
        let average = lengths as f32 / self.memories.len().max(1) as f32;
        let mut found = Vec::new();
        for (memory, words) in &self.memories {
            if !self.reached(memory, selection.reach)
                || !selection.kinds.is_empty() && !selection.kinds.contains(&memory.kind)
            {
                continue;
            }
            let length = words.values().sum::<u32>() as f32;
            let mut score = 0.0;
            let mut matched = Vec::new();
            for word in selection.words {
                if let Some(count) = words.get(&word.word) {
                    let count = *count as f32;
                    let norm = 1.2 * (0.25 + 0.75 * length / average);
                    score += word.weight * self.idf(&word.word) * count * 2.2 / (count + norm);
                    matched.push(word.word.clone());
                }
            }
            if selection.words.is_empty() || !matched.is_empty() {
                found.push(MemoryScore {
                    memory: memory.clone(),
                    score,
                    matched,
                });
            }
        }
        if selection.words.is_empty() {
            found.sort_by_key(|hit| (std::cmp::Reverse(hit.memory.updated), hit.memory.id));
        } else {
            found.sort_by(|left, right| {
                right
                    .score
                    .total_cmp(&left.score)
                    .then(left.memory.id.cmp(&right.memory.id))
            });
        }
        found.truncate(limit);
        Ok(found)
    }

    fn citing(&self, path: &str, limit: usize) -> Result<Vec<Memory>> {
        let mut found: Vec<Memory> = self
            .memories
            .iter()
            .map(|(memory, _)| memory)
            .filter(|memory| {
                self.reached(memory, Reach::Visible)
                    && (memory
                        .anchors
                        .iter()
                        .any(|anchor| anchor.cited_path() == Some(path))
                        || memory.scope.path.is_some() && memory.scope.covers(path))
            })
            .cloned()
            .collect();
        found.truncate(limit);
        Ok(found)
    }

    fn nearest(
        &self,
        question: &str,
        selection: &MemorySelection<'_>,
        limit: usize,
    ) -> Result<Vec<NearMemory>> {
        let embedder = StaticEmbedder::new();
        let question = embedder.embed(&[question])?.remove(0);
        let cosine = |vector: &Vec<f32>| question.iter().zip(vector).map(|(x, y)| x * y).sum();
        let cosines: Vec<f32> = self.vectors.iter().map(cosine).collect();
        let mut near: Vec<NearMemory> = self
            .memories
            .iter()
            .zip(&cosines)
            .filter(|((memory, _), _)| {
                self.reached(memory, selection.reach)
                    && (selection.kinds.is_empty() || selection.kinds.contains(&memory.kind))
            })
            .map(|((memory, _), cosine)| NearMemory::new(memory.clone(), *cosine, embedder.id()))
            .collect();
        near.sort_by(|left, right| {
            right
                .cosine
                .total_cmp(&left.cosine)
                .then(left.memory.id.cmp(&right.memory.id))
        });
        near.truncate(limit);
        Ok(near)
    }

    fn frequencies(&self, words: &[QueryWord]) -> Result<Frequencies> {
        Ok(Frequencies {
            memories: self.memories.len() as u64,
            counts: words.iter().map(|word| self.count(&word.word)).collect(),
        })
    }
}

/// Lines of a fixture, split at tabs.
pub(super) fn rows(fixture: &str) -> impl Iterator<Item = Vec<&str>> {
    fixture.lines().map(|line| line.split('\t').collect())
}

/// A sight of no line at all.
pub(super) fn nowhere() -> Sight {
    Sight::new(None, BTreeSet::<LineId>::new())
}

/// Words that two texts share; for messages of failed tests.
pub(super) fn shared(left: &str, right: &str) -> Vec<String> {
    let right: BTreeSet<String> = words(right).into_iter().collect();
    words(left)
        .into_iter()
        .filter(|word| right.contains(word))
        .collect()
}
