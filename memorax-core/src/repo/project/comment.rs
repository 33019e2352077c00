//! What code says about itself: the first sentence of a file's or a definition's documentation.

use super::prose::sentence_of;
use super::sources::ending;

/// Longest part of a file that is looked at for its own documentation, in lines.
const HEAD: usize = 120;

/// Returns the first sentence of the documentation of a whole file.
pub(crate) fn file_purpose(path: &str, text: &str, longest: usize) -> Option<String> {
    let head: Vec<&str> = text.lines().take(HEAD).collect();
    let prose = match ending(path) {
        "rs" => rust_module(&head),
        "py" | "pyi" => python_docstring(&head),
        "go" => go_package(&head),
        "java" if path.ends_with("package-info.java") => {
            let clause = head.iter().position(|line| line.starts_with("package "))?;
            above(&head[..clause])
        }
        "js" | "ts" | "tsx" | "jsx" | "mjs" | "cjs" | "mts" | "java" | "kt" | "php" | "c" | "h"
        | "cc" | "cpp" | "swift" | "scala" => block_comment(&head),
        _ => None,
    }?;
    sentence_of(&prose, longest)
}

/// Returns the first sentence of the documentation of the definition at `line`, from 1.
pub(crate) fn definition_purpose(
    path: &str,
    text: &str,
    line: u32,
    longest: usize,
) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let at = (line as usize)
        .checked_sub(1)
        .filter(|at| *at < lines.len())?;
    let prose = if ending(path) == "py" {
        let body =
            (at..lines.len().min(at + 12)).find(|at| lines[*at].trim_end().ends_with(':'))? + 1;
        python_docstring(&lines[body.min(lines.len())..lines.len().min(body + 30)])
    } else {
        above(&lines[..at])
    }?;
    sentence_of(&prose, longest)
}

fn rust_module(head: &[&str]) -> Option<String> {
    let lines: Vec<&str> = head
        .iter()
        .map(|line| line.trim())
        .skip_while(|line| !line.starts_with("//!") && !line.starts_with("/*!"))
        .take_while(|line| {
            line.starts_with("//!")
                || line.starts_with("/*!")
                || line.starts_with('*')
                || !line.starts_with("//")
        })
        .collect();
    let first = lines.first()?;
    if first.starts_with("/*!") {
        let body: Vec<&str> = lines
            .iter()
            .map(|line| {
                line.trim_start_matches("/*!")
                    .trim_end_matches("*/")
                    .trim_start_matches('*')
            })
            .collect();
        let end = lines
            .iter()
            .position(|line| line.ends_with("*/"))
            .map_or(body.len(), |at| at + 1);
        return Some(body[..end].join("\n"));
    }
    let doc: Vec<&str> = lines
        .iter()
        .map_while(|line| line.strip_prefix("//!"))
        .collect();
    Some(doc.join("\n"))
}

fn python_docstring(head: &[&str]) -> Option<String> {
    let mut lines = head
        .iter()
        .map(|line| line.trim())
        .skip_while(|line| line.is_empty() || line.starts_with('#'));
    let first = lines.next()?;
    let first = first.trim_start_matches(['r', 'R', 'u', 'b']);
    let quote = ["\"\"\"", "'''"]
        .into_iter()
        .find(|quote| first.starts_with(quote))?;
    let opened = &first[3..];
    if let Some((whole, _)) = opened.split_once(quote) {
        return Some(whole.to_owned());
    }
    let mut doc = opened.to_owned();
    for line in lines {
        doc.push('\n');
        if let Some((last, _)) = line.split_once(quote) {
            doc.push_str(last);
            break;
        }
        doc.push_str(line);
    }
    Some(doc)
}

fn go_package(head: &[&str]) -> Option<String> {
    let clause = head.iter().position(|line| line.starts_with("package "))?;
    above(&head[..clause])
}

