//! Who wrote, when, and from what.

use serde::{Deserialize, Serialize};

use super::{Timestamp, named};

named! {
    /// How far a text is to be believed; set by the path through which it came in, never by its words.
    pub enum Trust ("trust") {
        /// A person at a terminal or on the page.
        User = "user",
        /// A coding agent.
        Agent = "agent",
        /// Output of a tool.
        Tool = "tool",
        /// A web page or another foreign source.
        External = "external",
        /// Another memory program or an export file.
        Imported = "imported",
    }
}

/// Who wrote something, when, and from which session or commit. Every write has one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Provenance {
    /// Name of the person or agent, such as `ada` or `claude-code`.
    pub actor: String,
    /// How far the writer is believed.
    pub trust: Trust,
    /// When it was written.
    pub at: Timestamp,
    /// The agent's session, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The commit that was checked out, as evidence only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Program or importer through which it came, such as `cli` or `python`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<String>,
}

impl Provenance {
    /// Creates a provenance without session and commit.
    pub fn new(actor: impl Into<String>, trust: Trust, at: Timestamp) -> Self {
        Self {
            actor: actor.into(),
            trust,
            at,
            session: None,
            commit: None,
            via: None,
        }
    }

    /// Names the agent's session.
    #[must_use]
    pub fn session(mut self, session: impl Into<String>) -> Self {
        self.session = Some(session.into());
        self
    }

    /// Names the commit that was checked out.
    #[must_use]
    pub fn commit(mut self, commit: impl Into<String>) -> Self {
        self.commit = Some(commit.into());
        self
    }

    /// Names the program through which it came.
    #[must_use]
    pub fn via(mut self, via: impl Into<String>) -> Self {
        self.via = Some(via.into());
        self
    }
}
