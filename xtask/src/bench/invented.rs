//! An invented project: its files and commits, its memories, and what is asked about it. The same on every run.

use serde_json::json;

use super::random::Random;

const AREAS: [&str; 16] = [
    "billing",
    "cache",
    "export",
    "gateway",
    "inventory",
    "ledger",
    "mailer",
    "metrics",
    "planner",
    "queue",
    "report",
    "scheduler",
    "search",
    "session",
    "storage",
    "webhook",
];
const VERBS: [&str; 16] = [
    "apply", "build", "check", "close", "decode", "drain", "encode", "fetch", "flush", "load",
    "merge", "parse", "queue", "render", "resolve", "retry",
];
const NOUNS: [&str; 20] = [
    "account", "batch", "chunk", "cursor", "draft", "event", "frame", "header", "index", "invoice",
    "lease", "manifest", "message", "order", "page", "quota", "record", "snapshot", "token",
    "upload",
];
const SYMPTOMS: [&str; 10] = [
    "times out under load",
    "returns stale rows",
    "loses the last byte",
    "panics on empty input",
    "deadlocks at shutdown",
    "leaks file handles",
    "doubles every entry",
    "fails on Windows paths",
    "is slow with cold caches",
    "rejects valid signatures",
];
const REASONS: [&str; 10] = [
    "the driver keeps one connection for each thread",
    "two workers may hold the same lease",
    "clocks of the nodes differ by seconds",
    "the upstream service limits us to few calls a minute",
    "users edit the file while it is read",
    "the format has no length field",
    "our oldest customers still send the first version",
    "the audit needs every change in order",
    "nobody could explain the figures afterwards",
    "the tests could not be made deterministic",
];
const TOOLS: [&str; 10] = [
    "Postgres", "Redis", "SQLite", "Kafka", "gRPC", "protobuf", "serde", "tokio", "rayon",
    "OpenSSL",
];

/// A commit of the project.
pub(super) struct Change {
    pub(super) message: String,
    /// Paths with their whole text.
    pub(super) files: Vec<(String, String)>,
}

/// Returns the commits of the project: one for each area, and one that touches several.
pub(super) fn changes() -> Vec<Change> {
    let mut random = Random::new(1);
    let mut changes: Vec<Change> = AREAS
        .iter()
        .map(|area| Change {
            message: format!(
                "{area}: {} the {}",
                random.pick(&VERBS),
                random.pick(&NOUNS)
            ),
            files: (0..3).map(|_| file(&mut random, area)).collect(),
        })
        .collect();
    changes.push(Change {
        message: format!("Say how to build, and {} every {}", VERBS[0], NOUNS[0]),
        files: vec![
            (
                "README.md".to_owned(),
                "# Invented\n\nRun `cargo build` and `cargo test`.\n".to_owned(),
            ),
            (
                "Cargo.toml".to_owned(),
                "[package]\nname = \"invented\"\nversion = \"0.1.0\"\nedition = \"2024\"\n"
                    .to_owned(),
            ),
            file(&mut random, AREAS[0]),
        ],
    });
    changes
}

fn file(random: &mut Random, area: &str) -> (String, String) {
    let noun = random.pick(&NOUNS);
    let functions: Vec<String> = (0..8).map(|_| function(random, area)).collect();
    (
        format!("src/{area}/{noun}.rs"),
        format!("//! The {noun} of the {area}.\n\n{}", functions.join("\n")),
    )
}

fn function(random: &mut Random, area: &str) -> String {
    let (verb, noun) = (random.pick(&VERBS), random.pick(&NOUNS));
    format!(
        "/// Lets the {area} {verb} a {noun}.\npub fn {verb}_{noun}_{}(count: usize) -> usize {{\n    count + {}\n}}\n",
        random.below(100),
        random.below(1000),
    )
}

/// Returns memories as JSON Lines; their ids keep those that read alike apart.
pub(super) fn memories(count: usize) -> String {
    let mut random = Random::new(2);
    let mut lines = String::new();
    for number in 1..=count {
        let (kind, text) = memory(&mut random);
        let line = json!({
            "id": format!("01900000-0000-7000-8000-{number:012x}"),
            "kind": kind,
            "text": text,
            "tags": [random.pick(&AREAS)],
        });
        lines.push_str(&line.to_string());
        lines.push('\n');
    }
    lines
}

fn memory(random: &mut Random) -> (&'static str, String) {
    let area = random.pick(&AREAS);
    let other = random.pick(&AREAS);
    let verb = random.pick(&VERBS);
    let noun = random.pick(&NOUNS);
    let symptom = random.pick(&SYMPTOMS);
    let reason = random.pick(&REASONS);
    let (tool, rival) = (random.pick(&TOOLS), random.pick(&TOOLS));
    let number = random.below(5000);
    let path = format!("src/{area}/{noun}.rs");
    match random.below(9) {
        0 => (
            "decision",
            format!(
                "The {area} stores each {noun} in {tool} and not in {rival}, because {reason}. Rows older than {number} days are moved by `{verb}_{noun}` in {path}."
            ),
        ),
        1 => (
            "failure",
            format!(
                "`{verb}_{noun}_{number}` {symptom}: {reason}. Fixed by taking the lock of the {other} first and by asking {tool} only once; see {path} and the test beside it."
            ),
        ),
        2 => (
            "convention",
            format!(
                "Names in the {area} say what is {verb}ed: `{verb}_{noun}`, never `do_{noun}`. Functions of {path} return a count of at most {number} and log nothing."
            ),
        ),
        3 => (
            "rejection",
            format!(
                "Do not replace {tool} with {rival} in the {area}: it {symptom} with more than {number} entries, and {reason}."
            ),
        ),
        4 => (
            "command",
            format!(
                "`cargo test -p {area} {verb}_{noun} -- --test-threads {}` runs the slow tests of the {area}; they need {tool} on port {}.",
                1 + number % 8,
                5000 + number
            ),
        ),
        5 => (
            "progress",
            format!(
                "The {area} is being moved from {rival} to {tool}: {number} of 5000 callers of `{verb}_{noun}` are done, those in the {other} are next."
            ),
        ),
        6 => (
            "preference",
            format!(
                "Reviews of the {area} want a small commit for each {noun}, at most {number} lines, with the reason in its body."
            ),
        ),
        _ => (
            "fact",
            format!(
                "A {noun} of the {area} has at most {number} bytes on the wire; `{verb}_{noun}` in {path} cuts it, because {reason}. The {other} {symptom} where this is not done."
            ),
        ),
    }
}

/// Returns what is asked, of different lengths, some with names of the code in them.
pub(super) fn questions(count: usize) -> Vec<String> {
    let mut random = Random::new(3);
    (0..count)
        .map(|number| {
            let area = random.pick(&AREAS);
            let verb = random.pick(&VERBS);
            let noun = random.pick(&NOUNS);
            let symptom = random.pick(&SYMPTOMS);
            let tool = random.pick(&TOOLS);
            match number % 4 {
                0 => format!("why does the {area} use {tool}?"),
                1 => format!("`{verb}_{noun}_{}` {symptom}, fix it", random.below(5000)),
                2 => format!("The {area} {symptom} when a {noun} is larger than usual. Find out why in src/{area}/{noun}.rs, {verb} the {noun} earlier, and add a test that fails without the fix."),
                _ => format!("add a command that lets users {verb} every {noun} of the {area}"),
            }
        })
        .collect()
}

/// Returns a text to remember that no other number gives.
pub(super) fn note(number: usize) -> String {
    let mut random = Random::new(number as u64 + 4);
    let (_, text) = memory(&mut random);
    format!("{text} Noted in run {number}.")
}
