//! Finds files by all the names of a query that they define, and by what was said of them in commit messages.

use std::collections::HashMap;

use super::layout::NONE;
use super::open::View;
use super::search::idf;
use crate::repo::{FileScore, QueryWord, RepositoryView};
use crate::{Result, SymbolKind};

/// A name that more files define than this, and than one in twenty, says nothing.
const COMMON: usize = 8;
/// Commits with more files do not say what their message is about.
const WIDEST: usize = 8;
/// Commits that have a word, the newest first, of which messages are counted.
const MOST_COMMITS: usize = 2000;
/// Saturation and length of BM25 over the messages of a file; the length counts a little less than usual.
const K1: f32 = 1.2;
const B: f32 = 0.7;

impl View {
    /// Adds up the names that a file defines, rare ones counting more: `ln(1 + files / defining files)` times the kind.
    pub(super) fn search_all_names(&self, words: &[QueryWord]) -> Result<Vec<FileScore>> {
        let owners = self.owners();
        let count = self.rows.len();
        let mut sums: HashMap<u32, (f32, u32)> = HashMap::new();
        for query in words {
            let mut files: HashMap<u32, (f32, u32)> = HashMap::new();
            for (number, segment) in self.code.iter().enumerate() {
                let Some(postings) = segment.names.find(&segment.container, &query.word)? else {
                    continue;
                };
                let mut symbols = Vec::new();
                postings
                    .each(|symbol, _| symbols.push(symbol))
                    .ok_or_else(|| segment.container.damage())?;
                for symbol in symbols {
                    let row = segment.symbol(symbol)?;
                    let kind = match row.kind {
                        SymbolKind::Type => 1.0,
                        SymbolKind::Function | SymbolKind::Macro => 0.7,
                        SymbolKind::Heading => continue,
                        _ => 0.4,
                    };
                    for file in owners.get(&(number as u32, row.blob)).into_iter().flatten() {
                        let slot = files.entry(*file).or_insert((0.0, row.line));
                        slot.0 = f32::max(slot.0, kind);
                    }
                }
            }
            if files.len() > COMMON.max(count / 20) {
                continue;
            }
            let rarity = (count as f32 / files.len().max(1) as f32).ln_1p() * query.weight;
            for (file, (kind, line)) in files {
                let slot = sums.entry(file).or_insert((0.0, line));
                slot.0 += rarity * kind;
            }
        }
        Ok(sums
            .into_iter()
            .map(|(file, (score, line))| FileScore { file, score, line })
            .collect())
    }

    /// Takes the messages of the commits that changed a file as one text, and ranks files by it (BM25). The length of
    /// that text is estimated from the number of commits.
    pub(super) fn search_messages(&self, words: &[QueryWord]) -> Result<Vec<FileScore>> {
        let ages = self.ages()?;
        let changes: Vec<f32> = RepositoryView::files(self)?
            .iter()
            .map(|file| file.changes as f32)
            .collect();
        let documents = changes.iter().filter(|changes| **changes > 0.0).count();
        let average = changes.iter().sum::<f32>() / (documents as f32).max(1.0);
        let mut scores = vec![0.0_f32; changes.len()];
        let mut times = vec![0_u32; changes.len()];
        let mut touched: Vec<usize> = Vec::new();
        for query in words {
            let mut commits: Vec<(u32, u32)> = Vec::new();
            for (segment, ages) in self.history.iter().zip(ages) {
                let Some(postings) = segment.words.find(&segment.container, &query.word)? else {
                    continue;
                };
                postings
                    .each(|ordinal, times| {
                        let age = ages.get(ordinal as usize).copied().unwrap_or(NONE);
                        if age != NONE {
                            commits.push((age, times));
                        }
                    })
                    .ok_or_else(|| segment.container.damage())?;
            }
            commits.sort_unstable();
            for (age, count) in commits.into_iter().take(MOST_COMMITS) {
                let files = self.list(&self.commit_files, age)?;
                if files.len() > WIDEST {
                    continue;
                }
                for file in files.into_iter().map(|file| file as usize) {
                    let Some(slot) = times.get_mut(file) else {
                        continue;
                    };
                    if *slot == 0 {
                        touched.push(file);
                    }
                    *slot += count;
                }
            }
            let idf = idf(touched.len(), documents.max(touched.len()));
            for file in touched.drain(..) {
                let count = std::mem::take(&mut times[file]) as f32;
                let norm = K1 * (1.0 - B + B * changes[file] / average.max(1.0));
                scores[file] += query.weight * idf * count * (K1 + 1.0) / (count + norm);
            }
        }
        Ok(scores
            .into_iter()
            .enumerate()
            .filter(|(_, score)| *score > 0.0)
            .map(|(file, score)| FileScore {
                file: file as u32,
                score,
                line: 0,
            })
            .collect())
    }
}
