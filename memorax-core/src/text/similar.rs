//! Whether two texts of memories say the same.
//!
//! Joining two memories that differ loses one of them, keeping two that agree costs a line: when in doubt, they
//! differ. So a high share of common words is not enough: names, numbers, paths, operators, negations and other words
//! that turn a meaning around must be the same, in the same order.

use std::collections::HashSet;

use super::mentions::{as_path, is_capitalised, is_shaped, pieces_of};
use super::words::words;

/// Share of common words from which two texts are near-duplicates.
///
/// The bound at which the memory systems we compared stop writing a new memory; the tests show what it lets through.
const NEAR: f64 = 0.85;

/// Words that turn the meaning of a sentence around, or set its strength; sorted.
#[rustfmt::skip]
const TURNING: &[&str] = &[
    "above", "accept", "add", "after", "all", "allow", "allowed", "always", "any", "async", "aucun",
    "avoid", "before", "below", "can", "client", "decrease", "deny", "disable", "disabled",
    "disallow", "down", "enable", "enabled", "every", "except", "exclude", "fail", "fails", "false",
    "first", "forbid", "forbidden", "ignore", "include", "increase", "input", "instead", "internal",
    "jamais", "kein", "keine", "keinen", "last", "left", "less", "local", "max", "maximum", "may",
    "min", "minimum", "more", "must", "neither", "never", "new", "nicht", "nie", "niemals", "no",
    "none", "nor", "not", "off", "ohne", "old", "on", "only", "optional", "output", "over", "pas",
    "pass", "passes", "private", "public", "rather", "read", "reject", "remote", "remove",
    "required", "right", "sans", "server", "should", "some", "spaces", "start", "stop", "sync",
    "tabs", "true", "under", "unless", "until", "up", "with", "without", "write",
];

/// Words that say "not", without their quotes.
#[rustfmt::skip]
const DENYING: &[&str] = &[
    "not", "cannot", "cant", "dont", "doesnt", "didnt", "isnt", "arent", "wasnt", "werent", "wont",
    "wouldnt", "shouldnt", "couldnt", "mustnt", "hasnt", "havent", "hadnt", "neednt", "aint",
];

/// Says whether two texts of memories say the same, so that the second need not be written.
///
/// ```
/// use memorax_core::text::near_duplicate;
/// assert!(near_duplicate("Run the tests with nextest.", "run the tests with `nextest`"));
/// assert!(!near_duplicate("Do not retry on a timeout", "Do retry on a timeout"));
/// assert!(!near_duplicate("Retry 3 times, wait 5 s", "Retry 5 times, wait 3 s"));
/// ```
pub fn near_duplicate(a: &str, b: &str) -> bool {
    let (kept_a, kept_b) = (kept_words(a), kept_words(b));
    if folded(a) == folded(b) {
        return kept_a
            .iter()
            .filter(|kept| kept.is_strict())
            .eq(kept_b.iter().filter(|kept| kept.is_strict()));
    }
    if kept_a != kept_b {
        return false;
    }
    let (words_a, words_b) = (words(a), words(b));
    share(&words_a, &words_b) >= NEAR && in_same_order(&words_a, &words_b)
}

/// Returns the share of words that two texts have in common, from 0 to 1; 1 for two texts without words.
///
/// ```
/// use memorax_core::text::jaccard;
/// assert_eq!(jaccard("locks are held", "held locks"), 1.0);
/// assert_eq!(jaccard("locks", "spool"), 0.0);
/// ```
pub fn jaccard(a: &str, b: &str) -> f64 {
    share(&words(a), &words(b))
}

fn share(a: &[String], b: &[String]) -> f64 {
    let a: HashSet<&str> = a.iter().map(String::as_str).collect();
    let b: HashSet<&str> = b.iter().map(String::as_str).collect();
    let common = a.intersection(&b).count();
    let union = a.len() + b.len() - common;
    if union == 0 {
        return 1.0;
    }
    common as f64 / union as f64
}

/// Says whether the words that both texts have follow each other in the same order: "a over b" is not "b over a".
fn in_same_order(a: &[String], b: &[String]) -> bool {
    let in_a: HashSet<&String> = a.iter().collect();
    let in_b: HashSet<&String> = b.iter().collect();
    a.iter()
        .filter(|word| in_b.contains(word))
        .eq(b.iter().filter(|word| in_a.contains(word)))
}

/// Letters and digits in lower case, with one space for everything between.
fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let mut gap = false;
    for character in text.chars() {
        // The quote of "don't" and its typographic twin are no gap.
        if matches!(character, '\'' | '’') {
            continue;
        }
        if character.is_alphanumeric() {
            if gap && !folded.is_empty() {
                folded.push(' ');
            }
            gap = false;
            folded.extend(character.to_lowercase());
        } else {
            gap = true;
        }
    }
    folded
}

/// A word that must be the same in both texts.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Kept {
    /// Compared as it is written.
    Exact(String),
    /// A word that turns the meaning around.
    Turning(String),
    /// Perhaps a name, perhaps prose: counts only where the texts differ in another way too.
    Loose(String),
}

impl Kept {
    fn is_strict(&self) -> bool {
        !matches!(self, Self::Loose(_))
    }
}

