//! Finds files by words: BM25 over chunks and over paths, exact names, and words of names.

use std::collections::HashMap;

use super::layout::NONE;
use super::open::View;
use crate::repo::code::{CodeSegment, SymbolRow};
use crate::repo::format::Lexicon;
use crate::repo::{FileScore, QueryWord};
use crate::{Result, SymbolKind};

/// Saturation of repeated words; Robertson's usual value.
const K1: f32 = 1.2;
/// How much the length of a chunk counts, and of a path; measured over code searches.
const CHUNK_B: f32 = 0.75;
const PATH_B: f32 = 0.3;
/// What the best, second and third chunk of a file count.
const CHUNKS: [f32; 3] = [1.0, 0.5, 0.25];
/// How often the words of a file's name count in each of its chunks, and those of its path.
const STEM_TIMES: u32 = 3;

/// Numbers of the view's chunks: a file's are consecutive.
#[derive(Debug)]
pub(super) struct CodeIndex {
    /// First chunk of each file, and the number of all chunks.
    first: Vec<u32>,
    /// By segment, the chunk of the first file that has it.
    of_segment: Vec<Vec<u32>>,
    /// File of each chunk.
    file: Vec<u32>,
    /// Words of each chunk, those of the path included.
    length: Vec<u32>,
    /// Next file with the same content.
    twin: Vec<u32>,
}

impl View {
    fn code_index(&self) -> Result<&CodeIndex> {
        if let Some(index) = self.code_index.get() {
            return Ok(index);
        }
        let mut index = CodeIndex {
            first: Vec::with_capacity(self.rows.len() + 1),
            of_segment: self
                .code
                .iter()
                .map(|segment| vec![NONE; segment.chunk_count()])
                .collect(),
            file: Vec::with_capacity(self.meta.chunks as usize),
            length: Vec::with_capacity(self.meta.chunks as usize),
            twin: vec![NONE; self.rows.len()],
        };
        for (file, row) in self.rows.iter().enumerate() {
            index.first.push(index.file.len() as u32);
            if row.segment == NONE || row.chunks == 0 {
                continue;
            }
            let segment = &self.code[row.segment as usize];
            let of_segment = &mut index.of_segment[row.segment as usize];
            let base = index.file.len() as u32;
            let added = u32::from(row.stem_words) * STEM_TIMES + u32::from(row.path_words);
            for offset in 0..row.chunks {
                let chunk = row.first_chunk + offset;
                index.file.push(file as u32);
                index.length.push(segment.chunk(chunk)?.words + added);
                let slot = of_segment
                    .get_mut(chunk as usize)
                    .ok_or_else(|| segment.container.damage())?;
                if *slot == NONE {
                    *slot = base + offset;
                } else if offset == 0 {
                    let mut last = index.file[*slot as usize];
                    while index.twin[last as usize] != NONE {
                        last = index.twin[last as usize];
                    }
                    index.twin[last as usize] = file as u32;
                }
            }
        }
        index.first.push(index.file.len() as u32);
        Ok(self.code_index.get_or_init(|| index))
    }

    pub(super) fn search_code(&self, words: &[QueryWord]) -> Result<Vec<FileScore>> {
        let index = self.code_index()?;
        let count = index.file.len();
        let average = self.meta.chunk_words as f32 / (count as f32).max(1.0);
        let mut scores = vec![0.0_f32; count];
        let mut times = vec![0_u32; count];
        let mut touched: Vec<u32> = Vec::new();
        let mut files = vec![false; self.rows.len()];
        for query in words {
            self.count_in_chunks(index, &query.word, &mut times, &mut touched)?;
            let idf = idf(touched.len(), count);
            for chunk in touched.drain(..) {
                let chunk = chunk as usize;
                let frequency = times[chunk] as f32;
                times[chunk] = 0;
                let length = index.length[chunk] as f32 / average;
                scores[chunk] += bm25(query.weight * idf, frequency, length, CHUNK_B);
                files[index.file[chunk] as usize] = true;
            }
        }
        let mut found = Vec::new();
        for file in (0..files.len()).filter(|file| files[*file]) {
            let (from, to) = (index.first[file] as usize, index.first[file + 1] as usize);
            let (score, best) = combine(&scores[from..to]);
            if score > 0.0 {
                let row = &self.rows[file];
                let chunk = row.first_chunk + best as u32;
                found.push(FileScore {
                    file: file as u32,
                    score,
                    line: self.code[row.segment as usize].chunk(chunk)?.line,
                });
            }
        }
        Ok(found)
    }

