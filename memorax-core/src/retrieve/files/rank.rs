//! Gathers the evidence about files and ranks them by its weighted sum.

use std::collections::{HashMap, HashSet};

use super::board::Board;
use super::links::{central, linked};
use super::named::{is_hollow, is_record, mentions, modules, nearness, traced};
use super::shape::{Shape, shape_of, title_of};
use super::symbols::fitting;
use super::votes::{Votes, cochange, votes};
use super::{FileFeature, FileWeights};
use crate::repo::{Field, FileScore, QueryWord, RepositoryView};
use crate::retrieve::terms::query_words;
use crate::retrieve::{Analysis, Intent, analyse};
use crate::{FileHit, FileInfo, FileRole, Query, Result, Source};

/// Files that each search gives.
const DEPTH: usize = 100;
/// Files whose companions are looked up.
const SEEDS: usize = 5;
/// Age in commits at which recency counts 1/e.
const RECENT: f32 = 100.0;
/// Files whose vectors are compared with the text, and the longest part of it, in bytes.
const COMPARED: usize = 300;
const MEANT: usize = 1500;
/// Tests that vote for what has their name.
const TESTS: usize = 8;

/// Ranks the files of a view; best first, ties by path. Only files with evidence beside recency are returned.
pub(in crate::retrieve) fn rank(
    view: &dyn RepositoryView,
    analysis: &Analysis,
    query: &Query,
    weights: &FileWeights,
) -> Result<Vec<FileHit>> {
    let files = view.files()?;
    if files.is_empty() || query.files == 0 {
        return Ok(Vec::new());
    }
    let asked = Asked::new(files, analysis, query);
    let (board, details) = gather(view, files, &asked, weights)?;
    let totals = board.totals(weights);
    board
        .best(&totals, query.files)
        .into_iter()
        .map(|place| {
            let why = board.why(place, weights, |source| details.of(files, place, source));
            let mut hit = FileHit::new(&files[place].path, totals[place], why);
            if let Ok(file) = u32::try_from(place) {
                hit.symbols = fitting(&view.symbols(file)?, analysis);
            }
            Ok(hit)
        })
        .collect()
}

/// What speaks for each file of a view, before it is weighed.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Evidence {
    /// Columns by kind: a number from 0 to 1 for every file of the view, in the view's order. Kinds of which there is
    /// no evidence at all are left out.
    pub columns: Vec<(FileFeature, Vec<f32>)>,
}

/// Gathers the evidence of every kind that `weights` weighs, to learn weights from; the companions of
/// [`FileFeature::CoChange`] are those of the files that are best by these weights.
pub fn evidence(
    view: &dyn RepositoryView,
    query: &Query,
    weights: &FileWeights,
) -> Result<Evidence> {
    let files = view.files()?;
    let analysis = analyse(&query.text);
    let asked = Asked::new(files, &analysis, query);
    let (board, _) = gather(view, files, &asked, weights)?;
    Ok(Evidence {
        columns: board.into_columns(),
    })
}

/// A query with what it says of the files of a view.
struct Asked<'a> {
    query: &'a Query,
    analysis: &'a Analysis,
    shape: Shape,
    /// How clearly each file is named.
    named: Vec<f32>,
    /// Change logs and locks accompany every change: they are an answer only when they are named.
    ignored: Vec<bool>,
}

impl<'a> Asked<'a> {
    fn new(files: &[FileInfo], analysis: &'a Analysis, query: &'a Query) -> Self {
        let shape = shape_of(&query.text, analysis);
        let named = mentions(files, analysis, &query.text, shape);
        let ignored = files
            .iter()
            .zip(&named)
            .map(|(file, named)| is_record(&file.path) && *named < 0.5)
            .collect();
        Self {
            query,
            analysis,
            shape,
            named,
            ignored,
        }
    }

    /// Says whether the text is hardly more than a name: what it means says less than where it is defined.
    fn is_bare(&self) -> bool {
        let entities = &self.analysis.entities;
        let named = entities.symbols.len() + entities.ticked.len();
        named > 0 && self.query.text.split_whitespace().count() <= named
    }

    /// Tests, documents, examples and hollow files are ranked down in what words alone say: they repeat those of the
    /// source. A change often changes the tests too, and a report about anything may speak of tests and examples.
    fn demotion(&self, file: &FileInfo, weights: &FileWeights) -> Option<f32> {
        let intent = self.analysis.intent;
        let (tests, documents) = match self.shape {
            Shape::Report => (intent == Intent::Test, intent == Intent::Docs),
            Shape::Change => (true, self.analysis.wants_documents),
            Shape::Search => (self.analysis.wants_tests, self.analysis.wants_documents),
        };
        match file.role {
            FileRole::Test if !tests => Some(weights.tests),
            FileRole::Document | FileRole::Example if !documents => Some(weights.documents),
            _ if is_hollow(&file.path) => Some(weights.hollow),
            _ => None,
        }
    }
}

