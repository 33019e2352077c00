//! The log and the state derived from it, through the public ledger on an in-memory store.

use std::sync::Arc;

use memorax_core::store::{Ledger, MemoryStore, Table, Volatile};
use memorax_core::{
    Action, DeviceId, Draft, ErrorKind, Fields, Filter, LineFields, LineId, Memory, MemoryId,
    MemoryKind, NewMemory, Outcome, Provenance, Result, Scope, SpaceId, Stamp, Status, Timestamp,
    Trust, Verdict,
};

pub(crate) fn ledger() -> Ledger {
    Ledger::new(Arc::new(Volatile::new()), SpaceId::local(), DeviceId::new())
}

pub(crate) fn provenance(millis: i64) -> Provenance {
    Provenance::new("ada", Trust::User, Timestamp::from_millis(millis))
}

pub(crate) fn new_memory(text: &str) -> NewMemory {
    NewMemory::new(MemoryKind::Decision, text, Scope::everywhere(), Trust::User)
}

pub(crate) fn remember(text: &str) -> (MemoryId, Draft) {
    let memory = new_memory(text);
    (
        memory.id,
        Draft::new(
            Action::Remember {
                memory: Box::new(memory),
            },
            provenance(1_000),
        ),
    )
}

pub(crate) fn edit_text(memory: MemoryId, text: &str, version: Option<Vec<Stamp>>) -> Draft {
    let mut fields = Fields::default();
    fields.text = Some(text.to_owned());
    Draft::new(
        Action::Edit {
            memory,
            fields: Box::new(fields),
            version,
        },
        provenance(2_000),
    )
}

fn list(ledger: &Ledger) -> Result<Vec<Memory>> {
    ledger.list(&Filter::new(), &|_| true)
}

pub(crate) fn assert_sound(ledger: &Ledger) -> Result<()> {
    assert_eq!(ledger.verify()?.problems, Vec::<String>::new());
    Ok(())
}

#[test]
fn a_draft_that_is_applied_twice_changes_the_store_once() -> Result<()> {
    let ledger = ledger();
    let (id, draft) = remember("We chose redb because it is one file and crash safe.");
    assert_eq!(
        ledger.apply(std::slice::from_ref(&draft))?,
        [Outcome::Created(id)]
    );
    assert_eq!(
        ledger.apply(&[draft.clone(), draft])?,
        [Outcome::Created(id), Outcome::Created(id)]
    );
    assert_eq!(list(&ledger)?.len(), 1);
    assert_eq!(
        ledger.counts()?.operations,
        1,
        "only one operation is in the log"
    );
    assert_sound(&ledger)
}

#[test]
fn saying_the_same_again_leaves_an_alias_that_resolves_for_ever() -> Result<()> {
    let ledger = ledger();
    let (first, draft) = remember("Run the tests with `cargo nextest run` before every push.");
    ledger.apply(&[draft])?;
    let (second, draft) = remember("run the tests with `cargo nextest run`  before every push");
    assert_eq!(
        ledger.apply(&[draft])?,
        [Outcome::Joined {
            alias: second,
            into: first
        }]
    );
    let found = ledger.get(second)?.expect("the alias resolves");
    assert_eq!((found.id, found.stats.repeated), (first, 1));
    ledger.apply(&[Draft::new(Action::Delete { memory: second }, provenance(5))])?;
    assert_eq!(
        ledger.get(first)?,
        None,
        "deleting by the alias deletes the memory"
    );
    assert_sound(&ledger)
}

#[test]
fn texts_that_differ_in_a_number_stay_apart() -> Result<()> {
    let ledger = ledger();
    let (_, first) = remember("The retry limit of the upload client is 3 attempts.");
    let (id, second) = remember("The retry limit of the upload client is 5 attempts.");
    assert_eq!(ledger.apply(&[first, second])?[1], Outcome::Created(id));
    Ok(())
}

