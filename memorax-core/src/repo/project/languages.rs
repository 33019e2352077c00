//! Which languages the code is written in.

use std::collections::BTreeMap;

use super::LanguageShare;
use crate::{FileInfo, FileRole};

/// Languages by the ending of a file, and their names as people write them.
const LANGUAGES: &[(&str, &str)] = &[
    ("rs", "Rust"),
    ("py", "Python"),
    ("pyi", "Python"),
    ("pyx", "Cython"),
    ("ts", "TypeScript"),
    ("tsx", "TypeScript"),
    ("mts", "TypeScript"),
    ("cts", "TypeScript"),
    ("js", "JavaScript"),
    ("jsx", "JavaScript"),
    ("mjs", "JavaScript"),
    ("cjs", "JavaScript"),
    ("vue", "Vue"),
    ("svelte", "Svelte"),
    ("go", "Go"),
    ("java", "Java"),
    ("kt", "Kotlin"),
    ("kts", "Kotlin"),
    ("scala", "Scala"),
    ("c", "C"),
    ("h", "C"),
    ("cc", "C++"),
    ("cpp", "C++"),
    ("cxx", "C++"),
    ("hpp", "C++"),
    ("hh", "C++"),
    ("cs", "C#"),
    ("fs", "F#"),
    ("rb", "Ruby"),
    ("php", "PHP"),
    ("swift", "Swift"),
    ("m", "Objective-C"),
    ("mm", "Objective-C"),
    ("ex", "Elixir"),
    ("exs", "Elixir"),
    ("erl", "Erlang"),
    ("hs", "Haskell"),
    ("ml", "OCaml"),
    ("mli", "OCaml"),
    ("clj", "Clojure"),
    ("dart", "Dart"),
    ("lua", "Lua"),
    ("r", "R"),
    ("jl", "Julia"),
    ("zig", "Zig"),
    ("nim", "Nim"),
    ("pl", "Perl"),
    ("pm", "Perl"),
    ("sh", "Shell"),
    ("bash", "Shell"),
    ("sql", "SQL"),
    ("proto", "Protocol Buffers"),
    ("tf", "Terraform"),
    ("sol", "Solidity"),
    ("cu", "CUDA"),
    ("asm", "Assembly"),
    ("s", "Assembly"),
];

/// Names the language of a file by its ending.
pub(super) fn of_path(path: &str) -> Option<&'static str> {
    let name = path.rsplit('/').next()?;
    let (_, ending) = name.rsplit_once('.')?;
    LANGUAGES
        .iter()
        .find(|(known, _)| known.eq_ignore_ascii_case(ending))
        .map(|(_, language)| *language)
}

/// Says whether a file is written in a programming language.
pub(crate) fn is_code(path: &str) -> bool {
    of_path(path).is_some()
}

/// Counts lines by language over code and tests; shares below 1 % are left out.
pub(super) fn shares(files: &[FileInfo]) -> Vec<LanguageShare> {
    let mut lines: BTreeMap<&'static str, u64> = BTreeMap::new();
    for file in files {
        if matches!(
            file.role,
            FileRole::Source | FileRole::Test | FileRole::Example
        ) && let Some(language) = of_path(&file.path)
        {
            *lines.entry(language).or_default() += u64::from(file.lines);
        }
    }
    let total: u64 = lines.values().sum();
    let mut shares: Vec<LanguageShare> = lines
        .into_iter()
        .map(|(name, lines)| LanguageShare {
            name: name.to_owned(),
            lines,
            percent: u8::try_from((lines * 100 + total / 2) / total.max(1)).unwrap_or(100),
        })
        .filter(|share| share.percent > 0)
        .collect();
    shares.sort_by(|left, right| {
        right
            .lines
            .cmp(&left.lines)
            .then_with(|| left.name.cmp(&right.name))
    });
    shares
}