/// Reads the comment that ends right above: line comments or a block.
fn above(lines: &[&str]) -> Option<String> {
    let mut end = lines.len();
    // Attributes, annotations and decorators stand between a definition and its documentation.
    while end > 0
        && (lines[end - 1].trim().starts_with(['@']) || lines[end - 1].trim().starts_with("#["))
    {
        end -= 1;
    }
    let last = lines.get(end.checked_sub(1)?)?.trim();
    if last.ends_with("*/") {
        let start = (0..end)
            .rev()
            .find(|at| lines[*at].trim_start().starts_with("/*"))?;
        return Some(block(&lines[start..end]));
    }
    let start = (0..end)
        .rev()
        .take_while(|at| lines[*at].trim_start().starts_with("//"))
        .last()?;
    let doc: Vec<&str> = lines[start..end]
        .iter()
        .map(|line| {
            line.trim()
                .trim_start_matches('/')
                .trim_start_matches('!')
                .trim_start()
        })
        .collect();
    Some(doc.join("\n"))
}

/// Reads the first block comments of a file, up to the first that is no licence.
fn block_comment(head: &[&str]) -> Option<String> {
    let mut at = 0;
    let mut found = String::new();
    while at < head.len() {
        let line = head[at].trim();
        if line.starts_with("/*") {
            let end = (at..head.len()).find(|end| head[*end].contains("*/"))?;
            // A comment that touches a definition belongs to it, not to the file.
            let touches = head
                .get(end + 1)
                .is_some_and(|line| !line.trim().is_empty());
            let text = block(&head[at..=end]);
            if !text.to_lowercase().contains("copyright")
                && !text.to_lowercase().contains("license")
                && !touches
            {
                found = text;
                break;
            }
            at = end + 1;
        } else if line.is_empty()
            || line.starts_with("//")
            || line.starts_with("'use strict'")
            || line.starts_with("\"use strict\"")
            || line.starts_with("#!")
        {
            at += 1;
        } else {
            break;
        }
    }
    (!found.is_empty()).then_some(found)
}

fn block(lines: &[&str]) -> String {
    let doc: Vec<&str> = lines
        .iter()
        .map(|line| {
            let line = line
                .trim()
                .trim_start_matches("/**")
                .trim_start_matches("/*");
            line.trim_end_matches("*/").trim_start_matches('*').trim()
        })
        .collect();
    doc.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_says_what_a_file_is_for() {
        for (path, text, expected) in [
            (
                "a.rs",
                "// Copyright\n\n/*!\nThe ignore crate walks. Fast.\n*/\nuse x;",
                Some("The ignore crate walks."),
            ),
            (
                "a.rs",
                "//! # Title\n//!\n//! Reads [`Files`](x) by\n//! name.\n\nfn x() {}",
                Some("Reads `Files` by name."),
            ),
            (
                "a.py",
                "\"\"\"\nrequests.adapters\n~~~~~~~~\n\nThis module contains the adapters.\n\"\"\"\n",
                Some("This module contains the adapters."),
            ),
            (
                "a.py",
                "import os\n\"\"\"no docstring here at all\"\"\"",
                None,
            ),
            (
                "a.go",
                "// Copyright 2014\n\n// Package gin implements a HTTP web framework.\n// More.\npackage gin",
                Some("Package gin implements a HTTP web framework."),
            ),
            (
                "a.go",
                "// Copyright 2014 Somebody.\n// license here\n\npackage gin",
                None,
            ),
            (
                "a.js",
                "/*!\n * express\n * Copyright(c) TJ\n */\n\n'use strict';\nvar x",
                None,
            ),
        ] {
            assert_eq!(
                file_purpose(path, text, 100).as_deref(),
                expected,
                "{path}: {text}"
            );
        }
    }

    #[test]
    fn a_definition_is_described_by_what_stands_above_or_inside() {
        let rust = "/// Walks a tree, e.g. of files. Fast.\n#[derive(Debug)]\npub struct Walk;";
        assert_eq!(
            definition_purpose("a.rs", rust, 3, 80).as_deref(),
            Some("Walks a tree, e.g. of files.")
        );
        let python = "class Flask(App):\n    \"\"\"The flask object implements :class:`~x.Wsgi` things.  More.\n    \"\"\"\n";
        assert_eq!(
            definition_purpose("a.py", python, 1, 80).as_deref(),
            Some("The flask object implements `x.Wsgi` things.")
        );
    }
}
