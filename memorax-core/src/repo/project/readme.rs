//! What a README says that a project is.

use super::facts::one_line;
use super::prose::{first_sentence, is_underline};

pub(super) fn title(text: &str) -> Option<String> {
    let line = text.lines().find(|line| line.starts_with("# "))?;
    let title = plain(line.trim_start_matches('#').trim());
    let title = title
        .trim_matches(|letter: char| !letter.is_alphanumeric())
        .to_owned();
    (title.split_whitespace().count() <= 3 && !title.is_empty()).then_some(title)
}

/// Returns the first sentence that says what the project is: of the first paragraph that begins with its name, else
/// of the first.
pub(super) fn prose(text: &str, name: Option<&str>) -> Option<String> {
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
    if let Some(about) = about {
        return Some(first_sentence(about, 240));
    }
    let (at, sentence) = found
        .iter()
        .map(|paragraph| first_sentence(paragraph, 240))
        .enumerate()
        .find(|(_, sentence)| says_what_it_is(sentence))?;
    let points_back = ["it ", "they "]
        .iter()
        .any(|start| sentence.to_lowercase().starts_with(start));
    // A pronoun is understood only after the paragraph that it points back to.
    match at.checked_sub(1).filter(|_| points_back) {
        Some(before) => Some(whole_sentences(&found[before], 280)),
        None => Some(sentence),
    }
}

/// Takes as many whole sentences as fit, at least the first.
fn whole_sentences(text: &str, longest: usize) -> String {
    let ends = text
        .match_indices(". ")
        .map(|(at, _)| at + 1)
        .chain([text.len()]);
    match ends.take_while(|end| *end <= longest).last() {
        Some(end) => text[..end].to_owned(),
        None => first_sentence(text, longest),
    }
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

/// Strips links, images, emphasis and tags; what is code stays as it is.
pub(super) fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        if let Some((code, after)) = rest.strip_prefix('`').and_then(|code| code.split_once('`')) {
            out.push('`');
            out.push_str(code);
            out.push('`');
            rest = after;
        } else if let Some(image) = rest.strip_prefix("![") {
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
    fn a_pronoun_is_told_by_what_it_points_back_to() {
        let text = "# X Y\n\nAgents start cold here. X Y helps them out.\n\nIt is a library, and a tool.\n";
        assert_eq!(
            prose(text, Some("X Y")).as_deref(),
            Some("Agents start cold here. X Y helps them out.")
        );
    }
}
