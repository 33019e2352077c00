//! Which files a task is about: a weighted sum of max-normalised sources.

use std::collections::HashSet;

use crate::repo::{Field, FileScore, QueryWord, RepositoryView};
use crate::text;
use crate::{FileHit, FileInfo, FileRole, Query, Result, Signal, Source};

use super::votes::{cochange, votes};
use super::{Analysis, Intent};

/// Files that each search gives.
const DEPTH: usize = 100;
/// Files whose companions are looked up.
const SEEDS: usize = 5;
/// Age in commits at which recency counts 1/e.
const RECENT: f32 = 100.0;
/// Definitions that are named with a file.
const SYMBOLS: usize = 3;

/// How much each source counts. Every source is divided by its greatest score first.
///
/// The defaults were set by hand and hold for every repository; equal-weight rank fusion of the same sources is clearly
/// worse (nDCG@10 .58 against .67 over five histories).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FileWeights {
    /// Words of the text.
    pub code: f32,
    /// Words of the path.
    pub path: f32,
    /// Exact definitions.
    pub symbol: f32,
    /// Words of the names of definitions.
    pub definition: f32,
    /// Votes of past commits.
    pub history: f32,
    /// The same, decayed by age.
    pub decayed: f32,
    /// Files that change together with the best ones.
    pub cochange: f32,
    /// The query names the file.
    pub mention: f32,
    /// It changed lately.
    pub recency: f32,
    /// The query works on it or below it.
    pub scope: f32,
    /// Factor on what words say about tests, unless the query asks for tests or is a change.
    pub tests: f32,
    /// Factor on what words say about documents and examples, unless the query asks for them.
    pub documents: f32,
    /// Factor on everything about generated and vendored files.
    pub foreign: f32,
}

impl Default for FileWeights {
    fn default() -> Self {
        Self {
            code: 1.0,
            path: 0.6,
            symbol: 0.6,
            definition: 0.3,
            history: 0.5,
            decayed: 1.0,
            cochange: 0.5,
            mention: 0.6,
            recency: 0.2,
            scope: 0.3,
            tests: 0.3,
            documents: 0.5,
            foreign: 0.3,
        }
    }
}

/// Ranks the files of a view; best first, ties by path. Only files with evidence beside recency are returned.
pub(super) fn rank(
    view: &dyn RepositoryView,
    analysis: &Analysis,
    query: &Query,
    weights: &FileWeights,
) -> Result<Vec<FileHit>> {
    let files = view.files()?;
    if files.is_empty() || query.files == 0 {
        return Ok(Vec::new());
    }
    let named = mentions(files, analysis, &query.text);
    // Change logs and locks accompany every change: they are an answer only when they are named.
    let ignored: Vec<bool> = files
        .iter()
        .zip(&named)
        .map(|(file, named)| is_record(&file.path) && *named == 0.0)
        .collect();
    let mut board = Board::new(files, &ignored);
    let words = &analysis.words;
    let code = view.search(Field::Code, words, DEPTH)?;
    board.search(Source::Code, weights.code, &code);
    board.search(
        Source::Path,
        weights.path,
        &view.search(Field::Path, words, DEPTH)?,
    );
    board.search(
        Source::Code,
        weights.definition,
        &view.search(Field::Definition, words, DEPTH)?,
    );
    let symbols: Vec<QueryWord> = analysis
        .entities
        .symbols
        .iter()
        .chain(&analysis.entities.ticked)
        .map(|word| QueryWord {
            word: word.clone(),
            weight: 1.0,
        })
        .collect();
    if !symbols.is_empty() {
        board.search(
            Source::Entity,
            weights.symbol,
            &view.search(Field::Symbol, &symbols, DEPTH)?,
        );
    }
    board.demote(analysis, weights);

    let votes = votes(view, words, &ignored)?;
    board.add(Source::History, weights.history, &votes.plain);
    board.add(Source::History, weights.decayed, &votes.decayed);
    board.add(Source::Entity, weights.mention, &named);

    let seeds = board.best(SEEDS);
    let together = cochange(view, &seeds, &ignored)?;
    let scores: Vec<f32> = together.iter().map(|(score, _)| *score).collect();
    board.add(Source::CoChange, weights.cochange, &scores);
    if let Some(path) = &query.path {
        let scope: Vec<f32> = files
            .iter()
            .map(|file| nearness(&file.path, path))
            .collect();
        board.add(Source::Scope, weights.scope, &scope);
    }
    let evident: Vec<bool> = board.total.iter().map(|score| *score > 0.0).collect();
    let recency: Vec<f32> = files
        .iter()
        .map(|file| {
            file.last_change
                .map_or(0.0, |age| (-(age as f32) / RECENT).exp())
        })
        .collect();
    board.add(Source::Recency, weights.recency, &recency);
    for (place, file) in files.iter().enumerate() {
        if matches!(file.role, FileRole::Generated | FileRole::Vendored) && named[place] == 0.0 {
            board.scale(place, weights.foreign);
        }
        if !evident[place] {
            board.total[place] = 0.0;
        }
    }

    let order = board.best(query.files);
    let lines: std::collections::HashMap<u32, u32> =
        code.iter().map(|hit| (hit.file, hit.line)).collect();
    order
        .into_iter()
        .map(|place| {
            let file = &files[place];
            let mut why = board.why(place, |source| match source {
                Source::History => votes.best[place].as_ref().map(|(_, commit)| commit.clone()),
                Source::CoChange => together[place]
                    .1
                    .map(|seed| format!("with {}", files[seed].path)),
                Source::Code => u32::try_from(place)
                    .ok()
                    .and_then(|place| lines.get(&place))
                    .filter(|line| **line > 0)
                    .map(|line| format!("line {line}")),
                Source::Recency => file.last_change.map(|age| format!("{age} commits ago")),
                _ => None,
            });
            why.sort_by(|left, right| right.score.total_cmp(&left.score));
            let mut hit = FileHit::new(&file.path, board.total[place], why);
            if let Ok(file) = u32::try_from(place) {
                hit.symbols = fitting(&view.symbols(file)?, analysis);
            }
            Ok(hit)
        })
        .collect()
}

