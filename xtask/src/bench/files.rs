//! Task text to files: how well the files that a commit changed are found from its message.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::bed::{Bed, failed, timed};
use super::indexing::{absent, project};
use super::table::Row;
use crate::command::Failure;

const PROJECTS: [&str; 5] = ["flask", "redb", "ripgrep", "requests", "pytest"];
/// Least mean of nDCG@10 over the later halves of the histories.
const BAR: f64 = 0.70;
/// Name under which the report has the shipped weights.
const SHIPPED: &str = "all";

pub(super) fn measure(bed: &mut Bed, repositories: Option<&Path>) -> Result<Vec<Row>, Failure> {
    let what = "task text to files, mean nDCG@10";
    let mut folders: Vec<PathBuf> = Vec::new();
    for name in PROJECTS {
        match project(repositories, name) {
            Some(folder) => folders.push(folder),
            // A mean over fewer projects is another figure.
            None => return Ok(vec![Row::skipped(what, absent(repositories, name))]),
        }
    }
    let report = bed.path("history-files.json");
    let place = bed.place("history-files", &folders[0]);
    let mut command = place.harness(["history-files", "--git"]);
    command.args(&folders).arg("--out").arg(&report);
    command.arg("--cache").arg(bed.path("history-views"));
    command.args(["--queries", &bed.count(2000, 40).to_string()]);
    timed(&mut command)?;
    let text = fs::read(&report).map_err(failed("read", &report))?;
    let rows: Vec<Value> = serde_json::from_slice(&text)
        .map_err(|error| format!("cannot read {}: {error}", report.display()))?;
    let scores: Vec<(&str, f64)> = rows
        .iter()
        .filter(|row| row["method"] == SHIPPED)
        .filter_map(|row| Some((row["repository"].as_str()?, row["ndcg_at_10"].as_f64()?)))
        .collect();
    if scores.len() != PROJECTS.len() {
        return Err(format!(
            "the report has {} projects: {rows:?}",
            scores.len()
        ));
    }
    let mean = scores.iter().map(|(_, score)| score).sum::<f64>() / scores.len() as f64;
    let each: Vec<String> = scores
        .iter()
        .map(|(name, score)| format!("{name} {score:.3}"))
        .collect();
    Ok(vec![Row::new(
        what,
        format!("{mean:.3} ({})", each.join(", ")),
        format!(">= {BAR}"),
        mean >= BAR,
    )])
}
