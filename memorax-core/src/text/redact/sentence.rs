//! What people write around a secret in a sentence: `the password for staging is ...`, `staging: password: ...`, `my API key: ...`.

/// Most words that say whose a secret is.
const LONGEST_OWNER: usize = 4;

/// Words that only code has before a name.
#[rustfmt::skip]
const CODE: &[&str] = &[
    "const", "def", "field", "final", "fn", "fun", "internal", "let", "mut", "private", "property", "protected", "pub",
    "public", "readonly", "static", "type", "val", "var",
];

/// Says whether what stands before a name on its line is prose: a label with a colon, or two words and more.
pub(super) fn is_sentence(head: &str) -> bool {
    let head = head.trim_ascii();
    let is_prose = head
        .chars()
        .all(|sign| sign.is_alphanumeric() || " -_./:,'’#*>".contains(sign));
    let words = head.split_ascii_whitespace();
    let has_code = words.clone().any(|word| CODE.contains(&word));
    let spoken = words
        .filter(|word| word.contains(char::is_alphabetic))
        .count();
    is_prose && !has_code && (spoken >= 2 || (spoken == 1 && head.ends_with(':')))
}

/// Returns the length of ` for ... is ` or ` for ...: ` at the start of a text.
pub(super) fn owner(rest: &str) -> Option<usize> {
    let begins = ["for ", "of ", "on ", "in ", "to ", "at ", "für ", "pour "]
        .iter()
        .find(|word| rest.starts_with(**word))?;
    let mut at = begins.len();
    for _ in 0..=LONGEST_OWNER {
        let word = rest[at..].split([' ', '\n']).next()?;
        let after = at + word.len();
        if ["is", "was", "=", "ist", "est"].contains(&word) {
            return (at > begins.len() && rest[after..].starts_with(' ')).then_some(after);
        }
        let plain = word.trim_end_matches(':');
        let is_name = !plain.is_empty()
            && plain
                .chars()
                .all(|sign| sign.is_alphanumeric() || "-_./".contains(sign));
        if !is_name || !rest[after..].starts_with(' ') {
            return None;
        }
        if plain.len() < word.len() {
            return Some(after);
        }
        at = after + 1;
    }
    None
}

/// Returns a name of two words, where the second alone says little: `API key` is `API_key`.
pub(super) fn word_before(before: &str, name: &str) -> Option<String> {
    if !["key", "keys", "token"].contains(&name.to_ascii_lowercase().as_str()) {
        return None;
    }
    let word = before.strip_suffix(' ')?;
    let length = word
        .bytes()
        .rev()
        .take(20)
        .take_while(u8::is_ascii_alphanumeric)
        .count();
    (length > 0).then(|| {
        format!(
            "{}_{name}",
            word[word.len() - length..].to_ascii_lowercase()
        )
    })
}

#[cfg(test)]
mod tests {
    use super::{is_sentence, owner, word_before};

    #[test]
    fn prose_is_told_from_code() {
        for (head, expected) in [
            ("staging: ", true),
            ("the db ", true),
            ("- for the test server, ", true),
            ("private readonly ", false),
            ("login(user, ", false),
            ("readonly ", false),
            ("", false),
        ] {
            assert_eq!(is_sentence(head), expected, "{head}");
        }
    }

    #[test]
    fn an_owner_may_stand_between() {
        assert_eq!(owner("for staging is x"), Some("for staging is".len()));
        assert_eq!(
            owner("of the old server: x"),
            Some("of the old server:".len())
        );
        assert_eq!(owner("for is x"), None);
        assert_eq!(owner("for a(b) is x"), None);
        assert_eq!(owner("for one two three four five is x"), None);
    }

    #[test]
    fn two_words_are_one_name() {
        assert_eq!(word_before("my API ", "key").as_deref(), Some("api_key"));
        assert_eq!(word_before("my API", "key"), None);
        assert_eq!(word_before("API ", "password"), None);
    }
}
