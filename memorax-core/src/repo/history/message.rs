//! What the message of a commit says besides prose: its pull request, the issues that it names, trailers, and what it
//! takes back.

/// Longest reason of a revert that is kept, in characters.
const REASON: usize = 400;

/// Returns the number of the pull request that a commit is or merges, and its title, as forges write them.
pub(in crate::repo) fn request_of(subject: &str, body: &str) -> Option<(u64, String)> {
    let first_line = || {
        let line = body.lines().map(str::trim).find(|line| !line.is_empty());
        line.unwrap_or_default().to_owned()
    };
    for start in ["Merge pull request #", "Merge PR #"] {
        if let Some(rest) = subject.strip_prefix(start) {
            return Some((leading_number(rest)?, first_line()));
        }
    }
    if let Some((start, rest)) = subject.split_once("(pull request #") {
        return Some((leading_number(rest)?, start.trim().to_owned()));
    }
    let merged = body
        .lines()
        .filter_map(|line| line.trim().strip_prefix("See merge request "))
        .find_map(|place| leading_number(place.rsplit_once('!')?.1));
    if let Some(number) = merged {
        return Some((number, first_line()));
    }
    // A squash ends with its number; a back-port of one with two of them, of which the last is its own.
    let (title, rest) = subject.trim_end().strip_suffix(')')?.rsplit_once(" (#")?;
    let number = rest.parse().ok()?;
    Some((number, title.trim().to_owned()))
}

fn leading_number(text: &str) -> Option<u64> {
    let end = text
        .find(|letter: char| !letter.is_ascii_digit())
        .unwrap_or(text.len());
    text[..end].parse().ok()
}

/// Returns the numbers of issues and pull requests that a message names, in order; a commit's own number among them.
pub(in crate::repo) fn numbers_of(text: &str) -> Vec<u64> {
    let mut numbers = Vec::new();
    for (at, _) in text.match_indices('#') {
        let before = text[..at].chars().next_back();
        // `owner/name#7` is of another repository, `a#7` of nothing.
        if before.is_some_and(|letter| letter.is_alphanumeric() || matches!(letter, '/' | '&')) {
            continue;
        }
        let rest = &text[at + 1..];
        let end = rest
            .find(|letter: char| !letter.is_ascii_digit())
            .unwrap_or(rest.len());
        let ends_well = rest[end..]
            .chars()
            .next()
            .is_none_or(|letter| !letter.is_alphanumeric() && letter != '_');
        // Colors have six digits and more than numbers of issues need; zero is no number of any.
        if let Ok(number) = rest[..end].parse::<u64>()
            && (1..=6).contains(&end)
            && number > 0
            && ends_well
            && !numbers.contains(&number)
        {
            numbers.push(number);
        }
    }
    numbers
}

/// Words before a number that say that the commit settles the issue.
const CLOSERS: [&str; 9] = [
    "fix", "fixes", "fixed", "close", "closes", "closed", "resolve", "resolves", "resolved",
];

/// Returns the numbers of issues that a text says to settle.
pub(in crate::repo) fn closed_by(text: &str) -> Vec<u64> {
    let mut closed = Vec::new();
    let mut closing = false;
    for word in text.split_whitespace() {
        let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric() && letter != '#');
        if CLOSERS.contains(&bare.to_lowercase().as_str()) {
            closing = true;
            continue;
        }
        let number = match bare.strip_prefix('#') {
            Some(digits) => digits.parse().ok(),
            // An address of the forge: `.../issues/12`.
            None => bare
                .rsplit_once("/issues/")
                .and_then(|(_, digits)| digits.parse().ok()),
        };
        match number {
            Some(number) if closing => {
                if !closed.contains(&number) {
                    closed.push(number);
                }
            }
            // `Fixes #1, #2 and #3` goes on.
            _ if matches!(bare, "and" | "issue" | "issues" | "") => {}
            _ => closing = false,
        }
    }
    closed
}

/// Trailers that name people, as they are told.
const PEOPLE: [(&str, &str); 6] = [
    ("co-authored-by", "co-author"),
    ("reviewed-by", "reviewer"),
    ("acked-by", "reviewer"),
    ("tested-by", "tester"),
    ("reported-by", "reporter"),
    ("suggested-by", "suggested it"),
];

