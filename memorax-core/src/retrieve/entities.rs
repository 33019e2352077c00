//! Names in a text that mean one thing exactly: paths, definitions, commands, errors, issues, commits.

use std::collections::BTreeSet;

use crate::text;

/// What a text names exactly.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entities {
    /// Paths and file names, with `/` between parts, without a line number.
    pub paths: BTreeSet<String>,
    /// Names of definitions by their last part, as [`crate::text::identifiers`] finds them.
    pub symbols: BTreeSet<String>,
    /// What stands in back quotes and is neither a path nor a command.
    pub ticked: BTreeSet<String>,
    /// Commands, white space folded.
    pub commands: BTreeSet<String>,
    /// Error classes, codes and the like.
    pub errors: BTreeSet<String>,
    /// Numbers of issues and pull requests, as `#12`; keys of trackers, as `ABC-12`.
    pub issues: BTreeSet<String>,
    /// Commit ids, abbreviated or whole.
    pub commits: BTreeSet<String>,
}

/// Programs whose name alone makes what follows a command.
const PROGRAMS: &[&str] = &[
    "ansible",
    "apt",
    "brew",
    "bun",
    "bundle",
    "cargo",
    "cmake",
    "conda",
    "curl",
    "deno",
    "docker",
    "dotnet",
    "flake8",
    "gem",
    "gh",
    "git",
    "go",
    "gradle",
    "gradlew",
    "helm",
    "jest",
    "just",
    "kubectl",
    "make",
    "maturin",
    "memorax",
    "mix",
    "mvn",
    "mypy",
    "ninja",
    "node",
    "npm",
    "npx",
    "nx",
    "pip",
    "pip3",
    "pnpm",
    "poetry",
    "pre-commit",
    "pytest",
    "python",
    "python3",
    "rake",
    "ruff",
    "rustup",
    "sbt",
    "sh",
    "terraform",
    "tox",
    "tsc",
    "turbo",
    "uv",
    "uvx",
    "vitest",
    "yarn",
    "zig",
];

/// Programs that are also prose words: a command only in back quotes or after a prompt sign.
const PROSE_PROGRAMS: &[&str] = &[
    "go", "just", "make", "node", "git", "mix", "gem", "sh", "bundle",
];

impl Entities {
    /// Finds what a text names.
    pub fn of(text: &str) -> Self {
        let mut entities = Self {
            paths: text::path_mentions(text)
                .into_iter()
                .map(|path| path.trim_end_matches('/').to_owned())
                .collect(),
            symbols: text::identifiers(text).into_iter().collect(),
            ..Self::default()
        };
        for (index, span) in text.split('`').enumerate() {
            // Every second part stands between back quotes; a last one without its end does not.
            let ticked = index % 2 == 1 && index + 1 < text.split('`').count();
            if ticked && !span.trim().is_empty() && !span.contains("\n\n") {
                entities.ticked_span(span.trim());
            } else {
                for line in span.lines() {
                    entities.line(line);
                }
            }
        }
        // The words of a command in back quotes are no names of definitions.
        for word in entities
            .commands
            .iter()
            .flat_map(|command| command.split_whitespace())
        {
            if !word.contains(|letter: char| letter == '_' || letter.is_uppercase()) {
                for part in word.split(|letter: char| !letter.is_alphanumeric()) {
                    entities.symbols.remove(part);
                }
            }
        }
        entities
    }