/// Scores of all files, by source.
struct Board<'a> {
    files: &'a [FileInfo],
    ignored: &'a [bool],
    total: Vec<f32>,
    parts: Vec<(Source, Vec<f32>)>,
}

impl<'a> Board<'a> {
    fn new(files: &'a [FileInfo], ignored: &'a [bool]) -> Self {
        Self {
            files,
            ignored,
            total: vec![0.0; files.len()],
            parts: Vec::new(),
        }
    }

    fn search(&mut self, source: Source, weight: f32, found: &[FileScore]) {
        let mut scores = vec![0.0; self.files.len()];
        for hit in found {
            if let Some(slot) = scores.get_mut(hit.file as usize) {
                *slot = hit.score;
            }
        }
        self.add(source, weight, &scores);
    }

    fn add(&mut self, source: Source, weight: f32, scores: &[f32]) {
        let best = scores
            .iter()
            .zip(self.ignored)
            .filter(|(_, ignored)| !**ignored)
            .map(|(score, _)| *score)
            .fold(0.0, f32::max);
        if best <= 0.0 || weight == 0.0 {
            return;
        }
        let parts: Vec<f32> = scores
            .iter()
            .zip(self.ignored)
            .map(|(score, ignored)| if *ignored { 0.0 } else { weight * score / best })
            .collect();
        for (total, part) in self.total.iter_mut().zip(&parts) {
            *total += part;
        }
        match self.parts.iter_mut().find(|(known, _)| *known == source) {
            Some((_, known)) => known
                .iter_mut()
                .zip(&parts)
                .for_each(|(known, part)| *known += part),
            None => self.parts.push((source, parts)),
        }
    }

    /// Ranks tests, documents and examples down in what words alone say: their words repeat those of the source.
    fn demote(&mut self, analysis: &Analysis, weights: &FileWeights) {
        for (place, file) in self.files.iter().enumerate() {
            let factor = match file.role {
                FileRole::Test if !analysis.wants_tests && asks(analysis) => weights.tests,
                FileRole::Document | FileRole::Example if !analysis.wants_documents => {
                    weights.documents
                }
                _ => continue,
            };
            self.scale(place, factor);
        }
    }

    fn scale(&mut self, place: usize, factor: f32) {
        self.total[place] *= factor;
        for (_, parts) in &mut self.parts {
            parts[place] *= factor;
        }
    }

    /// Returns the best files, ties by path.
    fn best(&self, limit: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.files.len())
            .filter(|place| self.total[*place] > 0.0)
            .collect();
        order.sort_by(|left, right| {
            self.total[*right]
                .total_cmp(&self.total[*left])
                .then_with(|| self.files[*left].path.cmp(&self.files[*right].path))
        });
        order.truncate(limit);
        order
    }

    fn why(&self, place: usize, detail: impl Fn(Source) -> Option<String>) -> Vec<Signal> {
        self.parts
            .iter()
            .filter(|(_, parts)| parts[place] > 0.0)
            .map(|(source, parts)| {
                Signal::new(*source, parts[place], detail(*source).unwrap_or_default())
            })
            .collect()
    }
}

