//! What happened in targets lately, read once for all lines that may have landed in them.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use gix::ObjectId;
use gix::revision::walk::Sorting;
use gix::traverse::commit::simple::CommitTimeOrder;

use super::patch::{self, FileChange, Lines, Patch};
use crate::repo::Checkout;
use crate::repo::git::object_id;
use crate::{Error, ErrorKind, Result};

/// How many commits of a target are looked at, newest first.
const TARGET_COMMITS: usize = 2_000;

/// How many compared files are remembered.
const COMPARED_FILES: usize = 50_000;

/// Larger changes are compared by the ids of their files, not by their lines.
const LARGEST_PATCH: usize = 1_000;

/// A commit of a target.
#[derive(Debug)]
pub(super) struct TargetCommit {
    pub(super) id: String,
    /// Empty for a root; `None` where the history was cut off at the commit.
    pub(super) parents: Option<Vec<String>>,
    /// Committer's time in seconds.
    pub(super) time: i64,
    pub(super) message: String,
}

/// Reads commits and changes, and remembers them.
#[derive(Debug, Default)]
pub(super) struct History {
    targets: HashMap<String, Rc<Vec<TargetCommit>>>,
    files: HashMap<String, Rc<Vec<FileChange>>>,
    lines: HashMap<(Option<ObjectId>, Option<ObjectId>), Rc<Lines>>,
}

impl History {
    /// Returns the newest commits of a target, newest first.
    pub(super) fn target(
        &mut self,
        checkout: &Checkout,
        tip: &str,
    ) -> Result<Rc<Vec<TargetCommit>>> {
        if let Some(known) = self.targets.get(tip) {
            return Ok(Rc::clone(known));
        }
        let commits = Rc::new(read_target(checkout, tip)?);
        self.targets.insert(tip.to_owned(), Rc::clone(&commits));
        Ok(commits)
    }

    /// Returns the files that a commit changes against its first parent.
    pub(super) fn files(
        &mut self,
        checkout: &Checkout,
        commit: &str,
        parent: Option<&str>,
    ) -> Result<Rc<Vec<FileChange>>> {
        if let Some(known) = self.files.get(commit) {
            return Ok(Rc::clone(known));
        }
        let files = Rc::new(patch::between(checkout, parent, commit)?);
        self.files.insert(commit.to_owned(), Rc::clone(&files));
        Ok(files)
    }

    /// Reads the lines of files that changed.
    pub(super) fn patch<'a>(
        &mut self,
        checkout: &Checkout,
        files: impl ExactSizeIterator<Item = &'a FileChange>,
    ) -> Patch {
        if files.len() > LARGEST_PATCH {
            let opaque = |file: &FileChange| Rc::new(Lines::opaque(file));
            return Patch::new(files.map(|file| (file.path.clone(), opaque(file))));
        }
        Patch::new(files.map(|file| {
            if self.lines.len() > COMPARED_FILES {
                self.lines.clear();
            }
            let key = (file.before, file.after);
            let lines = self.lines.entry(key);
            let lines = lines.or_insert_with(|| Rc::new(patch::lines_of(checkout, file)));
            (file.path.clone(), Rc::clone(lines))
        }))
    }
}

/// Returns those of a target's commits that `base` does not have.
pub(super) fn since<'a>(commits: &'a [TargetCommit], base: &str) -> Vec<&'a TargetCommit> {
    // Parents come after their children, so one pass finds all that the base has. A base that is not among the commits
    // is older than them.
    let mut had: HashSet<&str> = HashSet::from([base]);
    let mut found = Vec::new();
    for commit in commits {
        if had.contains(commit.id.as_str()) {
            had.extend(commit.parents.iter().flatten().map(String::as_str));
        } else {
            found.push(commit);
        }
    }
    found
}

fn read_target(checkout: &Checkout, tip: &str) -> Result<Vec<TargetCommit>> {
    let failed = |error: gix::Error| {
        Error::new(ErrorKind::Io, format!("cannot read the history of `{tip}`")).with_source(error)
    };
    let (Some(repository), Some(tip)) = (checkout.repository(), object_id(tip)) else {
        return Ok(Vec::new());
    };
    let walk = repository
        .rev_walk([tip])
        .sorting(Sorting::ByCommitTime(CommitTimeOrder::NewestFirst))
        .all()
        .map_err(failed)?;
    let mut commits = Vec::new();
    for found in walk.take(TARGET_COMMITS) {
        let commit = found.and_then(|found| found.object()).map_err(failed)?;
        commits.push(TargetCommit {
            id: commit.id.to_hex().to_string(),
            parents: parents_of(&commit),
            time: commit.time().map_or(0, |time| time.seconds),
            message: commit.message_raw_sloppy().to_string(),
        });
    }
    Ok(commits)
}

fn parents_of(commit: &gix::Commit<'_>) -> Option<Vec<String>> {
    let parents = commit.parent_ids();
    parents
        .map(|parent| {
            parent.try_header().ok()??;
            Some(parent.to_hex().to_string())
        })
        .collect()
}

/// Returns the only parent of a commit; `None` for merges, roots, and where the history was cut off.
pub(super) fn only_parent(checkout: &Checkout, commit: &str) -> Option<String> {
    let commit = checkout
        .repository()?
        .find_commit(object_id(commit)?)
        .ok()?;
    let mut parents = parents_of(&commit)?;
    (parents.len() == 1).then(|| parents.remove(0))
}

/// Returns the committer's time in seconds.
pub(super) fn time_of(checkout: &Checkout, commit: &str) -> i64 {
    checkout
        .repository()
        .and_then(|repository| repository.find_commit(object_id(commit)?).ok())
        .and_then(|commit| commit.time().ok())
        .map_or(0, |time| time.seconds)
}