fn kept_words(text: &str) -> Vec<Kept> {
    let mut kept = Vec::new();
    let mut begins_sentence = true;
    for token in text.split_whitespace() {
        if token.contains("://") || is_operator(token) || is_flag(token) {
            kept.push(Kept::Exact(
                token.trim_end_matches(['.', ',', ';', ')']).to_owned(),
            ));
            begins_sentence = false;
            continue;
        }
        for piece in pieces_of(&token.replace(['\'', '’'], "")) {
            keep_piece(piece, begins_sentence, &mut kept);
            begins_sentence = false;
        }
        keep_signs(token, &mut kept);
        begins_sentence =
            token.ends_with(['.', '!', '?', ':']) || !token.contains(char::is_alphanumeric);
    }
    kept
}

fn keep_piece(piece: &str, begins_sentence: bool, kept: &mut Vec<Kept>) {
    let lower = piece.to_lowercase();
    if let Some(turning) = turning(&lower) {
        kept.push(Kept::Turning(turning));
    } else if let Some(path) = as_path(piece) {
        kept.push(Kept::Exact(path));
    } else if is_exact(piece) {
        kept.push(Kept::Exact(piece.to_owned()));
    } else if piece.contains('-') || (is_capitalised(piece) && !begins_sentence) {
        kept.push(Kept::Loose(lower));
    }
}

/// Returns the form under which a turning word is compared: all ways to say "not" are one.
fn turning(word: &str) -> Option<String> {
    let denies = DENYING.contains(&word);
    if denies {
        return Some("not".to_owned());
    }
    TURNING
        .binary_search(&word)
        .is_ok()
        .then(|| word.to_owned())
}

/// Says whether a word is a number, a name of code or a constant: never prose.
fn is_exact(piece: &str) -> bool {
    piece.contains(|character: char| character.is_numeric())
        || is_shaped(piece)
        || ["::", "->", "\\", "#", "@", "/", "$", "%"]
            .iter()
            .any(|joint| piece.contains(joint))
        || piece.trim_matches('.').contains('.')
        || (piece.chars().count() > 1 && piece.chars().all(char::is_uppercase))
}

/// Keeps comparisons and assignments that are glued to their operands, as in `a!=b`.
fn keep_signs(token: &str, kept: &mut Vec<Kept>) {
    let signs: String = token
        .chars()
        .filter(|character| "=<>!&|^~".contains(*character))
        .collect();
    if signs.contains(['=', '<', '>', '&', '|', '^', '~']) {
        kept.push(Kept::Exact(signs));
    }
}

fn is_operator(token: &str) -> bool {
    token
        .chars()
        .all(|character| "=<>!&|^~+*/%-".contains(character))
        && token.contains(['=', '<', '>', '&', '|', '^', '~', '+', '%'])
}

/// Says whether a token is an option of a command or a negative number.
fn is_flag(token: &str) -> bool {
    let bare = token.trim_start_matches(['`', '(', '"', '\'']);
    bare.starts_with('-') && bare.contains(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LONG: &str = "The store keeps every change in an append-only log, because a crash must lose nothing and \
        a reader needs one consistent state, and the derived tables are written in the same transaction";

    #[test]
    fn turning_words_are_sorted_for_the_search() {
        assert!(TURNING.is_sorted());
    }

    #[test]
    fn the_same_in_other_dress_is_a_duplicate() {
        for (a, b) in [
            (
                "We chose redb: one file, crash-safe.",
                "we chose redb - one file, crash safe",
            ),
            ("Don't use unwrap", "don’t  use Unwrap."),
            (
                LONG,
                &LONG.replace("every change", "each and every change made"),
            ),
        ] {
            assert!(near_duplicate(a, b), "{a} / {b}");
        }
    }

    #[test]
    fn a_difference_that_matters_is_no_duplicate() {
        let text = format!(
            "{LONG}, see the README of parse_all in src/log.rs with --release and 3 retries when a < b"
        );
        for (from, to) in [
            ("parse_all", "parse_any"),
            ("src/log.rs", "src/lag.rs"),
            ("--release", "--debug"),
            ("3 retries", "4 retries"),
            ("a < b", "a > b"),
            ("must lose", "must not lose"),
            ("every change", "no change"),
            ("append-only", "write-ahead"),
            ("README", "CHANGELOG"),
        ] {
            assert!(
                !near_duplicate(&text, &text.replace(from, to)),
                "{from} -> {to}"
            );
        }
        assert!(!near_duplicate(
            "Prefer alpha over beta here",
            "Prefer beta over alpha here"
        ));
        assert!(!near_duplicate("call getUser", "call getuser"));
        assert!(!near_duplicate("pin 4.6", "pin 46"));
        assert!(!near_duplicate("use -1", "use 1"));
    }

    proptest! {
        #[test]
        fn it_is_symmetric_and_a_text_is_its_own_duplicate(a in "[a-cA-C1-3_./ -]{0,30}", b in "\\PC{0,30}") {
            prop_assert!(near_duplicate(&a, &a) && near_duplicate(&b, &b));
            prop_assert_eq!(near_duplicate(&a, &b), near_duplicate(&b, &a));
            prop_assert!((jaccard(&a, &b) - jaccard(&b, &a)).abs() < f64::EPSILON);
        }

        #[test]
        fn a_changed_number_is_never_a_duplicate(number in 0u32..1000, other in 0u32..1000) {
            prop_assume!(number != other);
            let (a, b) = (format!("{LONG} {number}"), format!("{LONG} {other}"));
            prop_assert!(!near_duplicate(&a, &b));
        }
    }
}
