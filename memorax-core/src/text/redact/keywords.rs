//! One pass over a text that says which rules may have something to find in it.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use super::patterns::{PATTERNS, SET_WORDS};

/// Words that end the name of a secret, or stand in it.
const SECRET_WORDS: &[&str] = &[
    "key",
    "token",
    "secret",
    "passw",
    "passphrase",
    "pwd",
    "pass",
    "credential",
    "auth",
    "_pat",
    "session",
];

const PLACEHOLDER: &str = "[secret:";

/// What a keyword leads to.
#[derive(Clone, Copy, Debug)]
enum Lead {
    Pattern(u16),
    Name,
    Address,
    Block,
    Placeholder,
}

/// Where to look, after one pass.
#[derive(Debug, Default)]
pub(super) struct Leads {
    /// Rules of [`PATTERNS`] whose keyword occurs.
    pub(super) patterns: SetWords,
    /// Ends of words that occur in names of secrets.
    pub(super) names: Vec<usize>,
    /// Places after `://`.
    pub(super) addresses: Vec<usize>,
    /// Starts of `-----BEGIN`.
    pub(super) blocks: Vec<usize>,
    /// Whether there may be placeholders of ours.
    pub(super) has_placeholders: bool,
}

/// A set of rules.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SetWords([u64; SET_WORDS]);

impl SetWords {
    fn insert(&mut self, rule: u16) {
        self.0[usize::from(rule / 64)] |= 1 << (rule % 64);
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// Visits the rules in the order of the table.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> {
        (0..PATTERNS.len()).filter(|rule| self.0[rule / 64] >> (rule % 64) & 1 == 1)
    }
}

impl Leads {
    /// Reads the text once.
    pub(super) fn of(text: &str) -> Self {
        let automaton = &*AUTOMATON;
        let mut leads = Self::default();
        for found in automaton.search.find_overlapping_iter(text) {
            match automaton.leads[found.pattern().as_usize()] {
                Lead::Pattern(rule) => leads.patterns.insert(rule),
                Lead::Name => leads.names.push(found.end()),
                Lead::Address => leads.addresses.push(found.end()),
                Lead::Block => leads.blocks.push(found.start()),
                Lead::Placeholder => leads.has_placeholders = true,
            }
        }
        leads
    }

    /// Says whether there is nothing to look at.
    pub(super) fn is_empty(&self) -> bool {
        self.patterns.is_empty()
            && self.names.is_empty()
            && self.addresses.is_empty()
            && self.blocks.is_empty()
    }
}

struct Automaton {
    search: AhoCorasick,
    leads: Vec<Lead>,
}

static AUTOMATON: LazyLock<Automaton> = LazyLock::new(|| {
    let mut words = Vec::with_capacity(256);
    let mut leads = Vec::with_capacity(256);
    for (rule, pattern) in PATTERNS.iter().enumerate() {
        for word in pattern.keywords {
            words.push(*word);
            leads.push(Lead::Pattern(rule as u16));
        }
    }
    for word in SECRET_WORDS {
        words.push(word);
        leads.push(Lead::Name);
    }
    for (word, lead) in [
        ("://", Lead::Address),
        ("-----BEGIN ", Lead::Block),
        (PLACEHOLDER, Lead::Placeholder),
    ] {
        words.push(word);
        leads.push(lead);
    }
    // Building is what a short-lived process pays; see the measurement in `tests.rs`.
    let search = AhoCorasick::builder()
        .kind(Some(AhoCorasickKind::ContiguousNFA))
        .match_kind(MatchKind::Standard)
        .ascii_case_insensitive(true)
        .prefilter(false)
        .build(&words)
        .expect("a few hundred short words fit an automaton");
    Automaton { search, leads }
});
