//! The ledger keeps vectors in step with the log.

use std::sync::Arc;

use memorax_core::store::{Ledger, Table, Volatile};
use memorax_core::{Action, Draft, Fields, LineId, Memory, MemoryKind, Result, StaticEmbedder};

use super::fixture::{Done, Row, apart, exactly, ledger_on, pieces, rows_of};
use crate::ledger::{assert_sound, edit_text, provenance, remember};

#[test]
fn a_scan_finds_what_exact_search_finds() -> Done {
    let texts = pieces(1_000)?;
    let ledger = ledger_on(Arc::new(Volatile::new()));
    let drafts: Vec<Draft> = texts
        .iter()
        .map(|text| apart(text, MemoryKind::Fact, None))
        .collect();
    ledger.apply(&drafts)?;
    let embedder = StaticEmbedder::new();
    assert_eq!(ledger.embed(&embedder, usize::MAX)?, texts.len());
    assert_eq!(ledger.embedded(&embedder)?, (texts.len() as u64, 0));
    let (mut right, mut wanted) = (0, 0);
    for question in [
        "how is a file written so that it is whole or absent",
        "which words say nothing by themselves",
        "find the branch that was merged by squash",
        "lock held by another process",
        "parse the manifest of a package",
        "secrets in environment variables",
        "rank files by past commits",
        "damaged pages of the store",
        "cut a text to a number of tokens",
        "symbols of a python file",
    ] {
        let exact = exactly(&texts, question)?;
        let found = ledger.nearest(&embedder, question, &[], 10, &|_| true)?;
        let least = exact[9].1 - 1e-4;
        wanted += 10;
        right += found.iter().filter(|(_, cosine)| *cosine >= least).count();
        assert!((found[0].1 - exact[0].1).abs() < 1e-3, "{question}");
    }
    assert!(
        right * 100 >= wanted * 98,
        "recall@10 is {right} of {wanted}"
    );
    Ok(())
}

#[test]
fn filters_are_applied_before_the_ranking_is_cut() -> Done {
    let texts = pieces(600)?;
    let (own, other) = (LineId::new(), LineId::new());
    let kind = |number: usize| {
        if number.is_multiple_of(50) {
            MemoryKind::Decision
        } else {
            MemoryKind::Fact
        }
    };
    let line = |number: usize| {
        if number.is_multiple_of(40) {
            own
        } else {
            other
        }
    };
    let drafts: Vec<Draft> = texts
        .iter()
        .enumerate()
        .map(|(number, text)| apart(text, kind(number), Some(line(number))))
        .collect();
    let ledger = ledger_on(Arc::new(Volatile::new()));
    ledger.apply(&drafts)?;
    let embedder = StaticEmbedder::new();
    ledger.embed(&embedder, usize::MAX)?;
    let question = "write a file so that a crash leaves the old one";
    let exact = exactly(&texts, question)?;
    let expected = |wanted: &dyn Fn(usize) -> bool| -> Vec<&str> {
        exact
            .iter()
            .filter(|(number, _)| wanted(*number))
            .map(|(number, _)| texts[*number].as_str())
            .take(8)
            .collect()
    };
    let texts_of = |found: Vec<(Memory, f32)>| -> Vec<String> {
        found.into_iter().map(|(memory, _)| memory.text).collect()
    };
    let sees = |seen: Option<LineId>| seen == Some(own);
    let found = texts_of(ledger.nearest(&embedder, question, &[], 8, &sees)?);
    assert_eq!(found, expected(&|number| line(number) == own));
    let kinds = [MemoryKind::Decision];
    let found = texts_of(ledger.nearest(&embedder, question, &kinds, 8, &|_| true)?);
    assert_eq!(found, expected(&|number| number.is_multiple_of(50)));
    let found = texts_of(ledger.nearest(&embedder, question, &kinds, 8, &sees)?);
    assert_eq!(found, expected(&|number| number.is_multiple_of(200)));
    Ok(())
}

