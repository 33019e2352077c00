//! README and the documents for contributors: what the project is, and the commands they name.

use super::facts::{Facts, one_line};
use super::sources::Sources;
use super::{Basis, shell};
use crate::repo::project::comment::first_sentence;

const READMES: &[&str] = &[
    "README.md",
    "Readme.md",
    "readme.md",
    "README.rst",
    "README.adoc",
    "README.txt",
    "README",
    "README.markdown",
];
/// Most pages of a contributors' manual that are read.
const MOST_PAGES: usize = 12;
const GUIDES: &[&str] = &[
    "AGENTS.md",
    "CLAUDE.md",
    ".github/copilot-instructions.md",
    "CONTRIBUTING.md",
    "CONTRIBUTING.rst",
    "contributing.md",
    ".github/CONTRIBUTING.md",
    "docs/CONTRIBUTING.md",
    "docs/contributing.md",
    "docs/contributing.rst",
    "ARCHITECTURE.md",
    "docs/ARCHITECTURE.md",
    "docs/architecture.md",
    "DEVELOPMENT.md",
    "docs/development.md",
    "HACKING.md",
    "BUILDING.md",
];

pub(super) fn read(sources: &Sources<'_>, facts: &mut Facts) {
    for path in GUIDES {
        if let Some(text) = sources.text(path) {
            facts.guides.push((*path).to_owned());
            commands(sources, facts, &text, path);
        }
    }
    for path in manuals(sources) {
        if let Some(text) = sources.text(path) {
            commands(sources, facts, &text, path);
        }
    }
    if let Some(path) = sources.first(READMES)
        && let Some(text) = sources.text(path)
    {
        if let Some(title) = title(&text) {
            facts.name(2, &title);
        }
        if let Some(prose) = prose(&text, facts.best_name().as_deref()) {
            facts.describe(2, &prose);
        }
        for block in blocks(&text, is_for_developers) {
            shell::add(sources, facts, &block, "", Basis::Document, path);
        }
    }
}

/// Returns the pages of a contributors' manual.
fn manuals<'s>(sources: &Sources<'s>) -> Vec<&'s str> {
    ["docs/contributing", "docs/development", "contributing"]
        .iter()
        .flat_map(|folder| sources.below(folder))
        .map(|file| file.path.as_str())
        .filter(|path| path.ends_with(".md") || path.ends_with(".rst"))
        .take(MOST_PAGES)
        .collect()
}

/// Adds the commands of a document for contributors: shell blocks, and list items that begin with a command.
fn commands(sources: &Sources<'_>, facts: &mut Facts, text: &str, path: &str) {
    for block in blocks(text, |_| true) {
        shell::add(sources, facts, &block, "", Basis::Document, path);
    }
    for line in text
        .lines()
        .map(str::trim)
        .filter(|line| line.starts_with(['-', '*']))
    {
        let lower = line.to_lowercase();
        let warns = ["not ", "n't ", "never", "avoid", "instead", "without"]
            .iter()
            .any(|word| lower.contains(word));
        let mut spans = line.split('`');
        let lead = spans.next().unwrap_or_default();
        if let Some(command) = spans
            .next()
            .filter(|_| !warns && lead.chars().count() <= 40)
        {
            shell::add(sources, facts, command, "", Basis::Document, path);
        }
    }
}

/// A README mostly shows how the product is used; only these headings speak of working on it.
fn is_for_developers(heading: &str) -> bool {
    let heading = heading.to_lowercase();
    let words = [
        "build",
        "test",
        "develop",
        "contribut",
        "hack",
        "from source",
        "compil",
        "lint",
        "running tests",
    ];
    words.iter().any(|word| heading.contains(word))
}

/// Returns the shell blocks below headings that are wanted, prompts taken away.
fn blocks(text: &str, wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    let mut heading = String::new();
    let mut fence: Option<(String, bool, String)> = None;
    let mut previous = "";
    for line in text.lines() {
        let trimmed = line.trim();
        match &mut fence {
            Some((mark, is_shell, block)) => {
                if trimmed.starts_with(mark.as_str()) {
                    if *is_shell && wanted(&heading) {
                        found.push(without_prompts(block));
                    }
                    fence = None;
                } else {
                    block.push_str(trimmed);
                    block.push('\n');
                }
            }
            None => {
                if let Some(mark) = ["```", "~~~"]
                    .into_iter()
                    .find(|mark| trimmed.starts_with(mark))
                {
                    let language = trimmed.trim_start_matches(['`', '~']).trim().to_lowercase();
                    let language = language.split([' ', ',', '{']).next().unwrap_or_default();
                    let is_shell = matches!(
                        language,
                        "" | "sh"
                            | "bash"
                            | "shell"
                            | "console"
                            | "zsh"
                            | "text"
                            | "shell-session"
                            | "terminal"
                    );
                    fence = Some((mark.to_owned(), is_shell, String::new()));
                } else if trimmed.starts_with('#') {
                    trimmed
                        .trim_start_matches('#')
                        .trim()
                        .clone_into(&mut heading);
                } else if is_underline(trimmed) && !previous.is_empty() {
                    previous.clone_into(&mut heading);
                } else if line.starts_with([' ', '\t'])
                    && trimmed.starts_with("$ ")
                    && wanted(&heading)
                {
                    found.push(without_prompts(trimmed));
                }
                previous = trimmed;
            }
        }
    }
    found
}

fn is_underline(line: &str) -> bool {
    line.len() >= 3
        && ['=', '-', '~']
            .iter()
            .any(|mark| line.chars().all(|letter| letter == *mark))
}

