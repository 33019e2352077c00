//! The words that give a clause its stand.

/// Words that say no to what follows.
#[rustfmt::skip]
pub(super) const NEGATORS: &[&str] = &[
    "not", "never", "no", "dont", "doesnt", "wont", "cannot", "cant", "shouldnt", "mustnt", "avoid", "avoids",
    "rejected", "reject", "against", "nor", "neither", "forbid", "forbidden", "ban", "banned", "refused",
    "declined", "vetoed",
];

/// Words that want away what follows.
#[rustfmt::skip]
pub(super) const REMOVERS: &[&str] = &[
    "rename", "renaming", "remove", "removing", "removes", "drop", "dropping", "delete", "deleting",
    "disable", "disabling", "without", "stop", "stopping", "replace", "replacing", "convert", "converting",
    "revert", "reverting", "uninstall", "strip", "skip", "skipping", "bypass", "bypassing", "abandon",
    "abandoning", "ditch", "eliminate", "off",
];

/// Words after which the clause says something new.
pub(super) const TURNS: &[&str] = &[
    "but", "use", "using", "prefer", "with", "by", "instead", "unless", "except", "then", "to",
    "into", "keep", "for", "in", "on", "of", "at",
];

/// Verbs before a passive no: `x was rejected` says no to what stands before it.
pub(super) const COPULAS: &[&str] = &["is", "are", "was", "were", "be", "been", "isnt", "arent"];

/// Words that begin a reason.
pub(super) const REASONS: &[&str] = &["because", "since", "due", "cause", "why"];
