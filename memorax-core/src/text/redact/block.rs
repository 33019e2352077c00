//! Finds private keys in PEM and PGP armour, also where the end was cut off.

use std::ops::Range;

/// Longest armour that is looked through for its end, in bytes.
const LONGEST: usize = 64 * 1024;

/// Longest label, in bytes.
const LABEL: usize = 60;

/// Fewest signs of base 64 that make a body: less is text about keys.
const BODY: usize = 24;

/// Returns the private key whose `-----BEGIN ` stands at `start`.
pub(super) fn private_key(text: &str, start: usize) -> Option<Range<usize>> {
    let rest = &text[start..];
    let label_at = "-----BEGIN ".len();
    // Labels have no dashes.
    let label_length = rest.as_bytes()[label_at..]
        .iter()
        .take(LABEL)
        .position(|byte| *byte == b'-')?;
    let label_end = label_at + label_length;
    let label = &rest[label_at..label_end];
    if !label.contains("PRIVATE KEY") || !rest[label_end..].starts_with("-----") {
        return None;
    }
    let body_at = label_end + 5;
    let mut limit = rest.len().min(body_at + LONGEST);
    while !rest.is_char_boundary(limit) {
        limit -= 1;
    }
    let body = &rest[body_at..limit];
    // No armour has five dashes inside: the next are those of the end, or the end was cut off before them.
    let dashes = body.find("-----").unwrap_or(body.len());
    let end_mark = format!("-----END {label}-----");
    if body[dashes..].starts_with(&end_mark) {
        let end = start + body_at + dashes + end_mark.len();
        return (signs(&body[..dashes]) >= BODY).then_some(start..end);
    }
    let body = &body[..dashes];
    let end = body[..cut_off(body)].trim_end().len();
    (signs(&body[..end]) >= BODY).then(|| start..start + body_at + end)
}

/// Returns where a body ends whose last line is missing.
fn cut_off(body: &str) -> usize {
    if body.starts_with('\\') {
        // Escaped line ends make one long line of the armour; its quote ends it.
        return body
            .find(|character: char| {
                !(character.is_ascii_alphanumeric() || "+/=\\".contains(character))
            })
            .unwrap_or(body.len());
    }
    let is_inside = |line: &&str| line.trim().is_empty() || is_body(line);
    body.split_inclusive('\n')
        .take_while(is_inside)
        .map(str::len)
        .sum()
}

fn signs(body: &str) -> usize {
    body.split(|character: char| !(character.is_ascii_alphanumeric() || "+/=".contains(character)))
        .filter(|run| run.len() >= 12)
        .map(str::len)
        .sum()
}

/// Says whether a line can belong to armour: base 64 between quotes, line ends in escapes, or a header.
fn is_body(line: &str) -> bool {
    let line = line.trim();
    let is_header = line.split_once(": ").is_some_and(|(name, _)| {
        ["Proc-Type", "DEK-Info", "Version", "Comment", "Hash"].contains(&name)
    });
    let longest = line
        .replace("\\n", "\n")
        .split(|character: char| !(character.is_ascii_alphanumeric() || "+/=".contains(character)))
        .map(str::len)
        .max()
        .unwrap_or(0);
    // The last line of a key may be short; a word of prose has a space beside it.
    is_header || longest >= 16 || (!line.contains(' ') && longest == line.len())
}