    /// Ranks files by their whole text: a file in which words stand far apart is found too.
    pub(super) fn search_whole(&self, words: &[QueryWord]) -> Result<Vec<FileScore>> {
        let index = self.code_index()?;
        let files = self.rows.len();
        let lengths: Vec<f32> = index
            .first
            .windows(2)
            .map(|bounds| {
                let chunks = &index.length[bounds[0] as usize..bounds[1] as usize];
                chunks.iter().map(|words| *words as f32).sum()
            })
            .collect();
        let texts = lengths
            .iter()
            .filter(|length| **length > 0.0)
            .count()
            .max(1);
        let average = (lengths.iter().sum::<f32>() / texts as f32).max(1.0);
        let mut times = vec![0_u32; index.file.len()];
        let mut touched: Vec<u32> = Vec::new();
        let mut scores = vec![0.0_f32; files];
        let mut counts = vec![0_u32; files];
        for query in words {
            self.count_in_chunks(index, &query.word, &mut times, &mut touched)?;
            let mut found = Vec::new();
            for chunk in touched.drain(..) {
                let file = index.file[chunk as usize] as usize;
                if counts[file] == 0 {
                    found.push(file);
                }
                counts[file] += std::mem::take(&mut times[chunk as usize]);
            }
            let idf = idf(found.len(), texts.max(found.len()));
            for file in found {
                let count = std::mem::take(&mut counts[file]) as f32;
                let length = lengths[file] / average;
                scores[file] += bm25(query.weight * idf, count, length, CHUNK_B);
            }
        }
        Ok(found(&scores))
    }

    /// Returns for each word the files that have it, in their text or their path; sorted.
    pub(super) fn holders(&self, words: &[QueryWord]) -> Result<Vec<Vec<u32>>> {
        let index = self.code_index()?;
        let mut times = vec![0_u32; index.file.len()];
        let mut touched: Vec<u32> = Vec::new();
        let mut holders = Vec::with_capacity(words.len());
        for query in words {
            self.count_in_chunks(index, &query.word, &mut times, &mut touched)?;
            let mut files: Vec<u32> = Vec::new();
            for chunk in touched.drain(..) {
                times[chunk as usize] = 0;
                files.push(index.file[chunk as usize]);
            }
            files.sort_unstable();
            files.dedup();
            holders.push(files);
        }
        Ok(holders)
    }

    /// Counts a word in every chunk of the view: in its text, and in the path of its file.
    fn count_in_chunks(
        &self,
        index: &CodeIndex,
        word: &str,
        times: &mut [u32],
        touched: &mut Vec<u32>,
    ) -> Result<()> {
        let mut count = |chunk: u32, more: u32| {
            if let Some(slot) = times.get_mut(chunk as usize) {
                if *slot == 0 {
                    touched.push(chunk);
                }
                *slot += more;
            }
        };
        for (segment, of_segment) in self.code.iter().zip(&index.of_segment) {
            let Some(postings) = segment.words.find(&segment.container, word)? else {
                continue;
            };
            let whole = postings.each(|chunk, more| {
                let Some(&number) = of_segment.get(chunk as usize) else {
                    return;
                };
                if number == NONE {
                    return;
                }
                count(number, more);
                let first = index.file[number as usize];
                let offset = number - index.first[first as usize];
                let mut twin = index.twin[first as usize];
                while twin != NONE {
                    count(index.first[twin as usize] + offset, more);
                    twin = index.twin[twin as usize];
                }
            });
            whole.ok_or_else(|| segment.container.damage())?;
        }
        for (lexicon, factor) in [(&self.stem_words, STEM_TIMES), (&self.path_words, 1)] {
            let Some(postings) = lexicon.find(&self.container, word)? else {
                continue;
            };
            let whole = postings.each(|file, more| {
                let file = file as usize;
                if file + 1 < index.first.len() {
                    for chunk in index.first[file]..index.first[file + 1] {
                        count(chunk, more * factor);
                    }
                }
            });
            whole.ok_or_else(|| self.container.damage())?;
        }
        Ok(())
    }

