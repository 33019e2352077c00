//! What a memory cites, so that it can be checked against the code when it is recalled.

use std::fmt;

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

/// What became of a path or a definition that a memory cites.
///
/// ```
/// use memorax_core::{Citation, Freshness};
/// let citation = Citation::new("src/a.rs", Freshness::Moved).now("src/b.rs");
/// assert_eq!(citation.to_string(), "`src/a.rs` is now `src/b.rs`");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Citation {
    /// The path that is cited.
    pub path: String,
    /// The definition in it, where one is cited.
    pub symbol: Option<String>,
    /// How it compares with the code now.
    pub freshness: Freshness,
    /// The path at which it is now, if that is another one.
    pub now: Option<String>,
}

impl Citation {
    /// Creates the finding about a path.
    pub fn new(path: impl Into<String>, freshness: Freshness) -> Self {
        Self {
            path: path.into(),
            symbol: None,
            freshness,
            now: None,
        }
    }

    /// Names the definition.
    #[must_use]
    pub fn symbol(mut self, name: impl Into<String>) -> Self {
        self.symbol = Some(name.into());
        self
    }

    /// Names the path at which it is now.
    #[must_use]
    pub fn now(mut self, path: impl Into<String>) -> Self {
        self.now = Some(path.into());
        self
    }
}

impl fmt::Display for Citation {
    /// Says it as a sentence without an end.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = &self.path;
        let now = self.now.as_ref().unwrap_or(path);
        match (self.freshness, &self.symbol) {
            (Freshness::Moved, None) => write!(formatter, "`{path}` is now `{now}`"),
            (Freshness::Moved, Some(name)) => {
                write!(formatter, "`{name}` of `{path}` is now in `{now}`")
            }
            (Freshness::Changed, None) => write!(formatter, "`{path}` changed"),
            (Freshness::Changed, Some(name)) => write!(formatter, "`{name}` in `{now}` changed"),
            (Freshness::Gone, None) => write!(formatter, "`{path}` is gone"),
            (Freshness::Gone, Some(name)) => write!(formatter, "`{name}` is gone from `{now}`"),
            (Freshness::Fresh | Freshness::Unanchored, _) => {
                write!(formatter, "`{path}` stands as it was")
            }
        }
    }
}
