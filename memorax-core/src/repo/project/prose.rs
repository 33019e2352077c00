//! Prose out of comments and documents: sentences without the marks around them.

use super::facts::one_line;

/// Cuts prose to its first sentence and at most `longest` characters, at a word.
pub(crate) fn first_sentence(text: &str, longest: usize) -> String {
    let text = one_line(text);
    cut(&text[..sentence_end(&text)], longest)
}

/// Returns the sentences of prose that stands in one line.
pub(super) fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (sentence, after) = rest.split_at(sentence_end(rest));
        found.push(sentence);
        rest = after.trim_start();
    }
    found
}

/// Returns where the first sentence ends, its dot included.
fn sentence_end(text: &str) -> usize {
    let mut from = 0;
    while let Some(dot) = text[from..].find(". ").map(|at| at + from) {
        let word = text[..dot].rsplit([' ', '(']).next().unwrap_or_default();
        let abbreviation = matches!(
            word,
            "e.g" | "i.e" | "etc" | "vs" | "cf" | "approx" | "Inc" | "St"
        ) || word.len() == 1;
        if !abbreviation {
            return dot + 1;
        }
        from = dot + 2;
    }
    text.len()
}

/// Cuts at a word and marks the cut.
fn cut(text: &str, longest: usize) -> String {
    if text.chars().count() <= longest {
        return text.to_owned();
    }
    let kept: String = text.chars().take(longest.saturating_sub(1)).collect();
    // Where a clause ends, what is kept can be read by itself.
    let clause = [", ", "; ", ": ", " (", " - "]
        .iter()
        .filter_map(|mark| kept.rfind(mark))
        .max()
        .filter(|end| *end > kept.len() * 3 / 5);
    let end = clause
        .or_else(|| kept.rfind(' ').filter(|end| *end > kept.len() / 2))
        .unwrap_or(kept.len());
    format!(
        "{}…",
        kept[..end].trim_end_matches([' ', ',', ';', ':', '.', '(', '-'])
    )
}

pub(super) fn sentence_of(prose: &str, longest: usize) -> Option<String> {
    // Only the first paragraph, without headings, licences and directives.
    let mut paragraph = Vec::new();
    for line in prose.lines() {
        let line = line.trim();
        let markup = line.starts_with(['#', '@', ':', '=', '|', '!', '<'])
            || line.starts_with("..")
            || line.starts_with("---")
            || line.starts_with("~~~");
        if line.is_empty() || markup {
            if paragraph.is_empty() {
                continue;
            }
            if is_underline(line) {
                paragraph.clear();
                continue;
            }
            break;
        }
        paragraph.push(line);
    }
    let text = unlinked(&paragraph.join(" "));
    let lower = text.to_lowercase();
    let legal = [
        "copyright",
        "license",
        "licence",
        "spdx",
        "eslint",
        "all rights",
        "istanbul",
        "prettier-ignore",
        "noinspection",
        "tslint",
        "jshint",
        "generated",
    ];
    let head: String = lower.chars().take(80).collect();
    let boilerplate = [
        "module dependencies",
        "module exports",
        "module variables",
        "expose ",
        "dependencies",
        "imports",
    ];
    let empty = boilerplate.iter().any(|start| lower.starts_with(start)) || text.ends_with("...");
    if empty || legal.iter().any(|word| head.contains(word)) || text.split_whitespace().count() < 2
    {
        return None;
    }
    Some(first_sentence(&text, longest))
}

pub(super) fn is_underline(line: &str) -> bool {
    line.len() >= 3
        && ['~', '=', '-', '^']
            .iter()
            .any(|mark| line.chars().all(|letter| letter == *mark))
}

/// Keeps the words of links and roles: `[text](url)`, `[text]`, `{@link X}`, ``:class:`X` ``.
fn unlinked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    // Brackets right after a word are an index or type arguments and stay.
    let mut kept = Vec::new();
    while let Some(at) = rest.find(['[', ']', '{', ':', '<']) {
        out.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        match &rest[at..=at] {
            "[" => {
                let keep = out.ends_with(|letter: char| letter.is_alphanumeric() || letter == '_');
                kept.push(keep);
                if keep {
                    out.push('[');
                }
                rest = after;
            }
            "]" if kept.pop() == Some(true) => {
                out.push(']');
                rest = after;
            }
            "]" if after.starts_with('(') => {
                rest = after.split_once(')').map_or("", |(_, after)| after);
            }
            "]" if after.starts_with('[') => {
                rest = after[1..].split_once(']').map_or("", |(_, after)| after);
            }
            "]" => rest = after,
            "{" if after.starts_with('@') => {
                let (inside, behind) = after.split_once('}').unwrap_or((after, ""));
                out.push('`');
                out.push_str(
                    inside
                        .split_once(' ')
                        .map_or("", |(_, name)| name.trim())
                        .trim_start_matches('#'),
                );
                out.push('`');
                rest = behind;
            }
            ":" => {
                let role = after.split_once(":`").filter(|(role, _)| {
                    !role.is_empty() && role.bytes().all(|letter| letter.is_ascii_lowercase())
                });
                if let Some((_, behind)) = role {
                    let (name, behind) = behind.split_once('`').unwrap_or((behind, ""));
                    let name = name.trim_start_matches(['~', '.', '!']);
                    out.push('`');
                    out.push_str(name.split(" <").next().unwrap_or_default());
                    out.push('`');
                    rest = behind;
                } else {
                    out.push(':');
                    rest = after;
                }
            }
            "<" if after
                .starts_with(|letter: char| letter.is_ascii_lowercase() || letter == '/')
                && after.contains('>') =>
            {
                rest = after.split_once('>').map_or("", |(_, after)| after);
            }
            other => {
                out.push_str(other);
                rest = after;
            }
        }
    }
    out.push_str(rest);
    one_line(&out.replace("``", "`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_where_they_end() {
        assert_eq!(
            first_sentence("Walks a tree, e.g. of files. Fast.", 80),
            "Walks a tree, e.g. of files."
        );
        assert_eq!(first_sentence("one two three four five", 12), "one two…");
        assert_eq!(
            sentences("One, e.g. this. Two. Three"),
            ["One, e.g. this.", "Two.", "Three"]
        );
    }

    #[test]
    fn links_lose_their_targets_and_code_keeps_its_brackets() {
        for (text, expected) in [
            (
                "Reads [`Files`](x) by [name][y] or [key].",
                "Reads `Files` by name or key.",
            ),
            (
                "A `list[str]` of {@link Gson#toJson}: see :class:`~x.Y` here.",
                "A `list[str]` of `Gson#toJson`: see `x.Y` here.",
            ),
        ] {
            assert_eq!(sentence_of(text, 200).as_deref(), Some(expected));
        }
    }
}