#[test]
fn a_repetition_on_another_branch_is_a_memory_of_its_own() -> Result<()> {
    let ledger = ledger();
    let (main, feature) = (LineId::new(), LineId::new());
    for (line, parent) in [(main, None), (feature, Some(main))] {
        let mut fields = LineFields::default();
        fields.reference = Some(format!("refs/heads/{line}"));
        fields.parent = parent;
        ledger.apply(&[Draft::new(
            Action::Line {
                line,
                fields: Box::new(fields),
            },
            provenance(1),
        )])?;
    }
    let text = "The parser keeps comments so that formatting is stable.";
    let on = |line: LineId| {
        let memory = NewMemory::new(
            MemoryKind::Decision,
            text,
            Scope::everywhere().line(line),
            Trust::User,
        );
        (
            memory.id,
            Draft::new(
                Action::Remember {
                    memory: Box::new(memory),
                },
                provenance(2),
            ),
        )
    };
    let (on_feature, draft) = on(feature);
    ledger.apply(&[draft])?;
    let (on_main, draft) = on(main);
    assert_eq!(
        ledger.apply(&[draft])?,
        [Outcome::Created(on_main)],
        "main does not see the feature branch"
    );
    let (again, draft) = on(feature);
    let outcome = ledger.apply(&[draft])?;
    assert!(
        outcome
            == [Outcome::Joined {
                alias: again,
                into: on_feature
            }]
            || outcome
                == [Outcome::Joined {
                    alias: again,
                    into: on_main
                }],
        "the feature branch sees both: {outcome:?}"
    );
    assert_sound(&ledger)
}

#[test]
fn an_edit_changes_only_the_named_fields_and_is_logged() -> Result<()> {
    let ledger = ledger();
    let (id, draft) = remember("Timeouts are in milliseconds.");
    ledger.apply(&[draft])?;
    let mut fields = Fields::default();
    fields.status = Some(Status::Archived);
    fields.add_tags = vec!["time".to_owned()];
    let draft = Draft::new(
        Action::Edit {
            memory: id,
            fields: Box::new(fields.clone()),
            version: None,
        },
        provenance(9),
    );
    assert_eq!(ledger.apply(&[draft])?, [Outcome::Changed]);
    let memory = ledger.get(id)?.expect("the memory is there");
    assert_eq!(
        (memory.status, memory.tags),
        (Status::Archived, vec!["time".to_owned()])
    );
    assert_eq!(memory.text, "Timeouts are in milliseconds.");
    let again = Draft::new(
        Action::Edit {
            memory: id,
            fields: Box::new(fields),
            version: None,
        },
        provenance(10),
    );
    assert_eq!(
        ledger.apply(&[again])?,
        [Outcome::Unchanged],
        "an edit that changes nothing is not logged"
    );
    let verbs: Vec<_> = ledger
        .log(Some(id), 10)?
        .iter()
        .filter_map(|entry| Some(entry.payload.as_ref()?.change.as_str()))
        .collect();
    assert_eq!(verbs, ["edit", "create"]);
    assert_sound(&ledger)
}

#[test]
fn a_refused_draft_does_not_hinder_the_others() -> Result<()> {
    let ledger = ledger();
    let (id, good) = remember("Use tabs in Makefiles.");
    let unknown = MemoryId::new();
    let bad = Draft::new(Action::Delete { memory: unknown }, provenance(1));
    let outcomes = ledger.apply(&[bad, good])?;
    assert_eq!(
        outcomes,
        [
            Outcome::Refused(format!("no memory `{unknown}`")),
            Outcome::Created(id)
        ]
    );
    Ok(())
}

#[test]
fn feedback_is_counted_once_for_each_record() -> Result<()> {
    let ledger = ledger();
    let (id, draft) = remember("The staging database is read only on Fridays.");
    ledger.apply(&[draft])?;
    let feedback = |verdict| {
        let action = Action::Feedback {
            memory: id,
            verdict,
            note: None,
            receipt: None,
        };
        Draft::new(action, provenance(3))
    };
    let helpful = feedback(Verdict::Helpful);
    ledger.apply(&[helpful.clone(), helpful, feedback(Verdict::Harmful)])?;
    let stats = ledger.get(id)?.expect("the memory is there").stats;
    assert_eq!((stats.helpful, stats.harmful), (1, 1));
    assert_sound(&ledger)
}

