//! The handle embeds what it writes, and asks by meaning.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use memorax_core::store::{Access, Redb, Table};
use memorax_core::{
    Actor, Embedder, Error, ErrorKind, Memorax, MemoryId, MemoryKind, Outcome, Query, Result,
    StaticEmbedder, Trust,
};

use super::fixture::{Done, Letters, ledger_on, rows_of};
use crate::process::Other;

fn world() -> std::io::Result<tempfile::TempDir> {
    let world = tempfile::tempdir()?;
    fs::create_dir(world.path().join("project"))?;
    Ok(world)
}

fn builder(world: &Path) -> memorax_core::Builder {
    Memorax::builder()
        .home(world.join("home"))
        .actor(Actor::new("ada", Trust::User))
}

fn open(world: &Path) -> Result<Memorax> {
    builder(world).open(world.join("project"))
}

fn counts(memory: &Memorax) -> Result<BTreeMap<String, (u64, u64)>> {
    let vectors = memory.status()?.vectors.into_iter();
    Ok(vectors
        .map(|report| (report.embedder, (report.memories, report.waiting)))
        .collect())
}

#[test]
fn a_memory_is_found_by_its_meaning() -> Done {
    let world = world()?;
    let memory = open(world.path())?;
    let id = memory
        .remember(
            "Alert e-mails are sent through Postmark.",
            MemoryKind::Decision,
        )?
        .id;
    memory.remember("Weeks start on Monday in reports.", MemoryKind::Convention)?;
    let static_id = StaticEmbedder::new().id().to_owned();
    assert_eq!(counts(&memory)?, BTreeMap::from([(static_id, (2, 0))]));
    let recall = memory.recall(&Query::new("how do we send mail notifications?"))?;
    assert_eq!(recall.hits.first().map(|hit| hit.memory.id), Some(id));
    assert!(memory.verify()?.is_sound());
    Ok(())
}

#[test]
fn without_an_embedder_nothing_is_embedded_and_search_goes_by_words() -> Done {
    let world = world()?;
    let memory = builder(world.path())
        .without_embedder()
        .open(world.path().join("project"))?;
    memory.remember("Alert e-mails are sent through Postmark.", MemoryKind::Fact)?;
    let status = memory.status()?;
    assert_eq!(
        (status.embedder.as_str(), status.vectors.len()),
        ("none", 0)
    );
    let recall = memory.recall(&Query::new("are e-mails sent through Postmark?"))?;
    assert_eq!(recall.hits.len(), 1);
    // The next one with an embedder catches up what is there.
    let memory = open(world.path())?;
    let static_id = StaticEmbedder::new().id().to_owned();
    assert_eq!(counts(&memory)?[&static_id], (0, 1));
    memory.remember("Weeks start on Monday in reports.", MemoryKind::Convention)?;
    assert_eq!(counts(&memory)?[&static_id], (2, 0));
    Ok(())
}

#[test]
fn another_embedder_is_caught_up_newest_first_and_never_called_by_a_quick_question() -> Done {
    let world = world()?;
    let memory = open(world.path())?;
    let mut ids = Vec::new();
    for number in 0..12 {
        let text = format!(
            "Component {number} is owned by team {}.",
            "x".repeat(number + 1)
        );
        ids.push(memory.remember(&text, MemoryKind::Fact)?.id);
    }
    let letters = Arc::new(Letters::default());
    let static_id = StaticEmbedder::new().id().to_owned();
    let memory = builder(world.path())
        .embedder(letters.clone())
        .open(world.path().join("project"))?;
    assert_eq!(memory.status()?.embedder, "letters/1");
    assert_eq!(counts(&memory)?["letters/1"], (0, 12));
    assert_eq!(counts(&memory)?[&static_id], (12, 0), "they stay for hooks");
    memory.recall(&Query::new("who owns component three?").quick(true))?;
    assert_eq!(letters.called.load(Ordering::Relaxed), 0);
    let embedded = memory.embed(5)?;
    assert_eq!((embedded.embedded, embedded.waiting), (5, 7));
    let store = Redb::open(
        &world
            .path()
            .join("home/repos")
            .join(memory.identity().id.to_string())
            .join("local.redb"),
        Access::Read,
    )?;
    let near =
        ledger_on(Arc::new(store)).nearest(&Letters::default(), "component", &[], 20, &|_| true)?;
    let mut near: Vec<MemoryId> = near.into_iter().map(|(memory, _)| memory.id).collect();
    near.sort();
    let mut newest = ids.split_off(7);
    newest.sort();
    assert_eq!(near, newest);
    memory.recall(&Query::new("who owns component three?"))?;
    assert!(
        letters.called.load(Ordering::Relaxed) > 1,
        "it may be called"
    );
    assert_eq!(memory.embed(100)?.waiting, 0);
    let written = memory.remember("A thirteenth one.", MemoryKind::Fact)?;
    assert!(matches!(written.outcome, Outcome::Created(_)));
    assert_eq!(
        counts(&memory)?["letters/1"],
        (13, 0),
        "few are embedded at once"
    );
    assert!(memory.verify()?.is_sound());
    // A clean-up by whoever does not use it drops what only it needs.
    let memory = open(world.path())?;
    memory.gc()?;
    let letters = builder(world.path())
        .embedder(letters)
        .open(world.path().join("project"))?;
    assert_eq!(counts(&letters)?["letters/1"], (0, 13));
    assert_eq!(counts(&letters)?[&static_id], (13, 0));
    assert!(letters.verify()?.is_sound());
    Ok(())
}

