//! Processes that `cargo xtask bench` starts beside the program: one holds a store, one never stops writing, one asks.
//!
//! They end when whoever started them is gone: the one that waits sees its input end, the others cannot print any more.

use std::io::{self, BufRead, Read, Write};
use std::path::Path;
use std::time::Instant;

use memorax_core::store::{Access, MemoryStore, Redb};
use memorax_core::{Error, ErrorKind, Memorax, MemoryKind, Outcome, Query, Result};

/// Writes between two questions of a process that never stops writing.
const WRITES_A_QUESTION: u64 = 8;

/// Takes the write lock of a store, says `held`, and keeps it until the input ends.
pub(crate) fn hold(store: &Path) -> Result<()> {
    Redb::open(store, Access::Write)?.write(&mut |_| {
        say("held")?;
        io::stdin()
            .read_to_end(&mut Vec::new())
            .map(drop)
            .map_err(|error| failed("cannot wait for the end of the input", error))
    })
}

/// Writes memories without a pause until it is killed; prints the id and the microseconds of each when it is durable.
pub(crate) fn write(folder: &Path, name: &str) -> Result<()> {
    let memory = Memorax::open(folder)?;
    for number in 1_u64.. {
        // Texts that differ in a number are different memories.
        let text = format!(
            "Run {number} of {name}: the queue of worker {name} was drained after {} ms and {number} retries",
            number * 37 % 1009
        );
        let start = Instant::now();
        let remembered = memory.remember(&text, MemoryKind::Fact)?;
        let taken = start.elapsed().as_micros();
        if let Outcome::Refused(reason) = remembered.outcome {
            return Err(Error::new(ErrorKind::Conflict, reason));
        }
        say(&format!("{} {taken}", remembered.id))?;
        if number % WRITES_A_QUESTION == 0 {
            memory.recall(&Query::new(format!(
                "when was the queue of {name} drained?"
            )))?;
        }
    }
    Ok(())
}

/// Asks every line of the input in one process, all of them once to get warm, then `rounds` times; prints microseconds.
pub(crate) fn ask(folder: &Path, rounds: usize) -> Result<()> {
    let questions: Vec<String> = io::stdin()
        .lock()
        .lines()
        .collect::<io::Result<_>>()
        .map_err(|error| failed("cannot read the questions", error))?;
    let memory = Memorax::open(folder)?;
    for round in 0..=rounds {
        for question in &questions {
            let query = Query::new(question.as_str());
            let start = Instant::now();
            memory.recall(&query)?;
            let taken = start.elapsed().as_micros();
            if round > 0 {
                say(&taken.to_string())?;
            }
        }
    }
    Ok(())
}

fn say(line: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")
        .and_then(|()| out.flush())
        .map_err(|error| failed("cannot print", error))
}

fn failed(what: &str, source: io::Error) -> Error {
    Error::new(ErrorKind::Io, what).with_source(source)
}
