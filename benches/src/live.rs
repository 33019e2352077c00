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

/// Opens a handle, forks, and writes `count` memories on both sides; says how long that took in microseconds.
#[cfg(unix)]
#[expect(unsafe_code, reason = "std cannot fork")]
pub(crate) fn fork(folder: &Path, count: usize) -> Result<()> {
    let memory = Memorax::open(folder)?;
    memory.remember("This was written before the fork.", MemoryKind::Fact)?;
    let start = Instant::now();
    // SAFETY: no other thread runs; the child uses the handle, which is made for it, and ends without destructors.
    let child = unsafe { libc::fork() };
    if child < 0 {
        return Err(failed("cannot fork", io::Error::last_os_error()));
    }
    let name = if child == 0 { "child" } else { "parent" };
    let written = (0..count).try_for_each(|number| {
        let text = format!("Part {number} of the {name} was checked by inspector {name}{number}.");
        match memory.remember(&text, MemoryKind::Fact)?.outcome {
            Outcome::Created(_) => Ok(()),
            other => Err(Error::new(
                ErrorKind::Conflict,
                format!("not written: {other:?}"),
            )),
        }
    });
    if child == 0 {
        // SAFETY: ends the child at once.
        unsafe { libc::_exit(i32::from(written.is_err())) };
    }
    let mut status = 0;
    // SAFETY: waits for the child made above, with a place for its status.
    let waited = unsafe { libc::waitpid(child, &raw mut status, 0) };
    written?;
    if (waited, status) != (child, 0) {
        return Err(Error::new(ErrorKind::Conflict, "the child could not write"));
    }
    say(&start.elapsed().as_micros().to_string())
}

/// Says that this system has no forks.
#[cfg(not(unix))]
pub(crate) fn fork(_folder: &Path, _count: usize) -> Result<()> {
    Err(Error::new(
        ErrorKind::InvalidInput,
        "this system cannot fork a process",
    ))
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
