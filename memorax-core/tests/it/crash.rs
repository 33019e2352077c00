//! What a store promises while processes are killed, stopped and forked.

use std::path::Path;
use std::time::{Duration, Instant};

use memorax_core::ErrorKind;
use memorax_core::store::{Access, LeftoverReason, MemoryStore, Redb, Table};

use crate::process::{Other, say, wait};
use crate::store::{names, put, rows, value};

type Done = Result<(), Box<dyn std::error::Error>>;

const NAME: &str = "MEMORAX_TEST_NAME";
const PATIENCE: &str = "MEMORAX_TEST_PATIENCE";
const ABORT: &str = "MEMORAX_TEST_ABORT";

/// What another process does for a test.
pub(crate) fn play(role: &str, path: &Path) -> Done {
    let mut store = Redb::open(path, Access::Write)?;
    if let Ok(patience) = std::env::var(PATIENCE) {
        store = store.patience(Duration::from_millis(patience.parse()?));
    }
    match role {
        "write without end" => {
            let name = std::env::var(NAME)?;
            for number in 0.. {
                pair(&store, &format!("{name}/{number}"))?;
                say(number);
            }
        }
        "hold the lock" => {
            store.write(&mut |rows| {
                rows.put(Table::Log, b"never", b"finished")?;
                say("inside");
                wait();
                Ok(())
            })?;
        }
        "fork" => fork(&store)?,
        "rewrite" => drop(store.rewrite()?),
        "write, wait, write" => {
            put(&store, b"first", b"1")?;
            say("ready");
            wait();
            for number in 0..5_u8 {
                put(&store, &[number], b"late")?;
            }
            assert_eq!(value(&store, b"first")?, Some(b"1".to_vec()));
        }
        "write some" => {
            let name = std::env::var(NAME)?;
            for number in 0..25 {
                pair(&store, &format!("{name}/{number}"))?;
                rows(&store, Table::Log)?;
            }
        }
        "fill the disk" => fill(&store)?,
        "be nobody" => be_nobody(&store)?,
        other => panic!("no role `{other}`"),
    }
    Ok(())
}

// Two rows in one transaction: a torn write would show.
fn pair(store: &Redb, key: &str) -> memorax_core::Result<()> {
    store.write(&mut |rows| {
        rows.put(Table::Log, key.as_bytes(), key.as_bytes())?;
        rows.put(Table::Body, key.as_bytes(), &[7; 3_000])
    })
}

#[test]
fn every_acknowledged_row_survives_kills() -> Done {
    const WRITERS: [&str; 3] = ["a", "b", "c"];
    const ACKNOWLEDGED: [usize; 5] = [3, 17, 1, 29, 8];
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("local.redb");
    let acknowledged = std::thread::scope(|scope| {
        let writers: Vec<_> = WRITERS
            .iter()
            .map(|writer| {
                let path = &path;
                scope.spawn(move || -> std::io::Result<Vec<String>> {
                    let mut acknowledged = Vec::new();
                    for (round, count) in ACKNOWLEDGED.into_iter().enumerate() {
                        let name = format!("{writer}{round}");
                        let mut other = Other::start("write without end", path, &[(NAME, &name)])?;
                        for _ in 0..count {
                            let number = other.hear()?.expect("a writer does not end");
                            acknowledged.push(format!("{name}/{number}"));
                        }
                        other.kill()?;
                    }
                    Ok(acknowledged)
                })
            })
            .collect();
        let lists = writers
            .into_iter()
            .map(|writer| writer.join().expect("a thread that starts writers lives"));
        lists.collect::<std::io::Result<Vec<_>>>()
    })?;
    let store = Redb::open(&path, Access::Read)?;
    let (log, body) = (rows(&store, Table::Log)?, rows(&store, Table::Body)?);
    for key in acknowledged.iter().flatten() {
        let found = log.get(key.as_bytes()).map(Vec::as_slice);
        assert_eq!(found, Some(key.as_bytes()), "an acknowledged row is lost");
    }
    assert!(log.keys().eq(body.keys()), "half of a transaction was kept");
    Ok(())
}

#[test]
fn a_stopped_writer_delays_no_reader_and_no_writer_for_long() -> Done {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("local.redb");
    let patience = Duration::from_millis(300);
    let store = Redb::open(&path, Access::Write)?.patience(patience);
    put(&store, b"key", b"1")?;
    let mut holder = Other::start("hold the lock", &path, &[])?;
    assert_eq!(holder.hear()?.as_deref(), Some("inside"));
    holder.signal(libc::SIGSTOP);

    let reader = Redb::open(&path, Access::Read)?;
    let started = Instant::now();
    assert_eq!(value(&reader, b"key")?, Some(b"1".to_vec()));
    let read = started.elapsed();
    let started = Instant::now();
    let refused = put(&store, b"key", b"2").expect_err("the lock is held");
    let written = started.elapsed();
    assert_eq!(refused.kind(), ErrorKind::Locked, "{refused}");
    assert!(read < Duration::from_millis(50), "reading took {read:?}");
    assert!(
        (patience..patience + Duration::from_millis(150)).contains(&written),
        "writing was refused after {written:?}"
    );
    // A process that has nothing open yet waits at another place: where the file is opened for writing.
    let mut other = Other::start(
        "write without end",
        &path,
        &[(NAME, "x"), (PATIENCE, "300")],
    )?;
    let said = other.hear()?.expect("the error is said");
    assert!(said.starts_with("another process is writing to"), "{said}");
    holder.kill()?;
    put(&store, b"key", b"3")?;
    assert_eq!(value(&reader, b"key")?, Some(b"3".to_vec()));
    assert!(rows(&reader, Table::Log)?.is_empty());
    Ok(())
}

