//! Questions about the graph of commits.

use std::collections::HashMap;

use gix::ObjectId;
use gix::revision::walk::Sorting;
use gix::traverse::commit::simple::CommitTimeOrder;

use super::Checkout;
use crate::{Error, ErrorKind, Result};

/// How far back from HEAD branches are looked for when HEAD is detached.
const REACHABLE_COMMITS: usize = 20_000;

impl Checkout {
    /// Says whether a commit is here; in a shallow or partial clone, or after a prune, it may not be.
    pub fn has_commit(&self, commit: &str) -> bool {
        self.repository().is_some_and(|repository| {
            object_id(commit).is_some_and(|id| repository.find_commit(id).is_ok())
        })
    }

    /// Returns the root of the first-parent history of the default branch, or of HEAD.
    ///
    /// Histories merged in from elsewhere have roots of their own, which say nothing about this repository. `None` in a
    /// shallow clone and before the first commit. Reads every commit of that chain: only for making and checking an
    /// identity.
    pub fn root_commit(&self) -> Result<Option<String>> {
        if self.is_shallow() {
            return Ok(None);
        }
        let Some(repository) = self.repository() else {
            return Ok(None);
        };
        let tip = self
            .default_branch()
            .and_then(|name| self.tip(&name).or_else(|| self.remote_tips(&name).pop()))
            .or_else(|| self.head().commit.clone());
        let Some(tip) = tip.as_deref().and_then(object_id) else {
            return Ok(None);
        };
        let walk = repository
            .rev_walk([tip])
            .first_parent_only()
            .all()
            .map_err(unreadable)?;
        let mut last = None;
        for commit in walk {
            last = Some(commit.map_err(unreadable)?.id);
        }
        Ok(last.map(|id| id.to_hex().to_string()))
    }

    /// Returns the best common ancestor of two commits; `None` if there is none, or if one of them is not here.
    pub fn merge_base(&self, one: &str, other: &str) -> Result<Option<String>> {
        let (Some(repository), Some(one), Some(other)) =
            (self.repository(), object_id(one), object_id(other))
        else {
            return Ok(None);
        };
        if repository.find_commit(one).is_err() || repository.find_commit(other).is_err() {
            return Ok(None);
        }
        let base = repository.merge_base(one, other).map_err(unreadable)?;
        Ok(base.map(|id| id.to_hex().to_string()))
    }

    /// Says whether `ancestor` is `commit` or one of its ancestors. `false` where one of them is not here.
    pub fn is_ancestor(&self, ancestor: &str, commit: &str) -> Result<bool> {
        if ancestor == commit {
            return Ok(self.has_commit(commit));
        }
        Ok(self.merge_base(ancestor, commit)?.as_deref() == Some(ancestor))
    }

    /// Returns the commits that are reachable from `tip` and from none of `hidden`, newest first, at most `limit`.
    pub fn commits(&self, tip: &str, hidden: &[&str], limit: usize) -> Result<Vec<String>> {
        let (Some(repository), Some(tip)) = (self.repository(), object_id(tip)) else {
            return Ok(Vec::new());
        };
        let walk = repository
            .rev_walk([tip])
            .sorting(Sorting::ByCommitTime(CommitTimeOrder::NewestFirst))
            .with_hidden(hidden.iter().filter_map(|id| object_id(id)))
            .all()
            .map_err(unreadable)?;
        walk.take(limit)
            .map(|commit| Ok(commit.map_err(unreadable)?.id.to_hex().to_string()))
            .collect()
    }

    /// Returns which of `tips` are reachable from `commit`, nearest first.
    pub fn reachable(&self, commit: &str, tips: &[String]) -> Result<Vec<String>> {
        let (Some(repository), Some(start)) = (self.repository(), object_id(commit)) else {
            return Ok(Vec::new());
        };
        let mut wanted: HashMap<ObjectId, &String> = HashMap::new();
        let mut oldest = i64::MAX;
        for tip in tips {
            let Some(id) = object_id(tip) else { continue };
            let Ok(found) = repository.find_commit(id) else {
                continue;
            };
            oldest = oldest.min(found.time().map_or(i64::MIN, |time| time.seconds));
            wanted.insert(id, tip);
        }
        let mut found = Vec::new();
        if wanted.is_empty() {
            return Ok(found);
        }
        let walk = repository
            .rev_walk([start])
            .sorting(Sorting::ByCommitTimeCutoff {
                order: CommitTimeOrder::NewestFirst,
                seconds: oldest,
            })
            .all()
            .map_err(unreadable)?;
        for commit in walk.take(REACHABLE_COMMITS) {
            let id = commit.map_err(unreadable)?.id;
            if let Some(tip) = wanted.remove(&id) {
                found.push(tip.clone());
                if wanted.is_empty() {
                    break;
                }
            }
        }
        Ok(found)
    }

    /// Returns the first-parent chain of `tip`, newest first, at most `limit` commits.
    pub(crate) fn first_parents(&self, tip: &str, limit: usize) -> Result<Vec<String>> {
        let (Some(repository), Some(tip)) = (self.repository(), object_id(tip)) else {
            return Ok(Vec::new());
        };
        let walk = repository
            .rev_walk([tip])
            .first_parent_only()
            .all()
            .map_err(unreadable)?;
        walk.take(limit)
            .map(|commit| Ok(commit.map_err(unreadable)?.id.to_hex().to_string()))
            .collect()
    }
}

/// Reads a full hexadecimal id.
pub(crate) fn object_id(text: &str) -> Option<ObjectId> {
    ObjectId::from_hex(text.as_bytes()).ok()
}

fn unreadable(error: gix::Error) -> Error {
    Error::new(ErrorKind::Io, "cannot read the commits of the repository").with_source(error)
}