fn gather<'a>(
    view: &dyn RepositoryView,
    files: &'a [FileInfo],
    asked: &'a Asked<'_>,
    weights: &FileWeights,
) -> Result<(Board<'a>, Details)> {
    let Asked {
        query,
        analysis,
        ignored,
        named,
        ..
    } = asked;
    let wanted = |feature| weights.get(feature) != 0.0;
    let mut board = Board::new(files, ignored);
    let mut details = Details::default();
    let code = search_words(view, analysis, query, &mut board, &wanted)?;
    search_symbols(view, analysis, &mut board, &wanted)?;
    let demotions: Vec<Option<f32>> = files
        .iter()
        .map(|file| asked.demotion(file, weights))
        .collect();
    for (place, factor) in demotions.iter().enumerate() {
        if let Some(factor) = factor {
            board.scale(place, *factor);
        }
    }
    if wanted(FileFeature::Tested) {
        board.add(FileFeature::Tested, tested(files, &code));
    }
    if wanted(FileFeature::History) || wanted(FileFeature::Decayed) {
        let Votes {
            plain,
            decayed,
            best,
        } = votes(view, &analysis.words, ignored)?;
        board.add(FileFeature::History, plain);
        board.add(FileFeature::Decayed, decayed);
        details.commits = best;
    }
    if wanted(FileFeature::Messages) {
        let found = view.search(Field::Messages, &analysis.words, DEPTH)?;
        board.search(FileFeature::Messages, &found);
    }
    if wanted(FileFeature::Module) {
        board.add(FileFeature::Module, modules(files, &query.text));
    }
    if wanted(FileFeature::Trace) {
        board.add(FileFeature::Trace, traced(files, &query.text));
    }
    for (place, file) in files.iter().enumerate() {
        if matches!(file.role, FileRole::Generated | FileRole::Vendored) && named[place] == 0.0 {
            board.weaken(place, weights.foreign);
        }
    }
    board.add(FileFeature::Mention, named.clone());
    if let Some(path) = query.path.as_ref().filter(|_| wanted(FileFeature::Scope)) {
        let near = files
            .iter()
            .map(|file| nearness(&file.path, path))
            .collect();
        board.add(FileFeature::Scope, near);
    }
    if wanted(FileFeature::Meaning) && !asked.is_bare() {
        let best = board.best(&board.totals(weights), COMPARED);
        let mut scores = meaning(view, &query.text, files.len(), &best)?;
        for (factor, score) in demotions.iter().zip(&mut scores) {
            if let Some(factor) = factor.filter(|_| *score > 0.0) {
                *score *= factor;
            }
        }
        board.add_scaled(FileFeature::Meaning, scores);
    }
    if wanted(FileFeature::CoChange) {
        let seeds = board.best(&board.totals(weights), SEEDS);
        let together = cochange(view, &seeds, ignored)?;
        board.add(
            FileFeature::CoChange,
            together.iter().map(|(score, _)| *score).collect(),
        );
        details.seeds = together.into_iter().map(|(_, seed)| seed).collect();
    }
    if wanted(FileFeature::Linked) || wanted(FileFeature::Central) {
        let imports = view.imports()?;
        let totals = board.totals(weights);
        let seeds: Vec<(usize, f32)> = board
            .best(&totals, SEEDS)
            .into_iter()
            .map(|place| (place, totals[place]))
            .collect();
        board.add(FileFeature::Linked, linked(files.len(), &imports, &seeds));
        board.add(FileFeature::Central, central(files.len(), &imports));
    }
    let each = |value: &dyn Fn(&FileInfo) -> f32| files.iter().map(value).collect::<Vec<f32>>();
    board.add(
        FileFeature::Recency,
        each(&|file| {
            let age = file.last_change;
            age.map_or(0.0, |age| (-(age as f32) / RECENT).exp())
        }),
    );
    if wanted(FileFeature::Popularity) {
        board.add(
            FileFeature::Popularity,
            each(&|file| (file.changes as f32).ln_1p()),
        );
    }
    let is = |wanted: bool| if wanted { 1.0 } else { 0.0 };
    if wanted(FileFeature::Test) {
        board.add(
            FileFeature::Test,
            each(&|file| is(file.role == FileRole::Test)),
        );
    }
    if wanted(FileFeature::Document) {
        let document =
            |file: &FileInfo| is(matches!(file.role, FileRole::Document | FileRole::Example));
        board.add(FileFeature::Document, each(&document));
    }
    details.lines = code.iter().map(|hit| (hit.file, hit.line)).collect();
    Ok((board, details))
}

