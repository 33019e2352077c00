//! Exit codes: a small table that scripts can rely on.

use memorax_core::ErrorKind;

/// How a run of the program ended. Never 2, which agents' hooks read as "deny".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// The command did its work; an empty answer is an answer.
    Done,
    /// Something failed that no other code names.
    Failed,
    /// The arguments or the input cannot be used.
    Usage,
    /// The named memory, branch, file or repository does not exist.
    NotFound,
    /// A person has to do this, or say yes.
    NeedsPerson,
    /// The answer is no: a proposal was turned down before, or something is damaged.
    No,
    /// The store is busy, read-only or full; it may work later.
    Unavailable,
    /// Stopped by Ctrl-C; what was done is kept.
    Interrupted,
}

/// The exit codes as `--help` prints them.
pub(crate) const EXIT_CODES: [&str; 3] = [
    "0  done                       4  not found          7    busy, read-only or full",
    "1  failed                     5  needs a person     130  stopped by Ctrl-C",
    "3  usage, unusable input      6  the answer is no (check, verify, doctor)",
];

impl Exit {
    /// Returns the number that the process gives back.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Failed => 1,
            Self::Usage => 3,
            Self::NotFound => 4,
            Self::NeedsPerson => 5,
            Self::No => 6,
            Self::Unavailable => 7,
            Self::Interrupted => 130, // what shells report for SIGINT
        }
    }
}

impl From<ErrorKind> for Exit {
    fn from(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::NotFound => Self::NotFound,
            ErrorKind::InvalidInput => Self::Usage,
            ErrorKind::Unauthorized => Self::NeedsPerson,
            ErrorKind::Locked | ErrorKind::ReadOnly | ErrorKind::Full => Self::Unavailable,
            ErrorKind::Interrupted => Self::Interrupted,
            _ => Self::Failed,
        }
    }
}
