//! JSON with comments, as editors and JavaScript tools read it.

use serde_json::Value;

/// Reads JSON; comments and trailing commas are allowed.
pub(super) fn parse(text: &str) -> Result<Value, String> {
    serde_json::from_str(text)
        .or_else(|_| serde_json::from_str(&plain(text)))
        .map_err(|error| error.to_string())
}

/// Blanks comments and trailing commas outside strings.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    let mut in_string = false;
    while let Some(letter) = letters.next() {
        if in_string {
            out.push(letter);
            if letter == '\\' {
                out.extend(letters.next());
            }
            in_string = letter != '"';
            continue;
        }
        match (letter, letters.peek()) {
            ('/', Some('/')) => while letters.next_if(|next| *next != '\n').is_some() {},
            ('/', Some('*')) => {
                letters.next();
                let mut previous = ' ';
                for next in letters.by_ref() {
                    if previous == '*' && next == '/' {
                        break;
                    }
                    previous = next;
                }
            }
            (']' | '}', _) => {
                let kept = out.trim_end().trim_end_matches(',').len();
                out.truncate(kept);
                out.push(letter);
            }
            _ => {
                in_string = letter == '"';
                out.push(letter);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_trailing_commas_are_no_harm() -> Result<(), String> {
        let value =
            parse("{ // one\n \"a\": \"// no \\\" comment\", /* two */ \"b\": [1, 2,],\n}")?;
        assert_eq!(
            value,
            serde_json::json!({"a": "// no \" comment", "b": [1, 2]})
        );
        Ok(())
    }
}