#[test]
fn what_is_edited_forgotten_or_brought_back_has_the_vector_of_its_text_or_none() -> Done {
    let ledger = ledger_on(Arc::new(Volatile::new()));
    let embedder = StaticEmbedder::new();
    let (id, draft) = remember("We chose redb because it is one file and crash safe.");
    ledger.apply(&[draft, remember("Weeks start on Monday in every report.").1])?;
    ledger.embed(&embedder, 10)?;
    assert_eq!(ledger.embedded(&embedder)?, (2, 0));
    ledger.apply(&[edit_text(
        id,
        "We chose SQLite because everybody knows it.",
        None,
    )])?;
    assert_eq!(
        ledger.embedded(&embedder)?,
        (1, 1),
        "the old vector is gone"
    );
    assert_sound(&ledger)?;
    ledger.embed(&embedder, 10)?;
    let near = ledger.nearest(&embedder, "which database", &[], 1, &|_| true)?;
    assert_eq!(near[0].0.id, id);
    // What is no text changes nothing.
    let mut fields = Fields::default();
    fields.add_tags = vec!["storage".to_owned()];
    let before = rows_of(&**ledger.store())?;
    let tag = Action::Edit {
        memory: id,
        fields: Box::new(fields),
        version: None,
    };
    ledger.apply(&[Draft::new(tag, provenance(3_000))])?;
    assert_eq!(rows_of(&**ledger.store())?, before);
    ledger.apply(&[Draft::new(Action::Delete { memory: id }, provenance(4_000))])?;
    assert_eq!(ledger.embedded(&embedder)?, (1, 0), "it waits for nothing");
    ledger.apply(&[Draft::new(
        Action::Restore { memory: id },
        provenance(5_000),
    )])?;
    assert_eq!(ledger.embedded(&embedder)?, (1, 1));
    ledger.embed(&embedder, 10)?;
    assert_sound(&ledger)?;
    assert_eq!(ledger.derive_again()?, 6);
    assert_eq!(
        ledger.embedded(&embedder)?,
        (0, 2),
        "ordinals may be others now"
    );
    ledger.embed(&embedder, 10)?;
    assert_sound(&ledger)?;
    Ok(())
}

#[test]
fn a_version_that_knows_no_vectors_may_write_in_between() -> Done {
    let ledger = ledger_on(Arc::new(Volatile::new()));
    let embedder = StaticEmbedder::new();
    let (edited, draft) = remember("We chose redb because it is one file and crash safe.");
    let (gone, second) = remember("Weeks start on Monday in every report.");
    ledger.apply(&[
        draft,
        second,
        remember("Ada reviews what touches the parser.").1,
    ])?;
    ledger.embed(&embedder, 10)?;
    let before = rows_of(&**ledger.store())?;
    let place = |ledger: &Ledger| -> Result<Option<Vec<u8>>> {
        let mut place = None;
        ledger.store().read(&mut |rows| {
            place = rows.get(Table::Meta, b"vectors")?;
            Ok(())
        })?;
        Ok(place)
    };
    let old_place = place(&ledger)?.ok_or("the place is kept")?;
    ledger.apply(&[
        edit_text(edited, "We chose SQLite because everybody knows it.", None),
        Draft::new(Action::Purge { memory: gone }, provenance(4_000)),
    ])?;
    // The other version leaves the rows of vectors as they were.
    ledger.store().write(&mut |rows| {
        for (table, key, value) in &before {
            rows.put(*table, key, value)?;
        }
        rows.put(Table::Meta, b"vectors", &old_place)
    })?;
    let problems = ledger.verify()?.problems.join("\n");
    assert!(problems.contains("is of another text"), "{problems}");
    assert!(problems.contains("is gone and has a vector"), "{problems}");
    ledger.apply(&[remember("The build needs cmake.").1])?;
    assert_sound(&ledger)?;
    assert_eq!(ledger.embedded(&embedder)?, (1, 2));
    Ok(())
}

#[test]
fn a_vector_of_another_text_is_named_by_verify() -> Done {
    let ledger = ledger_on(Arc::new(Volatile::new()));
    let embedder = StaticEmbedder::new();
    ledger.apply(&[
        remember("We chose redb because it is one file and crash safe.").1,
        remember("Weeks start on Monday in every report.").1,
    ])?;
    ledger.embed(&embedder, 10)?;
    let mut vectors: Vec<Row> = rows_of(&**ledger.store())?;
    vectors.retain(|(table, _, _)| *table == Table::Vector);
    ledger.store().write(&mut |rows| {
        rows.put(Table::Vector, &vectors[0].1, &vectors[1].2)?;
        rows.put(Table::Vector, &vectors[1].1, &vectors[0].2)
    })?;
    let problems = ledger.verify()?.problems;
    let of_another = problems
        .iter()
        .filter(|one| one.contains("of another text"));
    assert_eq!(of_another.count(), 2, "{problems:?}");
    Ok(())
}
