//! Splits text and code into the words that a search compares.
//!
//! An identifier gives itself and its parts (`getUserById` -> `getuserbyid get user by id`), so that a question in
//! plain words finds it and an exact name finds it first. Whole identifiers lose `_` and `-` and are stemmed as words are:
//! `file_name`, `fileName` and `filenames` meet. Writing without spaces (Han, Kana, Hangul, Thai) gives pairs of characters.

use std::collections::HashMap;

use super::stem::{is_stop_word, stem};

/// Longest word, in bytes; longer ones are data, not words.
pub const MAXIMUM_WORD: usize = 64;

/// Longest identifier whose parts are still looked at, in bytes: a test's name may be a sentence.
const MAXIMUM_IDENTIFIER: usize = 256;

/// Highest frequency of a word in a query that counts.
const QUERY_FREQUENCY: u32 = 3; // Measured on code search: more lets one repeated word drown the others.

/// Splits a text into words, in their order.
///
/// ```
/// use memorax_core::text::words;
/// assert_eq!(words("HTTPServer2 is used by getUserById"), [
///     "httpserver2", "http", "server", "used", "getuserbyid", "get", "user", "id",
/// ]);
/// assert_eq!(words("用redb存储"), ["用", "redb", "存储"]);
/// ```
pub fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for_each_word(text, &mut |word| words.push(word.to_owned()));
    words
}

/// Counts the words of a text; sorted by word.
///
/// ```
/// use memorax_core::text::word_counts;
/// assert_eq!(word_counts("lock, unlock, lock"), [("lock".to_owned(), 2), ("unlock".to_owned(), 1)]);
/// ```
pub fn word_counts(text: &str) -> Vec<(String, u32)> {
    let mut counts: HashMap<String, u32> = HashMap::new();
    for_each_word(text, &mut |word| {
        // Looked up before it is owned: most words of a text repeat.
        match counts.get_mut(word) {
            Some(count) => *count = count.saturating_add(1),
            None => {
                counts.insert(word.to_owned(), 1);
            }
        }
    });
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_unstable();
    counts
}

/// Splits a query into words with their weights: the frequency, at most 3; sorted by word.
///
/// ```
/// use memorax_core::text::query_words;
/// assert_eq!(query_words("lock lock lock lock"), [("lock".to_owned(), 3.0)]);
/// ```
pub fn query_words(text: &str) -> Vec<(String, f32)> {
    word_counts(text)
        .into_iter()
        .map(|(word, count)| (word, count.min(QUERY_FREQUENCY) as f32))
        .collect()
}

/// Calls `visit` with every word of a text, in their order, without keeping them.
pub fn for_each_word(text: &str, visit: &mut dyn FnMut(&str)) {
    let mut scratch = String::with_capacity(MAXIMUM_WORD);
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if byte.is_ascii() {
            if byte.is_ascii_alphanumeric() || byte == b'_' {
                let end = end_of_name(text, at);
                visit_name(&text[at..end], &mut scratch, visit);
                at = end;
            } else {
                at += 1;
            }
            continue;
        }
        let character = character_at(text, at);
        if is_unspaced(character) {
            let end = end_while(text, at, is_unspaced);
            visit_pairs(&text[at..end], visit);
            at = end;
        } else if character.is_alphanumeric() {
            let end = end_of_name(text, at);
            visit_name(&text[at..end], &mut scratch, visit);
            at = end;
        } else {
            at += character.len_utf8();
        }
    }
}

fn character_at(text: &str, at: usize) -> char {
    text[at..]
        .chars()
        .next()
        .expect("the caller stands before a character")
}

fn end_while(text: &str, start: usize, mut holds: impl FnMut(char) -> bool) -> usize {
    text[start..]
        .char_indices()
        .find(|(_, character)| !holds(*character))
        .map_or(text.len(), |(offset, _)| start + offset)
}

