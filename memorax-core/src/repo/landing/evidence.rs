//! Weighs whether a branch landed in another one.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use gix::bstr::{BStr, ByteSlice};

use super::history::{self, History, TargetCommit};
use super::patch::{self, FileChange, Patch};
use super::{Compared, LandingContext, message};
use crate::repo::Checkout;
use crate::{Landing, Line, LineId, Result};

/// How many commits of its own a branch may have to be compared commit by commit.
const OWN_COMMITS: usize = 200;

/// Share of the added lines that one target commit must have.
const SHARE_PERCENT: usize = 80;

/// Fewer added lines are found by chance.
const LEAST_LINES: usize = 3;

/// How far back on the target's first-parent chain a merge is looked for.
const MERGE_COMMITS: usize = 5_000;

/// Work of finding where two histories meet, and of reading a changed file, in compared commits.
const QUESTION: usize = 1_000;
const FILE: usize = 30;

/// A line in which another one may have landed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) line: LineId,
    /// Short name of its branch.
    pub(super) name: String,
    /// Commits at which the branch stands, here and on remotes.
    pub(super) tips: Vec<String>,
}

/// What was found of a line in a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// How it was found.
    pub(super) evidence: Landing,
    /// The commit of the target that has it.
    pub(super) commit: String,
}

impl Found {
    fn new(evidence: Landing, commit: impl Into<String>) -> Self {
        Self {
            evidence,
            commit: commit.into(),
        }
    }
}

/// Looks for lines in targets.
pub(super) struct Search<'a> {
    checkout: &'a Checkout,
    context: &'a LandingContext<'a>,
    pub(super) compared: &'a mut Compared,
    history: History,
}

