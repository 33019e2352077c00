//! A commit as it is kept in the index.

use std::fmt::Write;

use crate::repo::manifest::Note;

/// Id of a commit.
pub(in crate::repo) type CommitId = [u8; 20];

/// Marks of a commit, as bits.
pub(in crate::repo) mod commit_mark {
    /// Has more than one parent.
    pub(in crate::repo) const MERGE: u8 = 1;
    /// Its parent is not in this clone, so that what it changed is not known; read again when it may be.
    pub(in crate::repo) const INCOMPLETE: u8 = 2;
    /// Changed what a manifest declares.
    pub(in crate::repo) const NOTED: u8 = 4;
}

/// A commit with everything that is kept of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::repo) struct Record {
    pub(in crate::repo) id: CommitId,
    pub(in crate::repo) parents: Vec<CommitId>,
    /// Seconds since 1970, by the committer's clock and by the author's.
    pub(in crate::repo) committed: i64,
    pub(in crate::repo) authored: i64,
    pub(in crate::repo) author: String,
    pub(in crate::repo) subject: String,
    pub(in crate::repo) body: String,
    pub(in crate::repo) marks: u8,
    pub(in crate::repo) changes: Vec<Change>,
    /// What it changed in manifests.
    pub(in crate::repo) notes: Vec<Note>,
}

/// A file that a commit changed, relative to the repository's root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::repo) struct Change {
    pub(in crate::repo) path: String,
    pub(in crate::repo) kind: ChangeKind,
    /// Former path of a renamed file.
    pub(in crate::repo) from: Option<String>,
}

/// What happened to a file in a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::repo) enum ChangeKind {
    Added,
    Changed,
    Deleted,
}

impl ChangeKind {
    pub(super) fn number(self) -> u8 {
        self as u8
    }

    pub(super) fn of_number(number: u8) -> Self {
        match number {
            0 => Self::Added,
            1 => Self::Changed,
            _ => Self::Deleted,
        }
    }
}

/// Most characters of a message's body that are kept.
const BODY: usize = 2000;

/// Splits a message into its first line and the rest, cut.
pub(in crate::repo) fn split_message(message: &str) -> (String, String) {
    let message = message.trim_start();
    let (subject, rest) = message.split_once('\n').unwrap_or((message, ""));
    let body: String = rest.trim().chars().take(BODY).collect();
    (subject.trim().to_owned(), body)
}

/// Writes bytes in hexadecimal digits.
pub(in crate::repo) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Writes a path as text; bytes that are no UTF-8 become `\xNN`, so that two such names stay two.
pub(in crate::repo) fn path_text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{path_text, split_message};

    #[test]
    fn messages_are_split_and_cut() {
        assert_eq!(
            split_message("\nFix it \r\n\nBecause.\n"),
            ("Fix it".to_owned(), "Because.".to_owned())
        );
        assert_eq!(
            split_message(&format!("a\n{}", "é".repeat(3000)))
                .1
                .chars()
                .count(),
            2000
        );
    }

    #[test]
    fn odd_paths_stay_distinct() {
        assert_eq!(path_text(b"a\xff/b"), "a\\xff/b");
        assert_ne!(path_text(b"\xfe"), path_text(b"\xff"));
    }
}
