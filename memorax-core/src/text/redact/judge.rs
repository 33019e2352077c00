//! Tells the value of a secret from a placeholder, a path, a word or code.

use super::names::Holds;

/// How a value stands in its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Between quotes, or in a line of a file of settings: cannot be code.
    Literal,
    /// Bare: may be the name of a variable.
    Bare,
    /// Bare in a sentence that says what it is: cannot be code, and the sentence may end behind it.
    Prose,
}

/// Says whether the value of a name that may hold a secret is one.
///
/// Bounds for random strings: 3.5 bits in a character, the usual one of scanners for values behind a telling name;
/// hexadecimal digits have at most 4, so they need 3.
pub(super) fn is_secret(value: &str, holds: Holds, form: Form) -> bool {
    if !value.is_ascii() || value.len() > MAXIMUM_VALUE {
        return false;
    }
    // The cheap question first: most values are words of code.
    if !is_random(value, holds, form) {
        return false;
    }
    let is_code = is_number(value) || (form == Form::Bare && is_member(value));
    !is_code && !is_reference(value) && !is_stand_in(value)
}

/// Says whether a value is as a secret of its kind would be.
fn is_random(value: &str, holds: Holds, form: Form) -> bool {
    let kinds = Kinds::of(value);
    if kinds.letters == 0 || kinds.spaces > 0 || kinds.brackets > 1 {
        return false;
    }
    if kinds.digits == 0 && kinds.signs == 0 && !kinds.is_mixed_case() {
        return false;
    }
    let bits = entropy(value);
    if holds == Holds::Password {
        let is_mixed = kinds.digits > 0 || (kinds.signs > 0 && !is_wordlike(value));
        let enough = if form == Form::Literal { 6 } else { 8 };
        // `max_retries2`, `req.pw1`: a bare name with a digit is code unless it is no name at all.
        let may_be_code =
            form == Form::Bare && kinds.signs == kinds.dots + kinds.joints && is_wordlike(value);
        return is_mixed && value.len() >= enough && bits >= 2.2 && !may_be_code;
    }
    if kinds.digits == 0 && !(kinds.is_mixed_case() && value.len() >= 24 && !is_wordlike(value)) {
        return false;
    }
    if is_uuid(value) {
        return holds == Holds::Secret;
    }
    if is_wordlike(value) {
        return false;
    }
    if value.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return value.len() >= 20 && bits >= 3.0;
    }
    match holds {
        Holds::Password | Holds::Secret => value.len() >= 12 && bits >= 3.2,
        Holds::Token => value.len() >= 16 && bits >= 3.5,
        // A dot is in a file's name or in that of an object.
        Holds::Key => value.len() >= 16 && bits >= 3.6 && !value.contains('.'),
    }
}

/// Longest value that is looked at, in bytes.
pub(super) const MAXIMUM_VALUE: usize = 2048;

/// Bits in a character, by how often each occurs in the value (Shannon).
pub(super) fn entropy(value: &str) -> f32 {
    let mut counts = [0u32; 256];
    for byte in value.bytes() {
        counts[usize::from(byte)] += 1;
    }
    let length = value.len().max(1) as f32;
    counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| {
            let share = *count as f32 / length;
            -share * share.log2()
        })
        .sum()
}

/// Words that a value has only when it stands for another.
#[rustfmt::skip]
const STAND_INS: &[&str] = &[
    "abcdef", "changeme", "change-me", "change_me", "dummy", "example", "fake", "foobar", "insert",
    "invalid", "lorem", "mock", "mypass", "my-pass", "my_pass", "my-secret", "my_secret",
    "mysecret", "not-a", "not_a", "placeholder", "redacted", "replace", "sample", "secret:",
    "some-", "some_", "test", "todo", "undefined", "your", "12345678", "xxxx", "....", "****",
    "____", "----",
];

/// Whole values that everyone writes where a secret would stand.
#[rustfmt::skip]
const WELL_KNOWN: &[&str] = &[
    "admin123", "hunter2", "p@ssw0rd", "pa55word", "passw0rd", "password", "password1",
    "password123", "postgres", "qwerty123", "root", "s3cr3t", "s3cret", "secret", "secret123",
    "token123", "pass123", "abc123", "123456", "key123", "123", "admin", "bar", "foo", "guest",
    "minio", "mysql", "pass", "passwd", "pw", "pwd", "redis", "token", "user", "x-oauth-basic",
];

/// Says whether a value is an example, as in a manual.
pub(super) fn is_stand_in(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    WELL_KNOWN.contains(&lower.as_str())
        || STAND_INS.iter().any(|word| lower.contains(word))
        || is_monotonous(value)
}

