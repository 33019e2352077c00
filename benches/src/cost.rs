//! What memory costs: time and bytes of an index, and how long an answer takes when there are many memories.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use memorax_core::{Error, ErrorKind, InitOptions, Memorax, Query, Result};
use serde::Serialize;

/// Questions asked at each size.
const QUESTIONS: usize = 200;

/// All figures of a run.
#[derive(Debug, Serialize)]
pub(crate) struct Costs {
    repository: String,
    files: usize,
    commits: usize,
    first_index_ms: f64,
    second_index_ms: f64,
    index_bytes: u64,
    /// Most memory that the process ever held, where the system tells.
    peak_bytes: Option<u64>,
    pub(crate) sizes: Vec<Size>,
}

/// Answers with one number of memories.
#[derive(Debug, Serialize)]
pub(crate) struct Size {
    memories: usize,
    write_ms: f64,
    store_bytes: u64,
    memories_only: Times,
    with_files: Times,
}

/// Milliseconds of an answer in a process that is warm.
#[derive(Debug, Serialize)]
pub(crate) struct Times {
    p50_ms: f64,
    p95_ms: f64,
}

/// Indexes a repository under a home of its own, fills it with memories, and asks.
pub(crate) fn run(folder: &Path, sizes: &[usize]) -> Result<Costs> {
    let home = std::env::temp_dir().join(format!("memorax-bench-cost-{}", std::process::id()));
    let measured = measure(folder, &home, sizes);
    let removed = std::fs::remove_dir_all(&home);
    let costs = measured?;
    removed.map_err(|error| {
        Error::new(ErrorKind::Io, format!("cannot remove `{}`", home.display())).with_source(error)
    })?;
    Ok(costs)
}

fn measure(folder: &Path, home: &Path, sizes: &[usize]) -> Result<Costs> {
    let memory = Memorax::builder().home(home).open(folder)?;
    let interrupt = AtomicBool::new(false);
    let options = InitOptions {
        interrupt: &interrupt,
        progress: &|_| {},
    };
    let start = Instant::now();
    let first = memory.init(&options)?;
    let first_index = start.elapsed();
    let start = Instant::now();
    memory.init(&options)?;
    let second_index = start.elapsed();
    let mut costs = Costs {
        repository: folder.display().to_string(),
        files: first.view.files,
        commits: first.view.commits,
        first_index_ms: millis(first_index),
        second_index_ms: millis(second_index),
        index_bytes: first.view.bytes,
        peak_bytes: peak_bytes(),
        sizes: Vec::new(),
    };
    let mut written = 0;
    for &size in sizes {
        let lines: Vec<String> = (written..size).map(line).collect();
        let start = Instant::now();
        memory.restore(&mut lines.join("\n").as_bytes())?;
        let write = start.elapsed();
        written = size.max(written);
        costs.sizes.push(Size {
            memories: written,
            write_ms: millis(write),
            store_bytes: bytes_below(home) - first.view.bytes.min(bytes_below(home)),
            memories_only: ask(&memory, 0)?,
            with_files: ask(&memory, 5)?,
        });
    }
    costs.peak_bytes = peak_bytes();
    Ok(costs)
}

fn ask(memory: &Memorax, files: usize) -> Result<Times> {
    let mut taken = Vec::with_capacity(QUESTIONS);
    for round in 0..=1 {
        for number in 0..QUESTIONS {
            let query = Query::new(question(number)).files(files);
            let start = Instant::now();
            memory.recall(&query)?;
            // The first round only makes it warm.
            if round == 1 {
                taken.push(start.elapsed());
            }
        }
    }
    taken.sort_unstable();
    let at = |share: f64| millis(taken[((taken.len() - 1) as f64 * share).round() as usize]);
    Ok(Times {
        p50_ms: at(0.5),
        p95_ms: at(0.95),
    })
}

const VERBS: [&str; 12] = [
    "flush", "parse", "retry", "merge", "encode", "drain", "resolve", "render", "fetch", "close",
    "check", "split",
];
const NOUNS: [&str; 16] = [
    "invoice", "cursor", "session", "manifest", "lease", "batch", "header", "snapshot", "token",
    "queue", "record", "quota", "upload", "frame", "account", "ledger",
];
const REASONS: [&str; 8] = [
    "two workers may hold the same lease",
    "clocks of the nodes differ",
    "the format has no length field",
    "the audit needs every change in order",
    "the upstream limits us to few calls",
    "it panicked on empty input",
    "nobody could explain the figures",
    "old clients still send version one",
];
const KINDS: [&str; 6] = [
    "decision",
    "convention",
    "failure",
    "fact",
    "command",
    "rejection",
];

/// One memory as a line of an export; texts of different numbers are no near-duplicates.
fn line(number: usize) -> String {
    let of = |words: &[&'static str], step: usize| words[number / step % words.len()];
    let text = format!(
        "In service s{}, {} the {} before the {} of step {number}: {}.",
        number % 997,
        of(&VERBS, 1),
        of(&NOUNS, 5),
        of(&NOUNS, 83),
        of(&REASONS, 7),
    );
    serde_json::json!({ "kind": of(&KINDS, 3), "text": text }).to_string()
}

fn question(number: usize) -> String {
    let number = number * 37;
    let of = |words: &[&'static str], step: usize| words[number / step % words.len()];
    format!(
        "why do we {} the {} of service s{}?",
        of(&VERBS, 1),
        of(&NOUNS, 5),
        number % 997
    )
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

pub(crate) fn bytes_below(folder: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return 0;
    };
    entries
        .flatten()
        .map(|entry| match entry.metadata() {
            Ok(facts) if facts.is_dir() => bytes_below(&entry.path()),
            Ok(facts) => facts.len(),
            Err(_) => 0,
        })
        .sum()
}

/// Returns the high-water mark of the process's memory; Linux tells it in a file.
pub(crate) fn peak_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}

impl Costs {
    /// Writes the figures as Markdown.
    pub(crate) fn markdown(&self) -> String {
        let mebibytes = |bytes: u64| bytes as f64 / (1024.0 * 1024.0);
        let mut text = format!(
            "# Cost\n\n`{}`: {} files, {} commits. First index {:.0} ms, second {:.0} ms, {:.1} MiB",
            self.repository,
            self.files,
            self.commits,
            self.first_index_ms,
            self.second_index_ms,
            mebibytes(self.index_bytes)
        );
        if let Some(bytes) = self.peak_bytes {
            let _infallible = write!(
                text,
                "; peak memory of the whole run {:.0} MiB",
                mebibytes(bytes)
            );
        }
        text.push_str(
            ".\n\nRecall in a warm process, milliseconds.\n\n| memories | written in | store | memories p50 | p95 | with files p50 | p95 |\n\
             |---|---|---|---|---|---|---|\n",
        );
        for size in &self.sizes {
            let _infallible = writeln!(
                text,
                "| {} | {:.0} ms | {:.1} MiB | {:.2} | {:.2} | {:.2} | {:.2} |",
                size.memories,
                size.write_ms,
                mebibytes(size.store_bytes),
                size.memories_only.p50_ms,
                size.memories_only.p95_ms,
                size.with_files.p50_ms,
                size.with_files.p95_ms
            );
        }
        text
    }
}
