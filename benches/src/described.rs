//! Searches that were written by the people of a repository: what the documentation of a definition says, asked of files
//! from which that documentation was removed.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use memorax_core::repo::{IndexRequest, Indexer, RepoIndexer, RepositoryView, definitions};
use memorax_core::retrieve::Shape;
use memorax_core::{Error, ErrorKind, FileRole, Result, SystemClock};

use crate::ranking::Named;

/// Most queries of one file.
const OF_A_FILE: usize = 3;
/// One of so many queries is the bare name of the definition.
const NAMES: usize = 5;
/// Words of a sentence that says something and is no story.
const WORDS: Range<usize> = 4..26;

/// A sentence, and the file whose definition it described.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Task {
    pub(crate) text: String,
    pub(crate) path: String,
}

/// Documentation of one definition: its lines, and what it asks.
#[derive(Debug, PartialEq, Eq)]
struct Described {
    lines: Range<usize>,
    name: String,
    sentence: String,
}

/// Makes a copy of the newest tree without the documentation that is asked for; returns its view, with the history
/// behind it, and at most `most` tasks.
pub(crate) fn tasks(
    repository: &Named,
    cache: &Path,
    most: usize,
) -> Result<(Arc<dyn RepositoryView>, Vec<Task>)> {
    let own = cache.join(format!(
        "{}+described",
        repository.name.replace(['/', '\\'], "+")
    ));
    let tree = own.join("tree");
    copy(&repository.folder, &tree)?;
    let before = index(&tree, &own.join("index"))?;
    let mut found: Vec<(String, Described)> = Vec::new();
    for file in before.files()? {
        if file.role != FileRole::Source {
            continue;
        }
        let Ok(text) = std::fs::read_to_string(tree.join(&file.path)) else {
            continue;
        };
        let described = documentation(&file.path, &text);
        found.extend(described.into_iter().map(|it| (file.path.clone(), it)));
    }
    let mut said: HashMap<String, usize> = HashMap::new();
    for (_, described) in &found {
        *said.entry(described.sentence.clone()).or_default() += 1;
    }
    // A sentence that stands twice has two answers.
    found.retain(|(_, described)| {
        said[&described.sentence] == 1 && Shape::of(&described.sentence) == Shape::Search
    });
    let step = (found.len() / most.max(1)).max(1);
    let mut of_a_file: HashMap<String, usize> = HashMap::new();
    let mut removed: HashMap<String, Vec<Range<usize>>> = HashMap::new();
    let mut tasks = Vec::new();
    for (path, described) in found.into_iter().step_by(step) {
        let count = of_a_file.entry(path.clone()).or_default();
        let named = tasks.len() % NAMES == NAMES - 1;
        let text = if named {
            described.name
        } else {
            described.sentence
        };
        if *count == OF_A_FILE || tasks.len() == most || Shape::of(&text) != Shape::Search {
            continue;
        }
        *count += 1;
        removed
            .entry(path.clone())
            .or_default()
            .push(described.lines);
        tasks.push(Task { text, path });
    }
    for (path, ranges) in &removed {
        remove(&tree.join(path), ranges)?;
    }
    Ok((index(&tree, &own.join("index"))?, tasks))
}

fn index(root: &Path, cache: &Path) -> Result<Arc<dyn RepositoryView>> {
    Indexer::new().index(&IndexRequest {
        root,
        cache,
        interrupt: &AtomicBool::new(false),
        progress: &|_| {},
        clock: &SystemClock,
    })
}

/// Checks the newest commit out beside the cache, anew: an earlier run changed the last copy.
fn copy(repository: &Path, tree: &Path) -> Result<()> {
    if tree.exists() {
        std::fs::remove_dir_all(tree).map_err(|error| failed("remove", tree, error))?;
    }
    let status = Command::new("git")
        .args(["clone", "--quiet", "--shared"])
        .args([repository, tree])
        .status()
        .map_err(|error| failed("clone into", tree, error))?;
    if status.success() {
        return Ok(());
    }
    let message = format!("`git clone` failed for `{}`", repository.display());
    Err(Error::new(ErrorKind::NotFound, message))
}

fn failed(what: &str, path: &Path, error: std::io::Error) -> Error {
    let message = format!("cannot {what} `{}`", path.display());
    Error::new(ErrorKind::Io, message).with_source(error)
}

/// Empties lines of a file.
fn remove(path: &Path, ranges: &[Range<usize>]) -> Result<()> {
    let text = std::fs::read_to_string(path).map_err(|error| failed("read", path, error))?;
    let gone: HashSet<usize> = ranges.iter().cloned().flatten().collect();
    let kept: Vec<&str> = text
        .lines()
        .enumerate()
        .map(|(number, line)| if gone.contains(&number) { "" } else { line })
        .collect();
    std::fs::write(path, kept.join("\n")).map_err(|error| failed("write", path, error))
}