    pub(super) fn search_paths(&self, words: &[QueryWord]) -> Result<Vec<FileScore>> {
        let count = self.rows.len();
        let average = self.meta.path_words as f32 / (count as f32).max(1.0);
        let mut scores: HashMap<u32, f32> = HashMap::new();
        for query in words {
            let Some(postings) = self.path_words.find(&self.container, &query.word)? else {
                continue;
            };
            let mut files = Vec::new();
            postings
                .each(|file, times| files.push((file, times)))
                .ok_or_else(|| self.container.damage())?;
            let idf = idf(files.len(), count);
            for (file, times) in files {
                let words = self.rows.get(file as usize).map_or(0, |row| row.path_words);
                let length = f32::from(words) / average;
                *scores.entry(file).or_insert(0.0) +=
                    bm25(query.weight * idf, times as f32, length, PATH_B);
            }
        }
        Ok(scores
            .into_iter()
            .map(|(file, score)| FileScore {
                file,
                score,
                line: 0,
            })
            .collect())
    }

    pub(super) fn search_names(&self, words: &[QueryWord]) -> Result<Vec<FileScore>> {
        let mut best: HashMap<u32, (f32, u32)> = HashMap::new();
        for query in words {
            for Defined { row, files, .. } in self.defined(|segment| &segment.names, &query.word)? {
                let score = match row.kind {
                    SymbolKind::Type => 1.0,
                    // A heading names what it is about; it defines nothing.
                    SymbolKind::Heading => continue,
                    _ => 0.5,
                };
                for file in files {
                    offer(&mut best, *file, score * query.weight, row.line);
                }
            }
        }
        Ok(scored(best))
    }

    pub(super) fn search_definitions(&self, words: &[QueryWord]) -> Result<Vec<FileScore>> {
        let mut hits: HashMap<(u32, u32), Named<'_>> = HashMap::new();
        let mut all = 0.0;
        for query in words {
            let matches = self.defined(|segment| &segment.parts, &query.word)?;
            let count: usize = matches.iter().map(|found| found.files.len()).sum();
            let idf = idf(count, self.meta.info.symbols.max(count)) * query.weight;
            all += idf;
            for Defined { place, row, files } in matches {
                let hit = hits.entry(place).or_insert(Named {
                    row,
                    files,
                    share: 0.0,
                    matched: 0,
                });
                hit.share += idf;
                hit.matched += 1;
            }
        }
        let mut best: HashMap<u32, (f32, u32)> = HashMap::new();
        for hit in hits.into_values() {
            let words = f32::from(hit.row.words.max(1));
            let score = hit.share / all * (hit.matched as f32 / words).min(1.0).sqrt();
            for file in hit.files {
                offer(&mut best, *file, score, hit.row.line);
            }
        }
        Ok(scored(best))
    }