/// Searches text, paths and names of definitions, for the whole text and for what it says first; returns what the text
/// of files gave.
fn search_words(
    view: &dyn RepositoryView,
    analysis: &Analysis,
    query: &Query,
    board: &mut Board<'_>,
    wanted: &impl Fn(FileFeature) -> bool,
) -> Result<Vec<FileScore>> {
    use FileFeature as F;
    let title = query_words(&title_of(&query.text));
    // A text of one line is its own title: what was found for the one is what would be found for the other.
    let is_title = title == analysis.words;
    let mut code = Vec::new();
    if wanted(F::Whole) {
        board.search(
            F::Whole,
            &view.search(Field::Whole, &analysis.words, DEPTH)?,
        );
    }
    for (field, whole, titled) in [
        (Field::Code, F::Code, F::TitleCode),
        (Field::Path, F::Path, F::TitlePath),
        (Field::Definition, F::Definition, F::TitleDefinition),
    ] {
        let mut found = None;
        if wanted(whole) {
            let hits = view.search(field, &analysis.words, DEPTH)?;
            board.search(whole, &hits);
            found = Some(hits);
        }
        if wanted(titled) {
            match found.as_ref().filter(|_| is_title) {
                Some(hits) => board.search(titled, hits),
                None => board.search(titled, &view.search(field, &title, DEPTH)?),
            }
        }
        if field == Field::Code {
            code = found.unwrap_or_default();
        }
    }
    Ok(code)
}

/// Looks the names of the text up among the definitions.
fn search_symbols(
    view: &dyn RepositoryView,
    analysis: &Analysis,
    board: &mut Board<'_>,
    wanted: &impl Fn(FileFeature) -> bool,
) -> Result<()> {
    let entities = &analysis.entities;
    let names: HashSet<&String> = entities.symbols.iter().chain(&entities.ticked).collect();
    let mut names: Vec<QueryWord> = names
        .into_iter()
        .map(|word| QueryWord {
            word: word.clone(),
            weight: 1.0,
        })
        .collect();
    names.sort_by(|left, right| left.word.cmp(&right.word));
    if names.is_empty() {
        return Ok(());
    }
    for (feature, field) in [
        (FileFeature::Symbol, Field::Symbol),
        (FileFeature::Symbols, Field::Symbols),
    ] {
        if wanted(feature) {
            board.search(feature, &view.search(field, &names, DEPTH)?);
        }
    }
    Ok(())
}

/// Compares the text with the files that other evidence speaks for: standard deviations from their mean, by four, from
/// -1/2 to 1.
fn meaning(
    view: &dyn RepositoryView,
    text: &str,
    files: usize,
    best: &[usize],
) -> Result<Vec<f32>> {
    let mut scores = vec![0.0; files];
    let head = &text[..text.floor_char_boundary(MEANT)];
    let asked: Vec<u32> = best.iter().map(|place| *place as u32).collect();
    let near = view.nearness(head, &asked)?;
    if near.len() < 2 {
        return Ok(scores);
    }
    let count = near.len() as f32;
    let mean = near.iter().map(|hit| hit.score).sum::<f32>() / count;
    let squares: f32 = near.iter().map(|hit| (hit.score - mean).powi(2)).sum();
    let deviation = (squares / count).sqrt();
    if deviation > 0.0 {
        for hit in near {
            scores[hit.file as usize] = ((hit.score - mean) / deviation / 4.0).clamp(-0.5, 1.0);
        }
    }
    Ok(scores)
}

/// Lets the tests that fit best vote for the files whose names they carry: `test_pool.py` for `pool.py`.
fn tested(files: &[FileInfo], code: &[FileScore]) -> Vec<f32> {
    let mut votes: HashMap<String, f32> = HashMap::new();
    let fitting = code
        .iter()
        .filter_map(|hit| Some((files.get(hit.file as usize)?, hit.score)))
        .filter(|(file, _)| file.role == FileRole::Test)
        .take(TESTS);
    for (file, score) in fitting {
        let stem = stem_of(&file.path).to_lowercase();
        let subject = ["test_", "tests_"]
            .iter()
            .find_map(|start| stem.strip_prefix(start))
            .or_else(|| {
                [
                    "_test", "_tests", ".test", ".spec", "_spec", "tests", "test",
                ]
                .iter()
                .find_map(|end| stem.strip_suffix(end))
            })
            .unwrap_or(&stem);
        if subject.len() > 1 {
            *votes.entry(subject.to_owned()).or_default() += score;
        }
    }
    files
        .iter()
        .map(|file| {
            let stem = stem_of(&file.path).to_lowercase();
            let vote = votes.get(&stem).filter(|_| file.role == FileRole::Source);
            vote.copied().unwrap_or_default()
        })
        .collect()
}

fn stem_of(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// What was seen, to say why.
#[derive(Debug, Default)]
struct Details {
    lines: HashMap<u32, u32>,
    commits: Vec<Option<(f32, String)>>,
    seeds: Vec<Option<usize>>,
}

impl Details {
    fn of(&self, files: &[FileInfo], place: usize, source: Source) -> Option<String> {
        match source {
            Source::History => {
                let (_, commit) = self.commits.get(place)?.as_ref()?;
                Some(commit.clone())
            }
            Source::CoChange => {
                let seed = (*self.seeds.get(place)?)?;
                Some(format!("with {}", files[seed].path))
            }
            Source::Code => {
                let line = self.lines.get(&u32::try_from(place).ok()?)?;
                (*line > 0).then(|| format!("line {line}"))
            }
            Source::Recency => files[place]
                .last_change
                .map(|age| format!("{age} commits ago")),
            _ => None,
        }
    }
}
