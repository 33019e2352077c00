//! Command lines out of shell scripts: only those that can be run as they stand.

use super::facts::Facts;
use super::sources::{Sources, join};
use super::task::{classify, is_assignment};
use super::{Basis, Task};

/// Longest command that is worth showing.
const LONGEST: usize = 130;

/// Adds the commands of a script that are known, complete and exist.
///
/// Reading stops where the script does something that is not understood, because what follows may depend on it.
pub(super) fn add(
    sources: &Sources<'_>,
    facts: &mut Facts,
    script: &str,
    folder: &str,
    basis: Basis,
    from: &str,
) {
    let mut folder = folder.to_owned();
    let mut cloned = false;
    for line in joined(script) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') || is_harmless(line) {
            cloned |= line.starts_with("git clone ");
            continue;
        }
        // `if ! check; then` runs the check; what follows is for its failure.
        let checked = line
            .strip_prefix("if ! ")
            .and_then(|rest| rest.strip_suffix("; then"));
        if let Some(part) = checked {
            let words = words(part);
            if let Some(task) = classify(&words)
                && can_be_shown(part)
                && exists(sources, facts, &words, &folder)
            {
                add_line(facts, task, part, &folder, basis, from);
            }
            return;
        }
        for part in line.split("&&").map(str::trim) {
            let words = words(part);
            if words.first().is_some_and(|word| word == "cd") {
                let Some(target) = words.get(1) else { return };
                let target = join(&folder, target);
                // `git clone x` and `cd x` lead to the root.
                if std::mem::take(&mut cloned) && !sources.has_folder(&target) {
                    continue;
                }
                if !sources.has_folder(&target) {
                    return;
                }
                folder = target;
                continue;
            }
            match classify(&words) {
                Some(task) => {
                    if can_be_shown(part) && exists(sources, facts, &words, &folder) {
                        add_line(facts, task, part, &folder, basis, from);
                    }
                }
                None if is_harmless(part) => {}
                None => {
                    documentation_tests(sources, facts, script, &folder, basis, from);
                    return;
                }
            }
        }
    }
}

/// Adds the tests in documentation that a script runs somewhere: `cargo nextest` leaves them out.
fn documentation_tests(
    sources: &Sources<'_>,
    facts: &mut Facts,
    script: &str,
    folder: &str,
    basis: Basis,
    from: &str,
) {
    let lines = joined(script);
    if !lines
        .iter()
        .any(|line| line.trim().starts_with("cargo nextest "))
    {
        return;
    }
    for line in lines.iter().map(|line| line.trim()) {
        if line.starts_with("cargo test --doc ")
            && can_be_shown(line)
            && exists(sources, facts, &words(line), folder)
        {
            add_line(facts, Task::Test, line, folder, basis, from);
        }
    }
}

fn add_line(facts: &mut Facts, task: Task, line: &str, folder: &str, basis: Basis, from: &str) {
    let line = line.split(" # ").next().unwrap_or(line).trim_end();
    let line = without_run(line);
    let line = if folder.is_empty() {
        line
    } else {
        format!("cd {folder} && {line}")
    };
    facts.command(task, basis, &line, from);
}

/// `pnpm run build` and `pnpm build` are the same command.
fn without_run(line: &str) -> String {
    for manager in ["pnpm", "yarn"] {
        if let Some(script) = line
            .strip_prefix(manager)
            .and_then(|rest| rest.strip_prefix(" run "))
        {
            return format!("{manager} {script}");
        }
    }
    line.to_owned()
}

/// Joins lines that end in a backslash.
fn joined(script: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut open = false;
    for line in script.lines() {
        let (text, continues) = match line.trim_end().strip_suffix('\\') {
            Some(text) => (text.trim_end(), true),
            None => (line.trim_end(), false),
        };
        match lines.last_mut().filter(|_| open) {
            Some(last) => {
                last.push(' ');
                last.push_str(text.trim_start());
            }
            None => lines.push(text.to_owned()),
        }
        open = continues;
    }
    lines
}

