//! The log and the state derived from it, through the public ledger on an in-memory store.

use std::sync::Arc;

use memorax_core::store::{Ledger, MemoryStore, Table, Volatile};
use memorax_core::{
    Action, DeviceId, Draft, ErrorKind, Fields, Filter, LineFields, LineId, Memory, MemoryId,
    MemoryKind, NewMemory, Operation, Outcome, Provenance, Result, Scope, SpaceId, Stamp, Status,
    Timestamp, Trust, Verdict,
};
use proptest::prelude::*;

fn ledger() -> Ledger {
    Ledger::new(Arc::new(Volatile::new()), SpaceId::local(), DeviceId::new())
}

fn provenance(millis: i64) -> Provenance {
    Provenance::new("ada", Trust::User, Timestamp::from_millis(millis))
}

fn new_memory(text: &str) -> NewMemory {
    NewMemory::new(MemoryKind::Decision, text, Scope::everywhere(), Trust::User)
}

fn remember(text: &str) -> (MemoryId, Draft) {
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

fn edit_text(memory: MemoryId, text: &str, version: Option<Vec<Stamp>>) -> Draft {
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

fn assert_sound(ledger: &Ledger) -> Result<()> {
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

#[test]
fn concurrent_texts_are_kept_as_a_conflict_and_an_edit_resolves_it() -> Result<()> {
    let (left, right) = (ledger(), ledger());
    let (id, draft) = remember("The cache is written through.");
    left.apply(&[draft])?;
    right.merge(&left.operations()?)?;
    left.apply(&[edit_text(id, "The cache is written back.", None)])?;
    right.apply(&[edit_text(id, "The cache is write-around.", None)])?;
    left.merge(&right.operations()?)?;
    right.merge(&left.operations()?)?;
    let (on_left, on_right) = (
        left.get(id)?.expect("there"),
        right.get(id)?.expect("there"),
    );
    assert_eq!(on_left, on_right);
    assert_eq!(on_left.conflicts.len(), 1, "the loser is kept");
    left.apply(&[edit_text(
        id,
        "The cache is written back, except for blobs.",
        None,
    )])?;
    right.merge(&left.operations()?)?;
    assert_eq!(
        right.get(id)?.expect("there").conflicts,
        Vec::<String>::new()
    );
    assert_sound(&left)?;
    assert_sound(&right)
}

#[test]
fn a_delete_is_never_undone_by_a_concurrent_edit() -> Result<()> {
    let (left, right) = (ledger(), ledger());
    let (id, draft) = remember("Releases are cut from the develop branch.");
    left.apply(&[draft])?;
    right.merge(&left.operations()?)?;
    left.apply(&[Draft::new(Action::Delete { memory: id }, provenance(2))])?;
    right.apply(&[edit_text(id, "Releases are cut from main.", None)])?;
    left.merge(&right.operations()?)?;
    right.merge(&left.operations()?)?;
    assert_eq!((left.get(id)?, right.get(id)?), (None, None));
    right.apply(&[Draft::new(Action::Restore { memory: id }, provenance(9))])?;
    left.merge(&right.operations()?)?;
    assert_eq!(
        left.get(id)?.expect("restored by name").text,
        "Releases are cut from main."
    );
    assert_sound(&left)
}

/// One step of an author on one of three replicas.
#[derive(Clone, Debug)]
enum Step {
    Remember(u8),
    Edit(u8, u8),
    Tag(u8, u8, bool),
    Status(u8, u8),
    Delete(u8),
    Restore(u8),
    Purge(u8),
    Feedback(u8),
    /// Everything that one replica knows goes to another.
    Pull(u8),
}

fn steps() -> impl Strategy<Value = Vec<(u8, Step)>> {
    let step = prop_oneof![
        3 => any::<u8>().prop_map(Step::Remember),
        4 => any::<(u8, u8)>().prop_map(|(memory, text)| Step::Edit(memory, text)),
        3 => any::<(u8, u8, bool)>().prop_map(|(memory, tag, add)| Step::Tag(memory, tag, add)),
        2 => any::<(u8, u8)>().prop_map(|(memory, status)| Step::Status(memory, status)),
        2 => any::<u8>().prop_map(Step::Delete),
        2 => any::<u8>().prop_map(Step::Restore),
        1 => any::<u8>().prop_map(Step::Purge),
        1 => any::<u8>().prop_map(Step::Feedback),
        3 => any::<u8>().prop_map(Step::Pull),
    ];
    proptest::collection::vec((0_u8..3, step), 1..40)
}

const TEXTS: [&str; 6] = [
    "Alpha modules own their schema.",
    "Bravo services never call each other directly.",
    "Charlie builds use the nightly toolchain 7.",
    "Delta logs are kept for ninety days.",
    "Echo workers retry twice, then park the job.",
    "Foxtrot pages are rendered on the server.",
];

fn play(replicas: &[Ledger], steps: &[(u8, Step)]) -> Result<Vec<MemoryId>> {
    let mut ids: Vec<MemoryId> = Vec::new();
    for (number, (replica, step)) in steps.iter().enumerate() {
        let ledger = &replicas[usize::from(*replica)];
        let at = provenance(i64::try_from(number).expect("few steps") / 3);
        let known = |index: u8| ids.get(usize::from(index) % ids.len().max(1)).copied();
        let fields = |change: &dyn Fn(&mut Fields)| {
            let mut fields = Fields::default();
            change(&mut fields);
            Box::new(fields)
        };
        let action = match step {
            Step::Remember(text) => {
                let memory = new_memory(TEXTS[usize::from(*text) % TEXTS.len()]);
                ids.push(memory.id);
                Some(Action::Remember {
                    memory: Box::new(memory),
                })
            }
            Step::Edit(memory, text) => known(*memory).map(|memory| Action::Edit {
                memory,
                fields: fields(&|fields| {
                    fields.text = Some(TEXTS[usize::from(*text) % TEXTS.len()].to_owned())
                }),
                version: None,
            }),
            Step::Tag(memory, tag, add) => known(*memory).map(|memory| Action::Edit {
                memory,
                fields: fields(&|fields| {
                    let tags = vec![format!("tag{}", tag % 3)];
                    if *add {
                        fields.add_tags = tags
                    } else {
                        fields.remove_tags = tags
                    }
                }),
                version: None,
            }),
            Step::Status(memory, status) => known(*memory).map(|memory| Action::Edit {
                memory,
                fields: fields(&|fields| {
                    fields.status = Some(match status % 3 {
                        0 => Status::Active,
                        1 => Status::Archived,
                        _ => Status::Invalid {
                            reason: "contradicted".to_owned(),
                        },
                    });
                }),
                version: None,
            }),
            Step::Delete(memory) => known(*memory).map(|memory| Action::Delete { memory }),
            Step::Restore(memory) => known(*memory).map(|memory| Action::Restore { memory }),
            Step::Purge(memory) => known(*memory).map(|memory| Action::Purge { memory }),
            Step::Feedback(memory) => known(*memory).map(|memory| Action::Feedback {
                memory,
                verdict: Verdict::Helpful,
                note: None,
                receipt: None,
            }),
            Step::Pull(from) => {
                let from = &replicas[usize::from(*from) % replicas.len()];
                merge_foreign(ledger, &from.operations()?)?;
                None
            }
        };
        if let Some(action) = action {
            ledger.apply(&[Draft::new(action, at)])?;
        }
    }
    Ok(ids)
}

/// Merges what is not the ledger's own: a replica never receives its own chain as news.
fn merge_foreign(ledger: &Ledger, operations: &[Operation]) -> Result<()> {
    ledger.merge(operations).map(|_| ())
}

fn everything(ledger: &Ledger, ids: &[MemoryId]) -> Result<Vec<Option<(Memory, bool)>>> {
    ids.iter().map(|id| ledger.get_deleted(*id)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn replicas_that_know_the_same_operations_show_the_same(
        steps in steps(),
        seed in any::<u64>(),
    ) {
        let replicas = [ledger(), ledger(), ledger()];
        let ids = play(&replicas, &steps).expect("the steps can be played");
        let mut all: Vec<Operation> = Vec::new();
        for replica in &replicas {
            for operation in replica.operations().expect("readable") {
                if let Some(known) = all.iter_mut().find(|known| known.id == operation.id) {
                    // A replica that purged has dropped the body that another one still has.
                    if known.body.is_none() {
                        *known = operation;
                    }
                } else {
                    all.push(operation);
                }
            }
        }
        let reference = ledger();
        reference.merge(&all).expect("in the order of the replicas");
        let shuffled = ledger();
        let mut order = all.clone();
        let mut state = seed | 1;
        for index in (1..order.len()).rev() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            order.swap(index, (state >> 33) as usize % (index + 1));
        }
        for operation in order.iter().chain(&order) {
            shuffled.merge(std::slice::from_ref(operation)).expect("one by one, twice, in any order");
        }
        let expected = everything(&reference, &ids).expect("readable");
        prop_assert_eq!(&everything(&shuffled, &ids).expect("readable"), &expected);
        for replica in &replicas {
            merge_foreign(replica, &all).expect("the rest");
            prop_assert_eq!(&everything(replica, &ids).expect("readable"), &expected);
            prop_assert_eq!(replica.verify().expect("verified").problems, Vec::<String>::new());
        }
        prop_assert_eq!(shuffled.verify().expect("verified").problems, Vec::<String>::new());
    }
}
