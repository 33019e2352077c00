//! Weighs whether a branch landed in another one.

use std::collections::{HashMap, HashSet};

use super::LandingContext;
use super::message;
use super::patch::{self, Changes, FileChange, Patch};
use crate::repo::Checkout;
use crate::repo::git::object_id;
use crate::{Landing, Line, LineId, Result};

/// How many commits of the target since the fork are looked at, newest first.
const TARGET_COMMITS: usize = 2_000;

/// How many commits of its own a branch may have to be compared commit by commit.
const OWN_COMMITS: usize = 200;

/// Share of the added lines that one target commit must have.
const SHARE_PERCENT: usize = 80;

/// Fewer added lines are found by chance.
const LEAST_LINES: usize = 3;

/// A line in which another one may have landed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Target {
    /// The line.
    pub(super) line: LineId,
    /// Short name of its branch.
    pub(super) name: String,
    /// Commits at which the branch stands, here and on remotes.
    pub(super) tips: Vec<String>,
}

impl Target {
    pub(super) fn new(line: LineId, name: impl Into<String>, tips: Vec<String>) -> Self {
        Self {
            line,
            name: name.into(),
            tips,
        }
    }
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

/// Looks for what was done on a line in a target; strongest evidence first.
///
/// Works from the line's last commit, so also where its branch was deleted, as long as git keeps the commit. A line
/// without commits of its own has not landed anywhere.
pub(super) fn landing(
    checkout: &Checkout,
    line: &Line,
    target: &Target,
    context: &LandingContext<'_>,
    changes: &mut Changes,
) -> Result<Option<Found>> {
    let Some(tip) = line.tip.as_deref().filter(|tip| checkout.has_commit(tip)) else {
        return Ok(None);
    };
    let mut weak = None;
    for target_tip in &target.tips {
        let Some(base) = checkout.merge_base(tip, target_tip)? else {
            continue;
        };
        let found = if base == tip {
            if line.fork.as_deref() == Some(tip) {
                continue;
            }
            let commit = merge_of(checkout, tip, target_tip)?;
            Some(Found::new(Landing::Reachable, commit))
        } else {
            by_changes(checkout, line, tip, &base, target_tip, context, changes)?
        };
        match found {
            Some(found) if found.evidence.is_certain() => return Ok(Some(found)),
            other => weak = weak.or(other),
        }
    }
    Ok(weak)
}

/// Finds the oldest commit on the target's first-parent chain that has the tip.
fn merge_of(checkout: &Checkout, tip: &str, target_tip: &str) -> Result<String> {
    let chain = checkout.first_parents(target_tip, TARGET_COMMITS)?;
    // Newest first, and every commit after the merge has the tip.
    let (mut with, mut without) = (0, chain.len());
    while without - with > 1 {
        let middle = usize::midpoint(with, without);
        if checkout.is_ancestor(tip, &chain[middle])? {
            with = middle;
        } else {
            without = middle;
        }
    }
    let found = chain.get(with).map_or(target_tip, String::as_str);
    Ok(found.to_owned())
}

/// What is looked for: all changes of the line at once, from each of the commits that it may have begun at, and one
/// by one.
struct Wanted {
    whole: Vec<Patch>,
    single: Vec<Patch>,
    names: HashSet<Vec<u8>>,
    added: Vec<u64>,
}

fn wanted(
    checkout: &Checkout,
    line: &Line,
    tip: &str,
    base: &str,
    target_tip: &str,
) -> Result<Wanted> {
    let mut bases = vec![base];
    // A branch cut from one that was squashed since: its own changes begin where it was cut.
    if let Some(fork) = line.fork.as_deref()
        && fork != base
        && fork != tip
        && checkout.is_ancestor(fork, tip)?
    {
        bases.insert(0, fork);
    }
    let mut whole = Vec::new();
    let mut names = HashSet::new();
    for base in &bases {
        let files = patch::between(checkout, Some(base), tip)?;
        names.extend(files.iter().map(|file| file.name().to_vec()));
        whole.push(patch::patch(checkout, &files));
    }
    let nearest = bases.first().copied().unwrap_or(base);
    let mut single = Vec::new();
    let own = checkout.commits(tip, &[nearest, target_tip], OWN_COMMITS + 1)?;
    if own.len() <= OWN_COMMITS {
        for commit in own {
            let parents = parents_of(checkout, &commit).unwrap_or_default();
            if let [parent] = parents.as_slice() {
                let files = patch::between(checkout, Some(parent), &commit)?;
                names.extend(files.iter().map(|file| file.name().to_vec()));
                single.push(patch::patch(checkout, &files));
            }
        }
    }
    single.retain(|patch| !patch.is_empty());
    let added = whole.first().map(Patch::added).unwrap_or_default();
    whole.retain(|patch| !patch.is_empty());
    Ok(Wanted {
        whole,
        single,
        names,
        added,
    })
}

fn by_changes(
    checkout: &Checkout,
    line: &Line,
    tip: &str,
    base: &str,
    target_tip: &str,
    context: &LandingContext<'_>,
    changes: &mut Changes,
) -> Result<Option<Found>> {
    let wanted = wanted(checkout, line, tip, base, target_tip)?;
    let pull_request = context
        .pull_requests
        .get(&line.id)
        .copied()
        .or_else(|| checkout.pull_request(&line.reference));
    let tip_time = commit_time(checkout, tip);
    // Newest first, so that what is left at the end is the oldest commit that has it.
    let mut applied: HashMap<&Patch, String> = HashMap::new();
    let (mut most, mut share): (Option<String>, usize) = (None, 0);
    let mut named = None;
    for commit in checkout.commits(target_tip, &[base], TARGET_COMMITS)? {
        context.check()?;
        let Some(parents) = parents_of(checkout, &commit) else {
            continue;
        };
        // A branch that went on after its pull request was merged has not landed.
        if commit_time(checkout, &commit) >= tip_time
            && message::names(&message_of(checkout, &commit), line.name(), pull_request)
        {
            named = Some(commit.clone());
        }
        let files = changes.of_commit(checkout, &commit, parents.first().map(String::as_str))?;
        let relevant: Vec<FileChange> = files
            .iter()
            .filter(|file| wanted.names.contains(file.name()))
            .cloned()
            .collect();
        if relevant.is_empty() {
            continue;
        }
        let patch = patch::patch(checkout, &relevant);
        if relevant.len() == files.len() {
            if wanted.whole.contains(&patch) {
                return Ok(Some(Found::new(Landing::PatchId, commit)));
            }
            if let Some(own) = wanted.single.iter().find(|own| **own == patch) {
                applied.entry(own).or_insert_with(|| commit.clone());
            }
        }
        let found = patch::common(&wanted.added, &patch.added());
        if found >= share && found > 0 {
            share = found;
            most = Some(commit);
        }
    }
    if !wanted.single.is_empty() && wanted.single.iter().all(|own| applied.contains_key(own)) {
        // The branch's newest commit comes first.
        let last = wanted.single.first().and_then(|own| applied.get(own));
        return Ok(last.map(|commit| Found::new(Landing::Commits, commit)));
    }
    let enough =
        wanted.added.len() >= LEAST_LINES && share * 100 >= wanted.added.len() * SHARE_PERCENT;
    if let Some(commit) = most.filter(|_| enough) {
        return Ok(Some(Found::new(Landing::AddedLines, commit)));
    }
    Ok(named.map(|commit| Found::new(Landing::PullRequest, commit)))
}

/// Returns the parents of a commit; `None` where the history was cut off at it.
fn parents_of(checkout: &Checkout, commit: &str) -> Option<Vec<String>> {
    found(checkout, commit)?
        .parent_ids()
        .map(|parent| {
            parent.try_header().ok()??;
            Some(parent.to_hex().to_string())
        })
        .collect()
}

fn commit_time(checkout: &Checkout, commit: &str) -> i64 {
    found(checkout, commit)
        .and_then(|commit| commit.time().ok())
        .map_or(0, |time| time.seconds)
}

fn message_of(checkout: &Checkout, commit: &str) -> String {
    found(checkout, commit)
        .map(|commit| commit.message_raw_sloppy().to_string())
        .unwrap_or_default()
}

fn found<'a>(checkout: &'a Checkout, commit: &str) -> Option<gix::Commit<'a>> {
    checkout.repository()?.find_commit(object_id(commit)?).ok()
}
