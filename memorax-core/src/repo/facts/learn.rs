//! What is learned from the bytes of one file. It depends on nothing but the bytes and the language, so that it can be
//! kept by blob.

use std::borrow::Cow;

use sha2::{Digest, Sha256};

use super::Language;
use super::chunk::{Chunk, cut};
use super::heading::headings;
use super::manifest::package_name;
use crate::SymbolKind;
use crate::text::for_each_word;

/// Marks of a blob, as bits.
pub(in crate::repo) mod mark {
    /// Not text.
    pub(in crate::repo) const BINARY: u8 = 1;
    /// Parsing took too long; searched as text only.
    pub(in crate::repo) const SLOW: u8 = 2;
    /// Says that a program wrote it, or has very long lines.
    pub(in crate::repo) const GENERATED: u8 = 4;
}

/// Longest text file that is read.
pub(in crate::repo) const LARGEST: u64 = 1 << 20;
/// Words of a line are taken from its first bytes only; longer lines are data.
const LONGEST_LINE: usize = 2000;
/// A generated or minified file gives words from this many lines at most.
const GENERATED_LINES: u32 = 400;

/// A definition found in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::repo) struct Definition {
    pub(in crate::repo) name: String,
    pub(in crate::repo) kind: SymbolKind,
    pub(in crate::repo) line: u32,
    pub(in crate::repo) end: u32,
    pub(in crate::repo) parent: Option<String>,
    pub(in crate::repo) body: u64,
}

/// What is known of a file.
#[derive(Debug, Default)]
pub(in crate::repo) struct Facts {
    pub(in crate::repo) marks: u8,
    pub(in crate::repo) lines: u32,
    pub(in crate::repo) chunks: Vec<Chunk>,
    pub(in crate::repo) definitions: Vec<Definition>,
    /// Imports as entries that [`super::super::view`] resolves: a letter, a space, and what is imported.
    pub(in crate::repo) imports: Vec<String>,
}

/// Learns from files one after another; holds the parsers of one thread.
#[derive(Default)]
pub(in crate::repo) struct Learner {
    #[cfg(feature = "grammars")]
    parsers: super::parse::Parsers,
}

impl Learner {
    /// Learns what there is to learn, and calls `word` with each word and how often it counts, chunk after chunk.
    pub(in crate::repo) fn learn(
        &mut self,
        bytes: &[u8],
        language: Language,
        mut word: impl FnMut(u32, &str, u32),
    ) -> Facts {
        let mut facts = Facts::default();
        if is_binary(bytes) {
            facts.marks |= mark::BINARY;
            return facts;
        }
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => String::from_utf8_lossy(bytes),
        };
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let lines: Vec<&str> = text.lines().collect();
        facts.lines = lines.len() as u32;
        let minified = text.len() > 5000 && text.len() / lines.len().max(1) > 500;
        if minified || says_generated(&lines) {
            facts.marks |= mark::GENERATED;
        }
        if !minified {
            self.parse(text, language, &mut facts);
        }
        facts.imports.extend(package_name(text, language));
        facts.chunks = cut(&lines, &facts.definitions);
        let mut definitions = facts.definitions.iter().peekable();
        for (number, chunk) in facts.chunks.iter().enumerate() {
            if facts.marks & mark::GENERATED != 0 && chunk.first > GENERATED_LINES {
                break;
            }
            for piece in pieces(text, &lines[chunk.first as usize - 1..chunk.last as usize]) {
                for_each_word(piece, &mut |found| word(number as u32, found, 1));
            }
            // Both are sorted by line.
            while let Some(definition) = definitions.next_if(|next| next.line <= chunk.last) {
                for_each_word(&definition.name, &mut |found| word(number as u32, found, 2));
            }
        }
        facts
    }

    #[cfg(feature = "grammars")]
    fn parse(&mut self, text: &str, language: Language, facts: &mut Facts) {
        if language == Language::MARKDOWN {
            facts.definitions = headings(text);
            return;
        }
        self.parsers.parse(text, language, facts);
        facts.definitions.sort_by_key(|definition| definition.line);
        facts.imports.sort_unstable();
        facts.imports.dedup();
    }

    #[cfg(not(feature = "grammars"))]
    #[expect(
        clippy::unused_self,
        reason = "the parsers of the other build live in it"
    )]
    fn parse(&mut self, text: &str, language: Language, facts: &mut Facts) {
        if language == Language::MARKDOWN {
            facts.definitions = headings(text);
        }
    }
}

