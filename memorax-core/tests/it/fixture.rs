//! Real repositories in temporary folders, with fixed names and times.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::rc::Rc;

use memorax_core::Timestamp;
use memorax_core::repo::Checkout;

/// A repository that is removed with the last value of its family (its clones and working trees).
pub(crate) struct Repository {
    pub(crate) path: PathBuf,
    family: Rc<Family>,
}

struct Family {
    folder: tempfile::TempDir,
    seconds: Cell<i64>,
}

impl Family {
    fn git(&self, folder: &Path, arguments: &[&str]) -> String {
        let output = self.run(folder, arguments);
        assert!(
            output.status.success(),
            "git {arguments:?} failed:\n{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    fn run(&self, folder: &Path, arguments: &[&str]) -> Output {
        self.seconds.set(self.seconds.get() + 60);
        let date = format!("{} +0000", self.seconds.get());
        let nowhere = if cfg!(windows) { "NUL" } else { "/dev/null" };
        Command::new("git")
            .current_dir(folder)
            .env_remove("GIT_DIR")
            .env_remove("GIT_WORK_TREE")
            .env_remove("GIT_INDEX_FILE")
            .env("GIT_CONFIG_GLOBAL", nowhere)
            .env("GIT_CONFIG_SYSTEM", nowhere)
            .env("GIT_AUTHOR_DATE", &date)
            .env("GIT_COMMITTER_DATE", &date)
            .env("GIT_EDITOR", "true")
            .env("GIT_SEQUENCE_EDITOR", "true")
            .env("LC_ALL", "C")
            .args(["-c", "init.defaultBranch=main"])
            .args(["-c", "user.name=Ada", "-c", "user.email=ada@example.org"])
            .args([
                "-c",
                "protocol.file.allow=always",
                "-c",
                "commit.gpgSign=false",
            ])
            .args([
                "-c",
                "core.autocrlf=false",
                "-c",
                "advice.detachedHead=false",
            ])
            .args(arguments)
            .output()
            .expect("git is installed")
    }
}

impl Repository {
    /// Creates an empty repository, checked out at the unborn branch `main`.
    pub(crate) fn new() -> Self {
        let family = Family {
            folder: tempfile::tempdir().expect("the temporary folder is writable"),
            seconds: Cell::new(1_700_000_000),
        };
        let path = family.folder.path().join("first");
        family.git(family.folder.path(), &["init", "--quiet", "first"]);
        Self {
            path,
            family: Rc::new(family),
        }
    }

    /// Creates a repository with one commit on `main`.
    pub(crate) fn with_commit() -> Self {
        let repository = Self::new();
        repository.commit("README.md", "# App\n\nFirst words of the application.\n");
        repository
    }

    /// Runs git, which must succeed, and returns what it printed.
    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        self.family.git(&self.path, arguments)
    }

    /// Runs git where it is meant to stop at a conflict.
    pub(crate) fn git_stops(&self, arguments: &[&str]) {
        let output = self.family.run(&self.path, arguments);
        assert!(!output.status.success(), "git {arguments:?} did not stop");
    }

    /// Returns the time of the last command, as git wrote it.
    pub(crate) fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.family.seconds.get() * 1_000)
    }

    /// Lets days pass before the next commit.
    pub(crate) fn pass_days(&self, days: i64) {
        let seconds = &self.family.seconds;
        seconds.set(seconds.get() + days * 86_400);
    }

    /// Returns a path beside the repository, in the folder that all of its family share.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.family.folder.path().join(name)
    }

    /// Clones the repository beside itself.
    pub(crate) fn clone_to(&self, name: &str, arguments: &[&str]) -> Self {
        let source = format!("file://{}", self.path.display());
        let mut all = vec!["clone", "--quiet"];
        all.extend(arguments);
        all.extend([source.as_str(), name]);
        self.family.git(self.family.folder.path(), &all);
        self.at(name)
    }

    /// Returns the working tree or repository of that name beside this one.
    pub(crate) fn at(&self, name: &str) -> Self {
        Self {
            path: self.beside(name),
            family: Rc::clone(&self.family),
        }
    }

    /// Writes a file of the working tree.
    pub(crate) fn write(&self, file: &str, text: &str) {
        let path = self.path.join(file);
        let folder = path.parent().expect("a file has a folder");
        std::fs::create_dir_all(folder).expect("the temporary folder is writable");
        std::fs::write(path, text).expect("the temporary folder is writable");
    }

    /// Writes a file and commits it, returning the commit.
    pub(crate) fn commit(&self, file: &str, text: &str) -> String {
        self.commit_as(file, text, &format!("Write {file}"))
    }

    /// Writes a file and commits it with a message, returning the commit.
    pub(crate) fn commit_as(&self, file: &str, text: &str, message: &str) -> String {
        self.write(file, text);
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", message]);
        self.git(&["rev-parse", "HEAD"])
    }

    /// Discovers the repository.
    pub(crate) fn checkout(&self) -> Checkout {
        Checkout::discover(&self.path).expect("the repository can be read")
    }
}

/// Returns that many lines of text which occur nowhere else.
pub(crate) fn prose(topic: &str, lines: usize) -> String {
    let sentences: Vec<String> = (1..=lines)
        .map(|line| format!("{topic} is described in sentence number {line}\n"))
        .collect();
    sentences.concat()
}
