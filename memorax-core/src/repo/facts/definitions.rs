//! Definitions of one file as it is now, for those who compare it with what was known.

use super::learn::{Definition, Learner, mark};
use super::{LARGEST, Language};
use crate::Symbol;

impl Definition {
    /// Returns the definition as the public type.
    pub(in crate::repo) fn into_symbol(self) -> Symbol {
        let mut symbol = Symbol::new(self.name, self.kind, self.line, self.end);
        symbol.parent = self.parent;
        symbol.body = format!("{:016x}", self.body);
        symbol
    }
}

/// Finds the definitions of a file from its path and content; `None` where they cannot be known: another language, no
/// text, too large, or too slow to parse.
///
/// ```
/// use memorax_core::repo::definitions;
/// let found = definitions("src/lib.rs", b"pub struct Engine;\n").expect("Rust is known");
/// assert_eq!(found[0].name, "Engine");
/// assert!(definitions("a.unknown", b"x").is_none());
/// ```
pub fn definitions(path: &str, bytes: &[u8]) -> Option<Vec<Symbol>> {
    let language = Language::of_path(path);
    if bytes.len() as u64 > LARGEST || !language.has_definitions() {
        return None;
    }
    let facts = Learner::default().learn(bytes, language, |_, _, _| {});
    if facts.marks & (mark::BINARY | mark::SLOW) != 0 {
        return None;
    }
    let symbols = facts.definitions.into_iter();
    Some(symbols.map(Definition::into_symbol).collect())
}
