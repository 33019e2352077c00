//! Replaces secrets by placeholders that keep their identity.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::ops::Range;

use sha2::{Digest, Sha256};

use super::keywords::Leads;
use super::patterns::{PATTERNS, expression};
use super::{address, assignment, block, judge, names};

/// Replaces secrets in texts by placeholders such as `[secret:github-pat:3f9a]`.
///
/// The four digits are 16 bits of a hash under the store's key: the same secret gives the same placeholder, so that
/// texts can be compared, and 16 bits are too few to find the secret by. Placeholders stay as they are when a text is
/// redacted again. Creating one costs nothing; rules are compiled when a text first needs them.
///
/// ```
/// use memorax_core::text::Redactor;
/// let redactor = Redactor::new([7; 16]);
/// let text = format!("export DB_PASSWORD={}", ["tr0ub", "4dor&3"].concat());
/// let redacted = redactor.redact(&text);
/// assert!(redacted.text.starts_with("export DB_PASSWORD=[secret:password:"));
/// assert_eq!(redacted.hits, [("password", 1)]);
/// assert_eq!(redactor.redact("password = os.environ[\"DB\"]").text, "password = os.environ[\"DB\"]");
/// ```
#[derive(Clone)]
pub struct Redactor {
    key: [u8; 16],
}

/// A text without its secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Redacted<'a> {
    /// The text; borrowed where there was nothing to hide.
    pub text: Cow<'a, str>,
    /// Names of the rules that found something, and how often; sorted.
    pub hits: Vec<(&'static str, usize)>,
}

impl fmt::Debug for Redactor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Redactor").finish_non_exhaustive()
    }
}

impl Redactor {
    /// Creates a redactor whose placeholders can be compared within one store.
    pub fn new(key: [u8; 16]) -> Self {
        Self { key }
    }

    /// Replaces the secrets in a text.
    pub fn redact<'a>(&self, text: &'a str) -> Redacted<'a> {
        let mut text = Cow::Borrowed(text);
        let mut hits: BTreeMap<&'static str, usize> = BTreeMap::new();
        // What is replaced can uncover what stood beside it. Each round hides more, so the rounds end.
        loop {
            let spans = find(&text);
            if spans.is_empty() {
                break;
            }
            for span in &spans {
                *hits.entry(span.rule).or_default() += 1;
            }
            text = Cow::Owned(self.replace(&text, &spans));
        }
        Redacted {
            text,
            hits: hits.into_iter().collect(),
        }
    }

    fn replace(&self, text: &str, spans: &[Span]) -> String {
        let mut result = String::with_capacity(text.len());
        let mut done = 0;
        for span in spans {
            result.push_str(&text[done..span.range.start]);
            let mut hash = Sha256::new();
            hash.update(self.key);
            hash.update(&text[span.range.clone()]);
            let hash = hash.finalize();
            write!(
                result,
                "[secret:{}:{:02x}{:02x}]",
                span.rule, hash[0], hash[1]
            )
            .expect("writing to a string does not fail");
            done = span.range.end;
        }
        result.push_str(&text[done..]);
        result
    }
}

/// A secret in a text.
#[derive(Debug)]
struct Span {
    range: Range<usize>,
    rule: &'static str,
    /// Of spans that overlap, the lowest rank gives the name.
    rank: usize,
}

/// Returns the secrets of a text, in their order, none overlapping another.
fn find(text: &str) -> Vec<Span> {
    let leads = Leads::of(text);
    if leads.is_empty() {
        return Vec::new();
    }
    let mut spans = Vec::new();
    for &start in &leads.blocks {
        if let Some(range) = block::private_key(text, start) {
            spans.push(Span {
                range,
                rule: "private-key",
                rank: 0,
            });
        }
    }
    for rule in leads.patterns.iter() {
        find_pattern(text, rule, &mut spans);
    }
    for &(rule, start) in &leads.tokens {
        if let Some(found) = expression(rule).find(&text[start..]) {
            add_pattern(text, rule, start..start + found.end(), &mut spans);
        }
    }
    for &start in &leads.addresses {
        if let Some((range, rule)) = address::credentials(text, start) {
            spans.push(Span {
                range,
                rule,
                rank: PATTERNS.len() + 1,
            });
        }
    }
    let mut seen = 0;
    for &inside in &leads.names {
        // One name may have several telling words.
        if inside <= seen {
            continue;
        }
        let (found, end) = assignment::assigned(text, inside);
        seen = end;
        if let Some((range, rule)) = found {
            spans.push(Span {
                range,
                rule,
                rank: PATTERNS.len() + 2,
            });
        }
    }
    if leads.has_placeholders && !spans.is_empty() {
        let own = placeholders(text);
        spans.retain(|span| {
            own.iter()
                .all(|own| span.range.end <= own.start || own.end <= span.range.start)
        });
    }
    merged(spans)
}

fn find_pattern(text: &str, rule: usize, spans: &mut Vec<Span>) {
    for captures in expression(rule).captures_iter(text) {
        if let Some(found) = captures.get(1).or_else(|| captures.get(0)) {
            add_pattern(text, rule, found.range(), spans);
        }
    }
}

fn add_pattern(text: &str, rule: usize, range: Range<usize>, spans: &mut Vec<Span>) {
    let pattern = &PATTERNS[rule];
    let secret = &text[range.clone()];
    let is_variable = secret.starts_with(['$', '{', '<', '%']);
    // Where the looks prove little, so may an example.
    let is_example = is_documented(secret) || (pattern.entropy < 3.0 && judge::is_stand_in(secret));
    if judge::entropy(secret) >= pattern.entropy && !is_variable && !is_example {
        spans.push(Span {
            range,
            rule: pattern.name,
            rank: rule + 1,
        });
    }
}

/// Says whether a token is one of those that manuals print.
fn is_documented(secret: &str) -> bool {
    let lower = secret.to_ascii_lowercase();
    [
        "example",
        "xxxxxx",
        "your",
        "1234567890abcdef",
        "abcdefghijkl",
        "placeholder",
        "${",
        "......",
    ]
    .iter()
    .any(|word| lower.contains(word))
}

fn merged(mut spans: Vec<Span>) -> Vec<Span> {
    spans.retain(|span| !span.range.is_empty());
    spans.sort_by_key(|span| (span.range.start, span.rank));
    let mut merged: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans {
        match merged.last_mut() {
            Some(last) if span.range.start < last.range.end => {
                last.range.end = last.range.end.max(span.range.end);
                if span.rank < last.rank {
                    (last.rank, last.rule) = (span.rank, span.rule);
                }
            }
            _ => merged.push(span),
        }
    }
    merged
}

/// Returns where the text has placeholders of ours: nothing else may hide in them.
fn placeholders(text: &str) -> Vec<Range<usize>> {
    text.match_indices("[secret:")
        .filter_map(|(start, open)| {
            let rest = &text[start + open.len()..];
            let (rule, after) = rest.split_once(':')?;
            let digits = after.get(..4)?;
            let is_ours = after[4..].starts_with(']')
                && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
                && rules().any(|name| name == rule);
            is_ours.then(|| start..start + open.len() + rule.len() + 6)
        })
        .collect()
}

/// Returns the names of all rules.
pub(super) fn rules() -> impl Iterator<Item = &'static str> {
    PATTERNS
        .iter()
        .map(|pattern| pattern.name)
        .chain(names::service_rules())
        .chain(assignment::RULES)
        .chain(["private-key", "url-password", "url-token"])
}
