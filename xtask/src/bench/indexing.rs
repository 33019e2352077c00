//! `memorax init` on projects of three sizes: the first time, and again with nothing changed.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::bed::{Bed, failed, timed};
use super::sample::Sample;
use super::table::Row;
use crate::command::Failure;

/// Projects with the longest first and second run, in milliseconds.
const PROJECTS: [(&str, u64, u64); 3] = [
    ("ripgrep", 2_000, 300),
    ("tokio", 6_000, 500),
    ("ruff", 45_000, 1_500),
];
/// Most memory of a run, in bytes.
const MOST_MEMORY: u64 = 500_000_000;
/// Time between two looks at the memory of a process; the system keeps the peak, so only the last moment can be missed.
const LOOK: Duration = Duration::from_millis(5);

pub(super) fn measure(bed: &mut Bed, repositories: Option<&Path>) -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    for (name, first, again) in PROJECTS {
        let Some(folder) = project(repositories, name) else {
            rows.push(Row::skipped(
                format!("`init` of {name}"),
                absent(repositories, name),
            ));
            continue;
        };
        let home = format!("init-{name}");
        let place = bed.place(&home, &folder);
        let mut times = Vec::new();
        let mut peak = None;
        for _ in 0..bed.count(3, 1) {
            let home = bed.path(&home);
            if home.exists() {
                fs::remove_dir_all(&home).map_err(failed("empty", &home))?;
            }
            let (taken, memory) = watched(&mut place.memorax(["init", "--quiet"]))?;
            times.push(taken);
            peak = peak.max(memory);
        }
        rows.push(Row::within(
            format!("`init` of {name}, new home"),
            &times.into_iter().collect(),
            100,
            Duration::from_millis(first),
        ));
        rows.push(memory_row(name, peak));
        let times: Sample = (0..bed.count(5, 2))
            .map(|_| timed(&mut place.memorax(["init", "--quiet"])).map(|(taken, _)| taken))
            .collect::<Result<_, Failure>>()?;
        rows.push(Row::within(
            format!("`init` of {name}, nothing changed"),
            &times,
            100,
            Duration::from_millis(again),
        ));
    }
    Ok(rows)
}

/// Finds the clone of a project.
pub(super) fn project(repositories: Option<&Path>, name: &str) -> Option<std::path::PathBuf> {
    let folder = repositories?.join(name);
    // The programs run in other folders.
    folder
        .is_dir()
        .then(|| folder.canonicalize().ok())
        .flatten()
}

/// Says why a project is not there.
pub(super) fn absent(repositories: Option<&Path>, name: &str) -> String {
    repositories.map_or_else(
        || "no clones: --repositories DIR".to_owned(),
        |folder| format!("no `{name}` in {}", folder.display()),
    )
}

fn memory_row(name: &str, peak: Option<u64>) -> Row {
    let what = format!("`init` of {name}, peak memory");
    match peak {
        Some(peak) => Row::new(
            what,
            format!("{} MB", peak / 1_000_000),
            format!("<= {} MB", MOST_MEMORY / 1_000_000),
            peak <= MOST_MEMORY,
        ),
        None => Row::skipped(what, "this system has no /proc/PID/status"),
    }
}

/// Runs a program to its end; returns the time and, where the system tells it, the most memory that it had resident.
fn watched(command: &mut Command) -> Result<(Duration, Option<u64>), Failure> {
    let start = Instant::now();
    let child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot run {command:?}: {error}"))?;
    let id = child.id();
    let ended = AtomicBool::new(false);
    let (output, taken, peak) = thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            let mut peak = None;
            while !ended.load(Ordering::Relaxed) {
                peak = peak.max(resident_peak(id));
                thread::sleep(LOOK);
            }
            peak
        });
        let output = child.wait_with_output();
        let taken = start.elapsed();
        ended.store(true, Ordering::Relaxed);
        (output, taken, watcher.join().ok().flatten())
    });
    let output = output.map_err(|error| format!("cannot wait for {command:?}: {error}"))?;
    if output.status.success() {
        return Ok((taken, peak));
    }
    Err(format!(
        "{command:?} failed with {}: {}",
        output.status,
        String::from_utf8_lossy(&output.stderr).trim()
    ))
}

fn resident_peak(id: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}
