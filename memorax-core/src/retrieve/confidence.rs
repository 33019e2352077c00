//! How likely it is that the files that were found help, from what can be seen before they are given.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::repo::{CommitSelection, Field, QueryWord, RepositoryView};
use crate::text::{informativeness, words};
use crate::types::named;
use crate::{FileHit, FileInfo, Query, Result, Source};

use super::Analysis;
use super::terms::{is_framing, is_generic};

/// Words of a text that are looked up: those that say most.
const WORDS: usize = 32;
/// Words that say less than this are in the prompts of every project.
const INFORMATIVE: f32 = 0.35;
/// Files of the answer that are looked at, and those whose vectors are compared.
const FILES: usize = 5;
pub(super) const LOOKED_AT: usize = 10;
/// Commits whose messages are compared.
const COMMITS: usize = 20;
/// Files or messages from elsewhere that are mixed in, so that a word that a small repository lacks says little.
const PRIOR: f32 = 10.0;
/// A repository of fewer files is judged as one of so many: smaller ones were not learned from.
const SMALLEST: usize = 20;
/// What is assumed of the nearest file where no vectors are kept: the mean over all prompts.
const USUAL_NEARNESS: f32 = 0.35;
/// Bytes of a text whose meaning is compared.
const MEANT: usize = 1500;

named! {
    /// Something that can be seen of a text and of the files that were found for it, and that tells whether they help.
    pub enum Sign ("sign") {
        /// Share of what the words say that any file has.
        Known = "known",
        /// The same, rare words of the repository counting more.
        Telling = "telling",
        /// Share that one of the best files has.
        Together = "together",
        /// The same, rare words of the repository counting more.
        Pointed = "pointed",
        /// What one of the best files has of it, not as a share.
        Amount = "amount",
        /// Share that stands in the path of one of the best files.
        Path = "path",
        /// Share that one past message has.
        Message = "message",
        /// What one past message has of it, not as a share.
        Said = "said",
        /// How much more often its words stand in the files here than in what developers write elsewhere (mean logarithm).
        Lean = "lean",
        /// The same of past messages.
        LeanSaid = "lean-said",
        /// The sum of [`LeanSaid`](Self::LeanSaid), a long text saying more.
        LeanSum = "lean-sum",
        /// Names of the text that exist here.
        Names = "names",
        /// Names of the text that do not.
        Strangers = "strangers",
        /// How near the nearest of the best files is in meaning.
        Near = "near",
        /// Share of the best file in the scores of the ten best.
        Peak = "peak",
        /// How far the best file is ahead of the second.
        Lead = "lead",
        /// Kinds of evidence that speak for the best file.
        Sources = "sources",
        /// How many words say something.
        Length = "length",
        /// How many files there are.
        Size = "size",
    }
}

/// What was seen, in the order of [`Sign::ALL`].
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct Signs {
    values: BTreeMap<Sign, f32>,
}

impl Signs {
    /// Returns what was seen; 0 where nothing was.
    pub fn get(&self, sign: Sign) -> f32 {
        self.values.get(&sign).copied().unwrap_or(0.0)
    }

    fn set(&mut self, sign: Sign, value: f32) {
        self.values.insert(sign, value);
    }
}

/// Looks at a query and at the files that were found for it, best first: ten of them where there are so many. Signs that cost
/// lookups of their own are seen only where they are `wanted`.
pub fn signs(
    view: &dyn RepositoryView,
    query: &Query,
    analysis: &Analysis,
    found: &[FileHit],
    wanted: impl Fn(Sign) -> bool,
) -> Result<Signs> {
    let files = view.files()?;
    let mut signs = Signs::default();
    signs.set(
        Sign::Size,
        (files.len().max(SMALLEST) as f32).ln_1p() / 10.0,
    );
    let best: Vec<u32> = found
        .iter()
        .filter_map(|hit| place(files, &hit.path))
        .collect();
    let told = Told::new(view, files.len(), analysis)?;
    signs.set(Sign::Length, (told.words.len() as f32).ln_1p() / 4.0);
    signs.set(
        Sign::Known,
        told.share(|word| f32::from(!word.files.is_empty())),
    );
    signs.set(Sign::Telling, told.share(|word| word.rarity));
    let best_of = |sign: &dyn Fn(u32) -> f32| {
        let shares = best.iter().take(FILES).map(|file| sign(*file));
        shares.fold(0.0, f32::max)
    };
    let has = |word: &Word, file: u32| word.files.binary_search(&file).is_ok();
    signs.set(
        Sign::Together,
        best_of(&|file| told.share(|word| f32::from(has(word, file)))),
    );
    let pointed =
        best_of(&|file| told.share(|word| if has(word, file) { word.rarity } else { 0.0 }));
    signs.set(Sign::Pointed, pointed);
    signs.set(Sign::Amount, (pointed * told.asked).ln_1p() / 3.0);
    let of_path = |file: u32| {
        let path: HashSet<String> = words(&files[file as usize].path).into_iter().collect();
        told.share(|word| f32::from(path.contains(&word.text)))
    };
    signs.set(Sign::Path, best_of(&of_path));
    // Without a history, the files have to speak for it.
    let said = match view.info().commits {
        0 => signs.get(Sign::Together),
        _ => told.said(view)?,
    };
    signs.set(Sign::Message, said);
    signs.set(Sign::Said, (said * told.asked).ln_1p() / 3.0);
    if [Sign::Lean, Sign::LeanSaid, Sign::LeanSum]
        .into_iter()
        .any(wanted)
    {
        let (lean, lean_said, lean_sum) = leaning(view, files.len(), analysis)?;
        signs.set(Sign::Lean, lean);
        signs.set(Sign::LeanSaid, lean_said);
        signs.set(Sign::LeanSum, lean_sum);
    }
    let (known, strange) = names(view, files, query, analysis)?;
    signs.set(Sign::Names, (known as f32).min(3.0) / 3.0);
    signs.set(Sign::Strangers, (strange as f32).min(3.0) / 3.0);
    let head = &query.text[..query.text.floor_char_boundary(MEANT)];
    let compared = &best[..best.len().min(LOOKED_AT)];
    let near = view.nearness(head, compared)?;
    let nearest = near.iter().map(|hit| hit.score).max_by(f32::total_cmp);
    signs.set(Sign::Near, nearest.unwrap_or(USUAL_NEARNESS));
    shape(found, &mut signs);
    Ok(signs)
}