    /// Returns the definitions that a lexicon of the segments has under a word, each with the files that have
    /// it. What is kept of content that is gone does not count.
    pub(super) fn defined(
        &self,
        lexicon: impl Fn(&CodeSegment) -> &Lexicon,
        word: &str,
    ) -> Result<Vec<Defined<'_>>> {
        let owners = self.owners();
        let mut found = Vec::new();
        for (number, segment) in self.code.iter().enumerate() {
            let Some(postings) = lexicon(segment).find(&segment.container, word)? else {
                continue;
            };
            let mut symbols = Vec::new();
            postings
                .each(|symbol, _| symbols.push(symbol))
                .ok_or_else(|| segment.container.damage())?;
            for symbol in symbols {
                let row = segment.symbol(symbol)?;
                if let Some(files) = owners.get(&(number as u32, row.blob)) {
                    found.push(Defined {
                        place: (number as u32, symbol),
                        row,
                        files,
                    });
                }
            }
        }
        Ok(found)
    }

    /// Returns the files that have each blob.
    fn owners(&self) -> &HashMap<(u32, u32), Vec<u32>> {
        self.owners.get_or_init(|| {
            let mut owners: HashMap<_, Vec<u32>> = HashMap::with_capacity(self.rows.len());
            for (file, row) in self.rows.iter().enumerate() {
                if row.segment != NONE {
                    let files = owners.entry((row.segment, row.blob)).or_default();
                    files.push(file as u32);
                }
            }
            owners
        })
    }
}

/// A definition that a lexicon has under a word, and the files that have it.
pub(super) struct Defined<'a> {
    /// Its segment and its number there.
    place: (u32, u32),
    pub(super) row: SymbolRow,
    pub(super) files: &'a [u32],
}

/// A definition whose name has words of a query.
struct Named<'a> {
    row: SymbolRow,
    files: &'a [u32],
    share: f32,
    matched: u32,
}

/// Keeps a file's best score; among equals, the first line.
fn offer(best: &mut HashMap<u32, (f32, u32)>, file: u32, score: f32, line: u32) {
    let slot = best.entry(file).or_insert((0.0, 0));
    if score > slot.0 || (score >= slot.0 && line < slot.1) {
        *slot = (score, line);
    }
}

fn scored(best: HashMap<u32, (f32, u32)>) -> Vec<FileScore> {
    best.into_iter()
        .filter(|(_, (score, _))| *score > 0.0)
        .map(|(file, (score, line))| FileScore { file, score, line })
        .collect()
}

/// Returns what a word adds to the score of a text (BM25): `weight` is its rarity times its weight in the query, `length`
/// the length of the text by the mean one, and `b` how much that counts.
pub(super) fn bm25(weight: f32, times: f32, length: f32, b: f32) -> f32 {
    let norm = K1 * (1.0 - b + b * length);
    weight * times * (K1 + 1.0) / (times + norm)
}

/// Returns the files with a score above 0, of one score a file.
pub(super) fn found(scores: &[f32]) -> Vec<FileScore> {
    let scores = scores.iter().copied().enumerate();
    scores
        .filter(|(_, score)| *score > 0.0)
        .map(|(file, score)| FileScore {
            file: file as u32,
            score,
            line: 0,
        })
        .collect()
}

/// Rarity of what occurs in `among` of `count` things.
pub(super) fn idf(among: usize, count: usize) -> f32 {
    let (among, count) = (among as f32, count as f32);
    ((count - among + 0.5) / (among + 0.5)).ln_1p()
}

/// Adds up the three best chunks; returns the score and the best chunk's place.
fn combine(scores: &[f32]) -> (f32, usize) {
    let mut best = [(0.0_f32, 0_usize); CHUNKS.len()];
    for (place, score) in scores.iter().enumerate() {
        let rank = best.iter().position(|(held, _)| score > held);
        if let Some(rank) = rank {
            best[rank..].rotate_right(1);
            best[rank] = (*score, place);
        }
    }
    let sum = best
        .iter()
        .zip(CHUNKS)
        .map(|((score, _), part)| score * part)
        .sum();
    (sum, best[0].1)
}

#[cfg(test)]
mod tests {
    use super::combine;

    #[test]
    fn a_file_is_its_three_best_chunks() {
        assert_eq!(combine(&[1.0, 4.0, 0.0, 2.0, 8.0]), (8.0 + 2.0 + 0.5, 4));
        assert_eq!(combine(&[0.0, 3.0]), (3.0, 1));
        assert_eq!(combine(&[]), (0.0, 0));
    }
}