/// What is looked for: all changes of a line at once, from each of the commits that it may have begun at, and one by one.
struct Wanted {
    whole: Vec<Patch>,
    single: Vec<Patch>,
    /// Telling lines that the line adds.
    added: Vec<u64>,
    /// How many of them are in files of a name, by name without folders.
    by_name: HashMap<Vec<u8>, usize>,
    pull_request: Option<u64>,
    time: i64,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        checkout: &'a Checkout,
        context: &'a LandingContext<'a>,
        compared: &'a mut Compared,
    ) -> Self {
        Self {
            checkout,
            context,
            compared,
            history: History::default(),
        }
    }

    /// Returns the pull request of a line, where it is known.
    pub(super) fn pull_request(&self, line: &Line) -> Option<u64> {
        let known = self.context.pull_requests.get(&line.id).copied();
        known.or_else(|| self.checkout.pull_request(&line.reference))
    }

    /// Says whether what was not found will not be found later either: not where commits may still be fetched.
    pub(super) fn can_tell(&self, line: &Line) -> bool {
        let tip = line.tip.as_deref();
        tip.is_some_and(|tip| self.checkout.has_commit(tip)) && !self.checkout.is_shallow()
    }

    /// Looks for what was done on a line in a target; strongest evidence first.
    ///
    /// Works from the line's last commit, so also where its branch was deleted, as long as git keeps the commit. A line
    /// without commits of its own has not landed anywhere.
    pub(super) fn landing(&mut self, line: &Line, target: &Target) -> Result<Option<Found>> {
        let here = |tip: &&str| self.checkout.has_commit(tip);
        let Some(tip) = line.tip.as_deref().filter(here) else {
            return Ok(None);
        };
        let mut weak = None;
        for target_tip in &target.tips {
            self.context.check()?;
            self.compared.count(QUESTION);
            let Some(base) = self.checkout.merge_base(tip, target_tip)? else {
                continue;
            };
            let found = if base != tip {
                self.by_changes(line, tip, &base, target_tip)?
            } else if line.fork.as_deref() == Some(tip) {
                None
            } else {
                let commit = self.merge_of(tip, target_tip)?;
                Some(Found::new(Landing::Reachable, commit))
            };
            match found {
                Some(found) if found.evidence.is_certain() => return Ok(Some(found)),
                other => weak = weak.or(other),
            }
        }
        Ok(weak)
    }

    /// Finds the oldest commit on the target's first-parent chain that has the tip.
    fn merge_of(&self, tip: &str, target_tip: &str) -> Result<String> {
        let chain = self.checkout.first_parents(target_tip, MERGE_COMMITS)?;
        // Newest first, and every commit after the merge has the tip.
        let (mut with, mut without) = (0, chain.len());
        while without - with > 1 {
            let middle = usize::midpoint(with, without);
            if self.checkout.is_ancestor(tip, &chain[middle])? {
                with = middle;
            } else {
                without = middle;
            }
        }
        Ok(chain
            .get(with)
            .map_or(target_tip, String::as_str)
            .to_owned())
    }

    fn wanted(&mut self, line: &Line, tip: &str, base: &str) -> Result<Wanted> {
        let mut bases = vec![base];
        // A branch cut from one that was squashed since: its own changes begin where it was cut.
        if let Some(fork) = line.fork.as_deref()
            && fork != base
            && fork != tip
            && self.checkout.is_ancestor(fork, tip)?
        {
            bases.insert(0, fork);
        }
        let mut whole = Vec::new();
        for base in &bases {
            let files = patch::between(self.checkout, Some(base), tip)?;
            self.compared.count(files.len() * FILE);
            whole.push(self.history.patch(self.checkout, files.iter()));
        }
        let mut single = Vec::new();
        let own = self.checkout.commits(tip, &bases, OWN_COMMITS + 1)?;
        for commit in own.iter().filter(|_| own.len() <= OWN_COMMITS) {
            if let Some(parent) = history::only_parent(self.checkout, commit) {
                let files = patch::between(self.checkout, Some(&parent), commit)?;
                single.push(self.history.patch(self.checkout, files.iter()));
            }
        }
        single.retain(|patch| !patch.is_empty());
        let nearest = &whole[0];
        let mut by_name = HashMap::new();
        for (path, count) in nearest.added_by_path() {
            *by_name.entry(name_of(path).to_vec()).or_default() += count;
        }
        let added = nearest.added();
        whole.retain(|patch| !patch.is_empty());
        Ok(Wanted {
            whole,
            single,
            added,
            by_name,
            pull_request: self.pull_request(line),
            time: history::time_of(self.checkout, tip),
        })
    }

    fn by_changes(
        &mut self,
        line: &Line,
        tip: &str,
        base: &str,
        target_tip: &str,
    ) -> Result<Option<Found>> {
        let wanted = self.wanted(line, tip, base)?;
        let commits = self.history.target(self.checkout, target_tip)?;
        // Newest first, so that what is left at the end is the oldest commit that has it.
        let mut applied: HashMap<&Patch, &str> = HashMap::new();
        let (mut most, mut share) = (None, 0);
        let mut named = None;
        for commit in history::since(&commits, base) {
            self.context.check()?;
            self.compared.count(1);
            // A branch that went on after its pull request was merged has not landed.
            if commit.time >= wanted.time
                && message::names(&commit.message, line.name(), wanted.pull_request)
            {
                named = Some(&commit.id);
            }
            let Some(files) = self.files(commit)? else {
                continue;
            };
            if wanted
                .whole
                .iter()
                .chain(&wanted.single)
                .any(|patch| patch.is_of(&files))
            {
                let patch = self.history.patch(self.checkout, files.iter());
                if wanted.whole.contains(&patch) {
                    return Ok(Some(Found::new(Landing::PatchId, &commit.id)));
                }
                if let Some(own) = wanted.single.iter().find(|own| **own == patch) {
                    applied.entry(own).or_insert(&commit.id);
                }
            }
            let found = self.share(&wanted, &files);
            if found >= share.max(1) {
                share = found;
                most = Some(&commit.id);
            }
        }
        let single = &wanted.single;
        if !single.is_empty() && single.iter().all(|own| applied.contains_key(own)) {
            // The branch's newest commit comes first.
            return Ok(Some(Found::new(Landing::Commits, applied[&single[0]])));
        }
        if let Some(commit) = most {
            return Ok(Some(Found::new(Landing::AddedLines, commit)));
        }
        Ok(named.map(|commit| Found::new(Landing::PullRequest, commit)))
    }

    fn files(&mut self, commit: &TargetCommit) -> Result<Option<Rc<Vec<FileChange>>>> {
        let Some(parents) = &commit.parents else {
            return Ok(None);
        };
        let parent = parents.first().map(String::as_str);
        self.history
            .files(self.checkout, &commit.id, parent)
            .map(Some)
    }

    /// Counts the wanted lines that a target commit adds, in whichever folder; 0 where they are too few.
    fn share(&mut self, wanted: &Wanted, files: &[FileChange]) -> usize {
        let enough = |count: usize| count * 100 >= wanted.added.len() * SHARE_PERCENT;
        if wanted.added.len() < LEAST_LINES {
            return 0;
        }
        let named = |file: &&FileChange| wanted.by_name.contains_key(name_of(file.path.as_bstr()));
        let files: Vec<&FileChange> = files.iter().filter(named).collect();
        // Most commits touch too few of the files to be worth reading.
        let names: HashSet<&[u8]> = files
            .iter()
            .map(|file| name_of(file.path.as_bstr()))
            .collect();
        let possible = names
            .iter()
            .filter_map(|name| wanted.by_name.get(*name))
            .sum();
        if !enough(possible) {
            return 0;
        }
        let patch = self.history.patch(self.checkout, files.into_iter());
        let found = patch::common(&wanted.added, &patch.added());
        if enough(found) { found } else { 0 }
    }
}

/// Returns the name without folders, which survives the usual moves.
fn name_of(path: &BStr) -> &[u8] {
    path.rsplit_str("/").next().unwrap_or_default()
}