/// Says whether the query looks for something rather than changing it: a change often changes the tests too.
fn asks(analysis: &Analysis) -> bool {
    matches!(analysis.intent, Intent::Question | Intent::General)
}

/// Says whether a file only records changes made elsewhere: change logs, locks, translations.
pub(super) fn is_record(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let name = lower.rsplit('/').next().unwrap_or(&lower);
    let log = [
        "changes",
        "changelog",
        "release-notes",
        "release_notes",
        "releasenotes",
        "history",
        "authors",
        "news",
    ]
    .iter()
    .any(|start| name.starts_with(start));
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let code = matches!(
        ending,
        "rs" | "py"
            | "go"
            | "js"
            | "ts"
            | "tsx"
            | "java"
            | "kt"
            | "c"
            | "cpp"
            | "h"
            | "rb"
            | "swift"
    );
    log && !code
        || matches!(ending, "lock" | "po" | "pot")
        || name == "go.sum"
        || name.ends_with("-lock.json")
        || name.ends_with("-lock.yaml")
        || lower.contains("/locale/")
        || lower.contains("translat")
}

/// How clearly the query names each file: 1 by path, 2/3 by file name, 1/3 by stem.
fn mentions(files: &[FileInfo], analysis: &Analysis, text: &str) -> Vec<f32> {
    let lower = text.to_lowercase();
    let identifiers: HashSet<&str> = lower
        .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .filter(|word| word.len() > 3)
        .collect();
    files
        .iter()
        .map(|file| {
            let path = file.path.to_lowercase();
            let name = path.rsplit('/').next().unwrap_or(&path);
            let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
            if stem.len() < 3 {
                return 0.0;
            }
            let exact = analysis.entities.paths.iter().any(|named| {
                let named = named.to_lowercase();
                path == named || named.contains('/') && path.ends_with(&format!("/{named}"))
            });
            if exact || lower.contains(&path) && path.contains('/') {
                1.0
            } else if lower.contains(name) && name.contains('.') {
                2.0 / 3.0
            } else if identifiers.contains(stem) {
                1.0 / 3.0
            } else {
                0.0
            }
        })
        .collect()
}

/// How near a file is to the path that is worked on: 1 for itself or below it, less with each folder in between.
fn nearness(file: &str, path: &str) -> f32 {
    let path = path.trim_end_matches('/');
    if file == path || file.starts_with(path) && file[path.len()..].starts_with('/') {
        return 1.0;
    }
    let shared = file
        .split('/')
        .zip(path.split('/'))
        .take_while(|(left, right)| left == right)
        .count();
    let depth = path.split('/').count();
    0.5 * shared as f32 / depth.max(1) as f32
}

/// Names the definitions that share most words with the query, with their lines.
fn fitting(symbols: &[crate::Symbol], analysis: &Analysis) -> Vec<String> {
    let asked: HashSet<&str> = analysis
        .words
        .iter()
        .map(|word| word.word.as_str())
        .collect();
    let mut found: Vec<(usize, &crate::Symbol)> = symbols
        .iter()
        .map(|symbol| {
            let exact = analysis.entities.symbols.contains(&symbol.name);
            let shared = text::words(&symbol.name)
                .iter()
                .filter(|word| asked.contains(word.as_str()))
                .count();
            (shared + usize::from(exact) * 8, symbol)
        })
        .filter(|(shared, _)| *shared > 0)
        .collect();
    found.sort_by(|(left, one), (right, other)| right.cmp(left).then(one.line.cmp(&other.line)));
    found
        .into_iter()
        .take(SYMBOLS)
        .map(|(_, symbol)| format!("{} {}-{}", symbol.name, symbol.line, symbol.end))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{is_record, nearness};

    #[test]
    fn records_of_changes_are_not_sources() {
        for path in [
            "CHANGES.rst",
            "docs/changelog.md",
            "Cargo.lock",
            "web/package-lock.json",
            "po/translations/de.po",
        ] {
            assert!(is_record(path), "{path}");
        }
        for path in [
            "src/history.rs",
            "src/lock.rs",
            "docs/api.md",
            "newsletter/send.py",
        ] {
            assert!(!is_record(path), "{path}");
        }
    }

    #[test]
    fn nearness_counts_shared_folders() {
        assert!((nearness("src/store/redb.rs", "src/store") - 1.0).abs() < 1e-6);
        assert!(nearness("src/store/redb.rs", "src/storefront") < 0.5);
        assert!(nearness("web/app.ts", "src/store").abs() < 1e-6);
    }
}