/// Keeps the lines after prompts, where there are prompts: the others are output.
fn without_prompts(block: &str) -> String {
    let prompted: Vec<&str> = block
        .lines()
        .filter_map(|line| line.strip_prefix("$ "))
        .collect();
    if prompted.is_empty() {
        block.to_owned()
    } else {
        prompted.join("\n")
    }
}

fn title(text: &str) -> Option<String> {
    let line = text.lines().find(|line| line.starts_with("# "))?;
    let title = plain(line.trim_start_matches('#').trim());
    (title.split_whitespace().count() <= 3 && !title.is_empty()).then_some(title)
}

/// Returns the first sentence that says what the project is: of the first paragraph that begins with its name, else
/// of the first.
fn prose(text: &str, name: Option<&str>) -> Option<String> {
    let found = paragraphs(text);
    let name = name.map(str::to_lowercase);
    let about = found.iter().find(|paragraph| {
        let lower = paragraph.to_lowercase();
        name.as_ref().is_some_and(|name| {
            lower
                .strip_prefix(name.as_str())
                .is_some_and(|rest| rest.starts_with([' ', ',', '\'']))
        })
    });
    let fallback = || {
        found
            .iter()
            .find(|paragraph| says_what_it_is(&first_sentence(paragraph, 240)))
    };
    about
        .or_else(fallback)
        .map(|paragraph| first_sentence(paragraph, 240))
}

/// Says whether a sentence describes a thing rather than greets, links or thanks.
fn says_what_it_is(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    let starts = [
        "see ", "check ", "click ", "note", "please", "thank", "we ", "we're", "looking ",
        "warning", "read ", "join ", "if you",
    ];
    let verbs = [
        " is ",
        " are ",
        " provides ",
        " implements ",
        " lets ",
        " allows ",
        " helps ",
        " contains ",
        " makes ",
        "library",
        "framework",
        " tool",
        "collection",
        "implementation",
        "application",
        " server",
        "client",
        "plugin",
    ];
    !lower.contains("licen")
        && !starts.iter().any(|start| lower.starts_with(start))
        && verbs.iter().any(|verb| lower.contains(verb))
}

/// Returns the first paragraphs of prose, without markup.
fn paragraphs(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut paragraph = String::new();
    let mut fenced = false;
    for line in text.lines().chain([""]) {
        let trimmed = line.trim();
        if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
            fenced = !fenced;
            continue;
        }
        let markup = trimmed.starts_with(['#', '|', '>', '=', '-', '+', '!', ':', '.', '`'])
            || trimmed.starts_with("* ")
            || trimmed.starts_with('[') && (trimmed.starts_with("[!") || trimmed.contains("]: "))
            || line.starts_with("    ");
        if fenced || (markup && paragraph.is_empty()) {
            continue;
        }
        if !trimmed.is_empty() && !is_underline(trimmed) && !markup {
            paragraph.push(' ');
            paragraph.push_str(trimmed);
            continue;
        }
        let prose = plain(&paragraph);
        let enough = prose.split_whitespace().count() >= 5 && prose.contains(['.', '!', ':']);
        if enough && !is_underline(trimmed) {
            found.push(prose);
        }
        if found.len() >= 12 {
            break;
        }
        paragraph.clear();
    }
    found
}

/// Strips links, images, emphasis and tags.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        if let Some(image) = rest.strip_prefix("![") {
            rest = after_target(image.split_once(']').map_or("", |(_, after)| after));
        } else if let Some(link) = rest.strip_prefix('[') {
            let Some((label, after)) = balanced(link) else {
                rest = link;
                continue;
            };
            out.push_str(&plain(label));
            rest = after_target(after);
        } else if rest.starts_with('<')
            && rest[1..].starts_with(|letter: char| {
                letter.is_alphabetic() || letter == '/' || letter == '!'
            })
        {
            rest = rest.split_once('>').map_or("", |(_, after)| after);
        } else {
            if letter != '*' && !(letter == '_' && out.ends_with([' ', '_'])) {
                out.push(letter);
            }
            rest = &rest[letter.len_utf8()..];
        }
    }
    one_line(
        &out.replace("&nbsp;", " ")
            .replace("&amp;", "&")
            .replace("``", "`"),
    )
}

/// Splits at the bracket that closes the one already open.
fn balanced(text: &str) -> Option<(&str, &str)> {
    let mut depth = 1;
    for (at, letter) in text.char_indices() {
        match letter {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((&text[..at], &text[at + 1..]));
        }
    }
    None
}

/// Skips the target of a link, in round or square brackets.
fn after_target(text: &str) -> &str {
    for (open, close) in [('(', ')'), ('[', ']')] {
        if let Some(target) = text.strip_prefix(open) {
            return target.split_once(close).map_or("", |(_, after)| after);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_found_below_badges_and_headings() {
        let text = "<div><img src=x></div>\n\n# Flask\n\n[![Build](a)](b)\n[![x](y)](z)\n\nFlask is a lightweight [WSGI] *web* framework, see\n[docs](https://x). It began small. And more.\n\n[WSGI]: https://wsgi\n";
        assert_eq!(
            prose(text, None).as_deref(),
            Some("Flask is a lightweight WSGI web framework, see docs.")
        );
    }

    #[test]
    fn the_paragraph_that_names_the_project_describes_it() {
        let text = "# Gin\n\nWe are excited to announce Gin 2.\n\nGin is a web framework, made to last. More.\n";
        assert_eq!(
            prose(text, Some("gin")).as_deref(),
            Some("Gin is a web framework, made to last.")
        );
    }

    #[test]
    fn only_shell_below_the_right_headings_counts() {
        let text = "# x\n```sh\nusage\n```\n## Building\n```console\n$ cargo build\noutput\n```\n```rust\nfn x() {}\n```\n";
        assert_eq!(blocks(text, is_for_developers), ["cargo build"]);
    }
}
