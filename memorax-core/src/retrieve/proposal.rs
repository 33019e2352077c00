//! What a sentence, a command or a patch wants, word by word, and what it does not want.

use crate::text;

use super::cues::{COPULAS, NEGATORS, REASONS, REMOVERS, TURNS};

/// A word with the stand that its clause takes on it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Claim {
    /// The word, split, lower-cased and stemmed; a name with a dot is one word.
    pub(super) word: String,
    /// As it is written.
    pub(super) written: String,
    /// What its clause says to it.
    pub(super) stand: Stand,
    /// How it is written.
    pub(super) tone: Tone,
    /// How it belongs to the word before it.
    pub(super) link: Link,
}

/// What a clause says to a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Stand {
    /// It says no: `do not use x`, `y instead of x`.
    pub(super) negated: bool,
    /// It wants it away: `remove x`, `replace x with y`, `without x`.
    pub(super) away: bool,
}

/// How a word is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tone {
    /// As a name.
    Name,
    /// As a word of prose.
    Word,
    /// As a word of prose that tells where or what for: `raise the limit to fix exports`.
    Aside,
}

/// How a word belongs to the one before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Link {
    /// Each says something by itself.
    #[default]
    Apart,
    /// Either will do: `x or y`.
    Or,
    /// Both are one name: `Core Data`.
    Phrase,
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
    stand: Stand,
    started: bool,
    aside: bool,
    link: Link,
    /// The word before was a name with a capital.
    proper: bool,
}

fn plain_of(token: &str) -> String {
    token
        .chars()
        .filter(|letter| letter.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// Says whether what follows a comma goes on with a list: `x, y or z`.
fn goes_on(rest: &[&str]) -> bool {
    rest.iter()
        .take(3)
        .any(|token| matches!(*token, "or" | "nor"))
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
            let plain = plain_of(token);
            let next = tokens.get(index + 1).map(|next| {
                next.trim_matches(|edge: char| !edge.is_alphanumeric())
                    .to_lowercase()
            });
            let next = next.as_deref().unwrap_or_default();
            if self.side != Side::Prose {
                self.take(token, index > 0);
                continue;
            }
            let before = index
                .checked_sub(1)
                .map(|before| plain_of(tokens[before]))
                .unwrap_or_default();
            match (plain.as_str(), next) {
                ("instead", "of") | ("rather", "than") | ("decided", "against") => {
                    self.stand.negated = true;
                    skip = true;
                }
                ("turned" | "turn" | "voted", "down") | ("ruled", "out") => {
                    self.deny(&before);
                    skip = true;
                }
                ("get" | "got", "rid") | ("away" | "off", "from") => {
                    self.stand.away = true;
                    skip = true;
                }
                ("or" | "nor", _) => self.link = Link::Or,
                (word, _) if REASONS.contains(&word) => self.close(clauses, true),
                (word, _) if NEGATORS.contains(&word) => self.deny(&before),
                (word, _) if REMOVERS.contains(&word) => {
                    self.stand.away = true;
                    self.push(token, plain, false);
                }
                (word, _) => {
                    if TURNS.contains(&word) {
                        self.turn(word, clauses);
                    }
                    self.take(token, self.started);
                }
            }
            self.started = true;
            // `Rejected: x` introduces x; a colon after anything else gives the reason, and so does the comma after
            // a no, unless a list goes on.
            let comma =
                self.stand.negated && token.ends_with(',') && !goes_on(&tokens[index + 1..]);
            if (comma || token.ends_with(':')) && !self.clause.claims.is_empty() {
                self.close(clauses, true);
            }
            if token.ends_with([',', ')', ':']) {
                self.proper = false;
            }
        }
        self.close(clauses, false);
    }

    /// Says no to what follows; in the passive, also to what stands before.
    fn deny(&mut self, before: &str) {
        self.stand.negated = true;
        if COPULAS.contains(&before) {
            for claim in &mut self.clause.claims {
                claim.stand.negated = true;
            }
        }
    }

    /// Ends what a negation or a removal covers, where the word says so.
    fn turn(&mut self, word: &str, clauses: &mut Vec<Clause>) {
        match word {
            "but" | "instead" | "unless" | "except" | "then" | "keep" => {
                self.close(clauses, false);
                self.stand = Stand::default();
            }
            "to" => {
                self.stand.away = false;
                self.aside = true;
            }
            "for" | "in" | "on" | "of" | "at" => self.aside = true,
            "with" | "by" | "into" => self.stand.away = false,
            // `do not use x` stays one clause, `no x, use y` are two.
            "use" | "using" | "prefer" if !self.clause.claims.is_empty() => {
                self.close(clauses, false);
                self.stand = Stand::default();
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
            if capital && self.proper && self.link == Link::Apart {
                self.link = Link::Phrase;
            }
            self.push(bare, joined, name);
            self.proper = capital || inner && !bare.contains('_');
        }
    }

    fn push(&mut self, written: &str, text: String, name: bool) {
        let mut words = text::words(&text);
        if words.is_empty() {
            return;
        }
        if self.clause.claims.is_empty() {
            self.link = Link::Apart;
        }
        let tone = match (name, self.aside) {
            (true, _) => Tone::Name,
            (false, true) => Tone::Aside,
            (false, false) => Tone::Word,
        };
        let mut stand = self.stand;
        stand.away |= self.side == Side::Removed;
        self.clause.claims.push(Claim {
            word: words.swap_remove(0),
            written: written.to_owned(),
            stand,
            tone,
            link: std::mem::take(&mut self.link),
        });
    }

    fn close(&mut self, clauses: &mut Vec<Clause>, reason_next: bool) {
        self.aside = false;
        let next = Clause {
            claims: Vec::new(),
            reason: self.clause.reason || reason_next,
            sentence: self.sentence,
        };
        let clause = std::mem::replace(&mut self.clause, next);
        if reason_next {
            self.stand = Stand::default();
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
                    mark(claim.stand.negated, "!"),
                    mark(claim.stand.away, "-"),
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
        stands(
            "Kafka was turned down for the feed, slots do",
            "!kafka !feed ~slot",
        );
        stands(
            "convert the pickle files to tensors",
            "-convert -pickl -file tensor",
        );
    }

    #[test]
    fn a_patch_wants_what_it_adds() {
        stands(
            "@@ -1 +1 @@\n context\n-use chrono::Utc;\n+use jiff::Zoned;",
            "-use -chrono -utc use jiff zoned",
        );
    }
}
