//! Many processes on one store: each is killed at random and started again, and nothing that was acknowledged may be lost.

use std::collections::HashSet;
use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::bed::{Bed, Place, json, timed};
use super::invented;
use super::random::Random;
use super::sample::{Sample, shown};
use super::table::Row;
use crate::command::Failure;

/// Processes that work at the same time: half are calls of the program, half keep their handle as servers do.
const WORKERS: usize = 8;
const LONGEST_WRITE: Duration = Duration::from_millis(2500);
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// What one worker, or all of them, did.
#[derive(Default)]
struct Tally {
    /// Ids that were printed, which means that the write was durable.
    acknowledged: Vec<String>,
    writes: Vec<Duration>,
    reads: Vec<Duration>,
    kills: usize,
    /// Complaints of processes that ended without being killed.
    failures: Vec<String>,
}

/// Eight processes write and read one store and are killed at random.
pub(super) fn stress(bed: &mut Bed) -> Result<Vec<Row>, Failure> {
    let place = bed.small("stress")?;
    let length = Duration::from_secs(bed.count(30, 5) as u64);
    let mut sum = Tally::default();
    let end = Instant::now() + length;
    let workers: Vec<JoinHandle<Result<Tally, Failure>>> = (0..WORKERS)
        .map(|worker| {
            let place = place.clone();
            thread::spawn(move || match worker % 2 {
                0 => call_until(end, &place, worker),
                _ => serve_until(end, &place, worker),
            })
        })
        .collect();
    for worker in workers {
        let tally = worker.join().map_err(|_| "a worker panicked")??;
        sum.acknowledged.extend(tally.acknowledged);
        sum.writes.extend(tally.writes);
        sum.reads.extend(tally.reads);
        sum.kills += tally.kills;
        sum.failures.extend(tally.failures);
    }
    judge(&place, &sum)
}

fn judge(place: &Place, sum: &Tally) -> Result<Vec<Row>, Failure> {
    let ended = Instant::now();
    let queued = place.waiting()?;
    timed(&mut place.memorax(["remember", "The last writer came after all the others."]))?;
    let mut left = place.waiting()?;
    while left > 0 && ended.elapsed() < LONGEST_WAIT {
        timed(&mut place.memorax(["gc"]))?;
        left = place.waiting()?;
    }
    let drained = ended.elapsed();
    let missing = missing(place, &sum.acknowledged)?;
    let verified = verified(place)?;
    for failure in sum.failures.iter().take(5) {
        eprintln!("a process failed: {failure}");
    }
    for id in missing.iter().take(5) {
        eprintln!("an acknowledged write is missing: {id}");
    }
    let what = |promise: &str| format!("{WORKERS} processes, killed at random: {promise}");
    let writes: Sample = sum.writes.iter().copied().collect();
    let reads: Sample = sum.reads.iter().copied().collect();
    let written = sum.acknowledged.len();
    Ok(vec![
        Row::new(
            what("acknowledged writes"),
            format!(
                "{written} written, {} kills, {} missing",
                sum.kills,
                missing.len()
            ),
            "none missing",
            written > 0 && sum.kills > 0 && missing.is_empty(),
        ),
        Row::new(
            what("processes that failed by themselves"),
            format!("{}; recalls {reads}", sum.failures.len()),
            "none",
            sum.failures.is_empty(),
        ),
        Row::new(what("`verify`"), &verified.1, "sound", verified.0),
        Row::within(what("a write"), &writes, 100, LONGEST_WRITE),
        Row::new(
            what("inbox after the last writer"),
            format!("{queued} waited, {left} left after {}", shown(drained)),
            format!("none after {}", shown(LONGEST_WAIT)),
            left == 0 && drained <= LONGEST_WAIT,
        ),
    ])
}

