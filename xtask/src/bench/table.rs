//! The table that a run ends with: one line for each promise.

use std::fmt;
use std::time::Duration;

use super::sample::{Sample, shown};

/// How a promise fared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Held,
    Missed,
    /// Could not be measured here; the reason stands in the place of the figure.
    Skipped,
}

/// One promise and what was measured.
#[derive(Clone, Debug)]
pub(super) struct Row {
    what: String,
    measured: String,
    bar: String,
    pub(super) verdict: Verdict,
}

impl Row {
    pub(super) fn new(
        what: impl Into<String>,
        measured: impl fmt::Display,
        bar: impl Into<String>,
        held: bool,
    ) -> Self {
        Self {
            what: what.into(),
            measured: measured.to_string(),
            bar: bar.into(),
            verdict: if held { Verdict::Held } else { Verdict::Missed },
        }
    }

    /// A promise that cannot be measured here, and why.
    pub(super) fn skipped(what: impl Into<String>, why: impl fmt::Display) -> Self {
        Self {
            what: what.into(),
            measured: why.to_string(),
            bar: String::new(),
            verdict: Verdict::Skipped,
        }
    }

    /// A bar for a percentile of a sample; 100 stands for the longest time. A sample without times misses.
    pub(super) fn within(
        what: impl Into<String>,
        sample: &Sample,
        percent: usize,
        bar: Duration,
    ) -> Self {
        let name = match percent {
            100 => "max".to_owned(),
            _ => format!("p{percent}"),
        };
        let held = sample.count() > 0 && sample.percentile(percent) <= bar;
        Self::new(what, sample, format!("{name} <= {}", shown(bar)), held)
    }
}

/// Writes the rows as a Markdown table.
pub(super) fn render(rows: &[Row]) -> String {
    let mut text = String::from("| what | measured | bar | result |\n|---|---|---|---|\n");
    for row in rows {
        let result = match row.verdict {
            Verdict::Held => "ok",
            Verdict::Missed => "MISS",
            Verdict::Skipped => "skipped",
        };
        let cells = [&row.what, &row.measured, &row.bar]
            .map(|cell| cell.replace('|', "\\|").replace('\n', " "));
        text.extend(["| ", &cells.join(" | "), " | ", result, " |\n"]);
    }
    text
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Row, Sample, render};

    #[test]
    fn a_row_says_what_was_measured_against_which_bar() {
        let sample: Sample = [3, 40].map(Duration::from_millis).into_iter().collect();
        let rows = [
            Row::within("recall", &sample, 50, Duration::from_millis(30)),
            Row::within("recall", &sample, 100, Duration::from_millis(30)),
            Row::within("nothing", &Sample::default(), 50, Duration::from_millis(30)),
            Row::skipped("a|b", "not\nhere"),
        ];
        assert_eq!(
            render(&rows),
            "| what | measured | bar | result |\n\
             |---|---|---|---|\n\
             | recall | n 2, p50 3.00 ms, p95 40.0 ms, max 40.0 ms | p50 <= 30.0 ms | ok |\n\
             | recall | n 2, p50 3.00 ms, p95 40.0 ms, max 40.0 ms | max <= 30.0 ms | MISS |\n\
             | nothing | n 0, p50 0.00 ms, p95 0.00 ms, max 0.00 ms | p50 <= 30.0 ms | MISS |\n\
             | a\\|b | not here |  | skipped |\n"
        );
    }
}
