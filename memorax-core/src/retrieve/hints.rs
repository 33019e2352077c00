//! Which kinds of memories the form of a question asks for.

use crate::MemoryKind;

/// Beginnings and phrases of questions, and the kinds that answer them.
const HINTS: &[(&[&str], &[MemoryKind])] = {
    use MemoryKind as Kind;
    &[
        (
            &[
                "how do i run",
                "how do we run",
                "how to run",
                "how do i start",
                "how do i build",
                "how do you run",
                "how do i test",
                "how do i install",
                "how do i launch",
                "how do i deploy",
                "how do i release",
                "command to",
                "command for",
                "which command",
                "what do i run",
                "what command",
                "run the ",
            ],
            &[Kind::Command, Kind::Skill],
        ),
        (
            &[
                "how do i",
                "how do we",
                "how to",
                "how can i",
                "steps ",
                "walk me through",
                "how should i",
            ],
            &[Kind::Command, Kind::Skill, Kind::Convention],
        ),
        (
            &[
                "why did",
                "why do we",
                "why are we",
                "why don't",
                "why aren't",
                "why isn't",
                "why not",
                "why is",
                "reason ",
            ],
            &[Kind::Decision, Kind::Rejection],
        ),
        (
            &[
                "should we",
                "can we",
                "could we",
                "can i",
                "may i",
                "may we",
                "let's",
                "is it ok",
                "are we allowed",
                "what about",
            ],
            &[
                Kind::Rejection,
                Kind::Decision,
                Kind::Convention,
                Kind::Preference,
            ],
        ),
        (
            &[
                "where do i",
                "where should",
                "where do we",
                "where are we",
                "where is it",
                "naming",
                "how should",
                "style",
            ],
            &[Kind::Convention, Kind::Fact],
        ),
        (
            &[
                "fails",
                "failing",
                "failed",
                "hangs",
                "broken",
                "breaks",
                "error",
                "crash",
                "doesn't work",
                "stuck",
                "why does",
            ],
            &[Kind::Failure],
        ),
        (
            &[
                "status of",
                "state of",
                "what's left",
                "how far",
                "progress",
                "still to do",
                "remaining",
            ],
            &[Kind::Progress],
        ),
    ]
};

/// Returns the kinds that the form of a question asks for; empty where it says nothing.
pub(super) fn hinted(question: &str) -> Vec<MemoryKind> {
    let lower = question.to_lowercase().replace('’', "'");
    let mut kinds: Vec<MemoryKind> = HINTS
        .iter()
        .filter(|(cues, _)| cues.iter().any(|cue| has_phrase(&lower, cue)))
        .flat_map(|(_, kinds)| kinds.iter().copied())
        .collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

/// Says whether a phrase stands in a text at the start of a word.
fn has_phrase(text: &str, phrase: &str) -> bool {
    text.match_indices(phrase)
        .any(|(at, _)| !text[..at].ends_with(char::is_alphanumeric))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_of_a_question_tells_the_kind() {
        for (question, kind) in [
            ("How do I run the tests?", MemoryKind::Command),
            ("why did we drop Influx", MemoryKind::Decision),
            ("should we use GraphQL", MemoryKind::Rejection),
            ("the build hangs", MemoryKind::Failure),
            ("what's left of the move", MemoryKind::Progress),
        ] {
            assert!(hinted(question).contains(&kind), "{question}");
        }
        assert_eq!(hinted("stations"), []);
    }
}
