//! Postings against BM25 by hand, and updates against building anew.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;
use crate::Result;
use crate::store::{Rows, RowsMut, Table, Visit};
use crate::text::query_words;

#[derive(Clone, Debug, Default, PartialEq)]
struct Memory(BTreeMap<(Table, Vec<u8>), Vec<u8>>);

impl Rows for Memory {
    fn get(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>> {
        Ok(self.0.get(&(table, key.to_vec())).cloned())
    }

    fn range(
        &self,
        table: Table,
        from: &[u8],
        to: &[u8],
        visit: &mut dyn FnMut(&[u8], &[u8]) -> Visit,
    ) -> Result<()> {
        for ((found, key), value) in self.0.range((table, from.to_vec())..) {
            if *found != table
                || (!to.is_empty() && key.as_slice() >= to)
                || visit(key, value)?.is_break()
            {
                break;
            }
        }
        Ok(())
    }

    fn last(&self, table: Table) -> Result<Option<(Vec<u8>, Vec<u8>)>> {
        let row = self.0.iter().rfind(|((found, _), _)| *found == table);
        Ok(row.map(|((_, key), value)| (key.clone(), value.clone())))
    }
}

impl RowsMut for Memory {
    fn put(&mut self, table: Table, key: &[u8], value: &[u8]) -> Result<()> {
        self.0.insert((table, key.to_vec()), value.to_vec());
        Ok(())
    }

    fn remove(&mut self, table: Table, key: &[u8]) -> Result<()> {
        self.0.remove(&(table, key.to_vec()));
        Ok(())
    }

    fn as_rows(&self) -> &dyn Rows {
        self
    }
}

fn document(text: &str) -> Document {
    Document::of("", text, &[], [])
}

fn find_all(rows: &Memory, query: &str, limit: usize) -> Result<Vec<WordHit>> {
    search(rows, &query_words(query), limit, &mut |_| Ok(true))
}

/// BM25 as the textbook has it, over exact lengths.
fn by_hand(texts: &BTreeMap<u32, Document>, query: &str) -> Vec<(u32, f64)> {
    let count = texts.len() as f64;
    let average = texts
        .values()
        .map(|text| f64::from(text.length))
        .sum::<f64>()
        / count;
    let mut scores = BTreeMap::new();
    for (word, weight) in query_words(query) {
        let frequency = |text: &Document| {
            text.words
                .iter()
                .find(|(found, _)| *found == word)
                .map_or(0.0, |(_, frequency)| f64::from(*frequency))
        };
        let with = texts.values().filter(|text| frequency(text) > 0.0).count() as f64;
        let idf = (1.0 + (count - with + 0.5) / (with + 0.5)).ln();
        for (ordinal, text) in texts {
            let tf = frequency(text);
            if tf > 0.0 {
                let norm = 1.2 * (0.25 + 0.75 * f64::from(text.length) / average);
                *scores.entry(*ordinal).or_insert(0.0) +=
                    f64::from(weight) * idf * tf * 2.2 / (tf + norm);
            }
        }
    }
    let mut scores: Vec<_> = scores.into_iter().collect();
    scores.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    scores
}

fn steps() -> impl Strategy<Value = Vec<(u32, Option<Vec<u8>>)>> {
    let text = proptest::option::weighted(0.7, proptest::collection::vec(0u8..12, 0..20));
    proptest::collection::vec(
        (prop_oneof![0u32..6, 250u32..260, Just(70_000)], text),
        1..30,
    )
}

fn text_of(letters: &[u8]) -> String {
    let words: Vec<_> = letters
        .iter()
        .map(|letter| format!("w{}x", char::from(b'a' + letter)))
        .collect();
    words.join(" ")
}

proptest! {
    #[test]
    fn updates_leave_the_same_rows_as_building_anew_and_score_as_by_hand(steps in steps()) {
        let mut rows = Memory::default();
        let mut texts = BTreeMap::new();
        for (ordinal, letters) in &steps {
            if let Some(letters) = letters {
                let document = document(&text_of(letters));
                index(&mut rows, *ordinal, &document)?;
                texts.insert(*ordinal, document);
            } else {
                remove(&mut rows, *ordinal)?;
                texts.remove(ordinal);
            }
        }
        let mut anew = Memory::default();
        remove(&mut rows, 7_000_000)?;
        for (ordinal, document) in &texts {
            index(&mut anew, *ordinal, document)?;
            prop_assert_eq!(check(&rows, *ordinal, Some(document))?, Vec::<String>::new());
        }
        if texts.is_empty() {
            prop_assert!(rows.0.keys().all(|(table, _)| *table == Table::Meta), "a row of a word is left");
        } else {
            prop_assert_eq!(&rows, &anew);
        }
        prop_assert_eq!(check_totals(&rows)?, Vec::<String>::new());

        let query = "wax wbx wbx wcx wzx";
        let hits = find_all(&rows, query, usize::MAX)?;
        let expected: BTreeMap<_, _> = by_hand(&texts, query).into_iter().collect();
        prop_assert_eq!(hits.len(), expected.len());
        for hit in hits {
            // Lengths under 32 are stored exactly.
            prop_assert!((f64::from(hit.score) - expected[&hit.ordinal]).abs() < 1e-4);
        }
    }
}

#[test]
fn the_best_come_first_with_their_words_and_the_filter_is_asked_in_that_order() -> Result<()> {
    let mut rows = Memory::default();
    let texts = [
        "the lock is held",
        "lock lock spool",
        "nothing of it",
        "spool and lock and inbox file",
    ];
    for (ordinal, text) in texts.iter().enumerate() {
        index(&mut rows, ordinal as u32 * 200, &document(text))?;
    }
    let all = find_all(&rows, "lock spool", 10)?;
    assert_eq!(
        all.iter().map(|hit| hit.ordinal).collect::<Vec<_>>(),
        [200, 600, 0]
    );
    assert_eq!(all[2].words, ["lock"]);
    let mut asked = Vec::new();
    let hits = search(&rows, &query_words("lock spool"), 1, &mut |ordinal| {
        asked.push(ordinal);
        Ok(ordinal != 200)
    })?;
    assert_eq!(
        (hits.len(), hits[0].ordinal, asked),
        (1, 600, vec![200, 600])
    );
    Ok(())
}

#[test]
fn memories_without_words_count_in_the_average_length() -> Result<()> {
    let mut rows = Memory::default();
    let texts: BTreeMap<u32, Document> = [(0, document("wax")), (1, document(""))].into();
    for (ordinal, text) in &texts {
        index(&mut rows, *ordinal, text)?;
    }
    let score = f64::from(find_all(&rows, "wax", 1)?[0].score);
    assert!((score - by_hand(&texts, "wax")[0].1).abs() < 1e-4);
    Ok(())
}

#[test]
fn a_difference_is_found() -> Result<()> {
    let mut rows = Memory::default();
    index(&mut rows, 1, &document("lock spool"))?;
    assert_eq!(
        check(&rows, 1, Some(&document("lock")))?.len(),
        2,
        "other words, other length"
    );
    assert_eq!(
        check(&rows, 2, Some(&document("lock")))?.len(),
        2,
        "not indexed"
    );
    assert_eq!(check(&rows, 1, None)?.len(), 3, "should be gone");
    rows.remove(Table::Forward, &1u32.to_be_bytes())?;
    assert_eq!(
        check_totals(&rows)?.len(),
        2,
        "rows that belong to no memory"
    );
    Ok(())
}

/// Texts of about 40 words whose frequencies fall as those of a language do.
fn synthetic(number: u32) -> String {
    let mut state = u64::from(number).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let words: Vec<_> = (0..40)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let uniform = (state >> 11) as f64 / (1u64 << 53) as f64;
            format!("term{}", (20_000f64.powf(uniform) as u32) * 7919 % 100_003)
        })
        .collect();
    words.join(" ")
}

