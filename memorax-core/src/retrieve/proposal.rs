//! What a sentence, a command or a patch wants, word by word, and what it does not want.

use crate::text;

/// A word with the stand that its clause takes on it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Claim {
    /// The word, split, lower-cased and stemmed; a name with a dot is one word.
    pub(super) word: String,
    /// As it is written.
    pub(super) written: String,
    /// The clause says no to it: `do not use x`, `y instead of x`.
    pub(super) negated: bool,
    /// The clause wants it away: `remove x`, `replace x with y`, `without x`.
    pub(super) away: bool,
    /// It is written like a name.
    pub(super) name: bool,
}

/// Words of one clause.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Clause {
    pub(super) claims: Vec<Claim>,
    /// It gives a reason (`because`, after a colon) and wants nothing itself.
    pub(super) reason: bool,
    /// Number of the sentence or line that it belongs to.
    pub(super) sentence: usize,
}

const NEGATORS: &[&str] = &[
    "not",
    "never",
    "no",
    "dont",
    "doesnt",
    "wont",
    "cannot",
    "cant",
    "shouldnt",
    "mustnt",
    "avoid",
    "avoids",
    "rejected",
    "reject",
    "against",
    "nor",
    "neither",
    "forbid",
    "forbidden",
    "ban",
    "banned",
    "refused",
    "declined",
];
const REMOVERS: &[&str] = &[
    "rename",
    "renaming",
    "remove",
    "removing",
    "removes",
    "drop",
    "dropping",
    "delete",
    "deleting",
    "disable",
    "disabling",
    "without",
    "stop",
    "stopping",
    "replace",
    "replacing",
    "revert",
    "reverting",
    "uninstall",
    "strip",
    "skip",
    "skipping",
    "bypass",
    "bypassing",
    "abandon",
    "abandoning",
    "ditch",
    "eliminate",
    "off",
];
/// Words after which the clause says something new.
const TURNS: &[&str] = &[
    "but", "use", "using", "prefer", "with", "by", "instead", "unless", "except", "then", "to",
    "keep", "and",
];
/// Words that begin an explanation after a comma: `do not use x, it was slow`.
const EXPLAINS: &[&str] = &[
    "a", "an", "he", "it", "she", "that", "the", "these", "they", "this", "those", "we", "which",
];
const REASONS: &[&str] = &["because", "since", "due", "cause", "why"];

/// Takes a text apart into clauses. In a patch only the lines that are added or removed count.
pub(super) fn clauses(proposal: &str) -> Vec<Clause> {
    let patch = is_patch(proposal);
    let mut clauses = Vec::new();
    for (sentence, line) in sentences(proposal, patch).into_iter().enumerate() {
        let (side, line) = match (patch, line.chars().next()) {
            (true, Some('+')) => (Side::Added, &line[1..]),
            (true, Some('-')) => (Side::Removed, &line[1..]),
            _ => (Side::Prose, line),
        };
        let reader = Reader {
            sentence,
            side,
            ..Reader::default()
        };
        reader.read(line, &mut clauses);
    }
    clauses
}

/// Says whether a text is a unified diff.
pub(super) fn is_patch(text: &str) -> bool {
    text.lines().any(|line| {
        line.starts_with("@@ ") || line.starts_with("diff --git ") || line.starts_with("+++ ")
    })
}

fn sentences(text: &str, patch: bool) -> Vec<&str> {
    if patch {
        return text
            .lines()
            .filter(|line| {
                line.starts_with(['+', '-']) && !line.starts_with("+++") && !line.starts_with("---")
            })
            .collect();
    }
    let mut sentences = Vec::new();
    for line in text.lines() {
        let mut rest = line;
        while let Some(end) = rest
            .match_indices(['.', '!', '?', ';'])
            .map(|(at, _)| at + 1)
            .find(|at| rest[*at..].starts_with(' '))
        {
            sentences.push(&rest[..end]);
            rest = &rest[end..];
        }
        sentences.push(rest);
    }
    sentences.retain(|sentence| !sentence.trim().is_empty());
    sentences
}

/// Where a line comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Side {
    #[default]
    Prose,
    Added,
    Removed,
}

#[derive(Default)]
struct Reader {
    sentence: usize,
    side: Side,
    clause: Clause,
    negated: bool,
    away: bool,
    started: bool,
}

