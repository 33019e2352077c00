//! Receipts: what was put in front of an agent, so that nothing is spent unseen.

use serde::{Deserialize, Serialize};

use super::{MemoryId, ReceiptId, Timestamp, named};

named! {
    /// What an injection was.
    pub enum ReceiptKind ("receipt kind") {
        /// A brief.
        Brief = "brief",
        /// A recall.
        Recall = "recall",
        /// A check of a proposal.
        Check = "check",
    }
}

/// Record of one injection: tokens in, which memories, why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Receipt {
    /// Same id as the answer's.
    pub id: ReceiptId,
    /// What was asked for.
    pub kind: ReceiptKind,
    /// When.
    pub at: Timestamp,
    /// Who asked.
    pub actor: String,
    /// The agent's session, if known.
    #[serde(default)]
    pub session: Option<String>,
    /// The redacted query, cut to 200 characters.
    #[serde(default)]
    pub query: String,
    /// Tokens that the answer took.
    pub tokens: usize,
    /// What was shown.
    #[serde(default)]
    pub memories: Vec<ReceiptMemory>,
    /// Files that were shown.
    #[serde(default)]
    pub files: Vec<String>,
}

/// One memory on a receipt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ReceiptMemory {
    /// The memory.
    pub id: MemoryId,
    /// Its score at the time.
    pub score: f32,
    /// The reasons at the time, one line.
    pub why: String,
}

impl Receipt {
    /// Creates a receipt of nothing.
    pub fn new(id: ReceiptId, kind: ReceiptKind, at: Timestamp, actor: impl Into<String>) -> Self {
        Self {
            id,
            kind,
            at,
            actor: actor.into(),
            session: None,
            query: String::new(),
            tokens: 0,
            memories: Vec::new(),
            files: Vec::new(),
        }
    }
}

impl ReceiptMemory {
    /// Creates a line of a receipt.
    pub fn new(id: MemoryId, score: f32, why: impl Into<String>) -> Self {
        Self {
            id,
            score,
            why: why.into(),
        }
    }
}