/// Calls the program again and again, three writes to one question, and kills one call in three.
fn call_until(end: Instant, place: &Place, worker: usize) -> Result<Tally, Failure> {
    let mut random = Random::new(worker as u64);
    let mut tally = Tally::default();
    let questions = invented::questions(50);
    let mut number = 0;
    while Instant::now() < end {
        number += 1;
        let writes = number % 4 > 0;
        let mut command = if writes {
            let text = invented::note(number * WORKERS + worker);
            place.memorax(["remember", "--json", &text])
        } else {
            place.memorax(["recall", &questions[number / 4 % questions.len()]])
        };
        let start = Instant::now();
        let mut child = start_quietly(&mut command)?;
        let doomed = random.below(3) == 0;
        if doomed {
            thread::sleep(random.milliseconds(40));
            kill(&mut child);
            tally.kills += 1;
        }
        let output = child
            .wait_with_output()
            .map_err(|error| format!("cannot wait for {command:?}: {error}"))?;
        let taken = start.elapsed();
        // What was printed counts also where the kill came a moment later.
        if let Some(id) = writes.then(|| printed_id(&output.stdout)).flatten() {
            tally.acknowledged.push(id);
        }
        if output.status.success() {
            let of = if writes {
                &mut tally.writes
            } else {
                &mut tally.reads
            };
            of.push(taken);
        } else if !doomed {
            let complaint = String::from_utf8_lossy(&output.stderr);
            tally.failures.push(complaint.trim().to_owned());
        }
    }
    Ok(tally)
}

/// Starts a process that keeps its handle and writes without a pause, kills it after a while, and starts the next one.
fn serve_until(end: Instant, place: &Place, worker: usize) -> Result<Tally, Failure> {
    let mut random = Random::new(worker as u64);
    let mut tally = Tally::default();
    let mut life = 0;
    while Instant::now() < end {
        life += 1;
        let mut command = place.harness(["write", &format!("w{worker}x{life}")]);
        let mut child = start_quietly(&mut command)?;
        let output = child.stdout.take().expect("the output is asked for");
        let reader = thread::spawn(move || lines(output));
        let left = end.saturating_duration_since(Instant::now());
        thread::sleep(random.milliseconds(1500).min(left));
        kill(&mut child);
        tally.kills += 1;
        let output = child
            .wait_with_output()
            .map_err(|error| format!("cannot wait for {command:?}: {error}"))?;
        let complaint = String::from_utf8_lossy(&output.stderr);
        if !complaint.is_empty() {
            tally.failures.push(complaint.trim().to_owned());
        }
        for (id, taken) in reader.join().map_err(|_| "a reader panicked")? {
            tally.acknowledged.push(id);
            tally.writes.push(taken);
        }
    }
    Ok(tally)
}

fn start_quietly(command: &mut Command) -> Result<Child, Failure> {
    command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot run {command:?}: {error}"))
}

/// Ends a process as `kill -9` does; one that has ended already is no failure.
fn kill(child: &mut Child) {
    let _ = child.kill();
}

fn printed_id(printed: &[u8]) -> Option<String> {
    let answer: Value = serde_json::from_slice(printed).ok()?;
    answer["id"].as_str().map(str::to_owned)
}

/// Reads `id microseconds` of whole lines; the last one may be cut.
fn lines(output: ChildStdout) -> Vec<(String, Duration)> {
    let mut reader = BufReader::new(output);
    let mut found = Vec::new();
    let mut line = String::new();
    while reader.read_line(&mut line).is_ok_and(|read| read > 0) && line.ends_with('\n') {
        if let Some((id, taken)) = line.trim_end().split_once(' ')
            && let Ok(taken) = taken.parse()
        {
            found.push((id.to_owned(), Duration::from_micros(taken)));
        }
        line.clear();
    }
    found
}

/// Returns the ids that the store does not know; one that became an alias is asked for alone.
fn missing(place: &Place, acknowledged: &[String]) -> Result<Vec<String>, Failure> {
    let listed = json(&mut place.memorax(["list", "--json", "--all-lines"]))?;
    let listed: HashSet<&str> = listed
        .as_array()
        .ok_or("`memorax list` gave no list")?
        .iter()
        .filter_map(|memory| memory["id"].as_str())
        .collect();
    Ok(acknowledged
        .iter()
        .filter(|id| {
            !listed.contains(id.as_str()) && timed(&mut place.memorax(["show", id])).is_err()
        })
        .cloned()
        .collect())
}

/// Runs `verify`; says whether the store is sound, and what was looked at.
pub(super) fn verified(place: &Place) -> Result<(bool, String), Failure> {
    let mut command = place.memorax(["verify", "--json"]);
    let output = command
        .output()
        .map_err(|error| format!("cannot run {command:?}: {error}"))?;
    let answer: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("cannot read the answer of {command:?}: {error}"))?;
    let sound = output.status.success() && answer["sound"] == true;
    let told = if sound {
        format!(
            "sound, {} operations, {} chains",
            answer["operations"], answer["chains"]
        )
    } else {
        answer.to_string()
    };
    Ok((sound, told))
}