impl Reader {
    fn read(mut self, line: &str, clauses: &mut Vec<Clause>) {
        self.clause.sentence = self.sentence;
        let tokens: Vec<&str> = line.split_whitespace().collect();
        let mut skip = false;
        for (index, token) in tokens.iter().enumerate() {
            if std::mem::take(&mut skip) {
                continue;
            }
            let plain: String = token
                .chars()
                .filter(|letter| letter.is_alphanumeric())
                .flat_map(char::to_lowercase)
                .collect();
            let next = tokens.get(index + 1).map(|next| {
                next.trim_matches(|edge: char| !edge.is_alphanumeric())
                    .to_lowercase()
            });
            let next = next.as_deref().unwrap_or_default();
            if self.side != Side::Prose {
                self.take(token, index > 0);
                continue;
            }
            if matches!(
                (plain.as_str(), next),
                ("instead", "of")
                    | ("rather", "than")
                    | ("turned" | "turn", "down")
                    | ("decided", "against")
                    | ("get" | "got", "rid")
                    | ("away" | "off", "from")
            ) {
                match plain.as_str() {
                    "get" | "got" | "away" | "off" => self.away = true,
                    _ => self.negated = true,
                }
                skip = true;
            } else if REASONS.contains(&plain.as_str()) {
                self.close(clauses, true);
            } else if NEGATORS.contains(&plain.as_str()) {
                self.negated = true;
            } else if REMOVERS.contains(&plain.as_str()) {
                self.away = true;
                self.push(token, plain, false);
            } else {
                if TURNS.contains(&plain.as_str()) {
                    self.turn(&plain, clauses);
                }
                self.take(token, self.started);
            }
            self.started = true;
            // `Rejected: x` introduces x; a colon after anything else gives the reason.
            let ends = token.ends_with(':') || token.ends_with(',') && EXPLAINS.contains(&next);
            if ends && !self.clause.claims.is_empty() {
                self.close(clauses, true);
            }
        }
        self.close(clauses, false);
    }

    /// Ends what a negation or a removal covers, where the word says so.
    fn turn(&mut self, word: &str, clauses: &mut Vec<Clause>) {
        match word {
            "but" | "instead" | "unless" | "except" | "then" | "keep" => {
                self.close(clauses, false);
                self.negated = false;
                self.away = false;
            }
            "with" | "by" | "to" => self.away = false,
            // `do not use x` stays one clause, `no x, use y` are two.
            "use" | "using" | "prefer" if !self.clause.claims.is_empty() => {
                self.close(clauses, false);
                self.negated = false;
                self.away = false;
            }
            _ => {}
        }
    }

    fn take(&mut self, token: &str, inside: bool) {
        let bare = token.trim_matches(|edge: char| !(edge.is_alphanumeric() || edge == '_'));
        let capital = bare.chars().next().is_some_and(char::is_uppercase) && inside;
        let inner = bare
            .chars()
            .skip(1)
            .any(|letter| letter.is_uppercase() || letter == '_' || letter == '.');
        let name = capital || inner || token.starts_with('`');
        if self.side != Side::Prose || bare.contains(['(', '/', '=', ':', '<']) {
            // Code: every identifier counts by itself.
            for word in bare.split(|letter: char| !(letter.is_alphanumeric() || letter == '_')) {
                self.push(word, word.to_owned(), true);
            }
        } else {
            let joined: String = bare
                .chars()
                .filter(|letter| letter.is_alphanumeric() || *letter == '_' || *letter == '-')
                .collect();
            self.push(bare, joined, name);
        }
    }

    fn push(&mut self, written: &str, text: String, name: bool) {
        let mut words = text::words(&text);
        if words.is_empty() {
            return;
        }
        self.clause.claims.push(Claim {
            word: words.swap_remove(0),
            written: written.to_owned(),
            negated: self.negated,
            away: self.away || self.side == Side::Removed,
            name,
        });
    }

    fn close(&mut self, clauses: &mut Vec<Clause>, reason_next: bool) {
        let next = Clause {
            claims: Vec::new(),
            reason: self.clause.reason || reason_next,
            sentence: self.sentence,
        };
        let clause = std::mem::replace(&mut self.clause, next);
        if reason_next {
            self.negated = false;
            self.away = false;
        }
        if !clause.claims.is_empty() {
            clauses.push(clause);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::clauses;

    #[track_caller]
    fn stands(text: &str, expected: &str) {
        let list: Vec<String> = clauses(text)
            .iter()
            .flat_map(|clause| clause.claims.iter().map(|claim| (clause.reason, claim)))
            .map(|(reason, claim)| {
                let mark = |holds: bool, mark: &'static str| if holds { mark } else { "" };
                format!(
                    "{}{}{}{}",
                    mark(reason, "~"),
                    mark(claim.negated, "!"),
                    mark(claim.away, "-"),
                    claim.word
                )
            })
            .collect();
        assert_eq!(list.join(" "), expected, "{text}");
    }

    #[test]
    fn a_clause_takes_a_stand_on_its_words() {
        stands(
            "Do not use Redis for prices, because it was stale",
            "!use !redi !pric ~stal",
        );
        stands("use sqlx instead of Diesel", "use sqlx !diesel");
        stands("Never disable the lock", "!-disabl !-lock");
        stands("replace Kafka with slots", "-replac -kafka slot");
        stands("Rejected: Next.js; keep Vite", "!nextj keep vite");
        stands("No ORM: Diesel was slow", "!orm ~diesel ~slow");
    }

    #[test]
    fn a_patch_wants_what_it_adds() {
        stands(
            "@@ -1 +1 @@\n context\n-use chrono::Utc;\n+use jiff::Zoned;",
            "-use -chrono -utc use jiff zoned",
        );
    }
}