/// Returns the people whom trailers name, with what they did. Never an address.
pub(in crate::repo) fn people_of(body: &str) -> Vec<(&'static str, String)> {
    let mut people: Vec<(&'static str, String)> = Vec::new();
    for line in body.lines() {
        let Some((key, value)) = line.trim().split_once(':') else {
            continue;
        };
        let key = key.trim().to_lowercase();
        let Some((_, role)) = PEOPLE.iter().find(|(known, _)| *known == key) else {
            continue;
        };
        let name = name_alone(value);
        let found = (*role, name);
        if !found.1.is_empty() && !people.contains(&found) {
            people.push(found);
        }
    }
    people
}

/// Takes the address out of `Name <address>`; an address alone gives nothing.
pub(in crate::repo) fn name_alone(text: &str) -> String {
    let name = text.split('<').next().unwrap_or_default().trim();
    let words = name.split_whitespace().filter(|word| !word.contains('@'));
    words.collect::<Vec<_>>().join(" ")
}

/// Says whether a line of a message is a trailer.
pub(in crate::repo) fn is_trailer(line: &str) -> bool {
    let Some((key, value)) = line.trim().split_once(':') else {
        return false;
    };
    let known = [
        "signed-off-by",
        "cc",
        "change-id",
        "fixes",
        "closes",
        "refs",
    ];
    let key = key.to_lowercase();
    value.starts_with(' ')
        && (known.contains(&key.as_str())
            || PEOPLE.iter().any(|(person, _)| *person == key)
            || key.ends_with("-by"))
}

/// What a commit takes back, as its message says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::repo) struct Undoing {
    /// Start of the id of the commit that it takes back.
    pub(in crate::repo) commit: Option<String>,
    /// Subject of what it takes back, without the number of its pull request.
    pub(in crate::repo) subject: Option<String>,
    /// Number of the pull request that it takes back.
    pub(in crate::repo) request: Option<u64>,
    /// Why; empty where the message does not say.
    pub(in crate::repo) reason: String,
}

/// Reads what a commit takes back.
pub(in crate::repo) fn undone_by(subject: &str, body: &str) -> Option<Undoing> {
    let quoted = quoted_subject(subject);
    let by_word = subject_after_word(subject);
    let (mut commit, mut request) = (None, None);
    let mut reason = Vec::new();
    for line in body.lines() {
        let line = line.trim();
        let lower = line.to_lowercase();
        if let Some(at) = lower.find("this reverts commit ") {
            let rest = &lower[at + "this reverts commit ".len()..];
            commit = commit.or_else(|| leading_id(rest));
            let after = rest.trim_start_matches(|letter: char| letter.is_ascii_hexdigit());
            // `This reverts commit x, because ...` goes on with the reason.
            let rest = &line[line.len() - after.len()..];
            let rest = rest.trim_start_matches(['.', ',', ' ', ';', ':', '-']);
            if rest.chars().count() > 3 {
                reason.push(rest.to_owned());
            }
        } else if let Some(at) = lower.strip_prefix("reverts ") {
            let number = at
                .rsplit_once(['#', '!'])
                .or_else(|| at.rsplit_once("/pull/"));
            match number.and_then(|(_, digits)| leading_number(digits)) {
                Some(number) => request = Some(number),
                None => reason.push(line.to_owned()),
            }
        } else if !is_trailer(line) {
            reason.push(line.to_owned());
        }
    }
    // Prose that only speaks of reverting is no revert.
    if quoted.is_none() && by_word.is_none() && commit.is_none() {
        return None;
    }
    let subject = quoted.or(by_word).map(|subject| without_number(&subject));
    let folded = reason.join(" ");
    let folded = folded.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(Undoing {
        commit,
        subject,
        request,
        reason: folded.chars().take(REASON).collect(),
    })
}

fn leading_id(text: &str) -> Option<String> {
    let end = text
        .find(|letter: char| !letter.is_ascii_hexdigit())
        .unwrap_or(text.len());
    (end >= 7).then(|| text[..end].to_owned())
}

/// Returns x of `Revert "x"`.
fn quoted_subject(subject: &str) -> Option<String> {
    let rest = subject
        .strip_prefix("Revert ")
        .or_else(|| subject.strip_prefix("revert: "))
        .or_else(|| subject.strip_prefix("Revert: "))?;
    let inner = rest.trim_start().strip_prefix(['"', '“', '\'', '`'])?;
    let end = inner.rfind(['"', '”', '\'', '`'])?;
    (end > 0).then(|| inner[..end].to_owned())
}

