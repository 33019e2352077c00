//! Where things are measured: release programs, and folders that go away, on the disk that the target folder is on.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::invented;
use super::part::Effort;
use crate::command::Failure;
use crate::workspace::Workspace;

/// Memories of a store that has been in use for long: the size that the promises name.
const MEMORIES: usize = 10_000;

/// The programs to measure and the folder to do it in; the folder is removed at the end.
pub(super) struct Bed {
    programs: PathBuf,
    folder: PathBuf,
    effort: Effort,
    filled: Option<Place>,
}

impl Bed {
    /// Builds the programs and makes the folder.
    pub(super) fn prepare(workspace: &Workspace, effort: Effort) -> Result<Self, Failure> {
        workspace
            .cargo()
            .args(["build", "--release", "--locked"])
            .args(["--package", "memorax-cli", "--package", "memorax-bench"])
            .run()?;
        let folder = workspace.target("bench");
        // A run that was killed leaves its folder behind.
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(failed("empty", &folder))?;
        }
        fs::create_dir_all(&folder).map_err(failed("make", &folder))?;
        Ok(Self {
            programs: workspace.target("release"),
            folder,
            effort,
            filled: None,
        })
    }

    /// Chooses between the number of a full run and that of a quick one.
    pub(super) fn count(&self, full: usize, quick: usize) -> usize {
        match self.effort {
            Effort::Full => full,
            Effort::Quick => quick,
        }
    }

    /// Returns the path of something in the folder.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Names a home that does not exist yet, for a repository that does.
    pub(super) fn place(&self, home: &str, repository: &Path) -> Place {
        Place {
            programs: self.programs.clone(),
            home: self.path(home),
            repository: repository.to_path_buf(),
        }
    }

    /// Makes a small repository, and a home in which it is indexed.
    pub(super) fn small(&self, name: &str) -> Result<Place, Failure> {
        let repository = self.path(&format!("{name}-repository"));
        fs::create_dir_all(&repository).map_err(failed("make", &repository))?;
        git(&repository, &["init", "--quiet"])?;
        for change in invented::changes() {
            for (path, text) in change.files {
                let path = repository.join(path);
                if let Some(folder) = path.parent() {
                    fs::create_dir_all(folder).map_err(failed("make", folder))?;
                }
                fs::write(&path, text).map_err(failed("write", &path))?;
            }
            git(&repository, &["add", "--all"])?;
            git(
                &repository,
                &["commit", "--quiet", "--message", &change.message],
            )?;
        }
        let place = self.place(&format!("{name}-home"), &repository);
        timed(&mut place.memorax(["init", "--quiet"]))?;
        Ok(place)
    }

    /// Returns a small repository with 10,000 memories, made by the first part that asks for it.
    pub(super) fn filled(&mut self) -> Result<Place, Failure> {
        if let Some(place) = &self.filled {
            return Ok(place.clone());
        }
        let place = self.small("filled")?;
        self.fill(&place, MEMORIES)?;
        self.filled = Some(place.clone());
        Ok(place)
    }

    /// Puts invented memories into a store.
    pub(super) fn fill(&self, place: &Place, count: usize) -> Result<(), Failure> {
        let file = self.path("memories.jsonl");
        fs::write(&file, invented::memories(count)).map_err(failed("write", &file))?;
        let mut command = place.memorax(["restore", "--json"]);
        let answer = json(command.arg(&file))?;
        let created = answer["created"].as_u64().unwrap_or_default();
        if created == count as u64 {
            Ok(())
        } else {
            Err(format!(
                "of {count} memories {created} were restored: {answer}"
            ))
        }
    }
}

impl Drop for Bed {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.folder) {
            eprintln!("warning: cannot remove {}: {error}", self.folder.display());
        }
    }
}

/// A repository and a home.
#[derive(Clone, Debug)]
pub(super) struct Place {
    programs: PathBuf,
    home: PathBuf,
    repository: PathBuf,
}

impl Place {
    /// Prepares a call of the program.
    pub(super) fn memorax<const N: usize>(&self, arguments: [&str; N]) -> Command {
        self.call("memorax", &arguments)
    }

    /// Prepares a call of the evaluation harness.
    pub(super) fn harness<const N: usize>(&self, arguments: [&str; N]) -> Command {
        self.call("memorax-bench", &arguments)
    }

    /// Prepares `git status`.
    pub(super) fn git_status(&self) -> Command {
        let mut command = Command::new("git");
        command
            .arg("status")
            .current_dir(&self.repository)
            .stdin(Stdio::null());
        command
    }

    fn call(&self, program: &str, arguments: &[&str]) -> Command {
        let name = format!("{program}{}", std::env::consts::EXE_SUFFIX);
        let mut command = Command::new(self.programs.join(name));
        command
            .args(arguments)
            .current_dir(&self.repository)
            .env("MEMORAX_HOME", &self.home)
            .stdin(Stdio::null());
        command
    }

    /// Returns the path that names the repository's store.
    pub(super) fn store(&self) -> Result<PathBuf, Failure> {
        let folder = self.home.join("repos");
        let mut stores = fs::read_dir(&folder)
            .map_err(failed("read", &folder))?
            .filter_map(|entry| Some(entry.ok()?.path().join("local.redb")));
        stores
            .next()
            .ok_or_else(|| format!("no repository is remembered in {}", folder.display()))
    }

    /// Returns how many drafts wait in the inboxes.
    pub(super) fn waiting(&self) -> Result<u64, Failure> {
        let status = json(&mut self.memorax(["status", "--json"]))?;
        let stores = status["stores"]
            .as_array()
            .ok_or("`memorax status` names no stores")?;
        Ok(stores
            .iter()
            .filter_map(|store| store["inbox"].as_u64())
            .sum())
    }
}

/// Runs a program to its end; returns the time from start to end and what it printed.
pub(super) fn timed(command: &mut Command) -> Result<(Duration, Vec<u8>), Failure> {
    let start = Instant::now();
    let output = command
        .output()
        .map_err(|error| format!("cannot run {command:?}: {error}"))?;
    let taken = start.elapsed();
    if output.status.success() {
        return Ok((taken, output.stdout));
    }
    Err(format!(
        "{command:?} failed with {}: {}",
        output.status,
        String::from_utf8_lossy(&output.stderr).trim()
    ))
}

/// Runs a program and reads its answer.
pub(super) fn json(command: &mut Command) -> Result<Value, Failure> {
    let (_, printed) = timed(command)?;
    serde_json::from_slice(&printed)
        .map_err(|error| format!("cannot read the answer of {command:?}: {error}"))
}

/// Says what could not be done with a file or folder.
pub(super) fn failed(what: &str, path: &Path) -> impl FnOnce(std::io::Error) -> Failure {
    move |error| format!("cannot {what} {}: {error}", path.display())
}

/// Runs git with an author of our own.
pub(super) fn git(repository: &Path, arguments: &[&str]) -> Result<(), Failure> {
    let mut command = Command::new("git");
    for setting in [
        "user.name=Measure",
        "user.email=measure@example.invalid",
        "commit.gpgsign=false",
        "core.hooksPath=/nowhere",
    ] {
        command.args(["-c", setting]);
    }
    command.args(arguments).current_dir(repository);
    timed(command.stdin(Stdio::null())).map(drop)
}
