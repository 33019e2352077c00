//! Light stemming of English words, so that `branches` finds `branch`, and the words that say nothing.

/// Fewest letters that must stay when `-ing` or `-ed` is cut off.
const STAY: usize = 4; // Measured on code search: shorter stems join words that have nothing in common.

/// Cuts the ending of a lower-case word in place.
///
/// Only endings of inflection are cut; a text and a query pass through the same function, so that the result
/// need not be a word, only the same for both.
pub(super) fn stem(word: &mut String) {
    if !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return;
    }
    if word.len() < 4 {
        return;
    }
    if word.ends_with('s') && !word.ends_with("ss") {
        if word.len() == 4 {
            word.pop();
            return;
        }
        cut_plural(word);
    }
    for ending in ["ing", "ed"] {
        if word.ends_with(ending) && word.len() - ending.len() >= STAY {
            word.truncate(word.len() - ending.len());
            undouble(word);
            return drop_final_e(word);
        }
    }
    drop_final_e(word);
}

fn cut_plural(word: &mut String) {
    if word.ends_with("ies") {
        word.truncate(word.len() - 3);
        word.push('y');
    } else if ["sses", "xes", "zzes"]
        .iter()
        .any(|ending| word.ends_with(ending))
    {
        word.truncate(word.len() - 2);
    } else {
        word.pop();
    }
}

/// Turns `stopp` of `stopped` into `stop`; `ll`, `ss` and `zz` also end words that were never doubled.
fn undouble(word: &mut String) {
    let bytes = word.as_bytes();
    let [.., before, last] = bytes else { return };
    if before == last && !b"aeioulsz".contains(last) {
        word.pop();
    }
}

fn drop_final_e(word: &mut String) {
    if word.len() > STAY && word.ends_with('e') {
        word.pop();
    }
}

/// Says whether a lower-case word is so common in English that it tells nothing about a text.
#[rustfmt::skip]
pub(super) fn is_stop_word(word: &str) -> bool {
    match word.len() {
        1 => word == "a",
        2 => matches!(
            word,
            "an" | "as" | "at" | "be" | "by" | "do" | "if" | "in" | "is" | "it" | "me" | "my" | "of" | "on" | "or"
                | "so" | "to" | "we"
        ),
        3 => matches!(
            word,
            "and" | "are" | "but" | "can" | "for" | "has" | "its" | "our" | "the" | "was" | "you"
        ),
        4 => matches!(
            word,
            "also" | "does" | "from" | "have" | "just" | "lets" | "that" | "this" | "what" | "with"
        ),
        5 => matches!(word, "there" | "these" | "which" | "would"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::stem;

    fn stemmed(word: &str) -> String {
        let mut word = word.to_owned();
        stem(&mut word);
        word
    }

    #[test]
    fn forms_of_a_word_meet() {
        for (one, other) in [
            ("branches", "branch"),
            ("queries", "query"),
            ("classes", "class"),
            ("boxes", "box"),
            ("caches", "cache"),
            ("keys", "key"),
            ("parsing", "parse"),
            ("stopped", "stop"),
            ("installed", "install"),
            ("merging", "merged"),
        ] {
            assert_eq!(stemmed(one), stemmed(other), "{one} and {other}");
        }
    }

    #[test]
    fn short_and_foreign_words_stay() {
        for word in ["ring", "red", "bus", "class", "über", "x86s"] {
            assert_eq!(stemmed(word), word);
        }
    }
}
