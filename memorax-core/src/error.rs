//! The one error type of the library: a kind that callers act on, a message that names the thing, a cause.

use std::error::Error as StdError;
use std::fmt;

/// Result with the library's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong, as far as a caller would act differently on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The named memory, branch, file or repository does not exist.
    NotFound,
    /// An argument cannot be used as it is; the message says what was expected.
    InvalidInput,
    /// The thing changed since it was read; read it again and decide.
    Conflict,
    /// Another process holds the write lock, or this place cannot be locked.
    Locked,
    /// The store cannot be written here (permissions, read-only file system); reading works.
    ReadOnly,
    /// The action needs a person: a terminal, the page, or an explicit yes.
    Unauthorized,
    /// Stored data cannot be read; `memorax repair` salvages it.
    Corrupted,
    /// The store was written by a newer or different version of the program.
    Incompatible,
    /// The disk is full or a quota was hit; nothing was half-written.
    Full,
    /// The caller's interrupt flag was raised.
    Interrupted,
    /// Reading or writing a file failed for another reason.
    Io,
}

impl ErrorKind {
    /// Returns the stable lower-case name that bindings and `--json` print.
    ///
    /// ```
    /// assert_eq!(memorax_core::ErrorKind::NotFound.as_str(), "not_found");
    /// ```
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NotFound => "not_found",
            Self::InvalidInput => "invalid_input",
            Self::Conflict => "conflict",
            Self::Locked => "locked",
            Self::ReadOnly => "read_only",
            Self::Unauthorized => "unauthorized",
            Self::Corrupted => "corrupted",
            Self::Incompatible => "incompatible",
            Self::Full => "full",
            Self::Interrupted => "interrupted",
            Self::Io => "io",
        }
    }
}

/// Error of every fallible call: boxed, so that a `Result` stays one word wide on the error side.
///
/// ```
/// use memorax_core::{Error, ErrorKind};
/// let error = Error::new(ErrorKind::NotFound, "no branch `feature/x`").with_hint("memorax branches");
/// assert_eq!(error.to_string(), "no branch `feature/x`");
/// assert_eq!(error.kind(), ErrorKind::NotFound);
/// assert_eq!(error.hint(), Some("memorax branches"));
/// ```
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct Error(Box<Details>);

#[derive(Debug)]
struct Details {
    kind: ErrorKind,
    message: String,
    hint: Option<String>,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

impl fmt::Display for Details {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl StdError for Details {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source
            .as_deref()
            .map(|source| source as &(dyn StdError + 'static))
    }
}

impl Error {
    /// Creates an error. The message is lower case, without a period, and quotes the thing it names.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self(Box::new(Details {
            kind,
            message: message.into(),
            hint: None,
            source: None,
        }))
    }

    /// Adds the cause, which is printed after the message, never inside it.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.0.source = Some(source.into());
        self
    }

    /// Adds what the user can do next, usually a command.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// Returns the kind.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Returns the next step for the user, if one is known.
    pub fn hint(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }
}
