//! Finds files by all the names of a query that they define, and by what was said of them in commit messages.

use std::collections::HashMap;

use super::open::View;
use super::search::{bm25, found, idf};
use crate::repo::{FileScore, QueryWord, RepositoryView};
use crate::{Result, SymbolKind};

/// A name that more files define than this, and than one in twenty, says nothing.
const COMMON: usize = 8;
/// Commits with more files do not say what their message is about.
const WIDEST: usize = 8;
/// Commits that have a word, the newest first, of which messages are counted.
const MOST_COMMITS: usize = 2000;
/// How much the length of a file's messages counts, a little less than usual.
const B: f32 = 0.7;

impl View {
    /// Adds up the names that a file defines, rare ones counting more: `ln(1 + files / defining files)` times the kind.
    pub(super) fn search_all_names(&self, words: &[QueryWord]) -> Result<Vec<FileScore>> {
        let count = self.rows.len();
        let mut sums: HashMap<u32, (f32, u32)> = HashMap::new();
        for query in words {
            let mut files: HashMap<u32, (f32, u32)> = HashMap::new();
            for found in self.defined(|segment| &segment.names, &query.word)? {
                let kind = match found.row.kind {
                    SymbolKind::Type => 1.0,
                    SymbolKind::Function | SymbolKind::Macro => 0.7,
                    SymbolKind::Heading => continue,
                    _ => 0.4,
                };
                for file in found.files {
                    let slot = files.entry(*file).or_insert((0.0, found.row.line));
                    slot.0 = f32::max(slot.0, kind);
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
            let mut commits: Vec<(u32, u32)> = self
                .saying(&query.word)?
                .into_iter()
                .map(|(age, times, _)| (age, times))
                .collect();
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
                let length = changes[file] / average.max(1.0);
                scores[file] += bm25(query.weight * idf, count, length, B);
            }
        }
        Ok(found(&scores))
    }
}
