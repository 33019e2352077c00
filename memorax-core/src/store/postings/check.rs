//! Compares what is stored with what should be.

use std::ops::ControlFlow;

use super::block::{Entry, Totals, entries, find, key_of, quantised};
use super::document::Document;
use crate::Result;
use crate::store::{Rows, Table};

/// Returns how the rows of a memory differ from what its words should give, in words for people; empty when all is
/// well. `None` says that nothing should be stored under the ordinal.
pub(in crate::store) fn check(
    rows: &dyn Rows,
    ordinal: u32,
    document: Option<&Document>,
) -> Result<Vec<String>> {
    let stored = match rows.get(Table::Forward, &ordinal.to_be_bytes())? {
        Some(row) => Some(Document::decode(ordinal, &row)?),
        None => None,
    };
    let mut differences = Vec::new();
    match (&stored, document) {
        (None, Some(_)) => differences.push(format!("memory number {ordinal} has no words")),
        (Some(_), None) => {
            differences.push(format!("memory number {ordinal} is gone and has words"));
        }
        (Some(stored), Some(document)) if stored != document => {
            differences.push(format!(
                "memory number {ordinal} has the words of another text"
            ));
        }
        _ => {}
    }
    let Some(expected) = document.or(stored.as_ref()) else {
        return Ok(differences);
    };
    for (word, frequency) in &expected.words {
        let key = key_of(word, ordinal);
        let row = rows.get(Table::Posting, &key)?.unwrap_or_default();
        let entry = match find(&row, ordinal) {
            Ok(_) => entries(&key, &row)?.find(|entry| entry.ordinal == ordinal),
            Err(_) => None,
        };
        let wanted = document.map(|document| Entry {
            ordinal,
            frequency: *frequency,
            length: quantised(document.length),
        });
        if entry != wanted {
            differences.push(format!(
                "memory number {ordinal} is wrong under the word `{word}`"
            ));
        }
    }
    Ok(differences)
}

/// Returns how the totals and the number of postings differ from the words of all memories; finds rows that belong to
/// no memory. Reads every row.
pub(in crate::store) fn check_totals(rows: &dyn Rows) -> Result<Vec<String>> {
    let mut totals = Totals::default();
    let mut words = 0usize;
    rows.range(Table::Forward, &[], &[], &mut |key, row| {
        let ordinal = key
            .first_chunk::<4>()
            .map_or(0, |key| u32::from_be_bytes(*key));
        let document = Document::decode(ordinal, row)?;
        totals.documents += 1;
        totals.length += u64::from(document.length);
        words += document.words.len();
        Ok(ControlFlow::Continue(()))
    })?;
    let mut postings = 0usize;
    rows.range(Table::Posting, &[], &[], &mut |key, row| {
        postings += entries(key, row)?.count();
        Ok(ControlFlow::Continue(()))
    })?;
    let mut differences = Vec::new();
    let stored = Totals::read(rows)?;
    if stored != totals {
        differences.push(format!(
            "{} memories of {} words are counted, {} of {} are there",
            stored.documents, stored.length, totals.documents, totals.length
        ));
    }
    if postings != words {
        differences.push(format!(
            "{postings} words are indexed, memories have {words}"
        ));
    }
    Ok(differences)
}
