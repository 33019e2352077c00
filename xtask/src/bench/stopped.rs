//! A process that holds the write lock is stopped: others still read at once, and write through the inbox.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::bed::{Bed, Place, json, timed};
use super::crowd::verified;
use super::invented;
use super::sample::Sample;
use super::table::Row;
use crate::command::Failure;

const WHAT: &str = "holder of the write lock stopped";
/// Memories in the store: enough that a recall has something to read.
const MEMORIES: usize = 200;

pub(super) fn measure(bed: &mut Bed) -> Result<Vec<Row>, Failure> {
    if !cfg!(unix) {
        return Ok(vec![Row::skipped(
            WHAT,
            "stopping a process needs SIGSTOP, which this system does not have",
        )]);
    }
    let place = bed.small("stopped")?;
    bed.fill(&place, MEMORIES)?;
    let holder = Holder::start(&place)?;
    let reads: Sample = invented::questions(bed.count(50, 10))
        .iter()
        .map(|question| timed(&mut place.memorax(["recall", question])).map(|(taken, _)| taken))
        .collect::<Result<_, Failure>>()?;
    let mut writes = Vec::new();
    let mut ids = Vec::new();
    let mut queued = 0;
    for number in 0..bed.count(5, 2) {
        let text = invented::note(number);
        let mut command = place.memorax(["remember", "--json", &text]);
        let (taken, printed) = timed(&mut command)?;
        let answer: serde_json::Value = serde_json::from_slice(&printed)
            .map_err(|error| format!("cannot read the answer of {command:?}: {error}"))?;
        writes.push(taken);
        queued += usize::from(answer["outcome"] == "queued");
        ids.push(answer["id"].as_str().unwrap_or_default().to_owned());
    }
    let seen = known(&place, &ids);
    drop(holder);
    timed(&mut place.memorax(["gc"]))?;
    let kept = known(&place, &ids);
    let left = place.waiting()?;
    let (sound, _) = verified(&place)?;
    let count = ids.len();
    Ok(vec![
        Row::within(
            format!("{WHAT}: `recall`"),
            &reads,
            100,
            Duration::from_millis(50),
        ),
        Row::within(
            format!("{WHAT}: `remember`"),
            &writes.into_iter().collect(),
            100,
            Duration::from_millis(2500),
        ),
        Row::new(
            format!("{WHAT}: what was written"),
            format!(
                "of {count}: {queued} queued, {seen} seen at once, {kept} there afterwards, {left} left in the inbox"
            ),
            "all queued, seen and kept; `verify` sound",
            queued == count && seen == count && kept == count && left == 0 && sound,
        ),
    ])
}

fn known(place: &Place, ids: &[String]) -> usize {
    ids.iter()
        .filter(|id| json(&mut place.memorax(["show", "--json", id])).is_ok())
        .count()
}

/// A stopped process that holds the write lock; it is killed in the end.
struct Holder(Child);

impl Holder {
    fn start(place: &Place) -> Result<Self, Failure> {
        let mut command = place.harness(["hold"]);
        command.arg(place.store()?);
        let child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("cannot run {command:?}: {error}"))?;
        let mut holder = Self(child);
        let output = holder
            .0
            .stdout
            .take()
            .expect("the output was asked for above");
        let mut line = String::new();
        let read = BufReader::new(output).read_line(&mut line);
        if !(read.is_ok() && line.trim() == "held") {
            return Err(format!("{command:?} did not get the write lock"));
        }
        // The shell's own `kill` is there also where no program of that name is installed.
        let mut stop = Command::new("sh");
        stop.args(["-c", "kill -STOP \"$0\""])
            .arg(holder.0.id().to_string());
        timed(&mut stop)?;
        Ok(holder)
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        // SIGKILL ends a stopped process too.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
