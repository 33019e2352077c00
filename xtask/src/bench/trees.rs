//! What a branch and a second working tree cost in an index that is there: little, because facts are kept once per blob.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::bed::{Bed, failed, git, timed};
use super::indexing::{absent, project};
use super::sample::{Sample, shown};
use super::table::Row;
use crate::command::Failure;

/// The project that is measured: large enough that what must be proportional is not hidden by what must not.
const PROJECT: &str = "ruff";
/// Share of the files that a branch changes, and of a first run's time that it may cost then.
const CHANGED_PERCENT: usize = 1;
const COST_PERCENT: u32 = 5;
/// Most bytes that a second working tree of the same commit may add.
const MOST_BYTES: u64 = 1_000_000;

pub(super) fn measure(bed: &mut Bed, repositories: Option<&Path>) -> Result<Vec<Row>, Failure> {
    let names = [
        format!(
            "`init` of {PROJECT} after a switch to a branch with {CHANGED_PERCENT} % of the files changed"
        ),
        format!("second working tree of {PROJECT}, bytes added"),
    ];
    let Some(origin) = project(repositories, PROJECT) else {
        return Ok(names
            .map(|name| Row::skipped(name, absent(repositories, PROJECT)))
            .into());
    };
    let folder = bed.path("trees");
    let clone = folder.display().to_string();
    let source = origin.display().to_string();
    git(&origin, &["clone", "--quiet", "--local", &source, &clone])?;
    git(&folder, &["branch", "measure-main"])?;
    git(&folder, &["switch", "--quiet", "--create", "measure-side"])?;
    change(&folder)?;
    git(
        &folder,
        &[
            "commit",
            "--quiet",
            "--all",
            "--message",
            "Change some files",
        ],
    )?;
    git(&folder, &["switch", "--quiet", "measure-main"])?;
    let place = bed.place("trees-home", &folder);
    let (cold, _) = timed(&mut place.memorax(["init", "--quiet"]))?;
    let second = bed.path("trees-second");
    let path = second.display().to_string();
    git(&folder, &["worktree", "add", "--quiet", "--detach", &path])?;
    let before = size(&index_of(bed)?)?;
    timed(
        &mut bed
            .place("trees-home", &second)
            .memorax(["init", "--quiet"]),
    )?;
    let added = size(&index_of(bed)?)?.saturating_sub(before);
    let mut times = Vec::new();
    for _ in 0..bed.count(5, 1) {
        // The first time its files are new; afterwards the index has dropped what no view needs.
        git(&folder, &["switch", "--quiet", "measure-side"])?;
        times.push(timed(&mut place.memorax(["init", "--quiet"]))?.0);
        git(&folder, &["switch", "--quiet", "measure-main"])?;
        timed(&mut place.memorax(["init", "--quiet"]))?;
    }
    let times: Sample = times.into_iter().collect();
    let bar = cold * COST_PERCENT / 100;
    let [switch, tree] = names;
    Ok(vec![
        Row::new(
            switch,
            format!("{times}; cold {}", shown(cold)),
            format!("p50 <= {COST_PERCENT} % of cold, {}", shown(bar)),
            times.percentile(50) <= bar.max(Duration::from_millis(1)),
        ),
        Row::new(
            tree,
            format!("{} kB", added / 1000),
            format!("< {} kB", MOST_BYTES / 1000),
            added < MOST_BYTES,
        ),
    ])
}

/// Adds a line to every hundredth file of Rust and Python.
fn change(folder: &Path) -> Result<(), Failure> {
    let mut files = Vec::new();
    list(folder, &mut files)?;
    files.sort();
    for path in files.iter().step_by(100 / CHANGED_PERCENT) {
        let mut text = fs::read(path).map_err(failed("read", path))?;
        text.extend_from_slice(b"\n# changed to measure\n");
        fs::write(path, text).map_err(failed("write", path))?;
    }
    Ok(())
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    for entry in fs::read_dir(folder).map_err(failed("read", folder))? {
        let path = entry.map_err(failed("read", folder))?.path();
        if path.file_name().is_some_and(|name| name == ".git") || path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            list(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

fn index_of(bed: &Bed) -> Result<PathBuf, Failure> {
    let store = bed.place("trees-home", Path::new(".")).store()?;
    Ok(store.with_file_name("index"))
}

fn size(folder: &Path) -> Result<u64, Failure> {
    let mut sum = 0;
    for entry in fs::read_dir(folder).map_err(failed("read", folder))? {
        let data = entry.and_then(|entry| entry.metadata());
        sum += data.map_err(failed("read", folder))?.len();
    }
    Ok(sum)
}
