//! Data of the core as plain JavaScript objects, and options of JavaScript as data of the core.

use memorax_core as core;
use napi::bindgen_prelude::{ToNapiValue, TypeName};
use napi::{Env, JsValue, ValueType, sys};
use napi_derive::napi;
use serde_json::Value;

/// A record of the core as the object that its JSON stands for.
pub struct Plain(pub(crate) Value);

impl TypeName for Plain {
    fn type_name() -> &'static str {
        "Object"
    }

    fn value_type() -> ValueType {
        ValueType::Object
    }
}

impl ToNapiValue for Plain {
    #[expect(
        unsafe_code,
        reason = "the signature is napi's; the environment is passed on as it came"
    )]
    unsafe fn to_napi_value(env: sys::napi_env, plain: Self) -> napi::Result<sys::napi_value> {
        // SAFETY: the caller promises for `env` what the called function asks for.
        unsafe { Value::to_napi_value(env, plain.0) }
    }
}

/// A moment, which becomes a `Date`.
pub struct Moment(core::Timestamp);

impl ToNapiValue for Moment {
    #[expect(
        unsafe_code,
        reason = "the signature is napi's; the body calls its safe interface"
    )]
    unsafe fn to_napi_value(env: sys::napi_env, moment: Self) -> napi::Result<sys::napi_value> {
        let millis = moment.0.as_millis() as f64;
        Ok(Env::from_raw(env).create_date(millis)?.raw())
    }
}

#[napi(object, object_from_js = false)]
pub struct Memory {
    pub id: String,
    pub kind: &'static str,
    pub title: String,
    pub text: String,
    pub status: &'static str,
    pub trust: &'static str,
    pub path: Option<String>,
    pub everywhere: bool,
    pub tags: Vec<String>,
    pub conflicts: Vec<String>,
    pub actor: String,
    pub session: Option<String>,
    pub commit: Option<String>,
    pub created: Moment,
    pub updated: Moment,
    pub expires: Option<Moment>,
}

#[napi(object, object_from_js = false)]
pub struct Signal {
    pub source: &'static str,
    pub score: f64,
    pub detail: String,
}

#[napi(object, object_from_js = false)]
pub struct Citation {
    pub path: String,
    pub symbol: Option<String>,
    pub freshness: &'static str,
    pub now: Option<String>,
}

#[napi(object, object_from_js = false)]
pub struct Hit {
    pub memory: Memory,
    pub score: f64,
    pub freshness: &'static str,
    pub citations: Vec<Citation>,
    pub why: Vec<Signal>,
}

#[napi(object, object_from_js = false)]
pub struct FileHit {
    pub path: String,
    pub score: f64,
    pub symbols: Vec<String>,
    pub why: Vec<Signal>,
}

#[napi(object, object_from_js = false)]
pub struct PastCommit {
    pub id: String,
    pub subject: String,
    pub at: Moment,
    pub score: f64,
    pub why: Vec<Signal>,
}

#[napi(object, object_from_js = false)]
pub struct StatedCommand {
    pub command: String,
    pub purpose: String,
    pub source: String,
}

#[napi(object, object_from_js = false)]
pub struct RejectionHit {
    pub memory: Memory,
    pub confidence: f64,
    pub denies: bool,
    pub freshness: &'static str,
    pub evidence: Vec<String>,
}

#[napi(object, object_from_js = false)]
pub struct Recall {
    pub id: String,
    pub text: String,
    pub tokens: u32,
    pub hits: Vec<Hit>,
    pub files: Vec<FileHit>,
    pub commands: Vec<StatedCommand>,
    pub commits: Vec<PastCommit>,
    pub abstained: bool,
    pub confidence: f64,
    pub dropped: u32,
    pub commit: Option<String>,
    pub notes: Vec<String>,
}

#[napi(object, object_from_js = false)]
pub struct Check {
    pub id: String,
    pub denies: bool,
    pub rejections: Vec<RejectionHit>,
}

#[napi(object, object_from_js = false)]
pub struct Shown {
    pub memory: Memory,
    pub deleted: bool,
    pub waiting: bool,
    pub freshness: &'static str,
    pub citations: Vec<Citation>,
}

#[napi(object, object_from_js = false)]
pub struct Remembered {
    pub id: String,
    pub outcome: &'static str,
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
            created: Moment(memory.created),
            updated: Moment(memory.updated),
            expires: memory.expires.map(Moment),
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

impl From<core::PastCommit> for PastCommit {
    fn from(commit: core::PastCommit) -> Self {
        Self {
            id: commit.id,
            subject: commit.subject,
            at: Moment(commit.at),
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
            tokens: count(recall.tokens),
            hits: all(recall.hits),
            files: all(recall.files),
            commands: all(recall.commands),
            commits: all(recall.commits),
            abstained: recall.abstained,
            confidence: recall.confidence.into(),
            dropped: count(recall.dropped),
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

/// Converts every element of a list.
pub(crate) fn all<F, T: From<F>>(from: Vec<F>) -> Vec<T> {
    from.into_iter().map(T::from).collect()
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
