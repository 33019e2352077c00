//! Small pieces of text: ids, counts, sizes, and foreign text without its teeth.

use std::borrow::Cow;
use std::fmt::Display;

/// Replaces characters that move the cursor, recolor or reorder a terminal by their code.
///
/// Memories come from agents, tools and web pages; what they say must not act on the reader's terminal.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(acts) {
        return Cow::Borrowed(text);
    }
    let mut clean = String::with_capacity(text.len() + 16);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter == '\r' && letters.peek() == Some(&'\n') {
            continue;
        }
        if acts(letter) {
            clean.extend(letter.escape_unicode());
        } else {
            clean.push(letter);
        }
    }
    Cow::Owned(clean)
}

fn acts(letter: char) -> bool {
    (letter.is_control() && letter != '\n' && letter != '\t')
        || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Folds a text into one line.
pub(crate) fn one_line(text: &str) -> String {
    let folded: Vec<&str> = text.split_whitespace().collect();
    visible(&folded.join(" ")).into_owned()
}

/// Shortens an id to its last eight digits, which are random; commands take them back.
pub(crate) fn short(id: impl Display) -> String {
    let id = id.to_string();
    id[id.len().saturating_sub(8)..].to_owned()
}

/// Shortens a commit to the digits that git prints.
pub(crate) fn commit(id: &str) -> &str {
    id.get(..8).unwrap_or(id)
}

/// Says how many of something there are.
pub(crate) fn count(number: usize, one: &str, many: &str) -> String {
    if number == 1 {
        format!("1 {one}")
    } else {
        format!("{} {many}", self::number(number as u64))
    }
}

/// Prints a number with its thousands apart.
pub(crate) fn number(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Prints a size.
pub(crate) fn bytes(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["kB", "MB", "GB", "TB"];
    if bytes < 1000 {
        return format!("{bytes} B");
    }
    let mut size = bytes as f64 / 1000.0;
    let mut unit = 0;
    while size >= 999.95 && unit + 1 < UNITS.len() {
        size /= 1000.0;
        unit += 1;
    }
    format!("{size:.1} {}", UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_act_on_the_terminal() {
        assert_eq!(visible("a\tb\nc"), "a\tb\nc");
        assert_eq!(
            visible("a\r\nb"),
            "a\nb",
            "line ends of Windows are no attack"
        );
        assert_eq!(visible("\u{1b}[2Jgone"), "\\u{1b}[2Jgone");
        assert_eq!(visible("abc\u{202e}cba"), "abc\\u{202e}cba");
        assert_eq!(one_line("a\n\n  b\u{7}"), "a b\\u{7}");
    }

    #[test]
    fn numbers_and_sizes_are_short() {
        assert_eq!(
            [number(0), number(999), number(1_234_567)],
            ["0", "999", "1,234,567"]
        );
        assert_eq!(
            [bytes(999), bytes(1000), bytes(999_960)],
            ["999 B", "1.0 kB", "1.0 MB"]
        );
        assert_eq!(count(1, "memory", "memories"), "1 memory");
        assert_eq!(count(0, "memory", "memories"), "0 memories");
    }
}
