//! What an embedder finds and what it costs: a question's vector against the vectors of all passages, nothing else.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

use memorax_core::{Embedder, Error, ErrorKind, Result};
use serde::{Deserialize, Serialize};

use crate::ranking;

/// Ranks below this count as not found.
const DEPTH: usize = 10;

/// A line of a task: a passage, and a question that it answers, if there is one.
#[derive(Debug, Deserialize)]
struct Pair {
    query: Option<String>,
    text: String,
}

/// The figures of one embedder.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    embedder: String,
    dimensions: usize,
    queries: usize,
    passages: usize,
    mrr_at_10: f64,
    standard_error: f64,
    recall_at_1: f64,
    recall_at_10: f64,
    /// Median over the queries.
    query_us: f64,
    passages_per_second: f64,
}

/// Embeds a task and ranks its passages for each of its queries.
pub(crate) fn run(task: &Path, embedder: &dyn Embedder) -> Result<Row> {
    let pairs = read(task)?;
    let begun = Instant::now();
    let mut passages = Vec::with_capacity(pairs.len());
    for pair in &pairs {
        passages.extend(embedder.embed(&[&pair.text])?);
    }
    let passages_per_second = pairs.len() as f64 / begun.elapsed().as_secs_f64();
    let mut times = Vec::new();
    let mut ranks = Vec::new();
    for (own, pair) in pairs.iter().enumerate() {
        let Some(query) = &pair.query else { continue };
        let begun = Instant::now();
        let vectors = embedder.embed(&[query])?;
        times.push(begun.elapsed().as_secs_f64() * 1e6);
        ranks.push(rank_of(own, &vectors[0], &passages));
    }
    if ranks.is_empty() {
        return Err(Error::new(
            ErrorKind::InvalidInput,
            format!("no line of `{}` has a `query`", task.display()),
        ));
    }
    times.sort_by(f64::total_cmp);
    let count = ranks.len() as f64;
    let share = |depth: usize| ranks.iter().filter(|rank| **rank <= depth).count() as f64 / count;
    let gains: Vec<f64> = ranks
        .iter()
        .map(|rank| {
            if *rank <= DEPTH {
                1.0 / *rank as f64
            } else {
                0.0
            }
        })
        .collect();
    let mean = gains.iter().sum::<f64>() / count;
    let variance = gains.iter().map(|gain| (gain - mean).powi(2)).sum::<f64>() / count;
    Ok(Row {
        embedder: embedder.id().to_owned(),
        dimensions: embedder.dimensions(),
        queries: ranks.len(),
        passages: pairs.len(),
        mrr_at_10: mean,
        standard_error: (variance / count).sqrt(),
        recall_at_1: share(1),
        recall_at_10: share(DEPTH),
        query_us: times[times.len() / 2],
        passages_per_second,
    })
}

/// Writes rows as Markdown.
pub(crate) fn markdown(rows: &[Row]) -> String {
    let mut text = String::from(
        "# Question to passage\n\nCosine only.\n\n| embedder | n | passages | MRR@10 | se | R@1 | R@10 | us a query | passages a second |\n\
         |---|---|---|---|---|---|---|---|---|\n",
    );
    for row in rows {
        let _infallible = writeln!(
            text,
            "| {} | {} | {} | {:.3} | {:.3} | {:.3} | {:.3} | {:.0} | {:.0} |",
            row.embedder,
            row.queries,
            row.passages,
            row.mrr_at_10,
            row.standard_error,
            row.recall_at_1,
            row.recall_at_10,
            row.query_us,
            row.passages_per_second
        );
    }
    text
}

/// Returns the rank of the own passage; equal ones stand before it.
fn rank_of(own: usize, query: &[f32], passages: &[Vec<f32>]) -> usize {
    let near = |passage: &[f32]| -> f32 { query.iter().zip(passage).map(|(x, y)| x * y).sum() };
    let reached = near(&passages[own]);
    1 + passages
        .iter()
        .enumerate()
        .filter(|(at, passage)| *at != own && near(passage) >= reached)
        .count()
}

fn read(task: &Path) -> Result<Vec<Pair>> {
    let text = ranking::read(task)?;
    text.lines()
        .enumerate()
        .map(|(at, line)| {
            serde_json::from_str(line).map_err(|error| {
                let place = format!("line {} of `{}` is no pair", at + 1, task.display());
                Error::new(ErrorKind::InvalidInput, place).with_source(error)
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Knows the letters `a` and `b`.
    struct Letters;

    impl Embedder for Letters {
        fn id(&self) -> &'static str {
            "letters/1"
        }

        fn dimensions(&self) -> usize {
            2
        }

        fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
            let count = |text: &str, letter| text.matches(letter).count() as f32;
            Ok(texts
                .iter()
                .map(|text| vec![count(text, 'a'), count(text, 'b')])
                .collect())
        }
    }

    #[test]
    fn equal_passages_are_not_found_first() {
        let passages = [vec![1.0, 0.0], vec![1.0, 0.0], vec![0.0, 1.0]];
        assert_eq!(rank_of(0, &[1.0, 0.0], &passages), 2);
        assert_eq!(rank_of(2, &[1.0, 0.0], &passages), 3);
    }

    #[test]
    fn a_task_without_questions_is_refused() {
        let task = std::env::temp_dir().join(format!("memorax-bench-embed-{}", std::process::id()));
        std::fs::write(&task, "{\"text\": \"a\"}\n").expect("the temporary folder can be written");
        let refused = run(&task, &Letters).expect_err("nothing is asked");
        std::fs::remove_file(&task).expect("the file was written above");
        assert_eq!(
            refused.to_string(),
            format!("no line of `{}` has a `query`", task.display())
        );
    }
}
