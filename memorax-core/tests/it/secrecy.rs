//! What must never be on the disk: secrets, and the words of purged memories.

use std::error::Error as StdError;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use memorax_core::{
    Actor, ErrorKind, Fields, Filter, InitOptions, Memorax, MemoryKind, Note, Query, Status, Trust,
};

use crate::fixture::Repository;

type Done = Result<(), Box<dyn StdError>>;

struct World {
    home: tempfile::TempDir,
    folder: tempfile::TempDir,
}

impl World {
    fn new() -> Result<Self, Box<dyn StdError>> {
        Ok(Self {
            home: tempfile::tempdir()?,
            folder: tempfile::tempdir()?,
        })
    }

    fn open_as(&self, trust: Trust) -> memorax_core::Result<Memorax> {
        Memorax::builder()
            .home(self.home.path())
            .actor(Actor::new("ada", trust))
            .open(self.folder.path())
    }
}

/// Returns the files below a folder that contain the words, in any case.
fn files_with(folder: &Path, words: &str) -> Result<Vec<PathBuf>, Box<dyn StdError>> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else if fs::read(&path)?
                .to_ascii_lowercase()
                .windows(words.len())
                .any(|part| part == words.as_bytes())
            {
                found.push(path);
            }
        }
    }
    Ok(found)
}

#[test]
fn a_secret_never_reaches_the_disk() -> Done {
    let world = World::new()?;
    let memory = world.open_as(Trust::User)?;
    let secret = format!("ghp_{}", "q7Rk2Lm9Xs4Vb6Nc1Zd8Fg3Hj5Kp0WtYuEoA");
    let note = Note::new(
        format!("The release job logs in with {secret}."),
        MemoryKind::Fact,
    );
    let written = memory.remember_with(note)?;
    assert_eq!(
        written
            .redacted
            .iter()
            .map(|(_, count)| count)
            .sum::<usize>(),
        1,
        "{:?}",
        written.redacted
    );
    let shown = memory.show(&written.id.to_string())?.memory;
    assert!(
        shown
            .text
            .starts_with("The release job logs in with [secret:"),
        "{}",
        shown.text
    );
    let mut fields = Fields::default();
    fields.text = Some(format!("The release job logs in with {secret} again."));
    fields.status = Some(Status::Invalid {
        reason: format!("because {secret} was rotated"),
    });
    memory.edit(&written.id.to_string(), fields)?;
    memory.recall(&Query::new(format!(
        "what is {secret} for in the release job?"
    )))?;
    memory.check(&format!("print {secret}"))?;
    let secret = secret.to_ascii_lowercase();
    assert_eq!(
        files_with(world.home.path(), &secret)?,
        Vec::<PathBuf>::new()
    );
    Ok(())
}

#[test]
fn a_secret_in_the_name_of_a_branch_or_a_writer_never_reaches_the_disk() -> Done {
    let home = tempfile::tempdir()?;
    let secret = format!("ghp_{}", "q7Rk2Lm9Xs4Vb6Nc1Zd8Fg3Hj5Kp0WtYuEoA");
    let repository = Repository::with_commit();
    let branch = format!("fix/{secret}");
    let open = || {
        let actor = Actor::new(format!("bot {secret}"), Trust::Agent).session(secret.as_str());
        let builder = Memorax::builder().home(home.path()).actor(actor);
        builder.open(&repository.path)
    };
    let init = |memory: &Memorax| {
        let progress = |_| {};
        memory.init(&InitOptions {
            interrupt: &AtomicBool::new(false),
            progress: &progress,
        })
    };
    open()?.remember("The parser is strict.", MemoryKind::Fact)?;
    repository.git(&["switch", "--quiet", "--create", &branch]);
    repository.commit("parser.txt", "lenient now");
    let memory = open()?;
    init(&memory)?;
    memory.remember("The parser is lenient on this branch.", MemoryKind::Fact)?;
    memory.recall(&Query::new("is the parser strict or lenient?"))?;
    memory.brief(800)?;

    repository.git(&["switch", "--quiet", "main"]);
    init(&open()?)?;
    assert_eq!(open()?.list(&Filter::new())?.len(), 1, "the branch is open");
    repository.git(&["switch", "--quiet", &branch]);
    let memory = open()?;
    init(&memory)?;
    assert_eq!(
        memory.list(&Filter::new())?.len(),
        2,
        "the line is found again"
    );
    let branches = memory.branches()?;
    assert_eq!(branches.len(), 2, "{branches:?}");
    assert!(branches[0].line.missing.is_none(), "{branches:?}");
    let name = branches[0].line.name();
    assert!(name.starts_with("fix/[secret:"), "{name}");
    assert!(memory.log(None, 1)?[0].payload.is_some());
    let status = memory.status()?;
    assert_eq!(status.line.as_deref(), Some(name));
    memory.gc()?;

    let secret = secret.to_ascii_lowercase();
    assert_eq!(files_with(home.path(), &secret)?, Vec::<PathBuf>::new());
    repository.git(&["switch", "--quiet", "main"]);
    repository.git(&["branch", "--quiet", "--move", &branch, "fix/plain"]);
    repository.git(&["switch", "--quiet", "fix/plain"]);
    assert_eq!(
        open()?.list(&Filter::new())?.len(),
        2,
        "the line is renamed"
    );
    Ok(())
}

