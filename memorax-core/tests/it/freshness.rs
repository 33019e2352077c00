//! What is said of memories after the code that they cite moved on, in a real repository.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use memorax_core::repo::definitions;
use memorax_core::{
    Anchor, FixedClock, Freshness, InitOptions, Memorax, MemoryKind, Note, Query, Result, Timestamp,
};

use crate::fixture::{Repository, prose};

fn open(repository: &Repository) -> Result<Memorax> {
    let clock = FixedClock(Timestamp::from_millis(1_790_000_000_000));
    Memorax::builder()
        .home(repository.beside("home"))
        .clock(Arc::new(clock))
        .open(&repository.path)
}

fn init(memory: &Memorax) -> Result<()> {
    memory.init(&InitOptions {
        interrupt: &AtomicBool::new(false),
        progress: &|_| {},
    })?;
    Ok(())
}

fn remember(memory: &Memorax, text: &str, anchor: Anchor) -> Result<String> {
    let note = Note::new(text, MemoryKind::Fact).anchor(anchor);
    Ok(memory.remember_with(note)?.id.to_string())
}

fn symbol(path: &str, name: &str, source: &str) -> Anchor {
    let found = definitions(path, source.as_bytes()).expect("the language is known");
    let found = found.into_iter().find(|symbol| symbol.name == name);
    Anchor::Symbol {
        path: path.to_owned(),
        name: name.to_owned(),
        body: found.expect("it is defined there").body,
    }
}

/// What `show` says of a memory: how it stands, and each citation as a sentence.
fn said(memory: &Memorax, id: &str) -> Result<(Freshness, Vec<String>)> {
    let shown = memory.show(id)?;
    let sentences = shown.citations.iter().map(ToString::to_string).collect();
    Ok((shown.freshness, sentences))
}

#[test]
fn renames_are_followed_through_chains_folders_and_case() -> Result<()> {
    let repository = Repository::with_commit();
    repository.commit("store/engine.rs", &prose("engine", 30));
    repository.commit("store/Lock.rs", &prose("lock", 30));
    repository.commit("store/end.rs", &prose("end", 30));
    repository.commit("docs/a.md", &prose("alpha", 30));
    repository.commit("docs/b.md", &prose("beta", 30));
    let memory = open(&repository)?;
    let mut ids = Vec::new();
    for path in ["store/engine.rs", "store/Lock.rs", "store/end.rs", "docs"] {
        let text = format!("The wombat rule holds for {path}.");
        ids.push(remember(&memory, &text, Anchor::path(path))?);
    }
    repository.git(&["mv", "store/engine.rs", "store/motor.rs"]);
    repository.git(&["mv", "store/Lock.rs", "store/lock.rs"]);
    repository.git(&["commit", "--quiet", "--message", "Rename two"]);
    repository.git(&["mv", "store", "storage"]);
    repository.git(&["mv", "docs", "book"]);
    let changed = format!("{}A new sentence.\n", prose("engine", 30));
    repository.commit_as(
        "storage/motor.rs",
        &changed,
        "Move the folders and change one",
    );
    repository.git(&["rm", "--quiet", "storage/end.rs"]);
    repository.git(&["commit", "--quiet", "--message", "Remove the end"]);
    init(&memory)?;
    let expected = [
        (
            Freshness::Moved,
            "`store/engine.rs` is now `storage/motor.rs`",
        ),
        (Freshness::Moved, "`store/Lock.rs` is now `storage/lock.rs`"),
        (Freshness::Gone, "`store/end.rs` is gone"),
        (Freshness::Moved, "`docs` is now `book`"),
    ];
    for (id, (freshness, sentence)) in ids.iter().zip(expected) {
        assert_eq!(said(&memory, id)?, (freshness, vec![sentence.to_owned()]));
    }
    let recall = memory.recall(&Query::new("which wombat rule holds?").files(0))?;
    let gone: Vec<_> = recall
        .hits
        .iter()
        .filter(|hit| hit.freshness == Freshness::Gone)
        .collect();
    assert!(gone.is_empty(), "what cites only what is gone is no fact");
    assert!(
        recall
            .text
            .contains("cited code moved (`docs` is now `book`)"),
        "{}",
        recall.text
    );
    Ok(())
}

#[test]
fn definitions_are_found_where_they_went() -> Result<()> {
    let grow = "pub fn grow_the_table(by: u32) -> u32 {\n    by * 2\n}\n";
    let shrink = "pub fn shrink_the_table(by: u32) -> u32 {\n    by / 2\n}\n";
    let keep = "pub fn keep_the_table(by: u32) -> u32 {\n    by\n}\n";
    let repository = Repository::with_commit();
    repository.commit("src/table.rs", &format!("{grow}{shrink}{keep}"));
    repository.commit("src/other.rs", &prose("// other", 9));
    let memory = open(&repository)?;
    let mut ids = Vec::new();
    for (name, source) in [
        ("grow_the_table", grow),
        ("shrink_the_table", shrink),
        ("keep_the_table", keep),
    ] {
        let text = format!("The quokka limit applies to {name}.");
        ids.push(remember(
            &memory,
            &text,
            symbol("src/table.rs", name, source),
        )?);
    }
    let halved = shrink.replace("by / 2", "by / 4");
    repository.write("src/grown.rs", &format!("// New.\n{grow}"));
    repository.commit("src/table.rs", &halved);
    init(&memory)?;
    let expected = [
        (
            Freshness::Moved,
            "`grow_the_table` of `src/table.rs` is now in `src/grown.rs`",
        ),
        (
            Freshness::Changed,
            "`shrink_the_table` in `src/table.rs` changed",
        ),
        (
            Freshness::Gone,
            "`keep_the_table` is gone from `src/table.rs`",
        ),
    ];
    for (id, (freshness, sentence)) in ids.iter().zip(expected) {
        assert_eq!(said(&memory, id)?, (freshness, vec![sentence.to_owned()]));
    }
    Ok(())
}
