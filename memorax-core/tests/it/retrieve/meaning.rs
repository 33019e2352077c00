//! Memories of one project, asked in words that they do not have: the meaning finds them.
//!
//! Rows at even places were looked at while the bars were set; rows at odd places are held out.

use memorax_core::retrieve::{Context, NoTree, Retriever, Weighted};
use memorax_core::{Hit, Query, Result, Timestamp};

use super::source::{List, memory, nowhere, rows};

const PAIRS: &str = include_str!("../../fixtures/own_words.tsv");
const UNRELATED: &str = include_str!("../../fixtures/small_unrelated.tsv");

/// How many hits an agent reads before it loses patience.
const PATIENCE: usize = 3;

fn project(embedded: bool) -> Result<List> {
    let mut memories = Vec::new();
    for (number, row) in (0..).zip(rows(PAIRS)) {
        memories.push(memory(number, row[0].parse()?, row[1]));
    }
    let list = List::new(memories, nowhere());
    if embedded { list.embedded() } else { Ok(list) }
}

fn ask(list: &List, question: &str) -> Result<Vec<Hit>> {
    let sight = nowhere();
    let now = Timestamp::from_millis(1_780_000_000_000);
    let context = Context::new(list, &NoTree, &sight, now);
    let query = Query::new(question).files(0);
    Ok(Weighted::default().retrieve(&context, &query)?.hits)
}

/// Returns which questions of a half find nothing right among the first hits.
fn missed(list: &List, odd: usize) -> Result<Vec<String>> {
    let mut missed = Vec::new();
    for row in rows(PAIRS).skip(odd).step_by(2) {
        let hits = ask(list, row[2])?;
        let right = |hit: &Hit| hit.memory.text == row[1];
        if !hits.iter().take(PATIENCE).any(right) {
            let got: Vec<&str> = hits.iter().map(|hit| hit.memory.text.as_str()).collect();
            missed.push(format!("{}: {got:?}", row[2]));
        }
    }
    Ok(missed)
}

#[test]
fn a_meaning_finds_what_words_do_not_and_nothing_that_has_nothing_to_do_with_it() -> Result<()> {
    let (words, both) = (project(false)?, project(true)?);
    for (odd, most) in [(0, [13, 13]), (1, [14, 12])] {
        let missed = [missed(&words, odd)?, missed(&both, odd)?];
        assert!(
            missed[0].len() <= most[0] && missed[1].len() <= most[1],
            "by words and by both, questions from {odd} on: {missed:#?}"
        );
    }
    let mut answered = [Vec::new(), Vec::new()];
    for row in rows(UNRELATED) {
        for (list, answered) in [&words, &both].into_iter().zip(&mut answered) {
            if let Some(hit) = ask(list, row[0])?.first() {
                answered.push(format!("{}: {}", row[0], hit.memory.text));
            }
        }
    }
    let [by_words, by_both] = answered;
    assert!(by_words.len() <= 5, "{by_words:#?}");
    let more: Vec<&String> = by_both
        .iter()
        .filter(|one| !by_words.contains(one))
        .collect();
    // That one is even right.
    let demo =
        "how do we seed the demo tenants: Seed a local database with `bin/setup --sample-data`.";
    assert_eq!(more, [demo], "by meaning only");
    Ok(())
}
