//! Branches, their logs, and which branch is the default one.

use gix::bstr::{BStr, ByteSlice};

use super::Checkout;
use crate::{Error, ErrorKind, Result, Timestamp};

/// Longest part of a reference's log that is read, newest first.
const LOG_ENTRIES: usize = 2_000;

/// A branch and the commit it stands at.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Reference {
    /// Full name, such as `refs/heads/main`.
    pub name: String,
    /// The commit.
    pub commit: String,
}

/// One entry of a reference's log.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LogEntry {
    /// Commit before; `None` where the entry created the reference.
    pub from: Option<String>,
    /// Commit after.
    pub to: String,
    /// What git wrote about it, such as `branch: Created from main`.
    pub message: String,
    /// When.
    pub at: Timestamp,
}

impl Checkout {
    /// Returns the local branches, sorted by name.
    pub fn heads(&self) -> Result<Vec<Reference>> {
        self.references("refs/heads/")
    }

    /// Returns the branches of remotes as they were last fetched, sorted by name, without the remotes' HEADs.
    pub fn remote_heads(&self) -> Result<Vec<Reference>> {
        self.references("refs/remotes/")
    }

    fn references(&self, prefix: &str) -> Result<Vec<Reference>> {
        let Some(repository) = self.repository().filter(|_| self.has_readable_branches()) else {
            return Ok(Vec::new());
        };
        let failed = |error: gix::Error| {
            Error::new(ErrorKind::Io, format!("cannot list `{prefix}`")).with_source(error)
        };
        let platform = repository.references().map_err(failed)?;
        let found = if prefix == "refs/heads/" {
            platform.local_branches()
        } else {
            platform.remote_branches()
        }
        .map_err(failed)?;
        // A reference that cannot be read, such as an empty file left by a crash, names no commit.
        let mut references: Vec<Reference> = found
            .filter_map(std::result::Result::ok)
            .filter_map(|reference| {
                let commit = reference.try_id()?.to_hex().to_string();
                let name = self.shown(reference.name().as_bstr().to_string());
                Some(Reference { name, commit })
            })
            .collect();
        references.sort();
        Ok(references)
    }

    /// Returns the commit that a reference stands at; `None` if there is no such reference.
    pub fn tip(&self, reference: &str) -> Option<String> {
        let mut found = self
            .repository()?
            .try_find_reference(BStr::new(&self.real(reference)))
            .ok()??;
        let id = found.peel_to_id().ok()?;
        Some(id.to_hex().to_string())
    }

    /// Returns the commits at which remotes have a local branch's namesake, as last fetched; `origin` and `upstream` first.
    pub fn remote_tips(&self, reference: &str) -> Vec<String> {
        let reference = self.real(reference);
        let Some(short) = reference.strip_prefix("refs/heads/") else {
            return Vec::new();
        };
        let Some(repository) = self.repository() else {
            return Vec::new();
        };
        let mut names: Vec<String> = repository
            .remote_names()
            .iter()
            .map(|name| name.to_str_lossy().into_owned())
            .collect();
        names.sort_by_key(|name| !matches!(name.as_str(), "origin" | "upstream"));
        names
            .iter()
            .filter_map(|name| self.tip(&format!("refs/remotes/{name}/{short}")))
            .collect()
    }

    /// Returns the log of a reference, newest entry first; empty where there is none.
    pub fn log(&self, reference: &str) -> Vec<LogEntry> {
        let Some(repository) = self.repository() else {
            return Vec::new();
        };
        let Ok(Some(reference)) = repository.try_find_reference(BStr::new(&self.real(reference)))
        else {
            return Vec::new();
        };
        let mut platform = reference.log_iter();
        let Ok(Some(lines)) = platform.all() else {
            return Vec::new();
        };
        let mut entries: Vec<LogEntry> = lines
            .filter_map(std::result::Result::ok)
            .map(|line| LogEntry {
                from: Some(line.previous_oid())
                    .filter(|id| !id.is_null())
                    .map(|id| id.to_hex().to_string()),
                to: line.new_oid().to_hex().to_string(),
                message: self.shown(line.message.to_str_lossy().into_owned()),
                at: Timestamp::from_millis(line.signature.seconds().saturating_mul(1_000)),
            })
            .collect();
        entries.reverse();
        entries.truncate(LOG_ENTRIES);
        entries
    }

    /// Returns the full local name of the default branch: what `origin` calls its HEAD, else the configured or a usual
    /// name among the branches, else the branch of the main working tree.
    pub fn default_branch(&self) -> Option<String> {
        let repository = self.repository()?;
        if !self.has_readable_branches() {
            return None;
        }
        for remote in ["origin", "upstream"] {
            let prefix = format!("refs/remotes/{remote}/");
            let head = repository.try_find_reference(BStr::new(&format!("{prefix}HEAD")));
            if let Ok(Some(head)) = head
                && let Some(target) = head.target().try_name()
                && let Some(short) = target.as_bstr().to_str_lossy().strip_prefix(&prefix)
            {
                return Some(self.shown(format!("refs/heads/{short}")));
            }
        }
        let configured = repository
            .config_snapshot()
            .string("init.defaultBranch")
            .map(|name| name.to_str_lossy().into_owned());
        let usual = configured
            .as_deref()
            .into_iter()
            .chain(["main", "master", "trunk"])
            .map(|name| format!("refs/heads/{name}"))
            .find(|name| self.tip(name).is_some());
        let usual = usual.map(|name| self.shown(name));
        usual.or_else(|| self.branch_of_main_tree())
    }

    fn branch_of_main_tree(&self) -> Option<String> {
        // The HEAD file of the common directory is the main working tree's, also where this is a linked one.
        let head = std::fs::read_to_string(self.common_directory()?.join("HEAD")).ok()?;
        head.trim()
            .strip_prefix("ref: ")
            .map(|name| self.shown(name.to_owned()))
            .or_else(|| self.head().reference.clone())
    }

    /// Returns the pull request that a branch was checked out from, as the forges' own programs configure it.
    pub fn pull_request(&self, reference: &str) -> Option<u64> {
        let reference = self.real(reference);
        let short = reference.strip_prefix("refs/heads/")?;
        let merge = self
            .repository()?
            .config_snapshot()
            .string(format!("branch.{short}.merge").as_str())?;
        let merge = merge.to_str_lossy();
        let rest = merge
            .strip_prefix("refs/pull/")
            .or_else(|| merge.strip_prefix("refs/merge-requests/"))?;
        rest.split('/').next()?.parse().ok()
    }
}