    /// Returns whether nothing is named.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    fn ticked_span(&mut self, span: &str) {
        if is_command(span, true) {
            self.commands.insert(fold(span));
        } else if span.split_whitespace().count() == 1 {
            if !self.word(span) {
                self.ticked.insert(span.trim_end_matches("()").to_owned());
            }
            return;
        } else {
            self.ticked.insert(fold(span));
        }
        for word in span.split_whitespace() {
            self.word(word);
        }
    }

    fn line(&mut self, line: &str) {
        let trimmed = line.trim();
        if let Some(command) = trimmed.strip_prefix("$ ") {
            self.commands.insert(fold(command));
        }
        let words: Vec<&str> = trimmed.split_whitespace().collect();
        for (index, word) in words.iter().enumerate() {
            self.word(word);
            let rest = &words[index..];
            if index + 1 < words.len() && is_command(&rest.join(" "), false) {
                // Without quotes nobody knows where a command ends: the program and its subcommand are certain.
                let second = rest[1].trim_end_matches(['.', ',', ';', ':', '?', '!', ')']);
                if second.starts_with(|first: char| first.is_ascii_lowercase() || first == '-') {
                    self.commands.insert(format!("{} {second}", rest[0]));
                }
            }
        }
        let lower = trimmed.to_lowercase();
        for (cue, kind) in [
            ("issue ", '#'),
            ("pull request ", '#'),
            ("pr ", '#'),
            ("gh-", '#'),
        ] {
            for (at, _) in lower.match_indices(cue) {
                let digits: String = lower[at + cue.len()..]
                    .trim_start_matches('#')
                    .chars()
                    .take_while(char::is_ascii_digit)
                    .collect();
                if !digits.is_empty() {
                    self.issues.insert(format!("{kind}{digits}"));
                }
            }
        }
    }

    /// Files one word; says whether it named something.
    fn word(&mut self, raw: &str) -> bool {
        let word = raw.trim_matches(|edge: char| {
            !(edge.is_alphanumeric()
                || matches!(
                    edge,
                    '_' | '/' | '#' | '.' | '(' | ')' | '-' | '@' | '[' | ']'
                ))
        });
        let word = word
            .trim_start_matches(['(', '[', '-'])
            .trim_end_matches(['.', ']', '-', '/']);
        if let Some(number) = word.trim_start_matches('(').strip_prefix('#') {
            let digits: String = number.chars().take_while(char::is_ascii_digit).collect();
            if !digits.is_empty() {
                self.issues.insert(format!("#{digits}"));
                return true;
            }
        }
        if let Some((_, address)) = word.split_once("://") {
            return self.address(address);
        }
        let word = if word.contains('(') {
            word
        } else {
            word.trim_end_matches(')')
        };
        if is_commit(word) {
            self.commits.insert(word.to_ascii_lowercase());
            return true;
        }
        if let Some(key) = tracker_key(word) {
            self.issues.insert(key);
            return true;
        }
        if let Some(error) = error_of(word) {
            self.errors.insert(error.to_owned());
            return true;
        }
        false
    }

    fn address(&mut self, address: &str) -> bool {
        let parts: Vec<&str> = address.split('/').collect();
        for pair in parts.windows(2) {
            if matches!(pair[0], "issues" | "pull" | "merge_requests") {
                let digits: String = pair[1].chars().take_while(char::is_ascii_digit).collect();
                if !digits.is_empty() {
                    self.issues.insert(format!("#{digits}"));
                    return true;
                }
            }
        }
        false
    }
}

