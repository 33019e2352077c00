//! Questions about long conversations to the turns that answer them: each turn is a memory. Reads files of LoCoMo's
//! shape, which the user supplies.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use memorax_core::{Error, ErrorKind, Memorax, Query, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ranking;
use crate::report;
use crate::statistics::mean_of;

/// Memories that are asked for.
const MEMORIES: usize = 10;
/// Enough tokens for all of them.
const BUDGET: usize = 10_000;

/// Which conversations.
#[derive(Debug, Args)]
pub(crate) struct Plan {
    /// Conversations with questions, as JSON of LoCoMo's shape
    #[arg(long)]
    locomo: PathBuf,
    /// Report: `.json`, anything else is Markdown
    #[arg(long)]
    out: PathBuf,
}

/// A conversation; its sessions are `session_1`, `session_2` and so on.
#[derive(Debug, Deserialize)]
struct Sample {
    conversation: BTreeMap<String, Value>,
    qa: Vec<Question>,
}

#[derive(Debug, Deserialize)]
struct Question {
    question: String,
    #[serde(default)]
    evidence: Vec<String>,
    #[serde(default)]
    category: u32,
}

#[derive(Debug, Deserialize)]
struct Turn {
    speaker: String,
    dia_id: String,
    #[serde(default)]
    text: String,
    #[serde(default)]
    blip_caption: String,
}

/// What one question got.
#[derive(Clone, Copy, Debug)]
struct Score {
    recall_at_5: f32,
    recall_at_10: f32,
    hit_at_10: f32,
    silent: f32,
}

/// Scores of the questions of one category; category 0 is all of them.
#[derive(Debug, Serialize)]
struct Row {
    category: u32,
    questions: usize,
    recall_at_5: f32,
    recall_at_10: f32,
    standard_error: f32,
    hit_at_10: f32,
    silent: f32,
}

/// All rows, and what was left out.
#[derive(Debug, Default, Serialize)]
struct Report {
    turns: usize,
    /// Turns that were not stored: they say what a stored one says, or nothing.
    refused: usize,
    /// Questions without evidence, or whose evidence is no turn.
    unanswerable: usize,
    rows: Vec<Row>,
}

/// Stores the turns of each conversation in a store of its own, asks its questions, and reports.
pub(crate) fn run(plan: &Plan) -> Result<()> {
    let text = ranking::read(&plan.locomo)?;
    let samples: Vec<Sample> = ranking::parse(&text, &format!("`{}`", plan.locomo.display()))?;
    let mut report = Report::default();
    let mut scores: BTreeMap<u32, Vec<Score>> = BTreeMap::new();
    for (number, sample) in samples.iter().enumerate() {
        let name = format!("memorax-bench-dialogue-{}-{number}", std::process::id());
        let place = std::env::temp_dir().join(name);
        let asked = ask(sample, &place, &mut report, &mut scores);
        let removed = std::fs::remove_dir_all(&place);
        asked?;
        removed.map_err(|error| failed("remove", &place, error))?;
    }
    let all: Vec<Score> = scores.values().flatten().copied().collect();
    report.rows = std::iter::once(row(0, &all))
        .chain(
            scores
                .iter()
                .map(|(category, scores)| row(*category, scores)),
        )
        .collect();
    if report::is_json(&plan.out) {
        return report::write(&plan.out, &report::json(&report)?);
    }
    report::write(&plan.out, &markdown(&report))
}

fn failed(what: &str, path: &Path, error: std::io::Error) -> Error {
    let message = format!("cannot {what} `{}`", path.display());
    Error::new(ErrorKind::Io, message).with_source(error)
}

fn ask(
    sample: &Sample,
    place: &Path,
    report: &mut Report,
    scores: &mut BTreeMap<u32, Vec<Score>>,
) -> Result<()> {
    let folder = place.join("conversation");
    std::fs::create_dir_all(&folder).map_err(|error| failed("create", &folder, error))?;
    let memory = Memorax::builder().home(place.join("home")).open(&folder)?;
    let turns = turns(sample)?;
    let lines: Vec<String> = turns
        .iter()
        .map(|(id, text)| {
            serde_json::json!({ "kind": "fact", "title": id, "text": text }).to_string()
        })
        .collect();
    let stored = memory.restore(&mut lines.join("\n").as_bytes())?;
    report.turns += turns.len();
    report.refused += turns.len() - stored.created;
    for question in &sample.qa {
        let mut evidence: Vec<&str> = question
            .evidence
            .iter()
            .flat_map(|ids| ids.split([';', ',', ' ']))
            .filter(|id| turns.contains_key(*id))
            .collect();
        evidence.sort_unstable();
        evidence.dedup();
        if evidence.is_empty() {
            report.unanswerable += 1;
            continue;
        }
        let query = Query::new(question.question.as_str())
            .files(0)
            .memories(MEMORIES)
            .budget(BUDGET);
        let recall = memory.recall(&query)?;
        let right: Vec<bool> = recall
            .hits
            .iter()
            .map(|hit| evidence.contains(&hit.memory.title.as_str()))
            .collect();
        let found = |limit: usize| right.iter().take(limit).filter(|right| **right).count() as f32;
        let most = |limit: usize| evidence.len().min(limit) as f32;
        let is = |fact: bool| if fact { 1.0 } else { 0.0 };
        scores.entry(question.category).or_default().push(Score {
            recall_at_5: found(5) / most(5),
            recall_at_10: found(10) / most(10),
            hit_at_10: is(found(10) > 0.0),
            silent: is(right.is_empty()),
        });
    }
    Ok(())
}

