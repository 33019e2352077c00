//! The handle from outside: what a harness author sees.

use std::error::Error as StdError;
use std::sync::Arc;

use memorax_core::{
    Actor, ExportFormat, Fields, Filter, FixedClock, Memorax, MemoryKind, Note, Outcome, Status,
    Timestamp, Trust, Verdict,
};
use tempfile::TempDir;

type Result<T = ()> = std::result::Result<T, Box<dyn StdError>>;

struct World {
    home: TempDir,
    folder: TempDir,
}

impl World {
    fn new() -> Result<Self> {
        Ok(Self {
            home: tempfile::tempdir()?,
            folder: tempfile::tempdir()?,
        })
    }

    fn open_as(&self, name: &str, trust: Trust) -> Result<Memorax> {
        let clock = FixedClock(Timestamp::from_millis(1_790_000_000_000));
        let builder = Memorax::builder()
            .home(self.home.path())
            .actor(Actor::new(name, trust))
            .clock(Arc::new(clock));
        Ok(builder.open(self.folder.path())?)
    }

    fn open(&self) -> Result<Memorax> {
        self.open_as("ada", Trust::User)
    }
}

#[test]
fn opening_and_asking_creates_nothing() -> Result {
    let world = World::new()?;
    let home = world.home.path().join("deep").join("home");
    let memory = Memorax::builder().home(&home).open(world.folder.path())?;
    assert_eq!(memory.list(&Filter::new())?, []);
    assert!(!memory.status()?.known);
    assert!(!home.exists(), "reading leaves no trace");
    Ok(())
}

#[test]
fn what_is_remembered_is_there_for_the_next_process() -> Result {
    let world = World::new()?;
    let written = world.open()?.remember(
        "Integration tests need a running Postgres.",
        MemoryKind::Fact,
    )?;
    assert_eq!(written.outcome, Outcome::Created(written.id));
    let memory = world.open_as("codex", Trust::Agent)?;
    let listed = memory.list(&Filter::new())?;
    assert_eq!(
        listed.iter().map(|memory| memory.id).collect::<Vec<_>>(),
        [written.id]
    );
    assert_eq!(
        (listed[0].trust, listed[0].provenance.actor.as_str()),
        (Trust::User, "ada")
    );
    let short: String = written
        .id
        .to_string()
        .chars()
        .rev()
        .take(8)
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
        .collect();
    assert_eq!(memory.show(&short)?.memory.id, written.id);
    Ok(())
}

#[test]
fn a_memory_is_edited_forgotten_and_brought_back() -> Result {
    let world = World::new()?;
    let memory = world.open()?;
    let id = memory
        .remember("The linter is run by pre-commit.", MemoryKind::Convention)?
        .id
        .to_string();
    let mut fields = Fields::default();
    fields.text = Some("The linter is run by CI only.".to_owned());
    assert_eq!(memory.edit(&id, fields)?, Outcome::Changed);
    memory.feedback(&id, Verdict::Helpful, Some("saved me an hour".to_owned()))?;
    assert_eq!(memory.forget(&id)?, Outcome::Changed);
    assert_eq!(memory.list(&Filter::new())?, []);
    assert_eq!(memory.unforget(&id)?, Outcome::Changed);
    let shown = memory.show(&id)?;
    assert_eq!(shown.memory.title, "The linter is run by CI only.");
    let verbs: Vec<_> = shown
        .history
        .iter()
        .filter_map(|entry| Some(entry.payload.as_ref()?.change.as_str()))
        .collect();
    assert_eq!(verbs, ["restore", "delete", "feedback", "edit", "create"]);
    assert!(memory.verify()?.is_sound());
    Ok(())
}

#[test]
fn an_export_is_restored_to_the_same_memories() -> Result {
    let (here, there) = (World::new()?, World::new()?);
    let memory = here.open()?;
    memory.remember_with(
        Note::new("Prefer small pull requests.", MemoryKind::Preference)
            .everywhere(true)
            .tag("review"),
    )?;
    let archived = memory
        .remember("The old build used make.", MemoryKind::Fact)?
        .id
        .to_string();
    let mut fields = Fields::default();
    fields.status = Some(Status::Archived);
    memory.edit(&archived, fields)?;
    let mut file = Vec::new();
    assert_eq!(memory.export(&mut file, ExportFormat::Jsonl)?, 2);
    let copy = there.open()?;
    let restored = copy.restore(&mut file.as_slice())?;
    assert_eq!(
        (restored.created, restored.refused.len()),
        (2, 0),
        "{restored:?}"
    );
    let again = copy.restore(&mut file.as_slice())?;
    assert_eq!((again.created, again.updated, again.unchanged), (0, 0, 2));
    let mut second = Vec::new();
    copy.export(&mut second, ExportFormat::Jsonl)?;
    let normal = |bytes: &[u8], id: String| String::from_utf8_lossy(bytes).replace(&id, "REPO");
    assert_eq!(
        normal(&second, copy.identity().id.to_string()),
        normal(&file, memory.identity().id.to_string()),
        "nothing is lost but the id of the repository"
    );
    Ok(())
}

#[test]
fn a_line_without_an_id_becomes_a_new_memory_and_a_bad_one_is_counted() -> Result {
    let world = World::new()?;
    let memory = world.open_as("codex", Trust::Agent)?;
    let file = "{\"text\":\"Deploys need two approvals.\",\"kind\":\"convention\",\"trust\":\"user\"}\n\nnot json\n";
    let restored = memory.restore(&mut file.as_bytes())?;
    assert_eq!(
        (
            restored.created,
            restored.refused.len(),
            restored.refused[0].0
        ),
        (1, 1, 3)
    );
    assert_eq!(
        memory.list(&Filter::new())?[0].trust,
        Trust::Imported,
        "a file cannot make itself believed"
    );
    Ok(())
}

#[test]
fn empty_and_endless_texts_are_turned_away() -> Result {
    let world = World::new()?;
    let memory = world.open()?;
    for text in ["", "   \n\t", "...!"] {
        let error = memory
            .remember(text, MemoryKind::Fact)
            .expect_err("nothing to remember");
        assert_eq!(error.to_string(), "a memory needs at least one word");
    }
    let error = memory
        .remember(&"word ".repeat(5_000), MemoryKind::Fact)
        .expect_err("too long");
    assert_eq!(
        error.to_string(),
        "a memory has at most 20000 characters, this has 24999"
    );
    Ok(())
}

#[test]
fn memories_that_a_lost_registry_leaves_behind_are_named() -> Result {
    let world = World::new()?;
    world
        .open()?
        .remember("The mirror is rebuilt nightly.", MemoryKind::Fact)?;
    assert_eq!(
        world.open()?.status()?.warnings.len(),
        1,
        "only the missing index is worth a warning"
    );
    std::fs::remove_file(world.home.path().join("identities.json"))?;
    let warnings = world.open()?.status()?.warnings;
    assert!(
        warnings
            .iter()
            .any(|warning| warning.contains("does not name 1 of the repositories")),
        "{warnings:?}"
    );
    Ok(())
}