fn fold(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_command(span: &str, quoted: bool) -> bool {
    let mut words = span.split_whitespace();
    let Some(program) = words.next() else {
        return false;
    };
    let program = program.trim_start_matches("./");
    let known = PROGRAMS.contains(&program) && (quoted || !PROSE_PROGRAMS.contains(&program));
    known
        && (words.next().is_some()
            || (quoted && matches!(program, "make" | "pytest" | "tox" | "just" | "jest")))
}

fn is_commit(word: &str) -> bool {
    (7..=40).contains(&word.len())
        && word.chars().all(|digit| digit.is_ascii_hexdigit())
        && word.chars().any(|digit| digit.is_ascii_digit())
        && word.chars().any(|digit| digit.is_ascii_alphabetic())
}

fn tracker_key(word: &str) -> Option<String> {
    let (project, number) = word.split_once('-')?;
    let digits = number.trim_end_matches(|end: char| !end.is_ascii_digit());
    let key = (2..=10).contains(&project.len())
        && project.chars().all(|letter| letter.is_ascii_uppercase())
        && !matches!(
            project,
            "UTF" | "SHA" | "ISO" | "RFC" | "AES" | "TLS" | "HTTP" | "COVID" | "UTC" | "GPT"
        )
        && !digits.is_empty()
        && digits.chars().all(|digit| digit.is_ascii_digit());
    if !key {
        return None;
    }
    Some(if project == "GH" {
        format!("#{digits}")
    } else {
        format!("{project}-{digits}")
    })
}

/// Returns the error class or code that a word is.
fn error_of(word: &str) -> Option<&str> {
    let bare = word
        .rsplit(['.', ':'])
        .find(|part| !part.is_empty())
        .unwrap_or(word);
    let bare = bare
        .trim_end_matches("()")
        .trim_matches(['(', ')', '[', ']']);
    let class = ["Error", "Exception", "Panic", "Warning", "Fault"]
        .iter()
        .any(|ending| bare.len() > ending.len() && bare.ends_with(ending))
        && bare.starts_with(|first: char| first.is_ascii_uppercase());
    let upper = bare.len() >= 4
        && bare
            .chars()
            .all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit());
    let code = upper
        && (bare.starts_with("SIG")
            && matches!(
                bare,
                "SIGSEGV" | "SIGKILL" | "SIGABRT" | "SIGPIPE" | "SIGTERM" | "SIGBUS"
            )
            || bare.starts_with('E')
                && matches!(
                    bare,
                    "EACCES"
                        | "EADDRINUSE"
                        | "EAGAIN"
                        | "EBUSY"
                        | "ECONNREFUSED"
                        | "ECONNRESET"
                        | "EEXIST"
                        | "EINVAL"
                        | "EIO"
                        | "EMFILE"
                        | "ENOENT"
                        | "ENOMEM"
                        | "ENOSPC"
                        | "EPERM"
                        | "EPIPE"
                        | "ERESOLVE"
                        | "ETIMEDOUT"
                )
            || bare.len() >= 4 && bare.chars().skip(1).all(|digit| digit.is_ascii_digit())
            || bare.len() >= 6
                && bare.starts_with("TS")
                && bare[2..].chars().all(|digit| digit.is_ascii_digit()));
    (class || code).then_some(bare)
}

#[cfg(test)]
mod tests {
    use super::Entities;

    #[test]
    fn exact_names_are_told_from_prose() {
        let text = "Fix ConnectionResetError in ./src/net/pool.rs:42 (see #12, GH-7, PROJ-9 and/or commit 1f2e3d4): \
            `cargo test -p net`, `Pool::get`, run_pool() and config.yaml; e.g. version 1.2.3, UTF-8, read/write.";
        let found = Entities::of(text);
        let list =
            |set: &std::collections::BTreeSet<String>| set.iter().cloned().collect::<Vec<_>>();
        assert_eq!(list(&found.paths), ["config.yaml", "src/net/pool.rs"]);
        assert_eq!(
            list(&found.symbols),
            ["ConnectionResetError", "get", "run_pool"]
        );
        assert_eq!(list(&found.commands), ["cargo test -p net"]);
        assert_eq!(list(&found.errors), ["ConnectionResetError"]);
        assert_eq!(list(&found.issues), ["#12", "#7", "PROJ-9"]);
        assert_eq!(list(&found.commits), ["1f2e3d4"]);
    }

    #[test]
    fn addresses_give_only_their_issue_numbers() {
        let found = Entities::of(
            "see https://example.org/a/b/issues/99 and https://example.org/src/lib.rs",
        );
        assert_eq!(found.issues.iter().collect::<Vec<_>>(), ["#99"]);
        assert!(found.paths.is_empty());
    }

    #[test]
    fn prose_names_nothing() {
        let text = "Please make the tests pass again and go on with it, either now or later. It's a well-known issue!";
        assert!(Entities::of(text).is_empty(), "{:?}", Entities::of(text));
    }
}
