//! The definitions that are named with a file.

use std::collections::HashSet;

use crate::retrieve::Analysis;
use crate::text;

/// Definitions that are named with a file.
const SYMBOLS: usize = 3;

/// Names the definitions that share most words with the query, with their lines.
pub(super) fn fitting(symbols: &[crate::Symbol], analysis: &Analysis) -> Vec<String> {
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
