//! Splits text into words: identifiers whole and by their parts, in lower case.

/// Calls `visit` with every word of `text`.
pub(in crate::repo) fn for_each_word(text: &str, mut visit: impl FnMut(&str)) {
    let mut whole = String::new();
    for identifier in text.split(|letter: char| !letter.is_alphanumeric() && letter != '_') {
        if identifier.is_empty() || identifier.len() > 100 {
            continue;
        }
        let mut parts = Vec::new();
        for piece in identifier.split('_').filter(|piece| !piece.is_empty()) {
            let letters: Vec<(usize, char)> = piece.char_indices().collect();
            let mut start = 0;
            for index in 1..letters.len() {
                let (at, letter) = letters[index];
                let before = letters[index - 1].1;
                let next_lower = letters
                    .get(index + 1)
                    .is_some_and(|next| next.1.is_lowercase());
                if letter.is_uppercase() && (before.is_lowercase() || next_lower)
                    || letter.is_numeric() != before.is_numeric()
                {
                    parts.push(&piece[start..at]);
                    start = at;
                }
            }
            parts.push(&piece[start..]);
        }
        if parts.len() > 1 {
            whole.clear();
            whole.extend(identifier.chars().flat_map(char::to_lowercase));
            visit(&whole);
        }
        for part in parts {
            whole.clear();
            whole.extend(part.chars().flat_map(char::to_lowercase));
            visit(&whole);
        }
    }
}
