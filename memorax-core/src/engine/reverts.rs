//! What the history took back, in the form of rejections: derived, never written to the log.

use crate::{
    Anchor, Memory, MemoryId, MemoryKind, Provenance, RepositoryId, Revert, Scope, Stats, Status,
    Trust, Visibility, title_of,
};

/// Who says so, in every place that names a writer.
const ACTOR: &str = "git history";
/// Tag of what was taken back without a word of why: found where it fits, not shown by itself.
pub(super) const UNEXPLAINED: &str = "unexplained";
/// Digits of a commit's id that are told.
const DIGITS: usize = 8;

/// Returns reverts as rejections. Anybody can write a commit: they warn and never deny.
pub(super) fn rejections(reverts: &[Revert], repository: RepositoryId) -> Vec<Memory> {
    let found = reverts.iter();
    found
        .filter_map(|revert| rejection(revert, repository))
        .collect()
}

fn rejection(revert: &Revert, repository: RepositoryId) -> Option<Memory> {
    let id: String = revert.commit.chars().take(DIGITS).collect();
    let it = match &revert.reverted {
        Some(commit) => format!("It ({})", commit.get(..DIGITS).unwrap_or(commit)),
        None => "It".to_owned(),
    };
    let reason = if revert.reason.is_empty() {
        "; the commit does not say why".to_owned()
    } else {
        format!(", because: {}", one_sentence(&revert.reason))
    };
    // The first line is what was rejected; the second is one sentence, so that no part of it is taken for an idea.
    let subject = revert.subject.trim_end_matches('.');
    let text = format!("{subject}.\n{it} was taken back in {id}{reason}");
    let provenance = Provenance::new(ACTOR, Trust::External, revert.at).commit(&revert.commit);
    Some(Memory {
        id: id_of(&revert.commit)?,
        kind: MemoryKind::Rejection,
        title: title_of(&revert.subject),
        text,
        scope: Scope::repository(repository),
        anchors: vec![Anchor::Commit {
            id: revert.commit.clone(),
        }],
        tags: Vec::from_iter(revert.reason.is_empty().then(|| UNEXPLAINED.to_owned())),
        status: Status::Active,
        trust: Trust::External,
        visibility: Visibility::Local,
        provenance,
        stats: Stats::default(),
        conflicts: Vec::new(),
        created: revert.at,
        updated: revert.at,
        expires: None,
        version: Vec::new(),
    })
}

/// Makes an id of a commit's: its last digits, which are printed, are the first ones of the commit.
fn id_of(commit: &str) -> Option<MemoryId> {
    let digit = |at: usize| u8::from_str_radix(commit.get(at * 2..at * 2 + 2)?, 16).ok();
    let mut bytes = [0; 16];
    for (at, byte) in bytes.iter_mut().take(12).enumerate() {
        *byte = digit(at + 4)?;
    }
    for (at, byte) in bytes[12..].iter_mut().enumerate() {
        *byte = digit(at)?;
    }
    // Version 8 and the usual variant: no id that was minted is equal.
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    Some(MemoryId::from_bytes(bytes))
}

fn one_sentence(reason: &str) -> String {
    let mut text = reason.to_owned();
    for end in [". ", "! ", "? ", "; "] {
        text = text.replace(end, ", ");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Timestamp;

    #[test]
    fn a_revert_reads_as_a_rejection_that_names_its_commit() {
        let commit = "0123456789abcdef0123456789abcdef01234567";
        let mut revert = Revert::new(commit, Timestamp::from_millis(0), "Use threads");
        revert.reason = "It was slow. It leaked.".to_owned();
        let memory = rejection(&revert, RepositoryId::new()).expect("the commit has an id");
        assert_eq!(
            memory.text,
            "Use threads.\nIt was taken back in 01234567, because: It was slow, It leaked."
        );
        assert!(memory.id.to_string().ends_with("01234567"));
        assert_eq!(memory.trust, Trust::External);
    }
}