/// Finds what is documented in a file.
fn documentation(path: &str, text: &str) -> Vec<Described> {
    let lines: Vec<&str> = text.lines().collect();
    let Some(symbols) = definitions(path, text.as_bytes()) else {
        return Vec::new();
    };
    let mut found: Vec<Described> = Vec::new();
    for symbol in symbols {
        let Some(at) = (symbol.line as usize)
            .checked_sub(1)
            .filter(|at| *at < lines.len())
        else {
            continue;
        };
        let block = if path.ends_with(".py") {
            below(&lines, at)
        } else {
            above(&lines, at, path.ends_with(".rb"))
        };
        let Some(block) = block.filter(|block| found.iter().all(|it| it.lines != *block)) else {
            continue;
        };
        if let Some(sentence) = sentence(&lines[block.clone()], &symbol.name) {
            found.push(Described {
                lines: block,
                name: symbol.name,
                sentence,
            });
        }
    }
    found
}

/// Finds the comment that ends above a definition; attributes and decorators may stand between.
fn above(lines: &[&str], at: usize, hashes: bool) -> Option<Range<usize>> {
    let mut end = at;
    while end > 0 {
        let line = lines[end - 1].trim();
        if line.starts_with("#[") || line.starts_with('@') {
            end -= 1;
        } else {
            break;
        }
    }
    let mut start = end;
    if start > 0 && lines[start - 1].trim().ends_with("*/") {
        while start > 0 {
            start -= 1;
            if lines[start].trim_start().starts_with("/*") {
                return Some(start..end);
            }
        }
        return None;
    }
    while start > 0 {
        let line = lines[start - 1].trim();
        let comment =
            line.starts_with("//") && !line.starts_with("//!") || hashes && line.starts_with('#');
        if !comment {
            break;
        }
        start -= 1;
    }
    (start < end).then_some(start..end)
}

/// Finds the text in three quotes below a definition of Python.
fn below(lines: &[&str], at: usize) -> Option<Range<usize>> {
    let last = lines.len().min(at + 12);
    let start = (at..last).find(|line| lines[*line].trim_end().ends_with(':'))? + 1;
    let first = lines
        .get(start)?
        .trim_start()
        .trim_start_matches(['r', 'R', 'u']);
    let quotes = ["\"\"\"", "'''"]
        .into_iter()
        .find(|quotes| first.starts_with(quotes))?;
    if first[3..].contains(quotes) {
        return Some(start..start + 1);
    }
    let end = (start + 1..lines.len()).find(|line| lines[*line].contains(quotes))?;
    Some(start..end + 1)
}

/// Returns the first sentence of documentation, without the name that some languages begin it with.
fn sentence(lines: &[&str], name: &str) -> Option<String> {
    let mut prose = String::new();
    for line in lines {
        let line = line.trim();
        let line = line
            .strip_prefix('r')
            .filter(|rest| rest.starts_with(['"', '\'']))
            .unwrap_or(line)
            .trim_start_matches(['/', '*', '#', '!', '"', '\''])
            .trim_end_matches(['/', '*', '"', '\''])
            .trim();
        if line.is_empty() && prose.is_empty() {
            continue;
        }
        if line.is_empty() || line.starts_with(['@', ':', '-', '`', '<']) {
            break;
        }
        prose.push_str(line);
        prose.push(' ');
    }
    let end = prose.find(". ").unwrap_or(prose.len());
    let text = prose[..end].trim().trim_end_matches('.');
    let text = text.strip_prefix(name).unwrap_or(text).trim();
    let words = text.split_whitespace().count();
    let marks = [
        "TODO",
        "FIXME",
        "Copyright",
        "License",
        "eslint",
        "nolint",
        "deprecated",
        "Deprecated",
    ];
    let useful =
        WORDS.contains(&words) && text.is_ascii() && !marks.iter().any(|mark| text.contains(mark));
    useful.then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::documentation;

    #[test]
    fn documentation_of_several_languages_is_found_and_can_be_removed() {
        for (path, text, lines, sentence) in [
            (
                "a.rs",
                "/// Takes the write lock of a store.\n///\n/// More.\n#[inline]\npub fn lock() {}\n",
                0..3,
                "Takes the write lock of a store",
            ),
            (
                "a.py",
                "def lock(store):\n    \"\"\"Takes the write lock of a store.\n\n    More.\n    \"\"\"\n    return 1\n",
                1..5,
                "Takes the write lock of a store",
            ),
            (
                "a.go",
                "package a\n\n// Lock takes the write lock of a store.\nfunc Lock() {}\n",
                2..3,
                "takes the write lock of a store",
            ),
        ] {
            let found = documentation(path, text);
            assert_eq!(found.len(), 1, "{path}");
            assert_eq!(found[0].lines, lines, "{path}");
            assert_eq!(found[0].sentence, sentence, "{path}");
        }
    }
}
