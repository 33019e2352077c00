//! Three small projects, asked in other words than their memories have: what fits is found, the rest meets silence.
//!
//! Rows at even places were looked at while the bars were set; rows at odd places are held out.

use std::collections::BTreeMap;

use memorax_core::retrieve::{Context, NoTree, Retriever, Weighted};
use memorax_core::{MemoryKind, Query, Recall, Result, Timestamp};

use super::source::{List, memory, nowhere, rows};

const MEMORIES: &str = include_str!("../../fixtures/small_memories.tsv");
const QUESTIONS: &str = include_str!("../../fixtures/small_questions.tsv");
const UNRELATED: &str = include_str!("../../fixtures/small_unrelated.tsv");

/// How many hits an agent reads before it loses patience.
const PATIENCE: usize = 3;

/// Which rows are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Half {
    /// Looked at while the bars were set.
    Seen,
    /// Never looked at.
    HeldOut,
}

impl Half {
    fn of(self, fixture: &str) -> impl Iterator<Item = Vec<&str>> {
        rows(fixture)
            .enumerate()
            .filter(move |(place, _)| (place % 2 == 0) == (self == Self::Seen))
            .map(|(_, row)| row)
    }
}

/// The stores of the projects, by name.
struct Projects {
    lists: BTreeMap<&'static str, List>,
    keys: BTreeMap<String, &'static str>,
}

impl Projects {
    fn new() -> Result<Self> {
        let mut memories: BTreeMap<&str, Vec<_>> = BTreeMap::new();
        let mut keys = BTreeMap::new();
        for (number, row) in (0..).zip(rows(MEMORIES)) {
            let memory = memory(number, row[2].parse()?, row[3]);
            keys.insert(memory.id.to_string(), row[1]);
            memories.entry(row[0]).or_default().push(memory);
        }
        let lists = memories
            .into_iter()
            .map(|(project, memories)| Ok((project, List::new(memories, nowhere()).embedded()?)))
            .collect::<Result<_>>()?;
        Ok(Self { lists, keys })
    }

    fn ask(&self, project: &str, text: &str) -> Result<Recall> {
        let sight = nowhere();
        let now = Timestamp::from_millis(1_780_000_000_000);
        let context = Context::new(&self.lists[project], &NoTree, &sight, now);
        Weighted::default().retrieve(&context, &Query::new(text).files(0).explain(true))
    }

    fn keys_of(&self, recall: &Recall) -> Vec<&str> {
        recall
            .hits
            .iter()
            .map(|hit| self.keys[&hit.memory.id.to_string()])
            .collect()
    }

    /// Returns the project that a memory's key belongs to.
    fn project_of(key: &str) -> &'static str {
        match key.as_bytes()[0] {
            b'a' => "tide",
            b'b' => "loom",
            _ => "silo",
        }
    }

    /// Asks all questions of a half; returns how many are asked, and what was missed.
    fn missed(&self, half: Half) -> Result<(usize, Vec<String>)> {
        let mut asked = 0;
        let mut missed = Vec::new();
        for row in half.of(QUESTIONS) {
            asked += 1;
            let recall = self.ask(Self::project_of(row[1]), row[0])?;
            let keys = self.keys_of(&recall);
            let right = |key: &&str| row[1].split(',').any(|wanted| wanted == *key);
            if !keys.iter().take(PATIENCE).any(right) {
                let near: Vec<String> = recall
                    .near_misses
                    .iter()
                    .map(|miss| {
                        let key = self.keys[&miss.memory.id.to_string()];
                        format!("{key} {}", miss.reason)
                    })
                    .collect();
                missed.push(format!(
                    "{} wants {}, got {keys:?}, near: {near:?}",
                    row[0], row[1]
                ));
            }
        }
        Ok((asked, missed))
    }

    /// Says what a project answers first, and why; nothing where it is silent.
    fn answer(&self, project: &str, question: &str) -> Result<Option<String>> {
        let recall = self.ask(project, question)?;
        Ok(recall.hits.first().map(|hit| {
            let why = &hit.why[0].detail;
            format!("{project}: {question} by {why:?}: {}", hit.memory.text)
        }))
    }

    /// Asks every project all unrelated questions of a half; returns how many are asked, and what was answered.
    fn answered(&self, half: Half) -> Result<(usize, Vec<String>)> {
        let mut asked = 0;
        let mut answered = Vec::new();
        for row in half.of(UNRELATED) {
            for project in self.lists.keys() {
                asked += 1;
                answered.extend(self.answer(project, row[0])?);
            }
        }
        Ok((asked, answered))
    }

    /// Asks each question that only its own project can answer in the other two.
    fn answered_elsewhere(&self, half: Half) -> Result<(usize, Vec<String>)> {
        let mut asked = 0;
        let mut answered = Vec::new();
        for row in half.of(QUESTIONS).filter(|row| row[2] == "own") {
            let own = Self::project_of(row[1]);
            for project in self.lists.keys().filter(|project| **project != own) {
                asked += 1;
                answered.extend(self.answer(project, row[0])?);
            }
        }
        Ok((asked, answered))
    }
}

