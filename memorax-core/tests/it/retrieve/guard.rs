//! Twenty rejections: proposals that repeat one are denied, others in the same area are not.

use memorax_core::retrieve::{Context, NoTree, Retriever, Weighted};
use memorax_core::{Check, MemoryKind, Result, Timestamp};

use super::source::{List, memory, nowhere, rows};

const MEMORIES: &str = include_str!("../../fixtures/memories.tsv");
const REJECTIONS: &str = include_str!("../../fixtures/rejections.tsv");
const REPEATING: &str = include_str!("../../fixtures/repeating.tsv");
const HARMLESS: &str = include_str!("../../fixtures/harmless.tsv");

/// The rejections among the other memories of the project.
fn project() -> Result<List> {
    let rejections = (0..)
        .zip(rows(REJECTIONS))
        .map(|(number, row)| Ok(memory(number, MemoryKind::Rejection, row[1])));
    let others = (1000..)
        .zip(rows(MEMORIES))
        .map(|(number, row)| Ok(memory(number, row[1].parse()?, row[2])));
    let kept = |memory: &Result<memorax_core::Memory>| {
        memory
            .as_ref()
            .map_or(true, |memory| memory.kind != MemoryKind::Rejection)
    };
    let memories: Result<Vec<_>> = rejections.chain(others.filter(kept)).collect();
    Ok(List::new(memories?, nowhere()))
}

fn check(list: &List, proposal: &str) -> Result<Check> {
    let sight = nowhere();
    let context = Context::new(
        list,
        &NoTree,
        &sight,
        Timestamp::from_millis(1_780_000_000_000),
    );
    Weighted::default().check(&context, proposal)
}

fn summary(check: &Check) -> String {
    check
        .rejections
        .iter()
        .map(|hit| {
            format!(
                "{:.2} {:?} {}",
                hit.confidence, hit.evidence, hit.memory.title
            )
        })
        .collect::<Vec<_>>()
        .join("; ")
}

#[test]
fn repeated_ideas_are_denied_and_neighbours_are_not() -> Result<()> {
    let list = project()?;
    let texts: std::collections::BTreeMap<&str, &str> =
        rows(REJECTIONS).map(|row| (row[0], row[1])).collect();
    let mut missed = Vec::new();
    let mut repeats = 0;
    for row in rows(REPEATING) {
        repeats += 1;
        let answer = check(&list, row[1])?;
        let right = answer
            .rejections
            .first()
            .is_some_and(|hit| hit.denies && hit.memory.text == texts[row[0]]);
        if !right {
            missed.push(format!("{}: {}", row[1], summary(&answer)));
        }
    }
    let mut wrong = Vec::new();
    for row in rows(HARMLESS) {
        let answer = check(&list, row[0])?;
        if answer.denies() {
            wrong.push(format!("{}: {}", row[0], summary(&answer)));
        }
    }
    let denied = repeats - missed.len();
    let recall = denied as f32 / repeats as f32;
    let precision = denied as f32 / (denied + wrong.len()).max(1) as f32;
    assert!(
        recall >= 0.9 && precision >= 0.95,
        "recall {recall:.3}, precision {precision:.3}\nmissed {missed:#?}\nwrong {wrong:#?}"
    );
    Ok(())
}
