//! What a query wants, and what it names.

use crate::repo::QueryWord;
use crate::retrieve::Entities;
use crate::types::named;

use super::terms::query_words;

named! {
    /// What somebody who writes a query is about to do.
    pub enum Intent ("intent") {
        /// Repair something.
        Fix = "fix",
        /// Build something new.
        Feature = "feature",
        /// Change the form and keep what it does.
        Refactor = "refactor",
        /// Write tests.
        Test = "test",
        /// Write prose.
        Docs = "docs",
        /// Go on with what was begun.
        Continue = "continue",
        /// Judge a change.
        Review = "review",
        /// Know something.
        Question = "question",
        /// None of these for certain.
        General = "general",
    }
}

/// A query taken apart.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Analysis {
    /// Its words, split and stemmed, with capped frequencies.
    pub words: Vec<QueryWord>,
    /// What it names exactly.
    pub entities: Entities,
    /// What it wants.
    pub intent: Intent,
    /// Whether it asks for tests, so that they are not ranked down.
    pub wants_tests: bool,
    /// Whether it asks for documents or examples.
    pub wants_documents: bool,
}

/// Takes a query apart.
///
/// ```
/// use memorax_core::retrieve::{Intent, analyse};
/// let analysis = analyse("Why does `Pool::get` hang in src/pool.rs?");
/// assert_eq!(analysis.intent, Intent::Question);
/// assert!(analysis.entities.paths.contains("src/pool.rs"));
/// ```
pub fn analyse(text: &str) -> Analysis {
    let lower = text.to_lowercase();
    let plain: Vec<&str> = lower
        .split(|letter: char| !letter.is_alphanumeric() && letter != '\'')
        .filter(|word| !word.is_empty())
        .collect();
    let has = |cues: &[&str]| plain.iter().any(|word| cues.contains(word));
    Analysis {
        words: query_words(text),
        entities: Entities::of(text),
        intent: intent_of(&lower, &plain),
        wants_tests: has(TESTS),
        wants_documents: has(DOCUMENTS),
    }
}

const TESTS: &[&str] = &[
    "test",
    "tests",
    "testing",
    "tested",
    "untested",
    "spec",
    "specs",
    "fixture",
    "fixtures",
    "bench",
    "benchmark",
    "benchmarks",
    "coverage",
    "testcase",
    "testcases",
    "unittest",
];
const DOCUMENTS: &[&str] = &[
    "doc",
    "docs",
    "documentation",
    "document",
    "documented",
    "readme",
    "changelog",
    "tutorial",
    "guide",
    "example",
    "examples",
    "typo",
    "typos",
    "docstring",
    "docstrings",
    "manual",
];
const FIX: &[&str] = &[
    "fix",
    "fixes",
    "fixed",
    "fixing",
    "bug",
    "bugs",
    "bugfix",
    "broken",
    "breaks",
    "crash",
    "crashes",
    "crashed",
    "panic",
    "panics",
    "fails",
    "failing",
    "failed",
    "failure",
    "error",
    "errors",
    "exception",
    "regression",
    "wrong",
    "incorrect",
    "hang",
    "hangs",
    "leak",
    "leaks",
    "deadlock",
    "flaky",
    "traceback",
    "segfault",
    "doesn't",
    "debug",
    "repair",
];
const REFACTOR: &[&str] = &[
    "refactor",
    "refactoring",
    "rename",
    "renames",
    "extract",
    "simplify",
    "cleanup",
    "clean",
    "restructure",
    "reorganize",
    "reorganise",
    "dedupe",
    "deduplicate",
    "inline",
    "modernize",
    "modernise",
    "tidy",
    "move",
    "split",
    "rewrite",
    "migrate",
];
const FEATURE: &[&str] = &[
    "add",
    "adds",
    "added",
    "adding",
    "implement",
    "implements",
    "support",
    "supports",
    "introduce",
    "feature",
    "new",
    "allow",
    "allows",
    "create",
    "build",
    "enable",
    "extend",
    "write",
    "make",
    "expose",
    "provide",
];
const QUESTION: &[&str] = &[
    "what", "which", "why", "how", "where", "when", "who", "does", "is", "are", "can", "should",
    "explain", "do", "did", "was", "were", "has", "have",
];

fn intent_of(lower: &str, plain: &[&str]) -> Intent {
    let starts = |cues: &[&str]| cues.iter().any(|cue| lower.trim_start().starts_with(cue));
    // Conventional commit prefixes say it themselves.
    for (prefixes, intent) in [
        (&["fix:", "fix(", "bugfix:"][..], Intent::Fix),
        (&["feat:", "feat("][..], Intent::Feature),
        (&["refactor:", "refactor("][..], Intent::Refactor),
        (&["test:", "test(", "tests:"][..], Intent::Test),
        (&["docs:", "docs(", "doc:"][..], Intent::Docs),
    ] {
        if starts(prefixes) {
            return intent;
        }
    }
    let phrase = |cues: &[&str]| cues.iter().any(|cue| lower.contains(cue));
    if plain
        .first()
        .is_some_and(|word| matches!(*word, "continue" | "resume" | "proceed"))
        || phrase(&[
            "where were we",
            "where did we",
            "pick up where",
            "left off",
            "go on",
            "keep going",
            "carry on",
            "next step",
            "what's next",
            "unfinished",
            "in flight",
            "in progress",
        ])
    {
        return Intent::Continue;
    }
    if plain
        .iter()
        .take(4)
        .any(|word| matches!(*word, "review" | "audit" | "critique"))
        || phrase(&["look over", "code review"])
    {
        return Intent::Review;
    }
    let first = plain.first().copied().unwrap_or_default();
    if QUESTION.contains(&first)
        || lower.trim_end().ends_with('?')
            && !starts(&["could you", "can you", "please", "would you"])
    {
        return Intent::Question;
    }
    // The first cue in the text wins: people name the deed first.
    let tables = [
        (FIX, Intent::Fix),
        (REFACTOR, Intent::Refactor),
        (FEATURE, Intent::Feature),
    ];
    let verb = plain.iter().find_map(|word| {
        tables
            .iter()
            .find(|(cues, _)| cues.contains(word))
            .map(|(_, intent)| *intent)
    });
    let object = |cues: &[&str]| plain.iter().take(6).any(|word| cues.contains(word));
    match verb {
        Some(Intent::Feature) | None if object(TESTS) => Intent::Test,
        Some(Intent::Feature) | None if object(DOCUMENTS) => Intent::Docs,
        Some(intent) => intent,
        None => Intent::General,
    }
}

#[cfg(test)]
mod tests {
    use super::{Intent, analyse};

    #[test]
    fn intents_follow_the_deed_that_is_named_first() {
        for (text, intent) in [
            ("fix the flaky login test", Intent::Fix),
            ("Add retries to the uploader", Intent::Feature),
            ("add tests for the retry loop", Intent::Test),
            ("Rename Foo to Bar everywhere", Intent::Refactor),
            ("update the README", Intent::Docs),
            ("continue with the migration", Intent::Continue),
            ("please review this pull request", Intent::Review),
            ("which storage engine do we use?", Intent::Question),
            ("feat(cli): error colours", Intent::Feature),
            ("release", Intent::General),
        ] {
            assert_eq!(analyse(text).intent, intent, "{text}");
        }
    }
}
