//! Which repository a folder is: a canonical id for every common git directory, and the evidence that it rests on.
//!
//! `registry.rs` remembers, `decide.rs` judges, `recover.rs` brings back what was lost. Nothing here reads or writes the registry's file: bytes in, bytes out.

mod decide;
mod recover;
mod registry;

use std::path::Path;

use serde::Deserialize;

pub use decide::{Decision, Question, identify};
pub use recover::Contested;
pub use registry::{Known, Place, Registry};

use super::git::{Checkout, PROJECT_FILE, Remote};
use crate::{RepositoryId, Result, Timestamp};

/// A project file longer than this is not ours.
const PROJECT_FILE_BYTES: u64 = 64 << 10;

/// What is known about a folder when its identity is made or checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Facts {
    /// Canonical path of the common git directory, or of the folder without git.
    pub path: String,
    /// When that directory was created, where the file system tells.
    pub born: Option<Timestamp>,
    /// Remotes, `upstream` first, then `origin`; empty where the repository is not trusted.
    pub remotes: Vec<Remote>,
    /// Root commits; `None` in a shallow clone, without git, and where the repository is not trusted.
    pub roots: Option<Vec<String>>,
    /// Id in the project's own file.
    pub committed: Option<RepositoryId>,
    /// What people should know about how the facts were read.
    pub warnings: Vec<String>,
}

impl Facts {
    /// Creates the facts about a folder of which only its path is known.
    pub fn new(path: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            ..Self::default()
        }
    }

    /// Reads the facts, root commits included: not for hooks.
    pub fn read(checkout: &Checkout) -> Result<Self> {
        let mut facts = Self::quick(checkout);
        if checkout.is_trusted() {
            facts.roots = checkout.root_commit()?.map(|root| vec![root]);
        } else {
            facts.warnings.push(format!(
                "`{}` belongs to another user, so its remotes and commits are not believed: \
                 git config --global --add safe.directory '{}'",
                facts.path,
                checkout.root().display()
            ));
        }
        if checkout.common_directory().is_some() && !checkout.has_readable_branches() {
            facts.warnings.push(format!(
                "`{}` stores its branches as `reftable`, which cannot be read: \
                 memories hold for all of its branches",
                facts.path
            ));
        }
        match read_committed_id(checkout.root()) {
            Ok(id) => facts.committed = id,
            Err(reason) => facts.warnings.push(reason),
        }
        Ok(facts)
    }

    /// Reads what costs next to nothing, enough for [`Registry::known`].
    pub fn quick(checkout: &Checkout) -> Self {
        let warnings = checkout.unusable_git().map(|git| {
            format!(
                "`{}` is no git repository: there are no branches and no history here, and memories belong to the folder; \
                 `git status` says what is missing",
                git.display()
            )
        });
        Self {
            path: checkout.place(),
            warnings: warnings.into_iter().collect(),
            born: checkout.born(),
            remotes: if checkout.is_trusted() {
                checkout.remotes()
            } else {
                Vec::new()
            },
            ..Self::default()
        }
    }

    /// Returns the addresses that can identify the repository: `upstream` before `origin`, else an only remote.
    ///
    /// Other remotes are colleagues' forks, deployments and templates, which many projects may have in common.
    pub fn addresses(&self) -> Vec<&str> {
        let named: Vec<&str> = self
            .remotes
            .iter()
            .filter(|remote| matches!(remote.name.as_str(), "upstream" | "origin"))
            .map(|remote| remote.address.as_str())
            .collect();
        match (named.is_empty(), self.remotes.as_slice()) {
            (true, [only]) => vec![only.address.as_str()],
            _ => named,
        }
    }
}

fn read_committed_id(root: &Path) -> Result<Option<RepositoryId>, String> {
    #[derive(Deserialize)]
    struct Project {
        id: Option<String>,
    }
    let path = root.join(PROJECT_FILE);
    let Ok(metadata) = std::fs::metadata(&path) else {
        return Ok(None);
    };
    if metadata.len() > PROJECT_FILE_BYTES {
        return Err(format!("`{PROJECT_FILE}` is too large to be read"));
    }
    let text = std::fs::read_to_string(&path)
        .map_err(|error| format!("cannot read `{PROJECT_FILE}`: {error}"))?;
    let project: Project = toml::from_str(&text)
        .map_err(|error| format!("`{PROJECT_FILE}` is not valid: {}", error.message()))?;
    project
        .id
        .map(|id| {
            id.parse()
                .map_err(|_| format!("`{PROJECT_FILE}`: `{id}` is not an id"))
        })
        .transpose()
}
