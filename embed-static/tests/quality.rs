//! What the table is worth: questions about code, commits and prose that it never saw, each with its own answer.
//!
//! `code.jsonl` and `commits.jsonl` come from this repository, `prose.jsonl` was written for this test. The floors lie a
//! little below what was measured (`training/README.md`); a new table must not fall under them.

use std::error::Error;
use std::path::Path;

use memorax_embed_static::{DIMENSIONS, embed};

type Vectors = Vec<[f32; DIMENSIONS]>;

#[test]
fn a_description_finds_its_function() -> Result<(), Box<dyn Error>> {
    reaches("code.jsonl", 120, 0.59)
}

#[test]
fn a_message_finds_its_change() -> Result<(), Box<dyn Error>> {
    reaches("commits.jsonl", 60, 0.51)
}

#[test]
fn a_question_finds_its_memory() -> Result<(), Box<dyn Error>> {
    reaches("prose.jsonl", 60, 0.53)
}

#[test]
fn a_text_without_known_words_has_no_direction() {
    for text in [
        "",
        "   \n",
        "\u{1f980} ::",
        "deadbeefdeadbeefdeadbeefdeadbeefdeadbeef",
    ] {
        assert!(embed(text).iter().all(|value| *value == 0.0), "{text:?}");
    }
}

#[test]
fn spelling_does_not_matter_where_words_are_the_same() {
    let same = [
        ("parse_config_file", "parseConfigFile"),
        ("ParseConfigFile", "parse config file"),
        ("r\u{e9}sum\u{e9}", "resume"),
        ("LOCK", "lock"),
        ("read, write!", "write read"),
    ];
    for (one, other) in same {
        let bits = |text| embed(text).map(f32::to_bits);
        assert_eq!(bits(one), bits(other), "{one:?} and {other:?}");
    }
}

/// Checks the mean of 1/rank of the own answer among all answers of a file, 0 below rank 10.
fn reaches(file: &str, fewest: usize, floor: f32) -> Result<(), Box<dyn Error>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(file);
    let (mut questions, mut answers) = (Vectors::new(), Vectors::new());
    for line in std::fs::read_to_string(path)?.lines() {
        let pair: serde_json::Value = serde_json::from_str(line)?;
        questions.push(embed(
            pair["query"].as_str().ok_or("a pair has a question")?,
        ));
        answers.push(embed(pair["text"].as_str().ok_or("a pair has an answer")?));
    }
    assert!(
        questions.len() >= fewest,
        "{file} has {} pairs",
        questions.len()
    );
    let mean = questions
        .iter()
        .enumerate()
        .map(|(own, question)| reciprocal_rank(question, own, &answers))
        .sum::<f32>()
        / questions.len() as f32;
    assert!(mean >= floor, "{file}: MRR@10 {mean:.3} is below {floor}");
    Ok(())
}

fn reciprocal_rank(question: &[f32], own: usize, answers: &Vectors) -> f32 {
    let near = |answer: &[f32]| -> f32 { question.iter().zip(answer).map(|(x, y)| x * y).sum() };
    let reached = near(&answers[own]);
    let rank = answers
        .iter()
        .enumerate()
        .filter(|(at, answer)| *at != own && near(*answer) >= reached)
        .count()
        + 1;
    if rank <= 10 { 1.0 / rank as f32 } else { 0.0 }
}
