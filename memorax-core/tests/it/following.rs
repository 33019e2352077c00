//! Memory follows git branches, through the handle and on real repositories.

use std::error::Error as StdError;
use std::sync::atomic::AtomicBool;

use memorax_core::{
    Actor, BranchDecision, ExportFormat, Filter, InitOptions, Memorax, MemoryKind, Query, Trust,
};

use crate::fixture::{Repository, prose};

type Done = Result<(), Box<dyn StdError>>;

struct World {
    home: tempfile::TempDir,
    repository: Repository,
}

impl World {
    fn new() -> std::io::Result<Self> {
        Ok(Self {
            home: tempfile::tempdir()?,
            repository: Repository::with_commit(),
        })
    }

    fn open(&self) -> memorax_core::Result<Memorax> {
        self.open_at(&self.repository)
    }

    fn open_at(&self, repository: &Repository) -> memorax_core::Result<Memorax> {
        Memorax::builder()
            .home(self.home.path())
            .actor(Actor::new("ada", Trust::User))
            .open(&repository.path)
    }

    fn texts(&self) -> memorax_core::Result<Vec<String>> {
        let mut texts: Vec<String> = self
            .open()?
            .list(&Filter::new())?
            .into_iter()
            .map(|memory| memory.text)
            .collect();
        texts.sort();
        Ok(texts)
    }
}

fn init(memory: &Memorax) -> memorax_core::Result<Vec<String>> {
    let interrupt = AtomicBool::new(false);
    Ok(memory
        .init(&InitOptions {
            interrupt: &interrupt,
            progress: &|_| {},
        })?
        .branches)
}

const ON_MAIN: &str = "Main keeps the parser handwritten.";
const ON_FEATURE: &str = "The feature branch tries a generated parser.";

#[test]
fn what_was_learned_on_a_branch_is_seen_there_and_after_it_landed() -> Done {
    let world = World::new()?;
    let repository = &world.repository;
    world.open()?.remember(ON_MAIN, MemoryKind::Decision)?;
    repository.git(&["switch", "-c", "feature"]);
    world.open()?.remember(ON_FEATURE, MemoryKind::Decision)?;
    world
        .open()?
        .remember("Run `make check` before pushing.", MemoryKind::Command)?;
    assert_eq!(
        world.texts()?.len(),
        3,
        "a branch sees what it was cut from"
    );
    repository.commit("parser.txt", &prose("parser", 30));
    init(&world.open()?)?;
    repository.git(&["switch", "main"]);
    assert_eq!(
        world.texts()?,
        [ON_MAIN, "Run `make check` before pushing."],
        "commands hold everywhere"
    );
    let recall = world
        .open()?
        .recall(&Query::new("generated parser on the feature branch"))?;
    assert!(!recall.text().contains(ON_FEATURE), "{}", recall.text());

    repository.git(&["merge", "--squash", "feature"]);
    repository.git(&["commit", "-m", "Generate the parser"]);
    repository.git(&["branch", "-D", "feature"]);
    let said = init(&world.open()?)?;
    assert!(
        said.iter().any(|sentence| sentence.contains("feature")),
        "{said:?}"
    );
    assert_eq!(world.texts()?.len(), 3, "what landed is common");
    assert!(world.open()?.verify()?.is_sound());
    Ok(())
}

#[test]
fn a_person_corrects_what_was_decided() -> Done {
    let world = World::new()?;
    let repository = &world.repository;
    repository.git(&["switch", "-c", "feature"]);
    world.open()?.remember(ON_FEATURE, MemoryKind::Decision)?;
    repository.git(&["switch", "main"]);
    let memory = world.open()?;
    memory.decide_branch("feature", BranchDecision::Landed)?;
    assert_eq!(world.texts()?, [ON_FEATURE]);
    memory.decide_branch("feature", BranchDecision::Restore)?;
    assert_eq!(world.texts()?, Vec::<String>::new());
    memory.decide_branch("feature", BranchDecision::Archive)?;
    let reports = memory.branches()?;
    let states: Vec<(&str, &str, usize)> = reports
        .iter()
        .map(|report| {
            (
                report.line.name(),
                report.line.state.as_str(),
                report.memories,
            )
        })
        .collect();
    assert_eq!(states, [("main", "open", 0), ("feature", "archived", 1)]);
    Ok(())
}

#[test]
fn clones_and_worktrees_share_one_memory() -> Done {
    let world = World::new()?;
    world.repository.git(&[
        "remote",
        "add",
        "origin",
        "https://example.org/team/app.git",
    ]);
    world.open()?.remember(ON_MAIN, MemoryKind::Decision)?;
    let path = world.repository.beside("tree");
    world
        .repository
        .git(&["worktree", "add", &path.to_string_lossy(), "-b", "side"]);
    let tree = world.open_at(&world.repository.at("tree"))?;
    assert_eq!(
        tree.list(&Filter::new())?.len(),
        1,
        "a branch cut from main sees its memory"
    );
    let clone = world.repository.clone_to("clone", &[]);
    clone.git(&[
        "remote",
        "set-url",
        "origin",
        "git@example.org:team/app.git",
    ]);
    let memory = world.open_at(&clone)?;
    assert_eq!(memory.identity().id, world.open()?.identity().id);
    assert_eq!(memory.list(&Filter::new())?.len(), 1);
    Ok(())
}

#[test]
fn a_memory_written_before_the_first_commit_stays_with_its_branch() -> Done {
    let home = tempfile::tempdir()?;
    let world = World {
        home,
        repository: Repository::new(),
    };
    world.open()?.remember(ON_MAIN, MemoryKind::Decision)?;
    world.repository.commit("README.md", "hello");
    assert_eq!(world.texts()?, [ON_MAIN]);
    world.repository.git(&["switch", "-c", "feature"]);
    assert_eq!(world.texts()?, [ON_MAIN]);
    Ok(())
}

#[test]
fn a_restored_memory_of_a_branch_stays_with_that_branch() -> Done {
    let world = World::new()?;
    world.open()?.remember(ON_MAIN, MemoryKind::Decision)?;
    world.repository.git(&["switch", "-c", "feature"]);
    world.open()?.remember(ON_FEATURE, MemoryKind::Decision)?;
    let mut file = Vec::new();
    world.open()?.export(&mut file, ExportFormat::Jsonl)?;
    world.repository.git(&["switch", "main"]);
    let fresh = World {
        home: tempfile::tempdir()?,
        repository: world.repository,
    };
    let restored = fresh.open()?.restore(&mut file.as_slice())?;
    assert_eq!(
        (restored.created, restored.refused.len()),
        (2, 0),
        "{restored:?}"
    );
    assert_eq!(
        fresh.texts()?,
        [ON_MAIN],
        "what a branch knows does not become common by a restore"
    );
    fresh.repository.git(&["switch", "feature"]);
    fresh
        .open()?
        .decide_branch("feature", BranchDecision::Restore)
        .ok();
    assert!(fresh.open()?.verify()?.is_sound());
    Ok(())
}
