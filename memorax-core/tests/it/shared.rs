//! The handle among other processes: races, kills, a stopped writer, forks.

use std::error::Error as StdError;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use memorax_core::store::{Access, FileState, MemoryStore, Redb, Table};
use memorax_core::{Actor, Filter, Memorax, MemoryKind, Outcome, Query, Trust};

use crate::process::{Other, say, wait};

type Done = Result<(), Box<dyn StdError>>;

fn open(world: &Path) -> memorax_core::Result<Memorax> {
    Memorax::builder()
        .home(world.join("home"))
        .actor(Actor::new("ada", Trust::User))
        .open(world.join("project"))
}

fn world() -> std::io::Result<tempfile::TempDir> {
    let world = tempfile::tempdir()?;
    fs::create_dir(world.path().join("project"))?;
    Ok(world)
}

/// Texts that share no near-duplicate: each names its writer and number.
fn text(writer: &str, number: usize) -> String {
    format!(
        "Writer {writer} noted that component {number} of the fleet is owned by team {writer}{number}."
    )
}

/// What the other processes of these tests do.
pub(crate) fn play(role: &str, world: &Path) -> Done {
    match role {
        "remember without end" => {
            let name = std::process::id().to_string();
            for number in 0.. {
                let written = open(world)?.remember(&text(&name, number), MemoryKind::Fact)?;
                say(written.id);
            }
            Ok(())
        }
        "remember once" => {
            let memory = open(world)?;
            say("ready");
            wait();
            say(memory
                .remember(
                    &text("racer", std::process::id() as usize),
                    MemoryKind::Fact,
                )?
                .id);
            Ok(())
        }
        "hold the repository" => hold(world),
        "fork a handle" => fork(&open(world)?),
        other => Err(format!("no role `{other}`").into()),
    }
}

fn repository_store(world: &Path) -> memorax_core::Result<Redb> {
    let memory = open(world)?;
    let folder = world
        .join("home")
        .join("repos")
        .join(memory.identity().id.to_string());
    Redb::open(&folder.join("local.redb"), Access::Write)
}

fn hold(world: &Path) -> Done {
    repository_store(world)?.write(&mut |rows| {
        rows.put(Table::Meta, b"held", b"1")?;
        say("inside");
        wait();
        Ok(())
    })?;
    Ok(())
}

#[expect(unsafe_code, reason = "std cannot fork")]
fn fork(memory: &Memorax) -> Done {
    memory.remember("Something from before the fork.", MemoryKind::Fact)?;
    // SAFETY: the child uses only the handle, which is made for it, and ends without the harness's destructors.
    let child = unsafe { libc::fork() };
    let name = if child == 0 { "child" } else { "parent" };
    let written = (0..40).try_for_each(|number| {
        memory
            .remember(&text(name, number), MemoryKind::Fact)
            .map(|_| ())
    });
    if child == 0 {
        // SAFETY: ends the child at once.
        unsafe { libc::_exit(i32::from(written.is_err())) };
    }
    written?;
    let mut status = 0;
    // SAFETY: waits for the child made above, with a place for its status.
    let waited = unsafe { libc::waitpid(child, &raw mut status, 0) };
    assert_eq!((waited, status), (child, 0), "the child could not write");
    Ok(())
}

#[test]
fn the_first_writes_of_several_processes_meet_in_one_identity() -> Done {
    let world = world()?;
    let mut others = Vec::new();
    for _ in 0..4 {
        let mut other = Other::start("handle: remember once", world.path(), &[])?;
        assert_eq!(other.hear()?.as_deref(), Some("ready"));
        others.push(other);
    }
    for other in &mut others {
        other.tell()?;
    }
    let mut written = Vec::new();
    for other in &mut others {
        written.extend(other.hear()?);
        other.finish()?;
    }
    let memory = open(world.path())?;
    let mut listed: Vec<String> = memory
        .list(&Filter::new())?
        .iter()
        .map(|memory| memory.id.to_string())
        .collect();
    listed.sort();
    written.sort();
    assert_eq!(listed, written);
    assert_eq!(
        fs::read_dir(world.path().join("home").join("repos"))?.count(),
        1,
        "one repository, one folder"
    );
    assert!(memory.verify()?.is_sound());
    Ok(())
}

