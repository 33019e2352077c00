//! The file of issues beside the index: replaced whole, and searched by words.

use std::collections::BTreeMap;
use std::path::Path;

use super::Issue;
use crate::repo::QueryWord;
use crate::repo::format::{Container, Kind, Lexicon, LexiconWriter, put_u32, seal, u32_at};
use crate::text::for_each_word;
use crate::{Error, ErrorKind, Result, disk};

/// Name of the file; the sweep of the index knows only its own.
const NAME: &str = "issues.kept";
const KIND: Kind = Kind {
    number: 5,
    recipe: 1,
};
const ROWS: usize = 0;
const TEXTS: usize = 1;
const LENGTHS: usize = 2;
const WORDS: usize = 3;
/// How much a word of the title counts.
const TITLE: u32 = 3;
/// The usual values of BM25.
const K1: f32 = 1.2;
const B: f32 = 0.75;

/// Issues that were read before.
#[derive(Debug)]
pub(in crate::repo) struct Kept {
    /// Without their texts.
    pub(in crate::repo) issues: Vec<Issue>,
    container: Container,
    words: Lexicon,
}

/// An issue that has words of a query.
#[derive(Clone, Debug)]
pub(in crate::repo) struct Match {
    /// Position among the issues.
    pub(in crate::repo) issue: usize,
    pub(in crate::repo) score: f32,
    pub(in crate::repo) words: Vec<String>,
}

impl Match {
    fn new(issue: usize) -> Self {
        Self {
            issue,
            score: 0.0,
            words: Vec::new(),
        }
    }
}

impl Kept {
    /// Opens the file in a cache's folder; `None` where there is none, or none that can be read.
    pub(in crate::repo) fn open(folder: &Path) -> Option<Self> {
        let path = folder.join(NAME);
        if !path.is_file() {
            return None;
        }
        let container = Container::open(&path, KIND).ok()?;
        let rows = container.section(ROWS).ok()?;
        let issues = serde_json::from_slice(&rows).ok()?;
        Some(Self {
            issues,
            container,
            words: Lexicon::new(WORDS),
        })
    }

    /// Finds issues by words of their titles and texts (BM25), best first.
    pub(in crate::repo) fn search(&self, words: &[QueryWord], limit: usize) -> Result<Vec<Match>> {
        let lengths = self.container.section(LENGTHS)?;
        let count = self.issues.len();
        let total: u32 = (0..count).map(|at| u32_at(&lengths, at * 4)).sum();
        let average = (total as f32 / count.max(1) as f32).max(1.0);
        let mut scores: Vec<Match> = (0..count).map(Match::new).collect();
        for query in words {
            let Some(postings) = self.words.find(&self.container, &query.word)? else {
                continue;
            };
            let mut found = Vec::new();
            postings
                .each(|issue, times| found.push((issue as usize, times)))
                .ok_or_else(|| self.container.damage())?;
            let among = found.len() as f32;
            let idf = ((count as f32 - among + 0.5) / (among + 0.5)).ln_1p();
            for (issue, times) in found {
                let length = u32_at(&lengths, issue * 4) as f32 / average;
                let times = times as f32;
                let norm = K1 * (1.0 - B + B * length);
                if let Some(found) = scores.get_mut(issue) {
                    found.score += query.weight * idf * times * (K1 + 1.0) / (times + norm);
                    found.words.push(query.word.clone());
                }
            }
        }
        scores.retain(|found| found.score > 0.0);
        scores.sort_by(|left, right| {
            right
                .score
                .total_cmp(&left.score)
                .then(left.issue.cmp(&right.issue))
        });
        scores.truncate(limit);
        Ok(scores)
    }

    /// Returns when the newest of them changed.
    fn newest(&self) -> Option<String> {
        let updated = self.issues.iter().map(|issue| issue.updated.clone());
        updated.max().filter(|updated| !updated.is_empty())
    }

    fn whole(&self) -> Result<Vec<Issue>> {
        let texts = self.container.section(TEXTS)?;
        let texts: Vec<String> =
            serde_json::from_slice(&texts).map_err(|_| self.container.damage())?;
        let issues = self.issues.iter().cloned().zip(texts);
        Ok(issues
            .map(|(issue, text)| Issue { text, ..issue })
            .collect())
    }
}

/// Adds issues to those that are kept in a cache's folder: of one number the later reading counts, and at most `limit` of
/// issues and of requests are kept, those that changed last. Returns how many there are then.
///
/// They must be redacted already.
pub fn keep_issues(folder: &Path, issues: Vec<Issue>, limit: usize) -> Result<usize> {
    let mut by_number: BTreeMap<(bool, u64), Issue> = BTreeMap::new();
    let before = match Kept::open(folder) {
        // A damaged file is made anew from what comes.
        Some(kept) => kept.whole().unwrap_or_default(),
        None => Vec::new(),
    };
    for issue in before.into_iter().chain(issues) {
        by_number.insert((issue.request, issue.number), issue);
    }
    let mut kept: Vec<Issue> = by_number.into_values().collect();
    kept.sort_by(|left, right| {
        (left.request.cmp(&right.request))
            .then_with(|| right.updated.cmp(&left.updated))
            .then(right.number.cmp(&left.number))
    });
    let mut counts = [0_usize; 2];
    kept.retain(|issue| {
        let count = &mut counts[usize::from(issue.request)];
        *count += 1;
        *count <= limit
    });
    let bytes = written(&kept)?;
    disk::create_dir_private(folder)?;
    disk::write_atomic(&folder.join(NAME), &bytes)?;
    Ok(kept.len())
}

/// Returns when the newest issue that is kept changed, as RFC 3339: what is asked for since then is new.
pub fn issues_since(folder: &Path) -> Option<String> {
    Kept::open(folder)?.newest()
}

fn written(issues: &[Issue]) -> Result<Vec<u8>> {
    let mut words = LexiconWriter::default();
    let mut lengths = Vec::new();
    for (number, issue) in issues.iter().enumerate() {
        let mut length = 0;
        for (text, times) in [(&issue.title, TITLE), (&issue.text, 1)] {
            for_each_word(text, &mut |word| {
                length += times;
                words.add(word, number as u32, times);
            });
        }
        put_u32(&mut lengths, length);
    }
    let json = |value: serde_json::Result<Vec<u8>>| {
        value.map_err(|error| {
            Error::new(ErrorKind::InvalidInput, "cannot write the issues").with_source(error)
        })
    };
    let texts: Vec<&str> = issues.iter().map(|issue| issue.text.as_str()).collect();
    let rows: Vec<Issue> = issues
        .iter()
        .map(|issue| Issue {
            text: String::new(),
            ..issue.clone()
        })
        .collect();
    let mut sections = vec![
        json(serde_json::to_vec(&rows))?,
        json(serde_json::to_vec(&texts))?,
        lengths,
    ];
    sections.extend(words.finish());
    Ok(seal(KIND, &sections))
}
