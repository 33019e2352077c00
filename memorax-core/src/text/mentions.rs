//! Finds the names of definitions and files that a text speaks of.

use std::collections::HashSet;

/// Signs between the parts of a qualified name.
const JOINTS: [&str; 5] = ["::", "->", ".", "\\", "#"];

/// Endings that make a word with a dot a file rather than a field or a host.
#[rustfmt::skip]
const EXTENSIONS: &[&str] = &[
    "bash", "bat", "c", "cc", "cfg", "cjs", "cmake", "conf", "cpp", "cs", "css", "csv", "dart",
    "ex", "exs", "fish", "go", "gradle", "graphql", "h", "hpp", "hs", "htm", "html", "ini", "ipynb",
    "java", "js", "json", "jsonl", "jsx", "kt", "lock", "lua", "m", "md", "mdx", "mjs", "ml", "nix",
    "php", "pl", "properties", "proto", "ps1", "py", "pyi", "r", "rb", "rs", "rst", "sass", "scala",
    "scss", "sh", "snap", "sql", "svelte", "svg", "swift", "tex", "tf", "toml", "ts", "tsx", "txt",
    "vue", "xml", "yaml", "yml", "zig", "zsh",
];

/// Files that are known by their name alone.
#[rustfmt::skip]
const PLAIN_FILES: &[&str] = &[
    "Brewfile", "CODEOWNERS", "Dockerfile", "Gemfile", "Jenkinsfile", "Justfile", "Makefile",
    "Procfile", "Rakefile", "justfile",
];

/// Returns the names of definitions that a text mentions, as they are written, each once, in their order.
///
/// Names are words with an inner capital or underscore, words in back quotes, the last part of qualified names, and
/// capitalised words that do not begin a sentence. They are candidates: compare them with the names that exist.
///
/// ```
/// use memorax_core::text::identifiers;
/// assert_eq!(
///     identifiers("Why does `retry` in http::Client::send_all ignore the Timeout?"),
///     ["retry", "send_all", "Timeout"],
/// );
/// ```
pub fn identifiers(text: &str) -> Vec<String> {
    let mut found = Found::default();
    let mut begins_sentence = true;
    for token in text.split_whitespace() {
        let is_ticked = token.contains('`');
        for piece in pieces_of(token) {
            if as_path(piece).is_some() {
                continue;
            }
            if let Some(name) = last_part(piece) {
                let is_only_word = piece.len() == text.trim().len();
                let counts = piece.len() > name.len()
                    || is_ticked
                    || is_shaped(name)
                    || (is_capitalised(name) && (!begins_sentence || is_only_word));
                if counts && name.len() > 1 {
                    found.add(name);
                }
            }
        }
        begins_sentence = token.ends_with(['.', '!', '?', ':']);
    }
    found.names
}

/// Returns the files and folders that a text mentions, each once, in their order, with `/` between parts, without
/// `./` in front and `:12` behind.
///
/// ```
/// use memorax_core::text::path_mentions;
/// assert_eq!(
///     path_mentions(r"see ./src/lib.rs:12, `tests\it\main.rs` and README.md; not https://example.com/a.rs"),
///     ["src/lib.rs", "tests/it/main.rs", "README.md"],
/// );
/// ```
pub fn path_mentions(text: &str) -> Vec<String> {
    let mut found = Found::default();
    for token in text.split_whitespace() {
        for piece in pieces_of(token) {
            if let Some(path) = as_path(piece) {
                found.add(&path);
            }
        }
    }
    found.names
}

#[derive(Default)]
struct Found {
    names: Vec<String>,
    seen: HashSet<String>,
}

impl Found {
    fn add(&mut self, name: &str) {
        if self.seen.insert(name.to_owned()) {
            self.names.push(name.to_owned());
        }
    }
}

/// Splits a token at the signs that stand around names, and drops what closes a sentence.
pub(super) fn pieces_of(token: &str) -> impl Iterator<Item = &str> {
    let token = if token.contains("://") { "" } else { token };
    token
        .split([
            '`', '"', '\'', '(', ')', '[', ']', '{', '}', '<', ',', ';', '|', '=', '*', '“', '”',
            '‘', '’',
        ])
        .map(|piece| {
            let piece = if piece.contains("->") {
                piece
            } else {
                piece.trim_end_matches('>')
            };
            piece
                .trim_matches(['!', '?', ':'])
                .trim_end_matches(['.', '…', '!', '?', ':'])
        })
        .filter(|piece| !piece.is_empty())
}

