//! Merging replicas: whatever the order of arrival, the same operations show the same memories.

use memorax_core::store::Ledger;
use memorax_core::{Action, Draft, Fields, Memory, MemoryId, Operation, Result, Status, Verdict};
use proptest::prelude::*;

use crate::ledger::{assert_sound, edit_text, ledger, new_memory, provenance, remember};

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
                    fields.text = Some(TEXTS[usize::from(*text) % TEXTS.len()].to_owned());
                }),
                version: None,
            }),
            Step::Tag(memory, tag, add) => known(*memory).map(|memory| Action::Edit {
                memory,
                fields: fields(&|fields| {
                    let tags = vec![format!("tag{}", tag % 3)];
                    if *add {
                        fields.add_tags = tags;
                    } else {
                        fields.remove_tags = tags;
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
