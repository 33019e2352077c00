//! What the memory answers: hits with reasons, packed into a text.

use serde::Serialize;

use super::{Citation, Freshness, Memory, ReceiptId, Timestamp, named};

named! {
    /// A source of evidence that something fits a query.
    pub enum Source ("source") {
        /// Words of a memory (BM25).
        Words = "words",
        /// A name, path, command or error that stands in both (exact).
        Entity = "entity",
        /// Words of a file (BM25 over its chunks).
        Code = "code",
        /// Words of a path (BM25).
        Path = "path",
        /// Past commits with such messages changed it.
        History = "history",
        /// It often changes together with files found otherwise.
        CoChange = "cochange",
        /// It changed lately.
        Recency = "recency",
        /// It holds for the file that is being worked on.
        Scope = "scope",
        /// It helped before.
        Usage = "usage",
        /// Its meaning is near (vectors).
        Meaning = "meaning",
    }
}

/// One reason for a hit: a source, its part of the score, and what was seen.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Signal {
    /// Where the evidence comes from.
    pub source: Source,
    /// Part of the score; comparable within one recall only.
    pub score: f32,
    /// What was seen, such as the words or the commit.
    pub detail: String,
}

impl Signal {
    /// Creates a signal.
    pub fn new(source: Source, score: f32, detail: impl Into<String>) -> Self {
        Self {
            source,
            score,
            detail: detail.into(),
        }
    }
}

/// A memory that fits.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Hit {
    /// The memory.
    pub memory: Memory,
    /// Score; comparable within one recall only.
    pub score: f32,
    /// Why it fits; never empty.
    pub why: Vec<Signal>,
    /// How its anchors compare with the code now.
    pub freshness: Freshness,
    /// What it cites that is not as it was, with its new place where that is known.
    pub citations: Vec<Citation>,
}

impl Hit {
    /// Creates a hit of a memory of which nothing that it cites is known to be otherwise.
    pub fn new(memory: Memory, score: f32, why: Vec<Signal>, freshness: Freshness) -> Self {
        Self {
            memory,
            score,
            why,
            freshness,
            citations: Vec::new(),
        }
    }
}

/// A file that fits.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FileHit {
    /// Path relative to the repository's root.
    pub path: String,
    /// Score; comparable within one recall only.
    pub score: f32,
    /// Definitions that fit, with their lines; may be empty.
    pub symbols: Vec<String>,
    /// Why it fits; never empty.
    pub why: Vec<Signal>,
}

impl FileHit {
    /// Creates a hit.
    pub fn new(path: impl Into<String>, score: f32, why: Vec<Signal>) -> Self {
        Self {
            path: path.into(),
            score,
            symbols: Vec::new(),
            why,
        }
    }
}

/// A past commit that did or said something of the kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PastCommit {
    /// Full hexadecimal id.
    pub id: String,
    /// First line of its message.
    pub subject: String,
    /// Its time.
    pub at: Timestamp,
    /// Score; comparable within one recall only.
    pub score: f32,
    /// Why it fits; never empty.
    pub why: Vec<Signal>,
}

impl PastCommit {
    /// Creates a hit.
    pub fn new(
        id: impl Into<String>,
        subject: impl Into<String>,
        at: Timestamp,
        score: f32,
        why: Vec<Signal>,
    ) -> Self {
        Self {
            id: id.into(),
            subject: subject.into(),
            at,
            score,
            why,
        }
    }
}

/// A command that the repository itself states for what is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct StatedCommand {
    /// The command line.
    pub command: String,
    /// What it is for: `build`, `test`, `lint`, `format` or `run`.
    pub purpose: String,
    /// The file that states it.
    pub source: String,
}

impl StatedCommand {
    /// Creates a command.
    pub fn new(
        command: impl Into<String>,
        purpose: impl Into<String>,
        source: impl Into<String>,
    ) -> Self {
        Self {
            command: command.into(),
            purpose: purpose.into(),
            source: source.into(),
        }
    }
}