/// Returns the last part of a name or a qualified name.
fn last_part(piece: &str) -> Option<&str> {
    let mut last = piece;
    while let Some((at, joint)) = JOINTS
        .iter()
        .filter_map(|joint| last.find(joint).map(|at| (at, joint)))
        .min_by_key(|(at, joint)| (*at, std::cmp::Reverse(joint.len())))
    {
        if !is_name(&last[..at]) {
            return None;
        }
        last = &last[at + joint.len()..];
    }
    is_name(last).then_some(last)
}

fn is_name(word: &str) -> bool {
    word.chars()
        .next()
        .is_some_and(|first| first == '_' || first.is_alphabetic())
        && word
            .chars()
            .all(|character| character == '_' || character.is_alphanumeric())
}

/// Says whether a name has an inner underscore or capital, as no plain word has.
pub(super) fn is_shaped(name: &str) -> bool {
    let inner = name.trim_matches('_');
    if inner.contains('_') || (name.starts_with("__") && !inner.is_empty()) {
        return true;
    }
    let mut before = None;
    inner.chars().any(|character| {
        let rises = character.is_uppercase()
            && before.is_some_and(|before: char| before.is_lowercase() || before.is_numeric());
        before = Some(character);
        rises
    })
}

/// Says whether a word is a capital and at least three small letters.
pub(super) fn is_capitalised(name: &str) -> bool {
    let mut characters = name.chars();
    characters.next().is_some_and(char::is_uppercase)
        && characters.clone().count() >= 3
        && characters.all(|character| character.is_lowercase() || character.is_numeric())
}

/// Returns the path that a piece of text is, if it looks like one.
pub(super) fn as_path(piece: &str) -> Option<String> {
    let piece = without_position(piece);
    if !piece
        .chars()
        .all(|character| character.is_alphanumeric() || "._-/\\@+~$ ".contains(character))
    {
        return None;
    }
    let path = piece.replace('\\', "/");
    let path = path.strip_prefix("./").unwrap_or(&path);
    let name = path.trim_end_matches('/').rsplit('/').next()?;
    let is_file = name.rsplit_once('.').is_some_and(|(stem, extension)| {
        let known = EXTENSIONS.binary_search(&extension).is_ok();
        let is_field = path == name && piece.len() > name.len();
        (known && !stem.is_empty() && !is_field && (extension.len() > 1 || stem.len() > 1))
            || (stem.is_empty() && path.contains('/'))
    });
    let is_dot_file = path == name
        && name.len() > 3
        && name.starts_with('.')
        && name[1..]
            .chars()
            .all(|character| character.is_alphanumeric() || "._-".contains(character))
        && !name[1..].starts_with('.');
    // Between words a single `/` means "or": a folder has two, or one at its end.
    let is_folder = piece.contains('/')
        && path.chars().any(char::is_alphanumeric)
        && (path.ends_with('/') || path.matches('/').count() >= 2);
    (is_file || is_dot_file || is_folder || PLAIN_FILES.contains(&name)).then(|| path.to_owned())
}

/// Cuts `:12` and `:12:5` off the end.
fn without_position(piece: &str) -> &str {
    let mut rest = piece;
    while let Some((before, digits)) = rest.rsplit_once(':') {
        if digits.is_empty()
            || !digits
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'-')
        {
            break;
        }
        rest = before;
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_are_sorted_for_the_search() {
        assert!(EXTENSIONS.is_sorted());
    }

    #[test]
    fn plain_words_are_no_identifiers() {
        assert_eq!(
            identifiers("Fix the build. The tests fail, e.g. on 3.14, see mod.rs"),
            [""; 0]
        );
    }

    #[test]
    fn qualified_shaped_and_ticked_words_are_identifiers() {
        assert_eq!(
            identifiers(
                "HttpServer calls app.register_blueprint(), std::fs::File, a->b_c and `go`"
            ),
            ["HttpServer", "register_blueprint", "File", "b_c", "go"]
        );
        assert_eq!(identifiers("Blueprint"), ["Blueprint"], "one name alone");
    }

    #[test]
    fn slashes_between_words_are_no_paths() {
        assert_eq!(
            path_mentions("read/write and/or 1/2, node.js, v1.2.3, e.g."),
            ["node.js"]
        );
        assert_eq!(
            path_mentions("in src/, docs/guide/intro and Makefile (.gitignore)"),
            ["src/", "docs/guide/intro", "Makefile", ".gitignore"]
        );
    }
}