#[test]
fn a_forked_child_and_its_parent_write_through_one_handle() -> Done {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("local.redb");
    Other::start("fork", &path, &[])?.finish()?;
    let found = rows(&Redb::open(&path, Access::Read)?, Table::Log)?;
    assert_eq!(found.len(), 801, "a row of the parent or the child is lost");
    Ok(())
}

#[expect(unsafe_code, reason = "std cannot fork")]
fn fork(store: &Redb) -> Done {
    store.write(&mut |rows| rows.put(Table::Log, b"before", b""))?;
    // SAFETY: the child touches nothing but the store, which is made for it, and ends without running destructors of
    // the test harness.
    let child = unsafe { libc::fork() };
    assert!(child >= 0, "cannot fork");
    let name = if child == 0 { "child" } else { "parent" };
    let written = (0..400).try_for_each(|number| {
        let key = format!("{name}/{number}");
        store.write(&mut |rows| rows.put(Table::Log, key.as_bytes(), b""))
    });
    if child == 0 {
        let code = i32::from(written.is_err());
        // SAFETY: ends the child at once.
        unsafe { libc::_exit(code) };
    }
    written?;
    let mut status = 0;
    // SAFETY: waits for the child that was made above, with a place for its status.
    let waited = unsafe { libc::waitpid(child, &raw mut status, 0) };
    assert_eq!((waited, status), (child, 0), "the child could not write");
    Ok(())
}

#[test]
fn a_rewrite_that_is_killed_at_any_step_loses_and_doubles_nothing() -> Done {
    for step in ["begun", "copied", "retired", "named"] {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("local.redb");
        let store = Redb::open(&path, Access::Write)?;
        for number in 0..20 {
            pair(&store, &format!("before/{number}"))?;
        }
        store.write(&mut |rows| rows.remove(Table::Body, b"before/0"))?;
        let mut other = Other::start("rewrite", &path, &[(ABORT, step)])?;
        while other.hear()?.is_some() {}
        assert!(
            !other.kill()?.success(),
            "{step}: nothing ended the process"
        );

        assert_eq!(rows(&store, Table::Log)?.len(), 20, "{step}");
        assert_eq!(rows(&store, Table::Body)?.len(), 19, "{step}");
        pair(&store, "after")?;
        let fresh = Redb::open(&path, Access::Read)?;
        assert_eq!(rows(&fresh, Table::Log)?.len(), 21, "{step}");
        let rewritten = store.rewrite()?;
        assert_eq!(rewritten.leftovers, [], "{step}");
        assert_eq!(rows(&fresh, Table::Log)?.len(), 21, "{step}");
        let file = format!("local.{}.redb", rewritten.generation);
        let files = names(folder.path())?;
        assert_eq!(
            files,
            [file.as_str(), "local.lock", "local.meta.json", "local.turn"],
            "{step}: a file that is no longer needed stays"
        );
    }
    Ok(())
}

#[test]
fn an_old_handle_of_another_process_follows_to_the_new_file() -> Done {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("local.redb");
    let mut other = Other::start("write, wait, write", &path, &[])?;
    assert_eq!(other.hear()?.as_deref(), Some("ready"));
    let store = Redb::open(&path, Access::Write)?;
    // Twice, so that the old handle finds neither its file nor the next one.
    store.rewrite()?;
    store.rewrite()?;
    put(&store, b"second", b"2")?;
    other.tell()?;
    other.finish()?;
    assert_eq!(rows(&store, Table::Meta)?.len(), 2 + 5);
    assert_eq!(store.sizes()?.generation, 3);
    assert_eq!(store.leftovers()?, []);
    Ok(())
}

#[test]
fn a_full_disk_is_said_and_nothing_is_half_written() -> Done {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("local.redb");
    let store = Redb::open(&path, Access::Write)?;
    pair(&store, "before")?;
    Other::start("fill the disk", &path, &[])?.finish()?;
    let (log, body) = (rows(&store, Table::Log)?, rows(&store, Table::Body)?);
    assert!(log.contains_key(&b"before"[..]) && log.contains_key(&b"small"[..]));
    assert!(log.keys().eq(body.keys()), "half of a transaction was kept");
    pair(&store, "after")?;
    assert!(rows(&store, Table::Log)?.contains_key(&b"after"[..]));
    Ok(())
}

