//! What a branch and a second working tree cost in an index that is there: little, because facts are kept once per blob.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::bed::{Bed, failed, git, timed};
use super::indexing::{absent, project};
use super::sample::{Sample, shown};
use super::table::Row;
use crate::command::Failure;

/// The projects of which the first that can be cloned is measured: large ones, in which what is the same for every run
/// counts little.
const PROJECTS: [&str; 2] = ["ruff", "tokio"];
/// Of how many files a branch changes one, and which share of a first run's time that may cost.
const CHANGED_OF: usize = 100;
const COST_PERCENT: u32 = 5;
/// Most bytes that a second working tree of the same commit may add.
const MOST_BYTES: u64 = 1_000_000;

pub(super) fn measure(bed: &mut Bed, repositories: Option<&Path>) -> Result<Vec<Row>, Failure> {
    let folder = bed.path("trees");
    let cloned = PROJECTS.into_iter().find(|name| {
        project(repositories, name).is_some_and(|origin| clone(&origin, &folder).is_ok())
    });
    let names = [
        "a switch to a branch with 1 % of the files changed",
        "a second working tree",
    ]
    .map(|what| format!("`init` of {} after {what}", cloned.unwrap_or(PROJECTS[0])));
    if cloned.is_none() {
        return Ok(names
            .map(|name| Row::skipped(name, absent(repositories, PROJECTS[0])))
            .into());
    }
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
            format!("{} kB added", added / 1000),
            format!("< {} kB", MOST_BYTES / 1000),
            added < MOST_BYTES,
        ),
    ])
}

/// Clones a project; a clone that lacks objects, as partial ones do, cannot be checked out.
fn clone(origin: &Path, folder: &Path) -> Result<(), Failure> {
    let (from, to) = (origin.display().to_string(), folder.display().to_string());
    let cloned = git(origin, &["clone", "--quiet", "--local", &from, &to]);
    if cloned.is_err() && folder.exists() {
        fs::remove_dir_all(folder).map_err(failed("empty", folder))?;
    }
    cloned
}

/// Adds a line to every hundredth file.
fn change(folder: &Path) -> Result<(), Failure> {
    let mut files = Vec::new();
    list(folder, &mut files)?;
    files.sort();
    for path in files.iter().step_by(CHANGED_OF) {
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
