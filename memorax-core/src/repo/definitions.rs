//! Definitions of one file as it is now, without an index.

use super::facts::{Language, Learner};
use crate::Symbol;

/// Returns the definitions of a file by its path and bytes; `None` where no grammar knows its language, or it took too
/// long to parse, so that nothing can be said about its definitions.
///
/// ```
/// use memorax_core::repo::definitions;
/// let found = definitions("src/lib.rs", b"pub fn open() {}\n").expect("Rust is known");
/// assert_eq!(found.iter().map(|symbol| symbol.name.as_str()).collect::<Vec<_>>(), ["open"]);
/// assert_eq!(definitions("notes.txt", b"open the door"), None);
/// ```
pub fn definitions(path: &str, bytes: &[u8]) -> Option<Vec<Symbol>> {
    let language = Language::of_path(path);
    if !language.has_grammar() {
        return None;
    }
    let facts = Learner::default().learn(bytes, language, |_, _, _| {});
    (facts.marks == 0).then(|| facts.definitions.into_iter().map(Symbol::from).collect())
}
