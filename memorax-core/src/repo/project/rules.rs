//! Written rules: the sentences of a contributors' guide that say what code must and must not be.
//!
//! A sentence is taken as it stands or not at all. Manners, law and the ways of issues and reviews are left out: they
//! are not about the code.

use super::Statement;
use super::prose::sentences;
use super::readme::plain;

/// Most rules, and most of one document.
const RULES: usize = 6;
const OF_A_DOCUMENT: usize = 4;
/// Lengths of a sentence that can stand alone, in characters.
const LENGTH: std::ops::RangeInclusive<usize> = 30..=170;

/// Rules as they are found.
#[derive(Debug, Default)]
pub(super) struct Rules {
    found: Vec<(Strength, Statement)>,
}

/// How much a sentence commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    /// Must, never, always.
    Strict,
    /// Should, prefer, keep.
    Advice,
}

impl Rules {
    /// Adds the rules of a document.
    pub(super) fn read(&mut self, text: &str, path: &str) {
        for (kind, passage) in passages(text) {
            let prose = plain(&passage);
            let found = sentences(&prose);
            // What follows in a list item explains its first sentence.
            let count = if kind == Kind::Item { 1 } else { found.len() };
            for sentence in found.into_iter().take(count) {
                let Some(strength) = strength(sentence) else {
                    continue;
                };
                let statement = Statement {
                    text: sentence.to_owned(),
                    from: path.to_owned(),
                };
                if !self.found.iter().any(|(_, known)| known == &statement) {
                    self.found.push((strength, statement));
                }
            }
        }
    }

    /// Returns the strictest, in the order of the documents.
    pub(super) fn best(self) -> Vec<Statement> {
        let mut order: Vec<usize> = (0..self.found.len()).collect();
        order.sort_by_key(|at| self.found[*at].0);
        let documents = |chosen: &[usize], from: &str| {
            let same = |at: &&usize| self.found[**at].1.from == from;
            chosen.iter().filter(same).count()
        };
        let alone = self
            .found
            .windows(2)
            .all(|pair| pair[0].1.from == pair[1].1.from);
        let of_a_document = if alone { RULES } else { OF_A_DOCUMENT };
        let mut chosen: Vec<usize> = Vec::new();
        for at in order {
            if documents(&chosen, &self.found[at].1.from) < of_a_document && chosen.len() < RULES {
                chosen.push(at);
            }
        }
        chosen.sort_unstable();
        chosen
            .into_iter()
            .map(|at| self.found[at].1.clone())
            .collect()
    }
}

/// Headings of passages that are not about code.
const OTHER_MATTERS: &[&str] = &[
    "issue",
    "bug",
    "security",
    "licen",
    "conduct",
    "releas",
    "review",
    "triag",
    "community",
    "label",
    "feature request",
    "support",
    "legal",
    "credit",
    "translat",
    "publish",
    "help",
];

/// What a passage is in its document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Paragraph,
    Item,
}

/// Returns paragraphs and list items, each in one line; code, tables, quotations and other matters are left out.
fn passages(text: &str) -> Vec<(Kind, String)> {
    let mut found = Vec::new();
    let mut open = String::new();
    let mut kind = Kind::Paragraph;
    let mut fenced = false;
    // Level of the heading whose passages are left out.
    let mut skipped: Option<usize> = None;
    for line in text.lines().chain([""]) {
        let trimmed = line.trim();
        let fence = trimmed.starts_with("```") || trimmed.starts_with("~~~");
        fenced ^= fence;
        if fenced || fence {
            continue;
        }
        let level = trimmed.len() - trimmed.trim_start_matches('#').len();
        let item = item(trimmed);
        let breaks =
            trimmed.is_empty() || level > 0 || item.is_some() || trimmed.starts_with(['>', '|']);
        if breaks && !open.is_empty() {
            found.push((kind, std::mem::take(&mut open)));
        }
        if level > 0 {
            let heading = trimmed.to_lowercase();
            if skipped.is_none_or(|skipped| level <= skipped) {
                let other = OTHER_MATTERS.iter().any(|word| heading.contains(word));
                // The title of the document is no matter of its own.
                skipped = (other && level > 1).then_some(level);
            }
        } else if skipped.is_none() && !trimmed.starts_with(['>', '|']) {
            if open.is_empty() {
                kind = item.map_or(Kind::Paragraph, |_| Kind::Item);
            } else {
                open.push(' ');
            }
            open.push_str(item.unwrap_or(trimmed));
        }
    }
    found
}

/// Returns what stands after the mark of a list item.
fn item(line: &str) -> Option<&str> {
    let mark = ["- ", "* ", "+ "]
        .iter()
        .find_map(|mark| line.strip_prefix(mark));
    mark.or_else(|| {
        let rest = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
        (rest.len() < line.len()).then(|| rest.strip_prefix(". "))?
    })
    .map(str::trim_start)
}

/// Words that point at something outside of the sentence, when it begins with them.
const POINTERS: &[&str] = &[
    "it",
    "this",
    "that",
    "these",
    "those",
    "they",
    "he",
    "she",
    "such",
    "instead",
    "however",
    "otherwise",
    "then",
    "so",
    "but",
    "and",
    "or",
    "also",
    "therefore",
    "if",
    "in",
    "for",
    "here",
    "there",
    "you",
    "we",
    "i",
    "note",
    "once",
    "after",
    "before",
    "additionally",
    "same",
    "both",
];