/// Returns the turns of all sessions by their ids, each with its day, its speaker and what a picture shows.
fn turns(sample: &Sample) -> Result<BTreeMap<String, String>> {
    let mut turns = BTreeMap::new();
    for (name, session) in &sample.conversation {
        let is_session = name.starts_with("session_") && session.is_array();
        if !is_session {
            continue;
        }
        let day = sample
            .conversation
            .get(&format!("{name}_date_time"))
            .and_then(Value::as_str)
            .unwrap_or_default();
        let session: Vec<Turn> = serde_json::from_value(session.clone()).map_err(|error| {
            Error::new(
                ErrorKind::InvalidInput,
                format!("`{name}` is no list of turns"),
            )
            .with_source(error)
        })?;
        for turn in session {
            let mut text = format!("{}: {}", turn.speaker, turn.text);
            if !turn.blip_caption.is_empty() {
                let _infallible = write!(text, " [{}]", turn.blip_caption);
            }
            if !day.is_empty() {
                let _infallible = write!(text, " ({day})");
            }
            turns.insert(turn.dia_id, text);
        }
    }
    Ok(turns)
}

fn row(category: u32, scores: &[Score]) -> Row {
    let (recall_at_10, standard_error) = mean_of(scores.iter().map(|score| score.recall_at_10));
    Row {
        category,
        questions: scores.len(),
        recall_at_5: mean_of(scores.iter().map(|score| score.recall_at_5)).0,
        recall_at_10,
        standard_error,
        hit_at_10: mean_of(scores.iter().map(|score| score.hit_at_10)).0,
        silent: mean_of(scores.iter().map(|score| score.silent)).0,
    }
}

fn markdown(report: &Report) -> String {
    let mut text = format!(
        "# Questions about conversations\n\n{} turns, {} of them not stored; {} questions without evidence left out.\n\n\
         | category | n | R@5 | R@10 | se | hit@10 | silent |\n|---|---|---|---|---|---|---|\n",
        report.turns, report.refused, report.unanswerable
    );
    for row in &report.rows {
        let name = match row.category {
            0 => "all".to_owned(),
            category => category.to_string(),
        };
        let _infallible = writeln!(
            text,
            "| {name} | {} | {:.3} | {:.3} | {:.3} | {:.3} | {:.3} |",
            row.questions,
            row.recall_at_5,
            row.recall_at_10,
            row.standard_error,
            row.hit_at_10,
            row.silent
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Plan, Sample, run, turns};

    const SMALL: &str = r#"[{"sample_id": "one", "conversation": {
        "speaker_a": "Ines", "speaker_b": "Tom",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Ines", "dia_id": "D1:1", "text": "I planted tomatoes on the balcony."},
            {"speaker": "Tom", "dia_id": "D1:2", "text": "My sister moved to Lisbon for a job at the harbour.", "blip_caption": "a ferry"}
        ],
        "session_2_date_time": "9:00 am on 2 June, 2023",
        "session_2": [{"speaker": "Ines", "dia_id": "D2:1", "text": "The violin lessons begin on Monday."}]},
      "qa": [
        {"question": "Where did Tom's sister move for her job?", "answer": "Lisbon", "evidence": ["D1:2"], "category": 4},
        {"question": "When do the violin lessons begin?", "answer": "Monday", "evidence": ["D2:1; D1:9"], "category": 2},
        {"question": "What is the dog called?", "answer": "none", "evidence": [], "category": 5}]}]"#;

    #[test]
    fn turns_carry_day_speaker_and_picture() {
        let samples: Vec<Sample> = serde_json::from_str(SMALL).expect("the shape");
        let turns = turns(&samples[0]).expect("turns");
        assert_eq!(turns.len(), 3);
        assert_eq!(
            turns["D1:2"],
            "Tom: My sister moved to Lisbon for a job at the harbour. [a ferry] (1:56 pm on 8 May, 2023)"
        );
    }

    #[test]
    fn evidence_is_counted_by_turn() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let plan = Plan {
            locomo: folder.path().join("small.json"),
            out: folder.path().join("report.json"),
        };
        std::fs::write(&plan.locomo, SMALL)?;
        run(&plan)?;
        let report: serde_json::Value = serde_json::from_slice(&std::fs::read(&plan.out)?)?;
        assert_eq!(report["turns"], 3);
        assert_eq!(report["unanswerable"], 1);
        assert_eq!(report["rows"][0]["questions"], 2);
        assert_eq!(report["rows"][0]["recall_at_5"], 1.0, "{report}");
        Ok(())
    }
}