#[expect(unsafe_code, reason = "std cannot limit the size of files")]
fn fill(store: &Redb) -> Done {
    pair(store, "small")?;
    let limit = libc::rlimit {
        rlim_cur: store.sizes()?.bytes,
        rlim_max: libc::RLIM_INFINITY,
    };
    // SAFETY: the limit is a valid value, and ignoring a signal runs no code.
    unsafe {
        assert_eq!(libc::setrlimit(libc::RLIMIT_FSIZE, &raw const limit), 0);
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
    for number in 0..2_000 {
        if let Err(error) = pair(store, &format!("large/{number}")) {
            assert_eq!(error.kind(), ErrorKind::Full, "{error}");
            assert!(value(store, b"key")?.is_none(), "reading goes on");
            return Ok(());
        }
    }
    panic!("the limit was never reached");
}

#[test]
fn where_nothing_can_be_written_reading_works_and_writing_says_why() -> Done {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("store/local.redb");
    let store = Redb::open(&path, Access::Write)?;
    put(&store, b"key", b"1")?;
    drop(store);
    // The last writer was killed, and nobody can repair what it left.
    let mut other = Other::start("write without end", &path, &[(NAME, "x")])?;
    assert_eq!(other.hear()?.as_deref(), Some("0"));
    other.kill()?;
    let mode =
        |path: &Path, mode| std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode));
    mode(folder.path(), 0o755)?;
    for name in names(&folder.path().join("store"))? {
        mode(&folder.path().join("store").join(name), 0o444)?;
    }
    mode(&folder.path().join("store"), 0o555)?;
    let outcome = Other::start("be nobody", &path, &[])?.finish();
    mode(&folder.path().join("store"), 0o755)?;
    outcome?;
    Ok(())
}

#[expect(unsafe_code, reason = "std cannot change the user")]
fn be_nobody(store: &Redb) -> Done {
    // SAFETY: the process has one user of its memory, this test, and gives up rights only.
    unsafe {
        if libc::getuid() == 0 {
            assert_eq!(libc::setuid(65_534), 0, "root may write everywhere");
        }
    }
    assert_eq!(value(store, b"key")?, Some(b"1".to_vec()));
    let refused = put(store, b"key", b"2").expect_err("the files are read-only");
    assert_eq!(refused.kind(), ErrorKind::ReadOnly, "{refused}");
    assert!(refused.to_string().contains("denied"), "{refused}");
    assert!(rows(store, Table::Log)?.contains_key(&b"x/0"[..]));
    assert_eq!(store.leftovers()?, []);
    Ok(())
}

#[test]
fn a_reader_repairs_what_a_killed_writer_left_and_counts_it() -> Done {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("local.redb");
    let mut other = Other::start("write without end", &path, &[(NAME, "x")])?;
    assert_eq!(other.hear()?.as_deref(), Some("0"));
    other.kill()?;
    let reader = Redb::open(&path, Access::Read)?;
    assert!(rows(&reader, Table::Log)?.contains_key(&b"x/0"[..]));
    assert_eq!(reader.repairs(), 1);
    let second = Redb::open(&path, Access::Read)?;
    assert!(value(&second, b"key")?.is_none());
    assert_eq!(second.repairs(), 1, "it was repaired once and for all");

    let mut other = Other::start("write without end", &path, &[(NAME, "y")])?;
    assert_eq!(other.hear()?.as_deref(), Some("0"));
    assert!(rows(&reader, Table::Log)?.contains_key(&b"y/0"[..]));
    other.kill()?;
    assert!(
        rows(&reader, Table::Log)?.contains_key(&b"y/0"[..]),
        "a reader that was there before goes on"
    );
    Ok(())
}

#[test]
fn without_working_locks_one_process_at_a_time_has_the_store() -> Done {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("local.redb");
    let mut others = ["a", "b", "c"]
        .map(|name| [(NAME, name), ("MEMORAX_EXCLUSIVE", "1")])
        .iter()
        .map(|variables| Other::start("write some", &path, variables))
        .collect::<std::io::Result<Vec<_>>>()?;
    others.iter_mut().try_for_each(Other::finish)?;
    let store = Redb::open(&path, Access::Read)?;
    assert_eq!(rows(&store, Table::Log)?.len(), 3 * 25);
    Ok(())
}

#[test]
fn an_unfinished_file_is_listed_and_removed_by_the_next_writer() -> Done {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("local.redb");
    let store = Redb::open(&path, Access::Write)?;
    put(&store, b"key", b"1")?;
    let mut other = Other::start("rewrite", &path, &[(ABORT, "copied")])?;
    while other.hear()?.is_some() {}
    other.kill()?;
    let reasons: Vec<_> = store.leftovers()?.iter().map(|file| file.reason).collect();
    assert_eq!(reasons, [LeftoverReason::Unfinished]);
    assert_eq!(store.gc()?, []);
    assert_eq!(value(&store, b"key")?, Some(b"1".to_vec()));
    Ok(())
}