/// Returns the end of an identifier, with the `-word` that follow it.
fn end_of_name(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let mut end = start;
    while let Some(&byte) = bytes.get(end) {
        let joins = byte == b'-' && bytes.get(end + 1).is_some_and(u8::is_ascii_alphabetic);
        if byte.is_ascii_alphanumeric() || byte == b'_' || joins {
            end += 1;
        } else if byte.is_ascii() {
            break;
        } else {
            let character = character_at(text, end);
            if is_unspaced(character) || !character.is_alphanumeric() {
                break;
            }
            end += character.len_utf8();
        }
    }
    end
}

fn visit_name(name: &str, scratch: &mut String, visit: &mut dyn FnMut(&str)) {
    if !name.contains('-') {
        return visit_identifier(name, scratch, visit);
    }
    let is_compound = name.len() <= MAXIMUM_WORD
        && name
            .split('-')
            .all(|part| part.len() > 1 && !part.starts_with(|first: char| first.is_ascii_digit()));
    if is_compound {
        visit_whole(name, scratch, visit);
    }
    for part in name.split('-') {
        visit_identifier(part, scratch, visit);
    }
}

fn visit_identifier(name: &str, scratch: &mut String, visit: &mut dyn FnMut(&str)) {
    let name = name.trim_matches('_');
    if name.is_empty() || name.len() > MAXIMUM_IDENTIFIER {
        return;
    }
    if name.len() > MAXIMUM_WORD && !name.contains('_') {
        return;
    }
    let first = end_of_part(name, 0);
    if first == name.len() {
        return visit_part(name, PartOf::Nothing, scratch, visit);
    }
    if name.len() <= MAXIMUM_WORD {
        visit_whole(name, scratch, visit);
    }
    if is_hash(name) {
        return;
    }
    let mut start = 0;
    while start < name.len() {
        let end = end_of_part(name, start);
        visit_part(&name[start..end], PartOf::Identifier, scratch, visit);
        start = end;
        while name.as_bytes().get(start) == Some(&b'_') {
            start += 1;
        }
    }
}

