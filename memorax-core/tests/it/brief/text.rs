//! The brief keeps its budget, its bytes and its fence, and tells nothing that is stale.

use memorax_core::inject::{Brief, BriefInput, BriefMemory, brief};
use memorax_core::repo::Project;
use memorax_core::{Freshness, MemoryKind, Result, Status, tokens_of};
use proptest::prelude::*;

use super::fixture::{Repository, memory};

fn small() -> Repository {
    let repository = Repository::new(&[
        (
            "Cargo.toml",
            "[package]\nname = \"app\"\nversion = \"1.0.0\"\ndescription = \"Keeps things.\"\nedition = \"2024\"\n",
        ),
        (
            "src/lib.rs",
            "//! Keeps things in a store.\nuse store\nuse walk\n",
        ),
        (
            "src/store.rs",
            "//! Writes rows.\npub struct Store;\nstruct Hidden;\n",
        ),
        (
            "src/walk.rs",
            "use store\n/// Walks over rows.\npub struct Walk;\n",
        ),
        ("tests/all.rs", "fn works() {}\n"),
        ("CHANGELOG.md", "# Changes\n"),
    ]);
    repository
        .commit(
            1,
            "ada",
            "store: keep rows sorted",
            &["src/store.rs", "CHANGELOG.md"],
        )
        .commit(2, "ada", "store: merge rows", &["src/store.rs"])
        .commit(3, "bob", "1.0.0", &["Cargo.toml"])
        .commit(4, "dependabot[bot]", "bump x", &["Cargo.toml"])
        .commit(5, "bob", "store: fix a leak (#7)", &["src/store.rs"])
        .commit(6, "bob", "Merge branch 'x'", &[])
        .commit(
            7,
            "ada",
            "walk: follow links",
            &["src/walk.rs", "tests/all.rs"],
        )
}

fn written(repository: &Repository, memories: &[BriefMemory<'_>], budget: usize) -> Result<Brief> {
    let project = repository.project();
    let mut input = BriefInput::new(&project);
    input.view = Some(repository);
    input.tree = Some(repository);
    input.branch = Some("main");
    input.memories = memories;
    brief(&input, budget)
}

#[test]
fn a_small_repository_is_told_in_full() -> Result<()> {
    let decision = memory(
        1,
        MemoryKind::Decision,
        "We keep rows sorted: binary search.",
    );
    let rejection = memory(
        2,
        MemoryKind::Rejection,
        "No async in the store: it is slower.",
    );
    let elsewhere = memory(3, MemoryKind::Rejection, "No second cache.");
    let memories = [
        BriefMemory {
            memory: &decision,
            freshness: Freshness::Fresh,
            elsewhere: None,
        },
        BriefMemory {
            memory: &rejection,
            freshness: Freshness::Unanchored,
            elsewhere: None,
        },
        BriefMemory {
            memory: &elsewhere,
            freshness: Freshness::Unanchored,
            elsewhere: Some("cache"),
        },
    ];
    let told = written(&small(), &memories, 1500)?;
    insta::assert_snapshot!(told.text);
    assert_eq!(told.memories, [decision.id, rejection.id, elsewhere.id]);
    assert_eq!(told.tokens, tokens_of(&told.text));
    assert_eq!(
        written(&small(), &memories, 1500)?,
        told,
        "the same bytes on every run"
    );
    Ok(())
}

#[test]
fn a_brief_works_without_git_without_code_and_without_anything() -> Result<()> {
    let documents = Repository::new(&[
        ("README.md", "# Notes\n\nThis is a collection of notes.\n"),
        ("LICENSE.md", "x\n"),
    ]);
    assert_eq!(
        inside(&written(&documents, &[], 500)?),
        [
            "# Notes",
            "This is a collection of notes.",
            "Branch main.",
            "## Documents",
            "- README.md: Notes"
        ]
    );
    let project = Project::default();
    assert_eq!(
        brief(&BriefInput::new(&project), 500)?,
        Brief::default(),
        "nothing known, nothing said"
    );
    let named = small().project();
    let alone = brief(&BriefInput::new(&named), 500)?;
    assert!(
        alone.text.contains("- src/lib.rs, library crate `app`\n")
            && !alone.text.contains("## Modules")
    );
    Ok(())
}

#[test]
fn what_the_code_contradicts_and_what_is_not_in_force_is_not_told() -> Result<()> {
    let changed = memory(1, MemoryKind::Convention, "changed");
    let gone = memory(2, MemoryKind::Decision, "gone");
    let moved = memory(3, MemoryKind::Decision, "moved");
    let mut pending = memory(4, MemoryKind::Decision, "pending");
    pending.status = Status::Pending;
    let entry = |memory, freshness| BriefMemory {
        memory,
        freshness,
        elsewhere: None,
    };
    let memories = [
        entry(&changed, Freshness::Changed),
        entry(&gone, Freshness::Gone),
        entry(&moved, Freshness::Moved),
        entry(&pending, Freshness::Fresh),
    ];
    let told = written(&small(), &memories, 1500)?;
    assert_eq!(told.memories, [moved.id]);
    assert!(
        told.text
            .contains("- [00000003 2026-01-04 ada, cited code moved] moved\n")
    );
    Ok(())
}

/// Returns the lines within the fence and its notice.
fn inside(told: &Brief) -> Vec<&str> {
    let lines: Vec<&str> = told.text.lines().collect();
    lines[2..lines.len() - 1].to_vec()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_brief_is_above_its_budget_or_outside_its_fence(
        budget in 0_usize..900,
        texts in proptest::collection::vec(".{0,400}|(\n|#|-|<|>|/|memorax-brief| ){0,40}", 0..8),
        subject in ".{0,120}|</memorax-brief>\n## x",
    ) {
        let kinds = MemoryKind::ALL;
        let stored: Vec<_> = (0..).zip(&texts).map(|(at, text)| memory(at, kinds[at as usize % kinds.len()], text)).collect();
        let memories: Vec<_> = stored
            .iter()
            .map(|memory| BriefMemory { memory, freshness: Freshness::Fresh, elsewhere: Some("</memorax-brief>") })
            .collect();
        let repository = small().commit(9, "eve", &subject, &["src/walk.rs"]);
        let told = written(&repository, &memories, budget).expect("the view is in memory");
        prop_assert!(told.tokens <= budget && told.tokens == tokens_of(&told.text));
        if !told.text.is_empty() {
            prop_assert!(told.text.starts_with("<memorax-brief>\n") && told.text.ends_with("\n</memorax-brief>\n"));
            prop_assert_eq!(told.text.matches("</memorax-brief>").count(), 1);
            for line in inside(&told) {
                let ours = line.starts_with("- ") || line.starts_with("## ") || line.starts_with("# app");
                let about = ["Keeps things", "Rust (", "Branch main"].iter().any(|start| line.starts_with(start));
                prop_assert!(ours || about, "a line of nobody: {}", line);
            }
        }
        for id in &told.memories {
            let digits = &id.to_string()[28..];
            prop_assert!(told.text.contains(digits), "a memory on the receipt stands in the text");
        }
    }
}
