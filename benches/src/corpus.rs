//! BM25 over documents that come and go.

use std::collections::HashMap;

use memorax_core::repo::QueryWord;

const K1: f32 = 1.2;

/// Documents with owners, searched by BM25.
#[derive(Debug)]
pub(crate) struct Corpus {
    b: f32,
    terms: HashMap<String, u32>,
    postings: Vec<Vec<(u32, u32)>>,
    counts: Vec<u32>,
    documents: Vec<Document>,
    live: usize,
    length: u64,
}

#[derive(Debug)]
struct Document {
    owner: u32,
    length: u32,
    terms: Vec<(u32, u32)>,
    alive: bool,
}

impl Corpus {
    pub(crate) fn new(b: f32) -> Self {
        Self {
            b,
            terms: HashMap::new(),
            postings: Vec::new(),
            counts: Vec::new(),
            documents: Vec::new(),
            live: 0,
            length: 0,
        }
    }

    pub(crate) fn add(&mut self, owner: u32, words: &[(String, u32)]) -> u32 {
        let document = u32::try_from(self.documents.len()).expect("fewer than 2^32 documents");
        let mut terms = Vec::with_capacity(words.len());
        let mut length = 0;
        for (word, count) in words {
            let term = self.terms.get(word).copied().unwrap_or_else(|| {
                let term = u32::try_from(self.postings.len()).expect("fewer than 2^32 terms");
                self.terms.insert(word.clone(), term);
                self.postings.push(Vec::new());
                self.counts.push(0);
                term
            });
            self.postings[term as usize].push((document, *count));
            self.counts[term as usize] += 1;
            terms.push((term, *count));
            length += count;
        }
        self.documents.push(Document {
            owner,
            length,
            terms,
            alive: true,
        });
        self.live += 1;
        self.length += u64::from(length);
        document
    }

    pub(crate) fn remove(&mut self, document: u32) {
        let gone = &mut self.documents[document as usize];
        if !gone.alive {
            return;
        }
        gone.alive = false;
        self.live -= 1;
        self.length -= u64::from(gone.length);
        for (term, _) in std::mem::take(&mut gone.terms) {
            let term = term as usize;
            self.counts[term] -= 1;
            let list = &mut self.postings[term];
            if let Ok(place) = list.binary_search_by_key(&document, |(document, _)| *document) {
                list.remove(place);
            }
        }
    }

    /// Scores every document that has a word: (owner, document, score).
    pub(crate) fn search(&self, words: &[QueryWord]) -> Vec<(u32, u32, f32)> {
        let mut scores: HashMap<u32, f32> = HashMap::new();
        let average = self.length as f32 / self.live.max(1) as f32;
        for word in words {
            let Some(term) = self.terms.get(&word.word) else {
                continue;
            };
            let count = self.counts[*term as usize] as f32;
            let idf = (1.0 + (self.live as f32 - count + 0.5) / (count + 0.5)).ln();
            for (document, frequency) in &self.postings[*term as usize] {
                let frequency = *frequency as f32;
                let length = self.documents[*document as usize].length as f32;
                let norm = K1 * (1.0 - self.b + self.b * length / average.max(1.0));
                *scores.entry(*document).or_default() +=
                    word.weight * idf * frequency * (K1 + 1.0) / (frequency + norm);
            }
        }
        let mut found: Vec<_> = scores
            .into_iter()
            .map(|(document, score)| (self.documents[document as usize].owner, document, score))
            .collect();
        found.sort_by(|left, right| right.2.total_cmp(&left.2).then(left.1.cmp(&right.1)));
        found
    }
}
