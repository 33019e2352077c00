//! Trajectories: what an agent did in a session, one shape for all agents.

use serde::{Deserialize, Serialize};

use super::{Timestamp, named};

/// What an agent did in one session.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Trajectory {
    /// Name of the agent, such as `codex`.
    pub agent: String,
    /// The agent's id of the session.
    pub session: String,
    /// What happened, in order.
    pub events: Vec<Event>,
}

impl Trajectory {
    /// Creates an empty trajectory.
    pub fn new(agent: impl Into<String>, session: impl Into<String>) -> Self {
        Self {
            agent: agent.into(),
            session: session.into(),
            events: Vec::new(),
        }
    }
}

named! {
    /// What one event of a session was.
    pub enum EventKind ("event kind") {
        /// The user's words.
        Prompt = "prompt",
        /// The agent's words.
        Message = "message",
        /// A tool was called.
        ToolCall = "tool_call",
        /// A tool answered.
        ToolResult = "tool_result",
        /// A file was changed.
        Edit = "edit",
        /// Tests ran.
        Test = "test",
        /// The user turned something down.
        Rejection = "rejection",
        /// The user stopped the agent.
        Interrupt = "interrupt",
        /// The agent's context was cut down.
        Compaction = "compaction",
        /// A commit was made or checked out.
        Commit = "commit",
    }
}

/// One event of a session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Event {
    /// What it was.
    pub kind: EventKind,
    /// When, if the agent recorded it.
    pub at: Option<Timestamp>,
    /// Words, output or diff.
    pub text: String,
    /// Tool name, for calls and results.
    pub tool: Option<String>,
    /// Command line, for shell calls.
    pub command: Option<String>,
    /// Exit code, for results of commands.
    pub exit: Option<i32>,
    /// Files it names, relative to the repository's root.
    pub paths: Vec<String>,
    /// Branch and commit at this point, if known.
    pub branch: Option<String>,
    /// Commit at this point, if known.
    pub commit: Option<String>,
}

impl Event {
    /// Creates an event with words only.
    pub fn new(kind: EventKind, text: impl Into<String>) -> Self {
        Self {
            kind,
            at: None,
            text: text.into(),
            tool: None,
            command: None,
            exit: None,
            paths: Vec::new(),
            branch: None,
            commit: None,
        }
    }
}
