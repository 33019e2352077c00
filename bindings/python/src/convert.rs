//! Data of the core as frozen Python objects, and back.

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use memorax_core as core;
use pyo3::prelude::*;
use serde_json::Value;

/// Declares a frozen data class: every field can be read, equal fields make equal objects.
macro_rules! data {
    ($(#[$meta:meta])* $name:ident { $($field:ident: $type:ty),+ $(,)? } shown by $($shown:ident),+) => {
        $(#[$meta])*
        #[pyclass(frozen, get_all, eq, module = "memorax_code")]
        #[derive(Clone, PartialEq)]
        pub(crate) struct $name { $(pub(crate) $field: $type),+ }

        #[pymethods]
        impl $name {
            fn __repr__(&self) -> String {
                format!("{self:?}")
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                let fields = [$(format!(concat!(stringify!($shown), "={:?}"), self.$shown)),+];
                write!(formatter, concat!(stringify!($name), "({})"), fields.join(", "))
            }
        }
    };
}

data! {
    /// One thing worth knowing, with where it holds and who wrote it.
    Memory {
        id: String,
        kind: &'static str,
        title: String,
        text: String,
        status: &'static str,
        trust: &'static str,
        path: Option<String>,
        everywhere: bool,
        tags: Vec<String>,
        conflicts: Vec<String>,
        actor: String,
        session: Option<String>,
        commit: Option<String>,
        created: SystemTime,
        updated: SystemTime,
        expires: Option<SystemTime>,
    } shown by id, kind, title, status
}

data! {
    /// One reason for a hit.
    Signal { source: &'static str, score: f64, detail: String } shown by source, score, detail
}

data! {
    /// What became of a path or a definition that a memory cites.
    Citation { path: String, symbol: Option<String>, freshness: &'static str, now: Option<String> } shown by path, freshness, now
}

data! {
    /// A memory that fits.
    Hit {
        memory: Memory,
        score: f64,
        freshness: &'static str,
        citations: Vec<Citation>,
        why: Vec<Signal>,
    } shown by memory, score, freshness
}

data! {
    /// A file that fits.
    FileHit { path: String, score: f64, symbols: Vec<String>, why: Vec<Signal> } shown by path, score
}

data! {
    /// A rejection that a proposal repeats.
    RejectionHit {
        memory: Memory,
        confidence: f64,
        denies: bool,
        freshness: &'static str,
        evidence: Vec<String>,
    } shown by memory, confidence, freshness
}

data! {
    /// What became of something that was remembered.
    Remembered { id: String, outcome: &'static str } shown by id, outcome
}

data! {
    /// A past commit that did or said something of the kind.
    PastCommit { id: String, subject: String, at: SystemTime, score: f64, why: Vec<Signal> } shown by id, subject
}

data! {
    /// A command that the repository itself states for what is asked.
    StatedCommand { command: String, purpose: String, source: String } shown by command, purpose
}

data! {
    /// A memory with what is known about it now.
    Shown {
        memory: Memory,
        deleted: bool,
        waiting: bool,
        freshness: &'static str,
        citations: Vec<Citation>,
    } shown by memory, freshness
}

/// The answer to a query: the packet in `text`, and what it was made of.
#[pyclass(frozen, get_all, eq, module = "memorax_code")]
#[derive(Clone, PartialEq)]
pub(crate) struct Recall {
    id: String,
    text: String,
    tokens: usize,
    hits: Vec<Hit>,
    files: Vec<FileHit>,
    commands: Vec<StatedCommand>,
    commits: Vec<PastCommit>,
    abstained: bool,
    confidence: f64,
    dropped: usize,
    commit: Option<String>,
    notes: Vec<String>,
}

#[pymethods]
impl Recall {
    fn __bool__(&self) -> bool {
        !self.text.is_empty()
    }

    fn __repr__(&self) -> String {
        format!(
            "Recall(id={:?}, hits={}, files={}, tokens={})",
            self.id,
            self.hits.len(),
            self.files.len(),
            self.tokens
        )
    }
}

/// The answer to "was this turned down before?".
#[pyclass(frozen, get_all, eq, module = "memorax_code")]
#[derive(Clone, PartialEq)]
pub(crate) struct Check {
    id: String,
    denies: bool,
    rejections: Vec<RejectionHit>,
}

#[pymethods]
impl Check {
    fn __repr__(&self) -> String {
        format!("Check(id={:?}, rejections={:?})", self.id, self.rejections)
    }
}

impl From<core::Memory> for Memory {
    fn from(memory: core::Memory) -> Self {
        Self {
            id: memory.id.to_string(),
            kind: memory.kind.as_str(),
            title: memory.title,
            text: memory.text,
            status: memory.status.as_str(),
            trust: memory.trust.as_str(),
            path: memory.scope.path,
            everywhere: memory.scope.repo.is_none(),
            tags: memory.tags,
            conflicts: memory.conflicts,
            actor: memory.provenance.actor,
            session: memory.provenance.session,
            commit: memory.provenance.commit,
            created: moment(memory.created),
            updated: moment(memory.updated),
            expires: memory.expires.map(moment),
        }
    }
}

impl From<core::Signal> for Signal {
    fn from(signal: core::Signal) -> Self {
        Self {
            source: signal.source.as_str(),
            score: signal.score.into(),
            detail: signal.detail,
        }
    }
}

impl From<core::Citation> for Citation {
    fn from(citation: core::Citation) -> Self {
        Self {
            path: citation.path,
            symbol: citation.symbol,
            freshness: citation.freshness.as_str(),
            now: citation.now,
        }
    }
}

impl From<core::Hit> for Hit {
    fn from(hit: core::Hit) -> Self {
        Self {
            memory: hit.memory.into(),
            score: hit.score.into(),
            freshness: hit.freshness.as_str(),
            citations: all(hit.citations),
            why: all(hit.why),
        }
    }
}

impl From<core::FileHit> for FileHit {
    fn from(file: core::FileHit) -> Self {
        Self {
            path: file.path,
            score: file.score.into(),
            symbols: file.symbols,
            why: all(file.why),
        }
    }
}

impl From<core::PastCommit> for PastCommit {
    fn from(commit: core::PastCommit) -> Self {
        Self {
            id: commit.id,
            subject: commit.subject,
            at: moment(commit.at),
            score: commit.score.into(),
            why: all(commit.why),
        }
    }
}

impl From<core::StatedCommand> for StatedCommand {
    fn from(stated: core::StatedCommand) -> Self {
        Self {
            command: stated.command,
            purpose: stated.purpose,
            source: stated.source,
        }
    }
}

impl From<core::Recall> for Recall {
    fn from(recall: core::Recall) -> Self {
        Self {
            id: recall.id.to_string(),
            text: recall.text,
            tokens: recall.tokens,
            hits: all(recall.hits),
            files: all(recall.files),
            commands: all(recall.commands),
            commits: all(recall.commits),
            abstained: recall.abstained,
            confidence: recall.confidence.into(),
            dropped: recall.dropped,
            commit: recall.commit,
            notes: recall.notes,
        }
    }
}

impl From<core::Check> for Check {
    fn from(check: core::Check) -> Self {
        Self {
            id: check.id.to_string(),
            denies: check.denies(),
            rejections: all(check.rejections),
        }
    }
}

impl From<core::RejectionHit> for RejectionHit {
    fn from(hit: core::RejectionHit) -> Self {
        Self {
            memory: hit.memory.into(),
            confidence: hit.confidence.into(),
            denies: hit.denies,
            freshness: hit.freshness.as_str(),
            evidence: hit.evidence,
        }
    }
}

impl From<core::Shown> for Shown {
    fn from(shown: core::Shown) -> Self {
        Self {
            memory: shown.memory.into(),
            deleted: shown.deleted,
            waiting: shown.waiting,
            freshness: shown.freshness.as_str(),
            citations: all(shown.citations),
        }
    }
}

impl From<core::Remembered> for Remembered {
    fn from(remembered: core::Remembered) -> Self {
        Self {
            id: remembered.id.to_string(),
            outcome: remembered.outcome.as_str(),
        }
    }
}

/// Converts a record of the core to the dictionaries, lists and texts that its JSON stands for.
pub(crate) fn plain<'py>(py: Python<'py>, record: &Value) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?
        .call_method1("loads", (record.to_string(),))
}

/// Converts every element of a list.
pub(crate) fn all<F, T: From<F>>(from: Vec<F>) -> Vec<T> {
    from.into_iter().map(T::from).collect()
}

fn moment(time: core::Timestamp) -> SystemTime {
    let distance = Duration::from_millis(time.as_millis().unsigned_abs());
    if time.as_millis() < 0 {
        UNIX_EPOCH - distance
    } else {
        UNIX_EPOCH + distance
    }
}