#[test]
fn a_purge_leaves_no_word_in_any_row_and_the_chain_still_verifies() -> Result<()> {
    let store = Arc::new(Volatile::new());
    let ledger = Ledger::new(store.clone(), SpaceId::local(), DeviceId::new());
    let (id, draft) = remember("The password of the zanzibar router is taped under the desk.");
    ledger.apply(&[draft])?;
    let (alias, draft) = remember("the password of the zanzibar router is taped under the desk");
    ledger.apply(&[draft, edit_text(id, "The zanzibar router is gone.", None)])?;
    ledger.apply(&[Draft::new(Action::Purge { memory: alias }, provenance(4))])?;
    store.read(&mut |rows| {
        for table in Table::ALL {
            rows.range(table, &[], &[], &mut |key, value| {
                for bytes in [key, value] {
                    let text = String::from_utf8_lossy(bytes).to_lowercase();
                    assert!(
                        !text.contains("zanzibar"),
                        "{table:?} still has the word: {text}"
                    );
                }
                Ok(std::ops::ControlFlow::Continue(()))
            })?;
        }
        Ok(())
    })?;
    assert_eq!(ledger.get(id)?, None);
    assert_sound(&ledger)?;
    ledger.derive_again()?;
    assert_sound(&ledger)
}

#[test]
fn changing_a_row_behind_the_log_is_found() -> Result<()> {
    let store = Arc::new(Volatile::new());
    let ledger = Ledger::new(store.clone(), SpaceId::local(), DeviceId::new());
    let (_, draft) = remember("Deploys go out on Tuesdays.");
    ledger.apply(&[draft])?;
    assert_sound(&ledger)?;
    for table in [Table::Record, Table::Body] {
        let mut original = None;
        store.write(&mut |rows| {
            let mut found = None;
            rows.range(table, &[], &[], &mut |key, value| {
                found = Some((key.to_vec(), value.to_vec()));
                Ok(std::ops::ControlFlow::Break(()))
            })?;
            let (key, value) = found.expect("the table has a row");
            let forged = String::from_utf8_lossy(&value[..]).replace("Tuesdays", "Thursdays");
            original = Some((key.clone(), value.clone()));
            let forged = if table == Table::Body {
                let mut bytes = value.clone();
                let at = bytes
                    .windows(8)
                    .position(|part| part == b"Tuesdays")
                    .expect("the text stands in the body");
                bytes[at..at + 8].copy_from_slice(b"Thursday");
                bytes
            } else {
                forged.into_bytes()
            };
            rows.put(table, &key, &forged)
        })?;
        assert!(
            !ledger.verify()?.is_sound(),
            "a forged row of {table:?} is found"
        );
        let (key, value) = original.expect("a row was forged");
        store.write(&mut |rows| rows.put(table, &key, &value))?;
        assert_sound(&ledger)?;
    }
    Ok(())
}

#[test]
fn a_cut_log_is_found() -> Result<()> {
    let store = Arc::new(Volatile::new());
    let ledger = Ledger::new(store.clone(), SpaceId::local(), DeviceId::new());
    for text in [
        "First of three facts.",
        "Second among many facts.",
        "Third and last thing known.",
    ] {
        ledger.apply(&[remember(text).1])?;
    }
    store.write(&mut |rows| {
        let (key, _) = rows.last(Table::Log)?.expect("the log has rows");
        rows.remove(Table::Log, &key)
    })?;
    assert!(!ledger.verify()?.is_sound());
    Ok(())
}

#[test]
fn a_copied_store_cannot_continue_the_chain_of_the_original() -> Result<()> {
    let original = ledger();
    original.apply(&[remember("Only one of us may go on.").1])?;
    let operations = original.operations()?;
    let mut next = operations[0].clone();
    next.index = 1;
    next.id = memorax_core::OperationId::new();
    let error = original
        .merge(&[next])
        .expect_err("the store's own chain is not continued from outside");
    assert_eq!(error.kind(), ErrorKind::Conflict);
    Ok(())
}
