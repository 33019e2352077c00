//! What keeps a memory that fits from being shown as a fact: time, the code, and other branches.

use std::collections::BTreeMap;

use memorax_core::retrieve::{Context, NoTree, Retriever, Sight, Tree, Weighted};
use memorax_core::{
    Anchor, Freshness, LineId, Memory, MemoryKind, Query, Recall, Result, Scope, Symbol,
    SymbolKind, Timestamp,
};

use super::source::{List, memory, nowhere};

/// Files with their definitions.
struct Files(BTreeMap<&'static str, Vec<Symbol>>);

impl Tree for Files {
    fn exists(&self, path: &str) -> Option<bool> {
        Some(self.0.contains_key(path))
    }

    fn definitions(&self, path: &str) -> Result<Option<Vec<Symbol>>> {
        Ok(self.0.get(path).cloned())
    }
}

fn files() -> Files {
    let mut open = Symbol::new("open", SymbolKind::Function, 1, 9);
    "b1".clone_into(&mut open.body);
    Files(BTreeMap::from([
        ("src/store.rs", vec![open]),
        ("src/lock.rs", Vec::new()),
    ]))
}

fn now() -> Timestamp {
    Timestamp::from_millis(1_780_000_000_000)
}

const TEXT: &str = "The spool is folded in by the next writer under the lock.";

fn ask(memories: Vec<Memory>, tree: &dyn Tree, sight: &Sight, text: &str) -> Result<Recall> {
    let list = List::new(memories, sight.clone());
    let context = Context::new(&list, tree, sight, now());
    Weighted::default().retrieve(&context, &Query::new(text).files(0))
}

fn symbol(path: &str, name: &str, body: &str) -> Anchor {
    serde_json::from_value(
        serde_json::json!({ "type": "symbol", "path": path, "name": name, "body": body }),
    )
    .expect("the fields are those of an anchor")
}

#[test]
fn citations_are_compared_with_the_code() -> Result<()> {
    let cases = [
        (vec![], Some(Freshness::Unanchored)),
        (vec![Anchor::path("src/lock.rs")], Some(Freshness::Fresh)),
        (
            vec![symbol("src/store.rs", "open", "b1")],
            Some(Freshness::Fresh),
        ),
        (
            vec![symbol("src/store.rs", "open", "b2")],
            Some(Freshness::Changed),
        ),
        (
            vec![symbol("src/store.rs", "close", "b1")],
            Some(Freshness::Gone),
        ),
        (vec![Anchor::path("src/old.rs")], None),
        (vec![symbol("src/old.rs", "open", "b1")], None),
        // One dead citation of two weakens, it does not end.
        (
            vec![Anchor::path("src/old.rs"), Anchor::path("src/lock.rs")],
            Some(Freshness::Gone),
        ),
    ];
    for (anchors, expected) in cases {
        let mut cited = memory(1, MemoryKind::Fact, TEXT);
        cited.anchors.clone_from(&anchors);
        let recall = ask(vec![cited], &files(), &nowhere(), "who folds the spool in?")?;
        let found = recall.hits.first().map(|hit| hit.freshness);
        assert_eq!(found, expected, "{anchors:?}");
        let told = recall
            .notes
            .iter()
            .any(|note| note.contains("was left out: `src/old.rs` is gone"));
        assert_eq!(
            told,
            expected.is_none(),
            "what is left out is told to people: {:?}",
            recall.notes
        );
    }
    Ok(())
}

#[test]
fn a_changed_citation_ranks_below_a_fresh_one() -> Result<()> {
    let mut changed = memory(1, MemoryKind::Fact, TEXT);
    changed.anchors = vec![symbol("src/store.rs", "open", "b2")];
    let mut fresh = memory(
        2,
        MemoryKind::Fact,
        "The next writer folds each spool in, under the write lock.",
    );
    fresh.anchors = vec![symbol("src/store.rs", "open", "b1")];
    let recall = ask(
        vec![changed, fresh],
        &files(),
        &nowhere(),
        "who folds the spool in?",
    )?;
    let order: Vec<Freshness> = recall.hits.iter().map(|hit| hit.freshness).collect();
    assert_eq!(order, [Freshness::Fresh, Freshness::Changed]);
    Ok(())
}

#[test]
fn progress_ends_at_its_time() -> Result<()> {
    for (end, shown) in [(now().as_millis() + 1, 1), (now().as_millis(), 0)] {
        let mut progress = memory(
            1,
            MemoryKind::Progress,
            "Halfway through the spool rewrite.",
        );
        progress.expires = Some(Timestamp::from_millis(end));
        let recall = ask(
            vec![progress],
            &NoTree,
            &nowhere(),
            "continue where we left off",
        )?;
        assert_eq!(recall.hits.len(), shown);
    }
    Ok(())
}

#[test]
fn rejections_of_another_branch_are_shown_and_never_deny() -> Result<()> {
    let (own, other) = (LineId::from_bytes([1; 16]), LineId::from_bytes([2; 16]));
    let sight = Sight::new(Some(own), []);
    for (line, denies) in [(None, true), (Some(own), true), (Some(other), false)] {
        let mut rejection = memory(
            1,
            MemoryKind::Rejection,
            "Do not use Redis for the spool: one more thing to run.",
        );
        rejection.scope =
            line.map_or_else(Scope::everywhere, |line| Scope::everywhere().line(line));
        let list = List::new([rejection.clone()], sight.clone());
        let context = Context::new(&list, &NoTree, &sight, now());
        let check = Weighted::default().check(&context, "put the spool into Redis")?;
        assert_eq!(
            (check.rejections.len(), check.denies()),
            (1, denies),
            "{line:?}"
        );
        let recall = ask(vec![rejection], &NoTree, &sight, "use Redis for the spool")?;
        assert_eq!(recall.hits.len(), 1, "it is worth knowing on every branch");
    }
    let mut fact = memory(1, MemoryKind::Fact, TEXT);
    fact.scope = Scope::everywhere().line(other);
    assert!(ask(vec![fact], &NoTree, &sight, "who folds the spool in?")?.is_empty());
    Ok(())
}

#[test]
fn a_stale_or_foreign_rejection_does_not_deny() -> Result<()> {
    let cases = [
        (symbol("src/store.rs", "open", "b1"), "user", true),
        (symbol("src/store.rs", "open", "b2"), "user", false),
        (symbol("src/store.rs", "open", "b1"), "external", false),
    ];
    for (anchor, trust, denies) in cases {
        let mut rejection = memory(
            1,
            MemoryKind::Rejection,
            "Do not use Redis for the spool: one more thing to run.",
        );
        rejection.anchors = vec![anchor];
        rejection.trust = trust.parse()?;
        let list = List::new([rejection], nowhere());
        let (tree, sight) = (files(), nowhere());
        let context = Context::new(&list, &tree, &sight, now());
        let check = Weighted::default().check(&context, "put the spool into Redis")?;
        assert_eq!(
            (check.rejections.len(), check.denies()),
            (1, denies),
            "{trust}"
        );
    }
    Ok(())
}

#[test]
fn opinions_change_the_order_and_near_duplicates_fall_out() -> Result<()> {
    let text = "Run the spool tests with nextest, the plain runner is slow.";
    let harmful = {
        let mut memory = memory(
            1,
            MemoryKind::Command,
            "Run the spool tests with `cargo nextest run -p spool`.",
        );
        memory.stats.harmful = 9;
        memory
    };
    let twice = [
        memory(2, MemoryKind::Command, text),
        memory(3, MemoryKind::Command, text),
    ];
    let recall = ask(
        [vec![harmful], twice.to_vec()].concat(),
        &NoTree,
        &nowhere(),
        "run the spool tests",
    )?;
    let last: Vec<u8> = recall
        .hits
        .iter()
        .map(|hit| hit.memory.id.as_bytes()[15])
        .collect();
    assert_eq!(
        (last, recall.dropped),
        (vec![3, 1], 1),
        "what did harm comes last, the newer of two equals is left"
    );
    Ok(())
}
