//! Finds secrets by the name in front of them: `API_KEY=...`, `"password": "..."`, `--token ...`, `apiKey: '...'`; what
//! stands between the two in a sentence is in `sentence.rs`.

use std::ops::Range;

use super::judge::{Form, MAXIMUM_VALUE, is_secret, is_stand_in};
use super::names::{Holds, holds, service_of};
use super::sentence::{is_sentence, owner, word_before};

/// Longest name that is looked at, in bytes.
const MAXIMUM_NAME: usize = 100;

/// Longest value without quotes in what may be code, in bytes.
const MAXIMUM_BARE: usize = 512;

/// Returns the secret that follows the name around `inside`, the rule's name, and where the name ends.
pub(super) fn assigned(text: &str, inside: usize) -> (Option<(Range<usize>, &'static str)>, usize) {
    let bytes = text.as_bytes();
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.".contains(byte);
    let before = bytes[..inside]
        .iter()
        .rev()
        .take(MAXIMUM_NAME)
        .take_while(|byte| is_part(byte))
        .count();
    let after = bytes[inside..]
        .iter()
        .take(MAXIMUM_NAME)
        .take_while(|byte| is_part(byte))
        .count();
    let (start, end) = (inside - before, inside + after);
    let name = text[start..end].trim_end_matches(['-', '.']);
    let spoken = word_before(&text[..start], name);
    let found = spoken
        .as_deref()
        .and_then(holds)
        .filter(|holds| *holds == Holds::Secret)
        .or_else(|| holds(name))
        .and_then(|holds| {
            let place = Place {
                text,
                start,
                end: start + name.len(),
            };
            place.values(holds).into_iter().find_map(|value| {
                let secret = &text[value.range.clone()];
                let rule = match service_of(name, secret) {
                    Some(rule) if !is_stand_in(secret) => rule,
                    _ if is_secret(secret, holds, value.form) => rule_of(holds),
                    _ => return None,
                };
                Some((value.range, rule))
            })
        });
    (found, end)
}

/// Names of the rules of this file.
pub(super) const RULES: [&str; 4] = ["password", "secret", "token", "key"];

fn rule_of(holds: Holds) -> &'static str {
    match holds {
        Holds::Password => "password",
        Holds::Secret => "secret",
        Holds::Token => "token",
        Holds::Key => "key",
    }
}

/// A value that a name may have.
struct Value {
    range: Range<usize>,
    form: Form,
}

/// A name in its text.
#[derive(Clone, Copy)]
struct Place<'a> {
    text: &'a str,
    start: usize,
    end: usize,
}

