//! What a person or a hook waits for: `recall` and `remember` on a store of 10,000 memories.

use std::io::Write;
use std::process::Stdio;
use std::time::Duration;

use super::bed::{Bed, Place, timed};
use super::invented;
use super::sample::{Sample, shown};
use super::table::Row;
use super::writers::Writers;
use crate::command::Failure;

/// Writers that are busy while others ask.
const WRITERS: usize = 4;
/// Below this a recall is quick whatever `git status` takes.
const FLOOR: Duration = Duration::from_millis(10);

/// Whole processes on a quiet machine, alone and in turn with `git status`.
pub(super) fn recall_process(bed: &mut Bed) -> Result<Vec<Row>, Failure> {
    let place = bed.filled()?;
    let questions = invented::questions(bed.count(200, 20));
    let alone = recalls(&place, &questions)?;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for question in &questions {
        ours.push(timed(&mut place.memorax(["recall", question]))?.0);
        theirs.push(timed(&mut place.git_status())?.0);
    }
    let ours: Sample = ours.into_iter().collect();
    let theirs: Sample = theirs.into_iter().collect();
    let bar = FLOOR.max(theirs.median() * 3);
    Ok(vec![
        Row::within(
            format!(
                "`recall`, whole process, 10,000 memories ({} answered)",
                alone.answered
            ),
            &alone.times,
            95,
            Duration::from_millis(30),
        ),
        Row::new(
            "`recall` in turn with `git status`",
            format!("{ours}; git status {theirs}"),
            format!("p50 <= {}", shown(bar)),
            ours.median() <= bar,
        ),
    ])
}

/// Whole processes beside writers that never stop.
pub(super) fn recall_busy(bed: &mut Bed) -> Result<Vec<Row>, Failure> {
    let place = bed.filled()?;
    let questions = invented::questions(bed.count(200, 20));
    let writers = Writers::start(&place, WRITERS)?;
    let recalls = recalls(&place, &questions);
    let written = writers.stop()?;
    let Recalls { times, answered } = recalls?;
    Ok(vec![Row::within(
        format!(
            "`recall`, whole process, beside {WRITERS} writers ({answered} answered, {written} writes)"
        ),
        &times,
        95,
        Duration::from_millis(45),
    )])
}

/// One process that keeps its handle.
pub(super) fn recall_warm(bed: &mut Bed) -> Result<Vec<Row>, Failure> {
    let place = bed.filled()?;
    let questions = invented::questions(bed.count(200, 20));
    let mut command = place.harness(["ask", "--rounds", "5"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot run {command:?}: {error}"))?;
    let input = child.stdin.take().expect("the input was asked for above");
    // It reads all questions before it prints anything, so neither side can wait for the other.
    let asked = { input }.write_all(questions.join("\n").as_bytes());
    let output = child
        .wait_with_output()
        .map_err(|error| format!("cannot wait for {command:?}: {error}"))?;
    asked.map_err(|error| format!("cannot ask {command:?}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{command:?} failed with {}", output.status));
    }
    let sample: Sample = String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| line.parse().ok().map(Duration::from_micros))
        .collect();
    Ok(vec![Row::within(
        "`recall` in process, warm, 10,000 memories",
        &sample,
        50,
        Duration::from_millis(2),
    )])
}

/// Whole processes that write.
pub(super) fn remember_process(bed: &mut Bed) -> Result<Vec<Row>, Failure> {
    let place = bed.filled()?;
    let sample: Sample = (0..bed.count(200, 20))
        .map(|number| {
            let text = invented::note(number);
            timed(&mut place.memorax(["remember", &text])).map(|(taken, _)| taken)
        })
        .collect::<Result<_, Failure>>()?;
    Ok(vec![Row::within(
        "`remember`, whole process, 10,000 memories",
        &sample,
        95,
        Duration::from_millis(60),
    )])
}

/// Times of whole processes, and how many of them found something: silence would be no measure.
struct Recalls {
    times: Sample,
    answered: usize,
}

fn recalls(place: &Place, questions: &[String]) -> Result<Recalls, Failure> {
    let mut times = Vec::new();
    let mut answered = 0;
    for question in questions {
        let (taken, printed) = timed(&mut place.memorax(["recall", "--quiet", question]))?;
        times.push(taken);
        answered += usize::from(!printed.trim_ascii().is_empty());
    }
    Ok(Recalls {
        times: times.into_iter().collect(),
        answered,
    })
}