#[test]
fn the_words_of_a_purged_memory_are_gone_from_every_file() -> Done {
    let world = World::new()?;
    let memory = world.open_as(Trust::User)?;
    memory.remember("Staging uses the small machine type.", MemoryKind::Fact)?;
    let id = memory
        .remember(
            "The zebrafish cluster is reached through bastion 12.",
            MemoryKind::Fact,
        )?
        .id;
    memory.remember(
        "the zebrafish cluster is reached through  bastion 12",
        MemoryKind::Fact,
    )?;
    let mut fields = Fields::default();
    fields.text = Some("The zebrafish cluster is reached directly.".to_owned());
    fields.add_tags = vec!["zebrafish".to_owned()];
    memory.edit(&id.to_string(), fields)?;
    memory.recall(&Query::new("how do I reach the zebrafish cluster?"))?;
    memory.recall(&Query::new("zebrafish"))?;
    assert!(
        !files_with(world.home.path(), "zebrafish")?.is_empty(),
        "the search itself finds the word"
    );

    let purged = memory.purge(&id.to_string(), false)?;
    assert_eq!(purged.pending, Vec::<PathBuf>::new());
    assert_eq!(
        files_with(world.home.path(), "zebrafish")?,
        Vec::<PathBuf>::new()
    );
    assert_eq!(memory.list(&Filter::new())?.len(), 1);
    assert!(memory.verify()?.is_sound(), "{:?}", memory.verify()?);
    memory.repair()?;
    assert!(memory.verify()?.is_sound(), "{:?}", memory.verify()?);
    Ok(())
}

#[test]
fn an_agent_cannot_purge() -> Done {
    let world = World::new()?;
    let memory = world.open_as(Trust::Agent)?;
    let id = memory
        .remember("Backups run at noon.", MemoryKind::Fact)?
        .id
        .to_string();
    let error = memory.purge(&id, true).expect_err("only a person may");
    assert_eq!(error.kind(), ErrorKind::Unauthorized);
    let named_ci = Memorax::builder()
        .home(world.home.path())
        .actor(Actor::new("ci", Trust::Agent))
        .open(world.folder.path())?;
    let error = named_ci
        .purge(&id, true)
        .expect_err("a name makes no CI job");
    assert_eq!(error.kind(), ErrorKind::Unauthorized);
    assert_eq!(memory.list(&Filter::new())?.len(), 1);
    Ok(())
}

#[cfg(unix)]
#[test]
fn nobody_else_can_read_what_is_written() -> Done {
    use std::os::unix::fs::PermissionsExt as _;
    let world = World::new()?;
    let home = world.home.path().join("memorax");
    let memory = Memorax::builder().home(&home).open(world.folder.path())?;
    memory.remember("Keys rotate every ninety days.", MemoryKind::Fact)?;
    memory.recall(&Query::new("when do keys rotate?"))?;
    let mut open = vec![home];
    let mut seen = 0;
    while let Some(path) = open.pop() {
        let mode = fs::metadata(&path)?.permissions().mode() & 0o077;
        assert_eq!(mode, 0, "{} is open to others", path.display());
        seen += 1;
        if path.is_dir() {
            for entry in fs::read_dir(&path)? {
                open.push(entry?.path());
            }
        }
    }
    assert!(
        seen > 6,
        "stores, spool and registry were looked at: {seen}"
    );
    Ok(())
}
