//! Which file a session has.

use std::fmt::Write;

use sha2::{Digest, Sha256};

/// Longest part of a session's name in a file's name; file systems allow 255 bytes.
const NAME: usize = 64;

/// Returns a file name for a session that every file system takes and that other sessions do not have.
pub(super) fn file_name(session: &str) -> String {
    let plain: String = session
        .chars()
        .take(NAME)
        .map(|letter| match letter {
            'a'..='z' | '0'..='9' | '-' | '_' => letter,
            _ => '_',
        })
        .collect();
    // Windows gives names like `con` a meaning, with any ending; none of them has five letters.
    if plain == session && plain.len() > 4 {
        return plain;
    }
    let digest = Sha256::digest(session.as_bytes());
    format!("{plain}-{}", hex(&digest[..6]))
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