/// Says whether few characters make up the value, as in `000111000`.
fn is_monotonous(value: &str) -> bool {
    let mut seen = [false; 256];
    value
        .bytes()
        .for_each(|byte| seen[usize::from(byte)] = true);
    seen.iter().filter(|seen| **seen).count() < 4
}

/// Says whether a value names where the secret is: a variable, a path, an address, a hash of something public.
fn is_reference(value: &str) -> bool {
    #[rustfmt::skip]
    const STARTS: &[&str] = &[
        "$", "%", "@", "{", "<", "/", "./", "../", "~/", "#", "!", "&", "*", "env.", "ENV[",
        "process.env", "os.environ", "os.getenv", "secrets.", "vars.", "var.", "vault:", "arn:",
        "file:", "ref:", "ssm:", "sha1-", "sha256-", "sha384-", "sha512-", "sha256:", "sha512:",
        "sha1:", "md5:", "ssh-rsa", "ssh-ed25519", "self.", "this.", "config.", "settings.",
        "application/", "text/", "image/", "base64:$",
    ];
    STARTS.iter().any(|start| value.starts_with(start))
        || ["://", "${", "{{", "%(", "<%", "]}", "()", "=>", "::", "->"]
            .iter()
            .any(|part| value.contains(part))
}

/// Says whether a value is a number of a program: `2048u32`, `0x8029_041A`, `10_000L`.
fn is_number(value: &str) -> bool {
    let value = value.trim_start_matches(['-', '+']);
    let (digits, is_hex) = match value.strip_prefix("0x") {
        Some(digits) => (digits, true),
        None => (value, false),
    };
    let end = digits
        .find(|digit: char| {
            digit != '_' && !(digit.is_ascii_digit() || is_hex && digit.is_ascii_hexdigit())
        })
        .unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    (1..=20).contains(&digits.len())
        && suffix.len() <= 5
        && suffix.starts_with(|first: char| first.is_ascii_alphabetic())
        || !digits.is_empty() && suffix.is_empty() && digits.len() <= 20
}

/// Says whether a value is a path through the members of an object, such as `request2.token`.
fn is_member(value: &str) -> bool {
    value.contains('.')
        && value.split('.').all(|part| {
            part.starts_with(|first: char| first.is_ascii_alphabetic() || "_$".contains(first))
                && part
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || b"_$".contains(&byte))
        })
}

/// Counts of what a value is made of.
#[derive(Default)]
struct Kinds {
    letters: usize,
    upper: usize,
    digits: usize,
    signs: usize,
    dots: usize,
    joints: usize,
    spaces: usize,
    brackets: usize,
}

impl Kinds {
    fn of(value: &str) -> Self {
        let mut kinds = Self::default();
        for byte in value.bytes() {
            match byte {
                b'a'..=b'z' => kinds.letters += 1,
                b'A'..=b'Z' => {
                    kinds.letters += 1;
                    kinds.upper += 1;
                }
                b'0'..=b'9' => kinds.digits += 1,
                _ if !byte.is_ascii_graphic() => kinds.spaces += 1,
                _ => {
                    kinds.signs += 1;
                    kinds.dots += usize::from(byte == b'.');
                    kinds.joints += usize::from(b"_-".contains(&byte));
                    kinds.brackets += usize::from(b"()[]{}<>|\\\"'`".contains(&byte));
                }
            }
        }
        kinds
    }

    fn is_mixed_case(&self) -> bool {
        self.upper > 0 && self.upper < self.letters
    }
}

/// Says whether a value is put together from words: runs of letters of one case, or of digits, are long in names and
/// short in random strings (1.6 characters for 62 signs, 2.3 for base 36).
pub(super) fn is_wordlike(value: &str) -> bool {
    const WORDS: f32 = 2.9;
    let mut runs = 0u32;
    let mut characters = 0u32;
    let mut before = 0;
    for byte in value.bytes() {
        let class = match byte {
            b'a'..=b'z' => 1,
            b'A'..=b'Z' => 2,
            b'0'..=b'9' => 3,
            _ => 0,
        };
        if class != 0 {
            characters += 1;
            // A capital and the small letters after it are one word.
            if class != before && !(before == 2 && class == 1) {
                runs += 1;
            }
        }
        before = class;
    }
    runs == 0 || characters as f32 / runs as f32 >= WORDS
}

/// Says whether a value is a UUID.
pub(super) fn is_uuid(value: &str) -> bool {
    value.len() == 36
        && value.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}