/// A memory that came close and was held back.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct NearMiss {
    /// The memory.
    pub memory: Memory,
    /// How much of the question's words it has, 0 to 1.
    pub coverage: f32,
    /// Words of the question that it has, itself or in other words.
    pub words: Vec<String>,
    /// Why it was held back, as half a sentence.
    pub reason: String,
}

impl NearMiss {
    /// Creates a near miss.
    pub fn new(
        memory: Memory,
        coverage: f32,
        words: Vec<String>,
        reason: impl Into<String>,
    ) -> Self {
        Self {
            memory,
            coverage,
            words,
            reason: reason.into(),
        }
    }
}

/// The answer to a query. Empty when nothing fits.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Recall {
    /// Names the answer and its receipt.
    pub id: ReceiptId,
    /// Memories in the packet, best first.
    pub hits: Vec<Hit>,
    /// Files in the packet, best first.
    pub files: Vec<FileHit>,
    /// Commands in the packet, where the query is about running something.
    pub commands: Vec<StatedCommand>,
    /// Past commits in the packet, best first.
    pub commits: Vec<PastCommit>,
    /// The packet: what an agent reads. Empty when nothing fits.
    pub text: String,
    /// Tokens of the packet.
    pub tokens: usize,
    /// Candidates that were left out for the budget or as near-duplicates.
    pub dropped: usize,
    /// Commit that the repository view is of, if there is one.
    pub commit: Option<String>,
    /// What was not searched and why, such as a missing index; shown to people.
    pub notes: Vec<String>,
    /// Whether nothing was found to fit, so that the answer is silence.
    pub abstained: bool,
    /// How likely the answer helps, 0 to 1; of a silent answer, what was held back. 0 where nothing was found at all.
    pub confidence: f32,
    /// What came closest and was held back, closest first; only where the query asks to explain.
    pub near_misses: Vec<NearMiss>,
}

impl Recall {
    /// Creates an answer without a packet.
    pub fn new(hits: Vec<Hit>, files: Vec<FileHit>) -> Self {
        Self {
            id: ReceiptId::new(),
            abstained: hits.is_empty() && files.is_empty(),
            confidence: 0.0,
            near_misses: Vec::new(),
            hits,
            files,
            commands: Vec::new(),
            commits: Vec::new(),
            text: String::new(),
            tokens: 0,
            dropped: 0,
            commit: None,
            notes: Vec::new(),
        }
    }

    /// Returns the packet.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Says whether nothing fits.
    pub fn is_empty(&self) -> bool {
        self.items() == 0
    }

    /// Returns how many memories, files, commands and commits there are.
    pub(crate) fn items(&self) -> usize {
        self.hits.len() + self.files.len() + self.commands.len() + self.commits.len()
    }
}

/// Answer to "was this turned down before?".
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Check {
    /// Names the answer and its receipt.
    pub id: ReceiptId,
    /// The rejections that the proposal repeats, best first; empty when there is none.
    pub rejections: Vec<RejectionHit>,
}

impl Check {
    /// Creates an answer.
    pub fn new(rejections: Vec<RejectionHit>) -> Self {
        Self {
            id: ReceiptId::new(),
            rejections,
        }
    }

    /// Says whether a live rejection of this line or of what it sees denies the proposal.
    pub fn denies(&self) -> bool {
        self.rejections.iter().any(|hit| hit.denies)
    }
}

/// A rejection that a proposal repeats.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RejectionHit {
    /// The rejection.
    pub memory: Memory,
    /// How surely the proposal repeats it, 0 to 1.
    pub confidence: f32,
    /// Whether it denies, or is only shown (another live line, or stale).
    pub denies: bool,
    /// How its anchors compare with the code now.
    pub freshness: Freshness,
    /// The words or names that stand in both.
    pub evidence: Vec<String>,
}

impl RejectionHit {
    /// Creates a hit.
    pub fn new(memory: Memory, confidence: f32, denies: bool, freshness: Freshness) -> Self {
        Self {
            memory,
            confidence,
            denies,
            freshness,
            evidence: Vec::new(),
        }
    }
}