/// Says whether a query is about anything: it has a word that not every task has, names something, or has a place.
/// `continue`, `fix the failing test` and `thanks, looks good` are about nothing that files could tell.
pub(super) fn is_about_something(query: &Query, analysis: &Analysis) -> bool {
    let entities = &analysis.entities;
    let is_telling = |word: &QueryWord| {
        let word = word.word.as_str();
        informativeness(word) >= INFORMATIVE
            && !is_generic(word)
            && !is_framing(word)
            && !word.bytes().all(|byte| byte.is_ascii_digit())
    };
    query.path.is_some()
        || !entities.paths.is_empty()
        || !entities.ticked.is_empty()
        || !entities.symbols.is_empty()
        || !entities.commits.is_empty()
        || analysis.words.iter().any(is_telling)
}

/// Looks at how the scores lie.
fn shape(found: &[FileHit], signs: &mut Signs) {
    let Some(first) = found.first().filter(|hit| hit.score > 0.0) else {
        return;
    };
    if found.len() < FILES {
        // So few scores have no shape; these are those of two equal files among ten.
        signs.set(Sign::Peak, 1.0 / LOOKED_AT as f32);
        return sources(first, signs);
    }
    let sum: f32 = found.iter().take(LOOKED_AT).map(|hit| hit.score).sum();
    signs.set(Sign::Peak, first.score / sum);
    let second = found.get(1).map_or(0.0, |hit| hit.score);
    signs.set(Sign::Lead, 1.0 - second / first.score);
    sources(first, signs);
}

/// Counts the kinds of evidence that speak for a file.
fn sources(first: &FileHit, signs: &mut Signs) {
    let kinds: BTreeSet<Source> = first
        .why
        .iter()
        .map(|signal| signal.source)
        .filter(|source| !matches!(source, Source::Recency | Source::Scope))
        .collect();
    signs.set(Sign::Sources, kinds.len() as f32 / 6.0);
}

/// A word that says something, and where it stands.
struct Word {
    text: String,
    weight: f32,
    files: Vec<u32>,
    /// 1 where one file has it, 0 where all have it or none.
    rarity: f32,
}

/// The words of a text that say something.
struct Told {
    words: Vec<Word>,
    asked: f32,
}

impl Told {
    fn new(view: &dyn RepositoryView, files: usize, analysis: &Analysis) -> Result<Self> {
        let mut telling: Vec<(f32, &QueryWord)> = analysis
            .words
            .iter()
            .map(|word| (informativeness(&word.word), word))
            .filter(|(weight, word)| {
                *weight >= INFORMATIVE && !word.word.bytes().all(|byte| byte.is_ascii_digit())
            })
            .collect();
        telling.sort_by(|left, right| right.0.total_cmp(&left.0));
        telling.truncate(WORDS);
        let asked: Vec<QueryWord> = telling.iter().map(|(_, word)| (*word).clone()).collect();
        let holders = view.files_with(&asked)?;
        let whole = (files as f32).ln_1p().max(1.0);
        let words: Vec<Word> = telling
            .into_iter()
            .zip(holders)
            .map(|((weight, word), holders)| Word {
                text: word.word.clone(),
                weight,
                rarity: match holders.len() {
                    0 => 0.0,
                    count => (files as f32 / count as f32).ln_1p() / whole,
                },
                files: holders,
            })
            .collect();
        Ok(Self {
            asked: words.iter().map(|word| word.weight).sum(),
            words,
        })
    }

