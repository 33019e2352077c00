//! Writes reports: JSON where the name says so, else Markdown.

use std::fmt::Write as _;
use std::path::Path;

use memorax_core::{Error, ErrorKind, Result};

use serde::Serialize;

use crate::cost::Costs;
use crate::embed;
use crate::history_files::Row;
use crate::vectors;

pub(crate) fn history_files(out: &Path, rows: &[Row]) -> Result<()> {
    if is_json(out) {
        return write(out, &json(rows)?);
    }
    let mut text = String::from(
        "# Task text to files\n\nQuery: a commit's message; answer: the existing files it changed; knowledge: strictly earlier. \
         Later half of each history. The difference is to `all`, query by query.\n\n\
         | repository | method | n | R@5 | R@10 | nDCG@10 | se | silent | difference | se |\n|---|---|---|---|---|---|---|---|---|---|\n",
    );
    let mut means: Vec<(&str, f32, f32)> = Vec::new();
    for row in rows {
        let _infallible = writeln!(
            text,
            "| {} | {} | {} | {:.3} | {:.3} | {:.3} | {:.3} | {} | {:+.3} | {:.3} |",
            row.repository,
            row.method,
            row.queries,
            row.recall_at_5,
            row.recall_at_10,
            row.ndcg_at_10,
            row.standard_error,
            row.silent,
            row.difference,
            row.difference_error
        );
        match means
            .iter_mut()
            .find(|(method, _, _)| *method == row.method)
        {
            Some((_, sum, count)) => {
                *sum += row.ndcg_at_10;
                *count += 1.0;
            }
            None => means.push((&row.method, row.ndcg_at_10, 1.0)),
        }
    }
    text.push_str("\n| method | mean nDCG@10 |\n|---|---|\n");
    for (method, sum, count) in means {
        let _infallible = writeln!(text, "| {method} | {:.3} |", sum / count);
    }
    write(out, &text)
}

/// Writes what `cost` measured.
pub(crate) fn cost(out: &Path, costs: &Costs) -> Result<()> {
    let text = if is_json(out) {
        json(costs)?
    } else {
        costs.markdown()
    };
    write(out, &text)
}

/// Writes answers that a scorer reads: one JSON object a line.
pub(crate) fn lines<T: Serialize>(out: &Path, answers: &[T]) -> Result<()> {
    let mut text = String::new();
    for answer in answers {
        let line = serde_json::to_string(answer).map_err(|error| {
            Error::new(ErrorKind::InvalidInput, "cannot write an answer as JSON").with_source(error)
        })?;
        text.push_str(&line);
        text.push('\n');
    }
    write(out, &text)
}

/// Writes what `vectors` measured.
pub(crate) fn vectors(out: &Path, rows: &[vectors::Row]) -> Result<()> {
    let text = if is_json(out) {
        json(rows)?
    } else {
        vectors::markdown(rows)
    };
    write(out, &text)
}

/// Writes what `embed` measured.
pub(crate) fn embed(out: &Path, rows: &[embed::Row]) -> Result<()> {
    let text = if is_json(out) {
        json(rows)?
    } else {
        embed::markdown(rows)
    };
    write(out, &text)
}

pub(crate) fn is_json(out: &Path) -> bool {
    out.extension().is_some_and(|ending| ending == "json")
}

pub(crate) fn json<T: Serialize + ?Sized>(figures: &T) -> Result<String> {
    serde_json::to_string_pretty(figures).map_err(|error| {
        Error::new(ErrorKind::InvalidInput, "cannot write the report as JSON").with_source(error)
    })
}

pub(crate) fn write(out: &Path, text: &str) -> Result<()> {
    std::fs::write(out, text).map_err(|error| {
        Error::new(ErrorKind::Io, format!("cannot write `{}`", out.display())).with_source(error)
    })
}

/// Prints an error with its causes.
#[expect(clippy::print_stderr, reason = "the program's one place for errors")]
pub(crate) fn fail(error: &Error) {
    eprintln!("error: {error}");
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        eprintln!("  caused by: {inner}");
        cause = inner.source();
    }
    if let Some(hint) = error.hint() {
        eprintln!("hint: {hint}");
    }
}