fn visit_whole(name: &str, scratch: &mut String, visit: &mut dyn FnMut(&str)) {
    lower_into(name, scratch);
    scratch.retain(|character| character != '_' && character != '-');
    stem(scratch);
    visit(scratch);
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PartOf {
    Nothing,
    Identifier,
}

fn visit_part(part: &str, of: PartOf, scratch: &mut String, visit: &mut dyn FnMut(&str)) {
    // `x` may be what is asked for; the `2` of `server2` never is, and a lone digit neither.
    if part.len() == 1 && (of == PartOf::Identifier || part.as_bytes()[0].is_ascii_digit()) {
        return;
    }
    lower_into(part, scratch);
    if is_stop_word(scratch) {
        return;
    }
    stem(scratch);
    if scratch.len() <= MAXIMUM_WORD {
        visit(scratch);
    }
}

fn lower_into(text: &str, scratch: &mut String) {
    scratch.clear();
    if text.is_ascii() {
        scratch.push_str(text);
        scratch.make_ascii_lowercase();
    } else {
        scratch.extend(text.chars().flat_map(char::to_lowercase));
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Lower,
    Upper,
    Digit,
    Joint,
}

fn class_of(character: char) -> Class {
    match character {
        'a'..='z' => Class::Lower,
        'A'..='Z' => Class::Upper,
        '0'..='9' => Class::Digit,
        '_' => Class::Joint,
        other if other.is_uppercase() => Class::Upper,
        other if other.is_numeric() => Class::Digit,
        _ => Class::Lower,
    }
}

/// Returns the end of the part that starts at `start`: `HTTP` of `HTTPServer2`, then `Server`, then `2`.
fn end_of_part(name: &str, start: usize) -> usize {
    let mut characters = name[start..]
        .char_indices()
        .map(|(offset, character)| (start + offset, class_of(character)));
    let Some((_, mut class)) = characters.next() else {
        return start;
    };
    let mut last = start;
    let mut uppers = usize::from(class == Class::Upper);
    for (at, next) in characters {
        match (class, next) {
            (Class::Upper, Class::Upper) => uppers += 1,
            // The last of several capitals begins the next part.
            (Class::Upper, Class::Lower) if uppers > 1 => return last,
            (Class::Upper, Class::Lower) => class = Class::Lower,
            _ if class == next => {}
            _ => return at,
        }
        last = at;
    }
    name.len()
}

/// Says whether a name is a number in base 16 with digits and letters, such as a commit: its parts mean nothing.
fn is_hash(name: &str) -> bool {
    name.len() >= 7
        && name.bytes().all(|byte| byte.is_ascii_hexdigit())
        && name.bytes().any(|byte| byte.is_ascii_digit())
}

fn visit_pairs(run: &str, visit: &mut dyn FnMut(&str)) {
    let mut previous: Option<usize> = None;
    let mut paired = false;
    for (at, character) in run.char_indices() {
        if let Some(previous) = previous {
            visit(&run[previous..at + character.len_utf8()]);
            paired = true;
        }
        previous = Some(at);
    }
    if !paired && !run.is_empty() {
        visit(run);
    }
}

/// Says whether a character belongs to a script that is written without spaces between words.
fn is_unspaced(character: char) -> bool {
    matches!(u32::from(character),
        0x0E01..=0x0EFF // Thai, Lao
        | 0x1000..=0x109F // Myanmar
        | 0x1780..=0x17D3 // Khmer
        | 0x1100..=0x11FF // Hangul letters
        | 0x3005..=0x3007
        | 0x3041..=0x3096 // Hiragana
        | 0x309D..=0x309F
        | 0x30A1..=0x30FA // Katakana
        | 0x30FC..=0x30FF
        | 0x3131..=0x318E
        | 0x31F0..=0x31FF
        | 0x3400..=0x4DBF // Han
        | 0x4E00..=0x9FFF
        | 0xAC00..=0xD7A3 // Hangul
        | 0xF900..=0xFAFF
        | 0xFF66..=0xFF9D
        | 0x20000..=0x323AF)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn splits(text: &str, expected: &[&str]) {
        assert_eq!(words(text), expected, "words of {text:?}");
    }

    #[test]
    fn identifiers_give_themselves_and_their_parts() {
        splits("getUserById", &["getuserbyid", "get", "user", "id"]);
        splits("HTTPServer2", &["httpserver2", "http", "server"]);
        splits("sha256_of", &["sha256of", "sha", "256"]);
        splits("__init__", &["init"]);
        splits("claude-code", &["claudecod", "claud", "code"]);
        splits("ÜberGröße", &["übergröße", "über", "größe"]);
    }

    #[test]
    fn styles_of_one_name_meet() {
        for name in [
            "fileName",
            "file_name",
            "FILE_NAME",
            "file-name",
            "filename",
        ] {
            assert!(words(name).contains(&"filenam".to_owned()), "{name}");
        }
    }

    #[test]
    fn paths_give_their_parts() {
        splits("src/store/mod.rs:12", &["src", "stor", "mod", "rs", "12"]);
    }

    #[test]
    fn writing_without_spaces_gives_pairs() {
        splits("存储引擎", &["存储", "储引", "引擎"]);
        splits("使用redb存储", &["使用", "redb", "存储"]);
        splits("データを保存", &["デー", "ータ", "タを", "を保", "保存"]);
        splits("저장소", &["저장", "장소"]);
    }

    #[test]
    fn hashes_stay_whole_and_data_is_left_out() {
        splits("9f1c2d3e4b5a", &["9f1c2d3e4b5a"]);
        splits(&"Ab1".repeat(40), &[]);
        let sentence = "test_that_a_lock_is_freed_".repeat(3);
        assert_eq!(words(&sentence)[..3], ["test", "lock", "freed"]);
    }

    proptest! {
        #[test]
        fn any_text_gives_short_lower_case_words(text in "\\PC{0,80}|[a-zA-Z0-9_\\-é存 ]{0,80}") {
            for word in words(&text) {
                prop_assert!(!word.is_empty() && word.len() <= 4 * MAXIMUM_WORD);
                prop_assert!(!word.contains(|character: char| character.is_ascii_uppercase()));
                prop_assert!(!word.contains(char::is_whitespace) && !word.contains('\0'));
            }
        }
    }
}
