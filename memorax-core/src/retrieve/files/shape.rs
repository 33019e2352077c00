//! What form a query has: which evidence counts depends on it.

use crate::retrieve::{Analysis, Intent, analyse};
use crate::types::named;

/// Characters beyond which a text with several lines reports something.
const LONG: usize = 400;

named! {
    /// The form of a query.
    pub enum Shape ("form of a query") {
        /// Asks for a change in a few words.
        Change = "change",
        /// Looks for something.
        Search = "search",
        /// Tells at length what goes wrong or what is wished.
        Report = "report",
    }
}

impl Shape {
    /// Tells the form of a query.
    pub fn of(text: &str) -> Self {
        shape_of(text, &analyse(text))
    }
}

/// Phrases of people who report something, lower case.
const REPORTED: &[&str] = &[
    "actual behavio",
    "bug report",
    "checklist",
    "describe the bug",
    "description",
    "environment",
    "expected behavio",
    "expected result",
    "feature request",
    "i expect",
    "i think",
    "is your feature",
    "minimal example",
    "reproduce",
    "screenshots",
    "should be able",
    "steps to",
    "we are ",
    "what happened",
    "workaround",
    "would be great",
    "would be nice",
];

/// Verbs with which people ask for a change, beside those that name an intent.
const DEEDS: &[&str] = &[
    "adapt",
    "adjust",
    "apply",
    "avoid",
    "bump",
    "cache",
    "change",
    "check",
    "configure",
    "convert",
    "correct",
    "declare",
    "define",
    "delete",
    "deprecate",
    "detect",
    "disable",
    "disallow",
    "document",
    "don't",
    "drop",
    "ensure",
    "expand",
    "export",
    "factor",
    "finish",
    "follow",
    "format",
    "generate",
    "give",
    "handle",
    "hide",
    "ignore",
    "improve",
    "include",
    "increase",
    "initialize",
    "install",
    "keep",
    "let",
    "limit",
    "log",
    "lower",
    "mark",
    "match",
    "merge",
    "optimize",
    "pass",
    "pin",
    "polish",
    "prefer",
    "prepare",
    "preserve",
    "prevent",
    "raise",
    "reduce",
    "reject",
    "relax",
    "remove",
    "reorder",
    "replace",
    "report",
    "require",
    "reset",
    "restore",
    "return",
    "revert",
    "run",
    "set",
    "show",
    "skip",
    "sort",
    "speed",
    "start",
    "stop",
    "store",
    "suppress",
    "switch",
    "take",
    "test",
    "throw",
    "tweak",
    "unify",
    "update",
    "upgrade",
    "use",
    "validate",
    "verify",
    "warn",
    "wrap",
];

/// Words in which people tell to whom they speak.
const OPENING: usize = 15;

/// People who speak of themselves and to others.
const PERSONS: &[&str] = &[
    "i", "i'd", "i'll", "i'm", "i've", "let's", "lets", "me", "please", "us", "we", "we'd",
    "we'll", "we're", "we've", "you",
];

/// Words with which a question looks for something.
const ASKING: &[&str] = &[
    "explain", "how", "what", "what's", "when", "where", "where's", "which", "who", "why",
];

/// Tells the form of a query from its intent, its length and the marks of a report.
pub(in crate::retrieve) fn shape_of(text: &str, analysis: &Analysis) -> Shape {
    let lines = text.lines().filter(|line| !line.trim().is_empty()).count();
    if lines > 2 && text.len() > LONG && marks_of_report(text) >= 2 {
        return Shape::Report;
    }
    match analysis.intent {
        Intent::Question | Intent::General if speaks_to_someone(text) => Shape::Change,
        Intent::Question => Shape::Search,
        Intent::General if !asks_for_a_deed(text) => Shape::Search,
        _ => Shape::Change,
    }
}

/// Says whether a text speaks to a colleague, as in "can you look at this" or "I think we should": it is about the work
/// at hand, even where it asks something. A question that begins with its question word looks for something.
fn speaks_to_someone(text: &str) -> bool {
    let lower = text.to_lowercase().replace('’', "'");
    // A slash does not end a word: `I/O` is no person.
    let mut words = lower
        .split_whitespace()
        .map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .peekable();
    if words.peek().is_some_and(|first| ASKING.contains(first)) {
        return false;
    }
    words.take(OPENING).any(|word| PERSONS.contains(&word))
}