/// Returns the text of some lines: in one piece, or line by line where one is too long and is cut.
fn pieces<'a>(text: &'a str, lines: &[&'a str]) -> Vec<&'a str> {
    let place = |line: &str| line.as_ptr().addr() - text.as_ptr().addr();
    match lines {
        [first, .., last] if lines.iter().all(|line| line.len() <= LONGEST_LINE) => {
            vec![&text[place(first)..place(last) + last.len()]]
        }
        lines => lines
            .iter()
            .map(|line| &line[..line.floor_char_boundary(LONGEST_LINE)])
            .collect(),
    }
}

/// Tells binary files as git does: a zero byte near the start.
fn is_binary(bytes: &[u8]) -> bool {
    bytes[..bytes.len().min(8000)].contains(&0)
}

/// Looks for the marks that generators leave near the top of a file, in a comment.
fn says_generated(lines: &[&str]) -> bool {
    lines.iter().take(12).any(|line| {
        let comment = ["//", "#", "/*", "*", "<!--", "--", ";", "\"\"\""]
            .iter()
            .any(|start| line.trim_start().starts_with(start));
        comment
            && (line.contains("@generated")
                || line.contains("DO NOT EDIT")
                || line.contains("Do not edit this file")
                || line.contains("automatically generated by")
                || line.contains("This file is generated"))
    })
}

/// Hashes a body with every run of white space taken as one space.
pub(in crate::repo) fn hash_body(body: &str) -> u64 {
    let mut hasher = Sha256::new();
    for (index, part) in body.split_ascii_whitespace().enumerate() {
        if index > 0 {
            hasher.update(b" ");
        }
        hasher.update(part.as_bytes());
    }
    let digest = hasher.finalize();
    u64::from_be_bytes(std::array::from_fn(|index| digest[index]))
}

#[cfg(test)]
mod tests {
    use super::{Language, Learner, hash_body, mark};

    #[test]
    fn white_space_does_not_change_a_body() {
        assert_eq!(
            hash_body("fn a() {\n    1\n}"),
            hash_body(" fn a() { 1 }\r\n")
        );
        assert_ne!(hash_body("fn a() { 1 }"), hash_body("fn a() { 2 }"));
    }

    #[test]
    fn words_of_definitions_count_twice_more() {
        let mut counts = std::collections::BTreeMap::new();
        let text = "# Storage index\n\nredb is the index\n";
        let facts =
            Learner::default().learn(text.as_bytes(), Language::MARKDOWN, |chunk, word, times| {
                *counts.entry((chunk, word.to_owned())).or_insert(0) += times;
            });
        assert_eq!((facts.lines, facts.definitions.len()), (3, 1));
        assert_eq!(counts[&(0, "redb".to_owned())], 1);
        assert_eq!(counts[&(0, "index".to_owned())], 4);
    }

    #[test]
    fn binary_and_generated_files_are_marked() {
        let mut learner = Learner::default();
        let mut marks = |bytes: &[u8]| learner.learn(bytes, Language::RUST, |_, _, _| {}).marks;
        assert_eq!(marks(b"a\0b"), mark::BINARY);
        assert_eq!(marks(b"// @generated by x\nfn a() {}\n"), mark::GENERATED);
        assert_eq!(marks("x".repeat(9000).as_bytes()), mark::GENERATED);
        assert_eq!(marks(b"let a = \"DO NOT EDIT\";\n"), 0, "only in a comment");
        assert_eq!(marks(b"fn caf\xe9() {}\n"), 0, "other encodings are text");
    }
}