impl Place<'_> {
    /// Returns what may be the value of the name: usually one, two where a type stands between.
    fn values(self, holds: Holds) -> Vec<Value> {
        let mut at = self.end;
        // `environ["NAME"] =`, `\"name\":`, `<name>`
        at = self.skip(at, |byte| b"\\\"'])".contains(&byte), 4);
        let closed = at;
        at = self.skip(at, |byte| byte == b' ' || byte == b'\t', 40);
        let rest = &self.text[at..];
        let (operator, form) = self.operator(rest, at, closed, holds);
        let Some(length) = operator else {
            return Vec::new();
        };
        let mut values = Vec::new();
        let Some((value, end)) = self.value(at + length, form) else {
            return values;
        };
        // `password: str = "..."`: what follows the colon is a type.
        let behind = self.skip(end, |byte| b" \t?|".contains(&byte), 10);
        let assigns =
            self.text[behind..].starts_with('=') && !self.text[behind..].starts_with("==");
        values.push(value);
        if rest.starts_with(':') && assigns {
            values.extend(self.value(behind + 1, form).map(|(value, _)| value));
        }
        values
    }

    /// Returns the length of what stands between name and value, and whether the value can be code.
    fn operator(self, rest: &str, at: usize, closed: usize, holds: Holds) -> (Option<usize>, Form) {
        let is_tight = at == closed;
        for operator in [
            "===", "!==", ":=", "=>", "==", "!=", "?=", "||=", "||", "??",
        ] {
            if rest.starts_with(operator) {
                return (Some(operator.len()), Form::Bare);
            }
        }
        if rest.starts_with('=') {
            return (
                Some(1),
                if is_tight && self.is_setting(at) {
                    Form::Literal
                } else {
                    Form::Bare
                },
            );
        }
        // `arn:aws:...:secret:name` is a list of parts, not a name and a value.
        let is_part = is_tight && self.text[..self.start].ends_with(':');
        if rest.starts_with(':') && !rest.starts_with("::") && !is_part {
            return (
                Some(1),
                if self.is_setting(at) {
                    Form::Literal
                } else {
                    self.sentence()
                },
            );
        }
        // `getenv("NAME", "...")` and `<name>...</name>`: only with a quote or at once.
        if rest.starts_with(',')
            && closed > self.end
            && self.begins_arguments()
            && rest[1..].trim_start().starts_with(['"', '\''])
        {
            return (Some(1), Form::Bare);
        }
        if rest.starts_with('>') && is_tight && self.text[..self.start].ends_with('<') {
            return (Some(1), Form::Literal);
        }
        if closed > self.end {
            // A field with a name and a value, as in lists of environment variables.
            return (next_field(rest), Form::Literal);
        }
        if let Some(length) = next_field(rest) {
            return (Some(length), Form::Literal);
        }
        let is_option = self.text[self.start..self.end].starts_with("--");
        let is_sure = matches!(holds, Holds::Password | Holds::Secret | Holds::Token);
        if is_option && !is_tight {
            return (Some(0), Form::Literal);
        }
        if is_sure && !is_tight {
            for word in ["is ", "was ", "ist ", "est "] {
                if rest.starts_with(word) {
                    return (Some(word.len()), self.sentence());
                }
            }
            // `the password for staging is ...`
            if let Some(length) = owner(rest) {
                return (Some(length), Form::Prose);
            }
        }
        (None, Form::Bare)
    }

    /// Says whether the line can only be of a file of settings or of a shell: `NAME=value`, `name: value`.
    fn is_setting(self, operator: usize) -> bool {
        let is_alone = self.head().is_some_and(|head| {
            let head = head
                .trim_ascii_start()
                .trim_start_matches(['-', '+', '>', ' ']);
            head.is_empty() || ["export ", "set ", "ENV ", "env ", "$env:"].contains(&head)
        });
        let tail = &self.text.as_bytes()[operator..];
        let is_upper = !self.text[self.start..self.end]
            .bytes()
            .any(|byte| byte.is_ascii_lowercase());
        let follows_field = self.text[..self.start].ends_with(';');
        let is_tight = tail.starts_with(b"=") && !tail.starts_with(b"= ");
        let may_be = is_alone || follows_field || (is_upper && is_tight);
        if !may_be {
            return false;
        }
        let line = tail
            .iter()
            .take(MAXIMUM_VALUE)
            .take_while(|byte| **byte != b'\n')
            .count();
        let last = tail[..line]
            .trim_ascii_end()
            .last()
            .copied()
            .unwrap_or_default();
        !b",({[\\".contains(&last) && (is_upper || follows_field || last != b';')
    }

    /// Returns the form of a value whose name may stand in a sentence.
    fn sentence(self) -> Form {
        if self.head().is_some_and(is_sentence) {
            Form::Prose
        } else {
            Form::Bare
        }
    }

    /// Returns the line before the name, if it is short: looking for the start of a line of a megabyte at each of its
    /// names would take hours.
    fn head(&self) -> Option<&str> {
        const LONGEST: usize = 80;
        let before = &self.text.as_bytes()[..self.start];
        let length = before
            .iter()
            .rev()
            .take(LONGEST)
            .take_while(|byte| **byte != b'\n')
            .count();
        (length < LONGEST).then(|| &self.text[self.start - length..self.start])
    }

    /// Says whether the name, in quotes, is the first argument of a call.
    fn begins_arguments(self) -> bool {
        let mut call = &self.text.as_bytes()[..self.start];
        if let [before @ .., b'"' | b'\''] = call {
            call = before;
        }
        matches!(call, [.., name, b'('] if name.is_ascii_alphanumeric() || *name == b'_')
    }

    fn skip(self, at: usize, accepts: impl Fn(u8) -> bool, most: usize) -> usize {
        at + self.text.as_bytes()[at..]
            .iter()
            .take(most)
            .take_while(|byte| accepts(**byte))
            .count()
    }

    /// Reads the value at a place: its range, and where it ends with its quotes.
    fn value(self, at: usize, form: Form) -> Option<(Value, usize)> {
        let mut at = self.skip(at, |byte| byte == b' ' || byte == b'\t', 40);
        let bytes = self.text.as_bytes();
        // Prefixes of strings: `b"..."`, `f'...'`, `@"..."`.
        if bytes
            .get(at)
            .is_some_and(|byte| b"bBrRfFuU@L".contains(byte))
            && bytes.get(at + 1).is_some_and(|byte| b"\"'".contains(byte))
        {
            at += 1;
        }
        let escaped = bytes.get(at) == Some(&b'\\')
            && bytes.get(at + 1).is_some_and(|byte| b"\"'".contains(byte));
        let quote_at = at + usize::from(escaped);
        if let Some(quote) = bytes
            .get(quote_at)
            .copied()
            .filter(|byte| b"\"'`".contains(byte))
        {
            let start = quote_at + 1;
            let mut end = start;
            while let Some(&byte) = bytes.get(end) {
                if byte == quote || byte == b'\n' || end - start > MAXIMUM_VALUE {
                    break;
                }
                end += if byte == b'\\' && !escaped { 2 } else { 1 };
            }
            if bytes.get(end) != Some(&quote) {
                // The text was cut off: take what is there.
                end = end.min(bytes.len());
                while !self.text.is_char_boundary(end) {
                    end -= 1;
                }
            }
            let close = end;
            let end = if escaped && end > start && bytes[end - 1] == b'\\' {
                end - 1
            } else {
                end
            };
            let value = Value {
                range: self.inner(start..end),
                form: Form::Literal,
            };
            return Some((value, close + 1))
                .filter(|(_, close)| *close <= bytes.len())
                .or_else(|| {
                    Some((
                        Value {
                            range: self.inner(start..end),
                            form: Form::Literal,
                        },
                        bytes.len(),
                    ))
                });
        }
        let accepts = |byte: u8| byte.is_ascii_graphic() && !b"\"'`,;<>(){}[]&|\\".contains(&byte);
        let most = match form {
            Form::Bare | Form::Prose => MAXIMUM_BARE,
            Form::Literal => MAXIMUM_VALUE,
        };
        let end = self.skip(at, accepts, most);
        let value = &self.text[at..end];
        // In prose a sentence may end here, in code a call, an index or a generic type may follow.
        let (value, calls) = match form {
            Form::Bare | Form::Prose => {
                (value.trim_end_matches(['.', ':', '!', '?']), &b"([{<"[..])
            }
            Form::Literal => (value, &b"([{"[..]),
        };
        let is_followed = bytes.get(end).is_some_and(|next| calls.contains(next));
        let range = at..at + value.len();
        (!range.is_empty() && !is_followed).then_some((Value { range, form }, end))
    }

    /// Leaves out a scheme in front of the secret.
    fn inner(self, range: Range<usize>) -> Range<usize> {
        let value = &self.text[range.clone()];
        for scheme in ["Bearer ", "bearer ", "Basic ", "Token ", "token "] {
            if value.starts_with(scheme) {
                return range.start + scheme.len()..range.end;
            }
        }
        range
    }
}

/// Returns the length of the end of one line and `value:` in the next, as in lists of environment variables.
fn next_field(rest: &str) -> Option<usize> {
    let separated = rest.strip_prefix(',').unwrap_or(rest);
    let field = separated.trim_start_matches([' ', '\t', '\r', '\n']);
    if field.len() == separated.len() || separated.len() - field.len() > 60 {
        return None;
    }
    let quote = field.starts_with(['"', '\'']);
    let name = &field[usize::from(quote)..];
    if !name.get(..5)?.eq_ignore_ascii_case("value") {
        return None;
    }
    let after = name[5..].trim_start_matches(['"', '\'', ' ']);
    after
        .starts_with([':', '='])
        .then(|| rest.len() - after.len() + 1)
}