/// Splits at white space outside quotes; a comment ends the line.
pub(super) fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quote = None;
    for letter in line.chars() {
        match quote {
            Some(open) if letter == open => quote = None,
            None if letter == '"' || letter == '\'' => quote = Some(letter),
            None if letter.is_whitespace() => {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
            }
            None if letter == '#' && word.is_empty() => break,
            _ => word.push(letter),
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// Lines that change nothing for those after them.
fn is_harmless(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    matches!(first, "set" | "echo" | "ls" | "pwd" | "true" | "which") && !line.contains('>')
        || line.starts_with("git clone ")
        || line.ends_with(" --version")
        || line.ends_with(" -V")
        || line.starts_with("rustup component add ")
}

/// Says whether a line has no part that only its writer could fill in.
fn can_be_shown(line: &str) -> bool {
    let opaque = [
        "$", "`", "<", ">", "|", ";", "{{", "\u{2026}", " & ", "path/to", "FIXME", "[", "]",
    ];
    let placeholder = |word: &str| {
        word.len() > 3
            && !word.starts_with('-')
            && !is_assignment(word)
            && word
                .chars()
                .all(|letter| letter.is_ascii_uppercase() || letter == '_')
    };
    // The list of the files in git is the same for everyone.
    let line = &line.replace("$(git ls-files '*.", "('*.");
    let dots = line.contains("...") && !line.contains("./...");
    line.chars().count() <= LONGEST
        && !dots
        && !opaque.iter().any(|part| line.contains(part))
        && !line.split_whitespace().any(placeholder)
}

/// Says whether the target, script or package that a command names is there.
fn exists(sources: &Sources<'_>, facts: &Facts, words: &[String], folder: &str) -> bool {
    let words: Vec<&str> = words
        .iter()
        .map(String::as_str)
        .filter(|word| !is_assignment(word))
        .collect();
    let Some((tool, rest)) = words.split_first() else {
        return false;
    };
    let targets = |runner: &str| {
        !folder.is_empty()
            || rest
                .iter()
                .filter(|word| !word.starts_with('-') && !word.contains('='))
                .all(|word| facts.has_target(runner, word))
    };
    let package = |name: &str| facts.packages.iter().any(|package| package.name == name);
    match *tool {
        "make" | "gmake" => targets("make"),
        "mise" => rest
            .get(1)
            .is_none_or(|word| facts.has_target("mise run", word) || !folder.is_empty()),
        "just" => rest
            .first()
            .is_none_or(|word| facts.has_target("just", word) || !folder.is_empty()),
        "npm" | "pnpm" | "yarn" | "bun" => {
            let names: Vec<&str> = rest
                .iter()
                .copied()
                .filter(|word| !word.starts_with('-'))
                .collect();
            let filtered = rest.iter().any(|word| {
                let option = word.split('=').next().unwrap_or(word);
                matches!(
                    option,
                    "--filter" | "-F" | "-w" | "--workspace" | "--prefix" | "-C"
                )
            });
            match names.as_slice() {
                _ if filtered => false,
                [] | ["install" | "ci" | "i"] => true,
                ["run", name, ..] | [name, ..] => {
                    !folder.is_empty() || facts.has_target("npm", name)
                }
            }
        }
        "cargo" => rest.windows(2).all(|pair| match pair[0] {
            "-p" | "--package" | "--exclude" => package(pair[1]),
            "--manifest-path" => sources.has(&join(folder, pair[1])),
            _ => true,
        }),
        "bash" | "sh" | "python" | "python3" | "node" | "py" => match rest.first() {
            Some(word) if word.starts_with('-') => true,
            Some(path) => sources.has(&join(folder, path)),
            None => false,
        },
        "./gradlew" | "./mvnw" => sources.has(&join(folder, tool)),
        "pip" | "pip3" => rest
            .windows(2)
            .all(|pair| pair[0] != "-r" || sources.has(&join(folder, pair[1]))),
        path if path.contains('/') => sources.has(&join(folder, path)),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_only_their_writer_can_fill_in_are_not_shown() {
        for line in [
            "cargo test -p <crate>",
            "cargo test --features $FEATURES",
            "go test ...",
            "pytest tests/NAME_OF_TEST",
            "pytest FILENAME",
        ] {
            let shown = can_be_shown(line);
            assert_eq!(shown, line == "pytest tests/NAME_OF_TEST", "{line}");
        }
        assert!(can_be_shown("go test ./..."));
        assert!(can_be_shown("rustfmt --check $(git ls-files '*.rs')"));
    }

    #[test]
    fn continued_lines_are_one_command() {
        assert_eq!(
            joined("cargo test \\\n  --all\nls"),
            ["cargo test --all", "ls"]
        );
        assert_eq!(words("a 'b c' --d=\"e f\" # g"), ["a", "b c", "--d=e f"]);
    }
}