/// Fails with every text.
#[derive(Debug)]
struct Broken;

impl Embedder for Broken {
    fn id(&self) -> &'static str {
        "broken/1"
    }

    fn dimensions(&self) -> usize {
        3
    }

    fn embed(&self, _texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        Err(Error::new(ErrorKind::InvalidInput, "the model is gone"))
    }
}

#[test]
fn an_embedder_that_fails_hinders_neither_writing_nor_asking() -> Done {
    let world = world()?;
    let memory = builder(world.path())
        .embedder(Arc::new(Broken))
        .open(world.path().join("project"))?;
    memory.remember("Alert e-mails are sent through Postmark.", MemoryKind::Fact)?;
    let recall = memory.recall(&Query::new("are alert e-mails sent through Postmark?").files(0))?;
    assert_eq!(recall.hits.len(), 1, "words find it");
    assert_eq!(
        recall.notes,
        ["meanings were not compared: the model is gone"]
    );
    assert_eq!(counts(&memory)?["broken/1"], (0, 1));
    assert_eq!(
        memory.embed(1).expect_err("it says why").to_string(),
        "the model is gone"
    );
    Ok(())
}

#[test]
fn a_purge_leaves_no_vector_in_any_file() -> Done {
    let world = world()?;
    let memory = open(world.path())?;
    let id = memory
        .remember("The old password policy was silly.", MemoryKind::Fact)?
        .id;
    memory.remember("Weeks start on Monday in reports.", MemoryKind::Fact)?;
    let folder = world
        .path()
        .join("home/repos")
        .join(memory.identity().id.to_string());
    let store = Redb::open(&folder.join("local.redb"), Access::Read)?;
    let mut vectors = rows_of(&store)?;
    vectors.retain(|(table, _, _)| *table == Table::Vector);
    let [(_, _, first), (_, _, second)] = vectors.as_slice() else {
        return Err("two memories have vectors".into());
    };
    let holds = |needle: &[u8]| -> std::io::Result<bool> {
        let mut found = false;
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.extension().is_some_and(|ending| ending == "redb") {
                let bytes = fs::read(path)?;
                found |= bytes.windows(needle.len()).any(|window| window == needle);
            }
        }
        Ok(found)
    };
    assert!(holds(&first[21..])? && holds(&second[21..])?);
    memory.purge(&id.to_string(), true)?;
    assert!(!holds(&first[21..])?, "the vector of what was purged");
    assert!(holds(&second[21..])?, "the vector of what stays");
    assert!(memory.verify()?.is_sound());
    Ok(())
}

#[cfg(unix)]
#[test]
fn writers_that_are_killed_leave_every_memory_with_its_vector() -> Done {
    let world = world()?;
    let mut others = Vec::new();
    for _ in 0..2 {
        others.push(Other::start(
            "handle: remember without end",
            world.path(),
            &[],
        )?);
    }
    for other in &mut others {
        for _ in 0..6 {
            other.hear()?.ok_or("the writer goes on")?;
        }
    }
    for mut other in others {
        other.kill()?;
    }
    let memory = open(world.path())?;
    let static_id = StaticEmbedder::new().id().to_owned();
    let (memories, waiting) = counts(&memory)?[&static_id];
    assert!(memories >= 12 && waiting == 0, "{memories} {waiting}");
    assert_eq!(memory.verify()?.problems, Vec::<String>::new());
    Ok(())
}
