//! Splits a text into the words that have vectors.

use crate::fold::fold;

/// Longest word, in letters; what is longer is a hash or encoded data.
const LONGEST: usize = 32;

/// Calls `visit` with every word of a text, in lower case and without accents.
///
/// Identifiers come apart at `_` and where the case changes; each Han, Kana or Hangul letter stands alone; punctuation
/// separates and is nothing itself.
pub(crate) fn for_each_word(text: &str, mut visit: impl FnMut(&str)) {
    let mut word = String::with_capacity(LONGEST);
    let mut letters = text.chars().peekable();
    let mut before = ' ';
    while let Some(letter) = letters.next() {
        let alone = stands_alone(letter);
        if alone || begins_hump(before, letter, letters.peek().copied()) {
            finish(&mut word, &mut visit);
        }
        if is_part(letter) {
            word.extend(letter.to_lowercase().filter_map(fold));
        } else {
            finish(&mut word, &mut visit);
        }
        if alone {
            finish(&mut word, &mut visit);
        }
        before = letter;
    }
    finish(&mut word, &mut visit);
}

fn finish(word: &mut String, visit: &mut impl FnMut(&str)) {
    if !word.is_empty() && (word.len() <= LONGEST || word.chars().count() <= LONGEST) {
        visit(word);
    }
    word.clear();
}

/// Says whether a word goes on with this character; an accent that stands alone belongs to the letter before it.
fn is_part(letter: char) -> bool {
    letter.is_alphanumeric() || ('\u{300}'..='\u{36f}').contains(&letter)
}

/// Says whether a new part of an identifier begins: `readFile`, `HTTPServer`.
fn begins_hump(before: char, letter: char, after: Option<char>) -> bool {
    letter.is_ascii_uppercase()
        && (before.is_ascii_lowercase()
            || before.is_ascii_digit()
            || before.is_ascii_uppercase() && after.is_some_and(|after| after.is_ascii_lowercase()))
}

fn stands_alone(letter: char) -> bool {
    matches!(letter,
        '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7af}'
        | '\u{f900}'..='\u{faff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let mut words = Vec::new();
        for_each_word(text, |word| words.push(word.to_owned()));
        words
    }

    #[test]
    fn identifiers_come_apart_and_accents_go() {
        assert_eq!(
            words("HTTPServer2Go read_file café cafe\u{301}, 用户x login!"),
            [
                "http", "server2", "go", "read", "file", "cafe", "cafe", "用", "户", "x", "login"
            ]
        );
    }

    #[test]
    fn hashes_are_no_words() {
        assert_eq!(words(&"a1b2".repeat(10)), Vec::<String>::new());
        assert_eq!(words(""), Vec::<String>::new());
    }
}