/// Words about people, law and the ways of a project, not about code.
const NO_CODE: &[&str] = &[
    "licen",
    "copyright",
    "conduct",
    "policy",
    "policies",
    "an issue",
    "issue tracker",
    "the issue",
    "new issue",
    "issues and",
    "existing issue",
    "pull request",
    "maintainer",
    "reviewer",
    "discord",
    "slack",
    "email",
    "e-mail",
    "contributor",
    "bug report",
    "thank",
    "welcome",
    "respect",
    "people",
    "github",
    "gitlab",
    "fork",
    "sponsor",
    "question",
    "worry",
    "hesitate",
    "afraid",
    "forget to",
    "feel free",
    "discourag",
    "following",
    "below",
    "above.",
    "the above",
    "see above",
    "as above",
    "above to",
    " this ",
    " these ",
    " that case",
    " them ",
    "password",
    "account",
    "conversation",
    "discuss",
];

/// Words of which one makes a sentence one about code.
const CODE: &[&str] = &[
    "`",
    "test",
    "code",
    "commit",
    "branch",
    "comment",
    "dependenc",
    "module",
    "file",
    "function",
    "type",
    "public",
    "api",
    "error",
    "unsafe",
    "unwrap",
    "document",
    "docs",
    "feature",
    "lint",
    "format",
    "build",
    "snapshot",
    "changelog",
    "version",
    "import",
    "package",
    "log",
    "class",
    "method",
    "variable",
    "crate",
    "librar",
    "line",
    "name",
];

/// Says how strictly a sentence commands something about the code; `None` where it does not, or not by itself.
fn strength(sentence: &str) -> Option<Strength> {
    let lower = sentence.to_lowercase();
    let first = sentence.chars().next()?;
    let mut words = lower.split(|letter: char| !letter.is_alphanumeric() && letter != '\'');
    let whole = LENGTH.contains(&sentence.chars().count())
        && (first.is_uppercase() || first == '`')
        && !sentence.ends_with([':', '?', '…', ','])
        && sentence.matches('`').count().is_multiple_of(2)
        && sentence.matches('(').count() == sentence.matches(')').count()
        && !sentence.contains("://")
        && words.next().is_some_and(|word| !POINTERS.contains(&word));
    let about_code = CODE.iter().any(|word| lower.contains(word))
        && !NO_CODE.iter().any(|word| lower.contains(word))
        && !lower
            .split(' ')
            .any(|word| matches!(word, "pr" | "prs" | "pr," | "you'll"));
    if !whole || !about_code {
        return None;
    }
    let begins = |words: &[&str]| words.iter().any(|word| lower.starts_with(word));
    let strict = lower.contains(" must ")
        || ["never ", "do not ", "don't ", "always "]
            .iter()
            .any(|word| commands(&lower, word))
        || lower.contains(" neither ") && lower.contains(" nor ")
        || lower.contains(" does not work ") && lower.contains('`')
        || begins(&["avoid ", "no "]);
    if strict && !begins(&["no one", "no matter", "no need", "no longer"]) {
        return Some(Strength::Strict);
    }
    let advice = lower.contains(" should not ")
        || lower.contains(" should never ")
        || lower.contains(" should be ") && lower.contains('`')
        || lower.contains(" needs a") && lower.contains('`')
        || begins(&["prefer ", "use `", "keep ", "tests should ", "every new "]);
    // Advice about one thing among others ("the example") is understood only beside them.
    let idle = begins(&["the ", "keep an eye", "keep in mind"]);
    (advice && !idle).then_some(Strength::Advice)
}

/// Says whether a word stands where a clause begins, so that it commands and does not tell what happens.
fn commands(lower: &str, word: &str) -> bool {
    lower.match_indices(word).any(|(at, _)| {
        let before = lower[..at].trim_end();
        let idle = ["have ", "need ", "know ", "be ", "happen"];
        let after = &lower[at + word.len()..];
        let begins = before.is_empty()
            || before.ends_with([',', ';', ':', '—', '–', '-'])
            || before.ends_with(" please")
            || before.ends_with(" and");
        begins && !idle.iter().any(|verb| after.starts_with(verb))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_commands_about_the_code_are_rules() {
        for (sentence, expected) in [
            ("Never block inside of `poll_next`.", Some(Strength::Strict)),
            (
                "All tests must run without a network.",
                Some(Strength::Strict),
            ),
            (
                "One idea in a file, never above 500 lines.",
                Some(Strength::Strict),
            ),
            (
                "Keep comments short and to the point.",
                Some(Strength::Advice),
            ),
            ("This must never fail in a test.", None),
            ("You must accept the licence of the code.", None),
            ("Tests never run on the old branch.", None),
            ("Don't worry when the tests fail.", None),
            ("Please open an issue, do not send code.", None),
            ("Always run the commands below to test.", None),
        ] {
            assert_eq!(strength(sentence), expected, "{sentence}");
        }
    }

    #[test]
    fn the_strictest_rules_are_kept_in_their_order() {
        let mut rules = Rules::default();
        rules.read(
            "# Guide\n\nUse `a[1]` for all sums\nof [numbers](x). More.\n\n```\nNever `b` in code blocks.\n```\n## Issues\n- Never write tests here.\n### Deeper\nAlways test `x`.\n## Code\n1. Never call `c` in any of the tests.\n",
            "GUIDE.md",
        );
        let told: Vec<String> = rules.best().into_iter().map(|rule| rule.text).collect();
        assert_eq!(
            told,
            [
                "Use `a[1]` for all sums of numbers.",
                "Never call `c` in any of the tests."
            ]
        );
    }
}