    /// Returns the mean of what each word counts, by how much it says.
    fn share(&self, count: impl Fn(&Word) -> f32) -> f32 {
        if self.asked == 0.0 {
            return 0.0;
        }
        let sum: f32 = self
            .words
            .iter()
            .map(|word| word.weight * count(word))
            .sum();
        sum / self.asked
    }

    /// Returns the share that the fitting one of the past messages has.
    fn said(&self, view: &dyn RepositoryView) -> Result<f32> {
        if self.words.is_empty() {
            return Ok(0.0);
        }
        let asked: Vec<QueryWord> = self
            .words
            .iter()
            .map(|word| QueryWord {
                word: word.text.clone(),
                weight: 1.0,
            })
            .collect();
        let mut best = 0.0_f32;
        for hit in view.commits(&CommitSelection::Words(&asked), COMMITS)? {
            let message = format!("{}\n{}", hit.commit.subject, hit.commit.body);
            let message: HashSet<String> = words(&message).into_iter().collect();
            best = best.max(self.share(|word| f32::from(message.contains(&word.text))));
        }
        Ok(best)
    }
}

/// Compares how often the words of a text stand here with how often they stand in what developers write elsewhere: the
/// mean logarithm of the ratio by files and by messages, and the sum of that by messages.
fn leaning(
    view: &dyn RepositoryView,
    files: usize,
    analysis: &Analysis,
) -> Result<(f32, f32, f32)> {
    let mut asked: Vec<(f32, QueryWord)> = analysis
        .words
        .iter()
        .filter(|word| !word.word.bytes().all(|byte| byte.is_ascii_digit()))
        .map(|word| (informativeness(&word.word), word.clone()))
        .collect();
    asked.sort_by(|left, right| right.0.total_cmp(&left.0));
    asked.truncate(WORDS);
    let (worths, asked): (Vec<f32>, Vec<QueryWord>) = asked.into_iter().unzip();
    if asked.is_empty() {
        return Ok((0.0, 0.0, 0.0));
    }
    let commits = view.info().commits;
    let has_history = commits > 0;
    let lean = |count: usize, all: usize, worth: f32| {
        // The table of common words goes from one paragraph of ten to one of 2,000.
        let elsewhere = 0.1 * 200.0_f32.powf(-worth * 10.0 / 9.0);
        let here = (count as f32 + PRIOR * elsewhere) / (all as f32 + PRIOR);
        (here / elsewhere).ln().clamp(-4.0, 5.0)
    };
    let (mut by_files, mut by_messages) = (0.0, 0.0);
    let holders = view.files_with(&asked)?;
    let said = view.commits_with(&asked)?;
    for ((worth, holders), said) in worths.iter().zip(&holders).zip(&said) {
        by_files += lean(holders.len(), files, *worth);
        by_messages += if has_history {
            lean(*said, commits, *worth)
        } else {
            lean(holders.len(), files, *worth)
        };
    }
    let count = asked.len() as f32;
    Ok((
        by_files / count / 3.0,
        by_messages / count / 3.0,
        by_messages.clamp(-30.0, 30.0) / 15.0,
    ))
}

fn place(files: &[FileInfo], path: &str) -> Option<u32> {
    let found = files.binary_search_by(|file| file.path.as_str().cmp(path));
    found.ok().and_then(|place| u32::try_from(place).ok())
}

/// Counts the names of a text that exist here, and those that do not.
fn names(
    view: &dyn RepositoryView,
    files: &[FileInfo],
    query: &Query,
    analysis: &Analysis,
) -> Result<(usize, usize)> {
    let entities = &analysis.entities;
    let (mut known, mut strange) = (0, 0);
    let mut count = |exists: bool| {
        if exists {
            known += 1;
        } else {
            strange += 1;
        }
    };
    for path in entities.paths.iter().chain(&query.path) {
        let ending = format!("/{path}");
        let below = format!("{path}/");
        count(files.iter().any(|file| {
            file.path == *path || file.path.ends_with(&ending) || file.path.starts_with(&below)
        }));
    }
    let shaped = |name: &&String| {
        let mut rest = name.trim_matches('_').chars().skip(1);
        rest.any(|letter| letter.is_uppercase() || letter == '_')
    };
    let symbols: BTreeSet<&String> = entities
        .symbols
        .iter()
        .chain(&entities.ticked)
        .chain(&entities.errors)
        .filter(shaped)
        .collect();
    for name in symbols.into_iter().take(WORDS) {
        let word = |word: String| QueryWord { word, weight: 1.0 };
        let defined = view.search(Field::Symbol, &[word(name.clone())], 1)?;
        let whole = words(name).into_iter().next().map(word);
        let mentioned = match whole.filter(|_| defined.is_empty()) {
            Some(whole) => !view.files_with(&[whole])?.concat().is_empty(),
            None => false,
        };
        count(!defined.is_empty() || mentioned);
    }
    Ok((known, strange))
}
