//! Two hundred memories of one project: questions about it are answered, others meet silence.

use std::collections::BTreeMap;

use memorax_core::retrieve::{Context, NoTree, Retriever, Weighted};
use memorax_core::{Hit, Query, Result, Timestamp};

use super::source::{List, memory, nowhere, rows, shared};

const MEMORIES: &str = include_str!("../../fixtures/memories.tsv");
const QUESTIONS: &str = include_str!("../../fixtures/questions.tsv");
const UNRELATED: &str = include_str!("../../fixtures/unrelated.tsv");

struct Project {
    list: List,
    keys: BTreeMap<String, String>,
}

fn project() -> Result<Project> {
    let mut memories = Vec::new();
    let mut keys = BTreeMap::new();
    for (number, row) in (0..).zip(rows(MEMORIES)) {
        let memory = memory(number, row[1].parse()?, row[2]);
        keys.insert(memory.id.to_string(), row[0].to_owned());
        memories.push(memory);
    }
    Ok(Project {
        list: List::new(memories, nowhere()).embedded()?,
        keys,
    })
}

impl Project {
    fn ask(&self, text: &str) -> Result<Vec<Hit>> {
        let sight = nowhere();
        let context = Context::new(
            &self.list,
            &NoTree,
            &sight,
            Timestamp::from_millis(1_780_000_000_000),
        );
        Ok(Weighted::default()
            .retrieve(&context, &Query::new(text).files(0))?
            .hits)
    }

    fn key(&self, hit: &Hit) -> &str {
        &self.keys[&hit.memory.id.to_string()]
    }
}

#[test]
fn questions_about_the_project_are_answered() -> Result<()> {
    let project = project()?;
    let mut missed = Vec::new();
    let mut asked = 0;
    let mut first = 0;
    for row in rows(QUESTIONS) {
        asked += 1;
        let hits = project.ask(row[0])?;
        first += usize::from(hits.first().is_some_and(|hit| project.key(hit) == row[1]));
        if !hits.iter().any(|hit| project.key(hit) == row[1]) {
            let keys: Vec<&str> = hits.iter().map(|hit| project.key(hit)).collect();
            missed.push(format!("{} wants {}, got {keys:?}", row[0], row[1]));
        }
    }
    let recall = (asked - missed.len()) as f32 / asked as f32;
    assert!(recall >= 0.9, "recall@5 is {recall:.3}: {missed:#?}");
    assert!(
        first * 10 >= asked * 7,
        "only {first} of {asked} come first"
    );
    Ok(())
}

#[test]
fn unrelated_tasks_meet_silence() -> Result<()> {
    let project = project()?;
    let mut recalled = Vec::new();
    let mut asked = 0;
    for row in rows(UNRELATED) {
        asked += 1;
        if let Some(hit) = project.ask(row[0])?.first() {
            recalled.push(format!(
                "{}: {} by {:?}",
                row[0],
                hit.memory.text,
                shared(row[0], &hit.memory.text)
            ));
        }
    }
    assert!(
        recalled.len() * 20 <= asked,
        "{} of {asked}: {recalled:#?}",
        recalled.len()
    );
    Ok(())
}