/// Returns x of `revert: x` and `Revert x`.
fn subject_after_word(subject: &str) -> Option<String> {
    for start in ["revert: ", "Revert: ", "Revert "] {
        if let Some(rest) = subject.strip_prefix(start) {
            let rest = rest.trim();
            return (rest.len() > 3).then(|| rest.to_owned());
        }
    }
    None
}

/// Takes the number of a pull request from the end of a subject.
pub(in crate::repo) fn without_number(subject: &str) -> String {
    let subject = subject.trim();
    match subject
        .strip_suffix(')')
        .and_then(|rest| rest.rsplit_once(" (#"))
    {
        Some((title, digits)) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            title.trim().to_owned()
        }
        _ => subject.to_owned(),
    }
}

/// Returns x of `Reland x` and `Reapply "x"`: what was taken back and is done again.
pub(in crate::repo) fn done_again(subject: &str) -> Option<String> {
    let lower = subject.to_lowercase();
    let start = [
        "re-land ",
        "reland ",
        "re-apply ",
        "reapply ",
        "re-land: ",
        "reland: ",
        "[reland] ",
        "unrevert ",
        "re-enable ",
        "reintroduce ",
        "re-introduce ",
    ]
    .into_iter()
    .find(|start| lower.starts_with(start))?;
    let rest = subject
        .get(start.len()..)?
        .trim()
        .trim_matches(['"', '“', '”', '\'', '`']);
    Some(without_number(rest.trim_end_matches(['"', '”'])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pull_requests_are_known_in_every_form_that_forges_write() {
        for (subject, body, expected) in [
            (
                "Merge pull request #12 from ada/fix",
                "\nFix it\n",
                Some((12, "Fix it")),
            ),
            ("Fix it (#12)", "", Some((12, "Fix it"))),
            ("Fix it (#7) (#12)", "", Some((12, "Fix it (#7)"))),
            (
                "Merged in fix (pull request #3)",
                "",
                Some((3, "Merged in fix")),
            ),
            (
                "Merge branch 'x' into 'main'",
                "Fix\n\nSee merge request a/b!7",
                Some((7, "Fix")),
            ),
            ("Fix #12", "", None),
        ] {
            let found = request_of(subject, body);
            let expected = expected.map(|(number, title)| (number, title.to_owned()));
            assert_eq!(found, expected, "{subject}");
        }
    }

    #[test]
    fn numbers_and_what_they_close_are_told_apart() {
        assert_eq!(numbers_of("See #3, a/b#4, #5x, &#6; and (#7)"), [3, 7]);
        assert_eq!(closed_by("Fixes #1, #2 and #3. See #4"), [1, 2, 3]);
        assert_eq!(closed_by("closes: https://forge/a/b/issues/9"), [9]);
        assert_eq!(closed_by("It fixes things, #4 not"), [] as [u64; 0]);
    }

    #[test]
    fn people_are_named_without_their_addresses() {
        let body = "Text\n\nCo-authored-by: Ada L <ada@example.org>\nReviewed-by: bob@example.org\nAcked-by: Eve <e@x>";
        let expected = [
            ("co-author", "Ada L".to_owned()),
            ("reviewer", "Eve".to_owned()),
        ];
        assert_eq!(people_of(body), expected);
    }

    #[test]
    fn a_revert_says_what_it_takes_back_and_why() {
        let body = "This reverts commit 1234567890abcdef1234567890abcdef12345678.\n\nIt broke the build on Windows.\n\nSigned-off-by: Ada <a@x>";
        let undone = undone_by("Revert \"Use threads (#9)\"", body).expect("it is a revert");
        assert_eq!(undone.subject.as_deref(), Some("Use threads"));
        assert_eq!(undone.commit.map(|id| id.len()), Some(40));
        assert_eq!(undone.reason, "It broke the build on Windows.");
        let inline = "This reverts commit 1234567, because it was slow.";
        let undone = undone_by("Back to one thread", inline).expect("the body says so");
        assert_eq!(undone.reason, "because it was slow.");
        let pull = undone_by("Revert \"x y\" (#10)", "Reverts a/b#9").expect("it is a revert");
        assert_eq!((pull.request, pull.reason.as_str()), (Some(9), ""));
        assert_eq!(
            undone_by("Explain how to revert", "Reverts are easy."),
            None
        );
        assert_eq!(
            done_again("Reland \"Use threads\" (#11)").as_deref(),
            Some("Use threads")
        );
    }
}
