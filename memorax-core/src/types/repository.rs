//! What is known about a repository: its identity, its files and history as of one view.

use serde::{Deserialize, Serialize};

use super::{RepositoryId, Timestamp, named};

/// Which repository a folder belongs to, and why that is believed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Identity {
    /// The canonical id.
    pub id: RepositoryId,
    /// What the id rests on, strongest first.
    pub evidence: Vec<Evidence>,
    /// What people should know, such as a committed id that was not believed.
    pub warnings: Vec<String>,
}

impl Identity {
    /// Creates an identity.
    pub fn new(id: RepositoryId, evidence: Vec<Evidence>) -> Self {
        Self {
            id,
            evidence,
            warnings: Vec::new(),
        }
    }
}

/// One piece of evidence of a repository's identity.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "type", content = "value", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Evidence {
    /// A remote's address, normalised: host and path, no protocol, no credentials.
    Remote(String),
    /// A commit without parents, in a complete clone.
    RootCommit(String),
    /// The id committed in `.memorax/project.toml`.
    CommittedId(String),
    /// The canonical path of the common git directory, or of the folder without git.
    Path(String),
}

/// Facts about the view that an answer was made from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ViewInfo {
    /// Commit that was checked out; `None` without git or before the first commit.
    pub commit: Option<String>,
    /// Branch reference, if one was checked out.
    pub branch: Option<String>,
    /// When the view was made.
    pub indexed: Timestamp,
    /// Files in the view.
    pub files: usize,
    /// Of these, how many differ from the commit.
    pub uncommitted: usize,
    /// Definitions in the view.
    pub symbols: usize,
    /// Commits in the history.
    pub commits: usize,
    /// What was left out, by reason, with counts: too large, binary, unreadable, slow to parse.
    pub skipped: Vec<(String, usize)>,
    /// Bytes of the derived index on disk.
    pub bytes: u64,
}

named! {
    /// What a file is for.
    pub enum FileRole ("file role") {
        /// Code or anything else that people write.
        Source = "source",
        /// Tests, fixtures and benchmarks.
        Test = "test",
        /// Prose.
        Document = "document",
        /// Examples.
        Example = "example",
        /// Manifests, build files and CI.
        Configuration = "configuration",
        /// Written by a program.
        Generated = "generated",
        /// Somebody else's code.
        Vendored = "vendored",
    }
}

named! {
    /// What a definition is.
    pub enum SymbolKind ("symbol kind") {
        /// Class, struct, enum, trait, interface or type.
        Type = "type",
        /// Function or method.
        Function = "function",
        /// Constant or static.
        Constant = "constant",
        /// Module or namespace.
        Module = "module",
        /// Macro.
        Macro = "macro",
        /// Heading of a document.
        Heading = "heading",
    }
}

/// A definition in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Symbol {
    /// Its name without parents.
    pub name: String,
    /// What it is.
    pub kind: SymbolKind,
    /// First line, from 1.
    pub line: u32,
    /// Last line.
    pub end: u32,
    /// Name of the definition around it, if there is one.
    pub parent: Option<String>,
    /// Hash of its body with white space folded; hexadecimal, 16 digits.
    pub body: String,
}

impl Symbol {
    /// Creates a symbol on its own.
    pub fn new(name: impl Into<String>, kind: SymbolKind, line: u32, end: u32) -> Self {
        Self {
            name: name.into(),
            kind,
            line,
            end,
            parent: None,
            body: String::new(),
        }
    }
}

/// A file of a view.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FileInfo {
    /// Path relative to the root, with `/` between parts.
    pub path: String,
    /// What it is for.
    pub role: FileRole,
    /// Language by its lower-case name, if known.
    pub language: Option<String>,
    /// Size in bytes.
    pub size: u64,
    /// Lines of text; 0 for binary files.
    pub lines: u32,
    /// How many commits ago it was last changed (0: by the newest one); `None` if no known commit did.
    pub last_change: Option<u32>,
    /// How many commits changed it.
    pub changes: u32,
}

impl FileInfo {
    /// Creates the facts about a file.
    pub fn new(path: impl Into<String>, role: FileRole) -> Self {
        Self {
            path: path.into(),
            role,
            language: None,
            size: 0,
            lines: 0,
            last_change: None,
            changes: 0,
        }
    }
}

/// A commit of the history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CommitInfo {
    /// Full hexadecimal id.
    pub id: String,
    /// First line of the message, redacted.
    pub subject: String,
    /// Rest of the message, redacted, cut to 2,000 characters.
    pub body: String,
    /// Author's name.
    pub author: String,
    /// Author's time: when the change was first written.
    pub at: Timestamp,
    /// Committer's time: when it came into this history, as rebased, merged or picked.
    pub committed: Timestamp,
    /// Paths that it changed, renames under the new name; empty for merges.
    pub paths: Vec<String>,
}

impl CommitInfo {
    /// Creates the facts about a commit that was committed when it was written.
    pub fn new(id: impl Into<String>, subject: impl Into<String>, at: Timestamp) -> Self {
        Self {
            id: id.into(),
            subject: subject.into(),
            body: String::new(),
            author: String::new(),
            at,
            committed: at,
            paths: Vec::new(),
        }
    }
}
