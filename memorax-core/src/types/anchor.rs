//! What a memory cites, so that it can be checked against the code when it is recalled.

use serde::{Deserialize, Serialize};

use super::named;

/// A thing outside the memory that its text speaks of.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Anchor {
    /// A file or folder, relative to the repository's root, with `/` between parts.
    Path {
        /// The path.
        path: String,
    },
    /// A definition, with a hash of its body as it was when the memory was written.
    Symbol {
        /// File that held the definition.
        path: String,
        /// Name of the definition, without its parents.
        name: String,
        /// Hash of the body with white space folded; hexadecimal.
        body: String,
    },
    /// A commit, as full hexadecimal id.
    Commit {
        /// The id.
        id: String,
    },
    /// A command with its variable parts masked.
    Command {
        /// The template.
        template: String,
    },
    /// A masked error message.
    Error {
        /// The signature.
        signature: String,
    },
}

impl Anchor {
    /// Cites a file or folder.
    pub fn path(path: impl Into<String>) -> Self {
        Self::Path { path: path.into() }
    }

    /// Returns what the anchor names, as words to find the memory by; a commit id is no word.
    pub fn cited_words(&self) -> Option<&str> {
        match self {
            Self::Path { path } => Some(path),
            Self::Symbol { name, .. } => Some(name),
            Self::Command { template } => Some(template),
            Self::Error { signature } => Some(signature),
            Self::Commit { .. } => None,
        }
    }

    /// Returns the path that the anchor cites, if it cites one.
    pub fn cited_path(&self) -> Option<&str> {
        match self {
            Self::Path { path } | Self::Symbol { path, .. } => Some(path),
            Self::Commit { .. } | Self::Command { .. } | Self::Error { .. } => None,
        }
    }
}

named! {
    /// How a memory's anchors compare with the code at recall time.
    pub enum Freshness ("freshness") {
        /// Cites nothing that could be checked.
        Unanchored = "unanchored",
        /// All that it cites stands as it was.
        Fresh = "fresh",
        /// What it cites was renamed or moved and is otherwise the same.
        Moved = "moved",
        /// The body of a cited definition is different now.
        Changed = "changed",
        /// A cited path or definition no longer exists.
        Gone = "gone",
    }
}
