//! README and the documents for contributors: what the project is, and the commands they name.

use super::facts::Facts;
use super::prose::is_underline;
use super::readme::{prose, title};
use super::sources::{Sources, ending};
use super::{Basis, shell};

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
            facts.rules.read(&without_comments(&text), path);
        }
    }
    for path in manuals(sources) {
        if let Some(text) = sources.text(path) {
            commands(sources, facts, &text, path);
            facts.rules.read(&without_comments(&text), path);
        }
    }
    if let Some(path) = sources.first(READMES)
        && let Some(text) = sources.text(path)
    {
        let text = without_comments(&text);
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
        .filter(|path| matches!(ending(path), "md" | "rst"))
        .take(MOST_PAGES)
        .collect()
}

/// Adds the commands of a document for contributors: shell blocks, and list items that begin with a command.
fn commands(sources: &Sources<'_>, facts: &mut Facts, text: &str, path: &str) {
    let text = &without_comments(text);
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

/// A block between fences, as far as it was read.
struct Block {
    mark: &'static str,
    is_shell: bool,
    text: String,
}

/// Returns the shell blocks below headings that are wanted, prompts taken away.
fn blocks(text: &str, wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    let mut heading = String::new();
    let mut open: Option<Block> = None;
    let mut previous = "";
    for line in text.lines() {
        let trimmed = line.trim();
        if let Some(mut block) = open.take() {
            if !trimmed.starts_with(block.mark) {
                block.text.push_str(trimmed);
                block.text.push('\n');
                open = Some(block);
            } else if block.is_shell && wanted(&heading) {
                found.push(without_prompts(&block.text));
            }
            continue;
        }
        let mark = ["```", "~~~"]
            .into_iter()
            .find(|mark| trimmed.starts_with(mark));
        if let Some(mark) = mark {
            let language = trimmed.trim_start_matches(['`', '~']).trim();
            open = Some(Block {
                mark,
                is_shell: is_shell(language),
                text: String::new(),
            });
        } else if trimmed.starts_with('#') {
            trimmed
                .trim_start_matches('#')
                .trim()
                .clone_into(&mut heading);
        } else if is_underline(trimmed) && !previous.is_empty() {
            previous.clone_into(&mut heading);
        } else if line.starts_with([' ', '\t']) && trimmed.starts_with("$ ") && wanted(&heading) {
            found.push(without_prompts(trimmed));
        }
        previous = trimmed;
    }
    found
}

fn is_shell(language: &str) -> bool {
    let language = language.to_lowercase();
    let name = language.split([' ', ',', '{']).next().unwrap_or_default();
    matches!(
        name,
        "" | "sh" | "bash" | "shell" | "console" | "zsh" | "text" | "shell-session" | "terminal"
    )
}

/// Takes away what a document hides from its readers.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, hidden)) = rest.split_once("<!--") {
        out.push_str(before);
        rest = hidden.split_once("-->").map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    out
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_shell_below_the_right_headings_counts() {
        let text = "# x\n```sh\nusage\n```\n## Building\n```console\n$ cargo build\noutput\n```\n```rust\nfn x() {}\n```\n";
        assert_eq!(blocks(text, is_for_developers), ["cargo build"]);
    }
}