/// Counts what only reports have: code that was run, headings, people who speak of themselves, questions, comments of a
/// form, and phrases. Of 63 issues 55 have two; of long commit messages about one in twenty has.
fn marks_of_report(text: &str) -> usize {
    let lower = text.to_lowercase();
    let code = text.contains("```") || text.contains(">>> ") || text.contains("Traceback");
    let heading = text.lines().any(|line| {
        let line = line.trim_end();
        let hashes = line.bytes().take_while(|byte| *byte == b'#').count();
        (1..=5).contains(&hashes) && line[hashes..].starts_with(' ')
            || line.len() > 4 && line.starts_with("**") && line.ends_with("**")
    });
    let person = lower
        .split(|letter: char| !letter.is_alphanumeric() && letter != '\'')
        .any(|word| matches!(word, "i" | "i'm" | "i've" | "my"));
    let phrases = REPORTED
        .iter()
        .filter(|phrase| lower.contains(**phrase))
        .count();
    [
        code,
        heading,
        person,
        text.contains('?'),
        text.contains("<!--"),
    ]
    .into_iter()
    .filter(|mark| *mark)
    .count()
        + phrases.min(2)
}

/// Says whether a text begins as a commit does: with a verb, or with the part that it changes and a colon.
fn asks_for_a_deed(text: &str) -> bool {
    let title = text.trim_start().lines().next().unwrap_or_default();
    let (scope, rest) = title.split_once(": ").unwrap_or(("", title));
    let scoped = !scope.is_empty() && scope.len() <= 40 && scope.split_whitespace().count() <= 2;
    let first = rest
        .split_whitespace()
        .next()
        .unwrap_or_default()
        .to_lowercase();
    scoped || DEEDS.contains(&first.as_str())
}

/// Returns the part of a text that says most: its first line, and what stands in back quotes outside of code blocks.
pub(super) fn title_of(text: &str) -> String {
    let mut title = text
        .lines()
        .find(|line| !line.trim().is_empty())
        .unwrap_or_default()
        .trim()
        .to_owned();
    let first = title.len();
    let mut fenced = false;
    for line in text
        .lines()
        .skip_while(|line| line.trim().is_empty())
        .skip(1)
    {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
            continue;
        }
        if fenced {
            continue;
        }
        for (index, span) in line.split('`').enumerate() {
            if index % 2 == 1 && (2..=80).contains(&span.len()) && title.len() < first + LONG {
                title.push(' ');
                title.push_str(span);
            }
        }
    }
    title
}

#[cfg(test)]
mod tests {
    use super::{Shape, title_of};

    #[test]
    fn forms_are_told_apart() {
        let report = "Table.read fails\n\n### Description\n\nI expect that it reads lower case, but it does not.\n\n\
                      ```\nTable.read('test.qdp')\n```\n"
            .to_owned()
            + &"More words about what happened there. ".repeat(10);
        let message = "store: read commands of any case\n\n".to_owned()
            + &"Commands were compared as they are written.\n".repeat(12);
        for (text, shape) in [
            (report.as_str(), Shape::Report),
            (&message, Shape::Change),
            ("use one lock a store", Shape::Change),
            ("printer: colours on windows", Shape::Change),
            ("add retries", Shape::Change),
            ("where is the lock taken?", Shape::Search),
            ("how do I take the lock?", Shape::Search),
            ("can you look at the lock of the store?", Shape::Change),
            ("async file I/O operations", Shape::Search),
            ("I think the lock is held too long", Shape::Change),
            ("Path extractor for URL parameters", Shape::Search),
        ] {
            assert_eq!(Shape::of(text), shape, "{text}");
        }
    }

    #[test]
    fn a_title_takes_quoted_names_along_but_no_code() {
        let text = "\nTable.read fails\n\nSee `qdp.py`.\n```\n`x`\n```\n";
        assert_eq!(title_of(text), "Table.read fails qdp.py");
    }
}
