//! Finds passwords and tokens in URLs.

use std::ops::Range;

use super::judge::{entropy, is_stand_in, is_wordlike};

/// Longest part of an address that is looked at, in bytes.
const LONGEST: usize = 400;

/// Returns the secret in the user's part of the address whose `://` ends at `start`, and the rule's name.
pub(super) fn credentials(text: &str, start: usize) -> Option<(Range<usize>, &'static str)> {
    let rest = &text[start..];
    let mut end = rest
        .bytes()
        .take(LONGEST)
        .take_while(|byte| !byte.is_ascii_whitespace() && !b"\"'`<>()[]{}|\\^,".contains(byte))
        .count();
    while !rest.is_char_boundary(end) {
        end -= 1;
    }
    let authority = &rest[..end];
    // A password may have `/`, `?` and `#` that nobody encoded: the last `@` before a second scheme counts, but only
    // if what follows looks like a host.
    let at = user_end(authority)?;
    let user = &authority[..at];
    if let Some((name, password)) = user.split_once(':') {
        let is_secret = !password.is_empty()
            && password.len() >= 3
            && !is_placeholder(password)
            && !password.eq_ignore_ascii_case(name)
            && !name.contains('/');
        return is_secret.then(|| (start + name.len() + 1..start + at, "url-password"));
    }
    let is_token = user.len() >= 20
        && !user.contains('/')
        && user.bytes().any(|byte| byte.is_ascii_digit())
        && !is_wordlike(user)
        && !is_stand_in(user)
        && entropy(user) >= 3.2;
    is_token.then(|| (start..start + at, "url-token"))
}

fn user_end(authority: &str) -> Option<usize> {
    let first_part = authority.find(['/', '?', '#']).unwrap_or(authority.len());
    if let Some(at) = authority[..first_part].rfind('@') {
        return Some(at);
    }
    let colon = authority[..first_part].find(':')?;
    let after = &authority[colon + 1..first_part];
    // `host:8080/path@2` is an address with a port.
    if after.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    authority.rfind('@').filter(|at| {
        let host = &authority[at + 1..];
        host.starts_with(|first: char| first.is_ascii_alphanumeric())
            && (host.contains('.') || host.contains(':') || host.starts_with("localhost"))
    })
}

fn is_placeholder(password: &str) -> bool {
    password.starts_with(['$', '%', '*', '<', '{', ':']) || is_stand_in(password)
}