#[test]
fn every_acknowledged_memory_survives_kills() -> Done {
    let world = world()?;
    open(world.path())?.remember("The first of all.", MemoryKind::Fact)?;
    let mut acknowledged = Vec::new();
    let mut others: Vec<Other> = Vec::new();
    for _ in 0..3 {
        others.push(Other::start(
            "handle: remember without end",
            world.path(),
            &[],
        )?);
    }
    for round in 0..12 {
        let place = round % others.len();
        // An unlike number of writes each time, so that kills fall on different moments of a write.
        for _ in 0..=(round % 4) {
            acknowledged.extend(others[place].hear()?);
        }
        others[place].kill()?;
        others[place] = Other::start("handle: remember without end", world.path(), &[])?;
    }
    for mut other in others {
        other.kill()?;
    }
    let memory = open(world.path())?;
    memory.gc()?;
    for id in &acknowledged {
        assert!(
            !memory.show(id)?.waiting,
            "nothing stays in the inbox after the last writer"
        );
    }
    assert!(
        acknowledged.len() >= 12,
        "{} writes were acknowledged",
        acknowledged.len()
    );
    let verification = memory.verify()?;
    assert_eq!(verification.problems, Vec::<String>::new());
    Ok(())
}

#[test]
fn with_a_stopped_writer_recall_answers_and_remember_goes_to_the_inbox() -> Done {
    let world = world()?;
    let memory = open(world.path())?;
    memory.remember("The gateway speaks gRPC only.", MemoryKind::Decision)?;
    let mut holder = Other::start("handle: hold the repository", world.path(), &[])?;
    assert_eq!(holder.hear()?.as_deref(), Some("inside"));
    holder.signal(libc::SIGSTOP);

    let started = Instant::now();
    let recall = memory.recall(&Query::new("which protocol does the gateway speak?"))?;
    let recalled = started.elapsed();
    assert!(recall.text().contains("gRPC"), "{recall:?}");
    assert!(
        recalled < Duration::from_millis(250),
        "recall took {recalled:?}"
    ); // 50 ms in release, see `xtask bench`

    let started = Instant::now();
    let written = memory.remember(
        "The gateway retries idempotent calls twice.",
        MemoryKind::Decision,
    )?;
    let waited = started.elapsed();
    assert_eq!(written.outcome, Outcome::Queued);
    assert!(
        waited < Duration::from_millis(2_500),
        "remember took {waited:?}"
    );
    assert!(memory.show(&written.id.to_string())?.waiting);
    let recall = memory.recall(&Query::new("does the gateway retry calls?"))?;
    assert!(
        recall.text().contains("retries idempotent calls"),
        "a process sees its own writes: {recall:?}"
    );

    holder.signal(libc::SIGCONT);
    holder.tell()?;
    holder.finish()?;
    memory.remember("The gateway logs to standard error.", MemoryKind::Fact)?;
    assert!(
        !memory.show(&written.id.to_string())?.waiting,
        "the next writer took it in"
    );
    assert_eq!(memory.status()?.stores[0].inbox, 0);
    assert!(memory.verify()?.is_sound());
    Ok(())
}

#[test]
fn what_waits_in_the_inbox_survives_the_loss_of_the_store() -> Done {
    let world = world()?;
    let memory = open(world.path())?;
    memory.remember("The gateway speaks gRPC only.", MemoryKind::Decision)?;
    let mut holder = Other::start("handle: hold the repository", world.path(), &[])?;
    assert_eq!(holder.hear()?.as_deref(), Some("inside"));
    let waits = memory.remember("The gateway logs in JSON.", MemoryKind::Decision)?;
    assert_eq!(waits.outcome, Outcome::Queued);
    holder.kill()?;
    drop(memory);

    let memory = open(world.path())?;
    let repository = memory.identity().id.to_string();
    let folder = world.path().join("home").join("repos").join(repository);
    fs::remove_file(folder.join("local.1.redb"))?;
    let repair = memory.repair()?;
    assert!(!repair.is_whole());
    let store = &repair.stores[0];
    assert_eq!(store.found, Some(FileState::Gone));
    assert_eq!((store.saved, store.lost, store.applied), (0, None, 1));
    assert!(!memory.show(&waits.id.to_string())?.waiting);
    assert_eq!(memory.list(&Filter::new())?.len(), 1);
    assert!(memory.verify()?.is_sound());
    Ok(())
}

#[test]
fn parent_and_forked_child_write_through_a_handle_opened_before() -> Done {
    let world = world()?;
    Other::start("handle: fork a handle", world.path(), &[])?.finish()?;
    let memory = open(world.path())?;
    assert_eq!(memory.list(&Filter::new())?.len(), 81);
    assert!(memory.verify()?.is_sound());
    Ok(())
}
