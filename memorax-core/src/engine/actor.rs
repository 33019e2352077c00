//! Who is writing, and how far that is believed.

use std::env;

use crate::text::Redactor;
use crate::{Provenance, Timestamp, Trust};

/// Who uses the handle.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Actor {
    /// Name of the person or agent.
    pub name: String,
    /// How far the writer is believed.
    pub trust: Trust,
    /// The agent's session, if there is one.
    pub session: Option<String>,
    /// Program through which it comes, such as `cli`.
    pub via: String,
    /// Whether this process is part of a CI job. Nobody can claim it: only the environment tells.
    ci_job: bool,
}

/// Environment variables by which agents mark what they start, the agent's name, and the variable with its session.
const AGENTS: [(&str, &str, Option<&str>); 10] = [
    ("CLAUDECODE", "claude-code", Some("CLAUDE_CODE_SESSION_ID")),
    ("CODEX_THREAD_ID", "codex", Some("CODEX_THREAD_ID")),
    ("CODEX_SANDBOX", "codex", None),
    ("OPENCODE", "opencode", None),
    ("DSH_SESSION_ID", "deepseek-harness", Some("DSH_SESSION_ID")),
    ("GEMINI_CLI", "gemini-cli", None),
    (
        "COPILOT_AGENT_SESSION_ID",
        "github-copilot",
        Some("COPILOT_AGENT_SESSION_ID"),
    ),
    ("CURSOR_AGENT", "cursor", None),
    ("CLINE_ACTIVE", "cline", None),
    ("AI_AGENT", "agent", None),
];

/// Name of a writer in a CI job.
const CI: &str = "ci";

impl Actor {
    /// Names a writer.
    pub fn new(name: impl Into<String>, trust: Trust) -> Self {
        Self {
            name: name.into(),
            trust,
            session: None,
            via: "library".to_owned(),
            ci_job: false,
        }
    }

    /// Finds out who started this process: a known agent by its environment, else the user.
    ///
    /// A person counts as `User` only at a terminal and without an agent's environment; everything else is `Agent`.
    pub fn detect(via: impl Into<String>, terminal: bool) -> Self {
        let variable = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
        let mut actor = Self::from_environment(via, terminal, variable);
        actor.ci_job = actor.name == CI && variable("CI").is_some();
        actor
    }

    /// Does what [`detect`](Self::detect) does, on a given environment, which gives none of the rights of a CI job.
    ///
    /// ```
    /// use memorax_core::{Actor, Trust};
    /// let agent = Actor::from_environment("cli", true, |name| (name == "CLAUDECODE").then(|| "1".to_owned()));
    /// assert_eq!((agent.name.as_str(), agent.trust), ("claude-code", Trust::Agent));
    /// let person = Actor::from_environment("cli", true, |name| (name == "USER").then(|| "ada".to_owned()));
    /// assert_eq!((person.name.as_str(), person.trust), ("ada", Trust::User));
    /// ```
    pub fn from_environment(
        via: impl Into<String>,
        terminal: bool,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Self {
        let via = via.into();
        for (mark, name, session) in AGENTS {
            if variable(mark).is_some() {
                let session = session.and_then(&variable);
                return Self {
                    name: name.to_owned(),
                    trust: Trust::Agent,
                    session,
                    via,
                    ci_job: false,
                };
            }
        }
        if variable("CI").is_some() {
            return Self {
                name: CI.to_owned(),
                trust: Trust::Agent,
                session: None,
                via,
                ci_job: false,
            };
        }
        let name = ["USER", "LOGNAME", "USERNAME"]
            .iter()
            .find_map(|name| variable(name));
        let trust = if terminal { Trust::User } else { Trust::Agent };
        Self {
            name: name.unwrap_or_else(|| "unknown".to_owned()),
            trust,
            session: None,
            via,
            ci_job: false,
        }
    }

    /// Says whether a `yes` of this writer stands for the one who set up the CI job that it runs in.
    pub(crate) fn is_ci_job(&self) -> bool {
        self.ci_job
    }

    /// Takes secrets out of everything that is written down about the writer.
    pub(super) fn redacted(mut self, redactor: &Redactor) -> Self {
        let texts = [
            Some(&mut self.name),
            Some(&mut self.via),
            self.session.as_mut(),
        ];
        for text in texts.into_iter().flatten() {
            *text = redactor.redact(text).text.into_owned();
        }
        self
    }

    /// Names the agent's session.
    #[must_use]
    pub fn session(mut self, session: impl Into<String>) -> Self {
        self.session = Some(session.into());
        self
    }

    /// Names the program through which it comes.
    #[must_use]
    pub fn via(mut self, via: impl Into<String>) -> Self {
        self.via = via.into();
        self
    }

    /// Returns the provenance of something written now.
    pub(crate) fn provenance(&self, at: Timestamp, commit: Option<&str>) -> Provenance {
        let mut provenance =
            Provenance::new(self.name.clone(), self.trust, at).via(self.via.clone());
        provenance.session.clone_from(&self.session);
        provenance.commit = commit.map(str::to_owned);
        provenance
    }

    /// Returns the name of the spool this writer appends to.
    pub(crate) fn spool(&self) -> String {
        self.session
            .clone()
            .unwrap_or_else(|| format!("{}-{}", self.via, self.name))
    }
}