fn filled(count: u32) -> Result<Memory> {
    let mut rows = Memory::default();
    for number in 0..count {
        index(&mut rows, number, &document(&synthetic(number)))?;
    }
    Ok(rows)
}

#[test]
fn a_near_duplicate_is_among_the_similar() -> Result<()> {
    let rows = filled(3000)?;
    for number in (0..3000).step_by(97) {
        let text = synthetic(number);
        let changed = text
            .rsplit_once(' ')
            .map_or("", |(most, _)| most)
            .to_owned()
            + " brandnew";
        assert_eq!(similar(&rows, &document(&text), 5)?[0], number);
        assert!(similar(&rows, &document(&changed), 5)?.contains(&number));
    }
    let common: BTreeSet<u32> = similar(&rows, &document("term7919 term15838"), 5)?
        .into_iter()
        .collect();
    assert_eq!(
        common.len(),
        5,
        "a text of common words still has candidates"
    );
    Ok(())
}

#[test]
#[ignore = "measures: cargo test --release -p memorax-core --lib postings -- --ignored --nocapture"]
#[expect(clippy::print_stdout, reason = "prints what it measured")]
fn measure() -> Result<()> {
    for count in [10_000, 100_000] {
        let rows = filled(count)?;
        let queries: Vec<String> = (0..200)
            .map(|number| {
                let text = synthetic(count + number);
                text.split(' ').take(10).collect::<Vec<_>>().join(" ")
            })
            .collect();
        let mut times: Vec<[u128; 2]> = Vec::new();
        for (number, query) in queries.iter().enumerate() {
            let start = std::time::Instant::now();
            assert!(!find_all(&rows, query, 20)?.is_empty());
            let searched = start.elapsed().as_micros();
            let near = document(&synthetic(number as u32 * 37));
            let start = std::time::Instant::now();
            assert!(!similar(&rows, &near, 5)?.is_empty());
            times.push([searched, start.elapsed().as_micros()]);
        }
        for (what, at) in [("search", 0), ("similar", 1)] {
            let mut times: Vec<_> = times.iter().map(|time| time[at]).collect();
            times.sort_unstable();
            println!(
                "{count}: {what} p50 {} us, p95 {} us",
                times[100], times[190]
            );
        }
    }
    Ok(())
}