#[test]
fn questions_in_other_words_are_answered() -> Result<()> {
    let projects = Projects::new()?;
    for (half, most) in [(Half::Seen, 1), (Half::HeldOut, 5)] {
        let (asked, missed) = projects.missed(half)?;
        assert!(
            asked > 40 && missed.len() <= most,
            "{} of {asked} {half:?} questions find nothing right: {missed:#?}",
            missed.len()
        );
    }
    Ok(())
}

#[test]
fn what_has_nothing_to_do_with_a_small_project_meets_silence() -> Result<()> {
    let projects = Projects::new()?;
    for (half, most) in [(Half::Seen, 1), (Half::HeldOut, 1)] {
        let (asked, answered) = projects.answered(half)?;
        assert!(
            asked >= 120 && answered.len() <= most,
            "{} of {asked} {half:?} questions are answered: {answered:#?}",
            answered.len()
        );
    }
    Ok(())
}

#[test]
fn questions_about_another_project_mostly_meet_silence() -> Result<()> {
    let projects = Projects::new()?;
    for (half, most) in [(Half::Seen, 9), (Half::HeldOut, 3)] {
        let (asked, answered) = projects.answered_elsewhere(half)?;
        assert!(
            asked > 50 && answered.len() <= most,
            "{} of {asked} {half:?} questions are answered: {answered:#?}",
            answered.len()
        );
    }
    Ok(())
}

#[test]
fn what_is_held_back_is_told_with_the_reason_only_to_who_asks() -> Result<()> {
    let sight = nowhere();
    let mut past = memory(3, MemoryKind::Progress, "Halfway through the oven door.");
    past.expires = Some(Timestamp::from_millis(1));
    let list = List::new(
        [
            memory(1, MemoryKind::Fact, "The oven of the bakery is gas fired."),
            memory(2, MemoryKind::Fact, "Buns are sold until noon."),
            past,
        ],
        nowhere(),
    );
    let context = Context::new(&list, &NoTree, &sight, Timestamp::from_millis(2));
    let question = "calibrate the oven thermometer against the laboratory reference";
    let ask = |explain| {
        let query = Query::new(question).files(0).explain(explain);
        Weighted::default().retrieve(&context, &query)
    };
    let told = ask(true)?;
    let misses: Vec<(&str, &str)> = told
        .near_misses
        .iter()
        .map(|miss| (miss.memory.text.as_str(), miss.reason.as_str()))
        .collect();
    assert!(told.abstained && told.hits.is_empty());
    assert_eq!(
        misses,
        [
            (
                "The oven of the bakery is gas fired.",
                "it shares only `oven` with the question, 20 % of what is asked"
            ),
            ("Halfway through the oven door.", "it expired on 1970-01-01"),
        ]
    );
    assert_eq!(ask(false)?.near_misses, []);
    Ok(())
}
