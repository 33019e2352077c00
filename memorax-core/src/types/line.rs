//! Lines: the lives of branches, which memories follow instead of commits.

use serde::{Deserialize, Serialize};

use super::{LineFields, LineId, Timestamp, named};

/// One life of one branch. A name that is used again after it was dropped is a new line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Line {
    /// Random id; renames keep it.
    pub id: LineId,
    /// Full reference name, such as `refs/heads/main`.
    pub reference: String,
    /// The line it was cut from; `None` for the default branch's line.
    pub parent: Option<LineId>,
    /// Commit at which it was cut from the parent, if one was known.
    pub fork: Option<String>,
    /// The last commit it was seen at.
    pub tip: Option<String>,
    /// Where the line stands in its life.
    pub state: LineState,
    /// When it was first seen.
    pub created: Timestamp,
    /// When it was last seen at a new commit, or its state was last changed.
    pub updated: Timestamp,
    /// Since when its reference is missing, if it is.
    pub missing: Option<Timestamp>,
    /// A person said that it is open: it lands by certain evidence only, and is not archived.
    #[serde(default)]
    pub held: bool,
}

impl Line {
    /// Creates an open line.
    pub fn new(id: LineId, reference: impl Into<String>, created: Timestamp) -> Self {
        Self {
            id,
            reference: reference.into(),
            parent: None,
            fork: None,
            tip: None,
            state: LineState::Open,
            created,
            updated: created,
            missing: None,
            held: false,
        }
    }

    /// Writes the given fields into the line.
    pub fn apply(&mut self, fields: &LineFields, at: Timestamp) {
        if fields.tip.is_some() || fields.state.is_some() {
            self.updated = at;
        }
        if let Some(reference) = &fields.reference {
            self.reference.clone_from(reference);
        }
        if let Some(state) = &fields.state {
            self.state.clone_from(state);
        }
        self.parent = fields.parent.or(self.parent);
        self.fork = fields.fork.clone().or_else(|| self.fork.take());
        self.tip = fields.tip.clone().or_else(|| self.tip.take());
        self.missing = fields.missing.unwrap_or(self.missing);
        self.held = fields.held.unwrap_or(self.held);
    }

    /// Returns the short name of the reference.
    pub fn name(&self) -> &str {
        self.reference
            .strip_prefix("refs/heads/")
            .unwrap_or(&self.reference)
    }
}

/// Where a line stands in its life.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
#[non_exhaustive]
pub enum LineState {
    /// Alive; its memories are seen on it and on lines cut from it.
    Open,
    /// Its changes are in another line, which sees its memories from then on.
    Landed {
        /// The line that has the changes.
        into: LineId,
        /// How that was decided.
        evidence: Landing,
        /// The commit of the target in which the changes were found.
        commit: Option<String>,
    },
    /// Dropped without landing; its memories are kept and hidden until restored.
    Archived,
}

impl LineState {
    /// Returns the lower-case name of the state.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Landed { evidence, .. } if evidence.is_certain() => "landed",
            Self::Landed { .. } => "probably landed",
            Self::Archived => "archived",
        }
    }
}

named! {
    /// How it was decided that a line landed.
    pub enum Landing ("landing evidence") {
        /// The line's tip is an ancestor of the target.
        Reachable = "reachable",
        /// One commit of the target has the line's cumulative patch id.
        PatchId = "patch_id",
        /// Every commit of the line has an equal patch in the target (rebase, cherry-pick).
        Commits = "commits",
        /// One commit of the target holds at least 80 % of the line's added lines.
        AddedLines = "added_lines",
        /// A commit of the target names the line's pull request.
        PullRequest = "pull_request",
        /// A person said so.
        Person = "person",
    }
}

impl Landing {
    /// Says whether the evidence leaves no doubt; otherwise the line is shown as probably landed.
    pub fn is_certain(self) -> bool {
        !matches!(self, Self::AddedLines | Self::PullRequest)
    }
}
