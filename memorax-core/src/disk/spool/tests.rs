use std::io::{Seek, Write};

use super::file::FOLDED;
use super::*;
use crate::disk::{open_alone, open_existing, open_for_append};
use crate::{ErrorKind, Result};

type Done = Result<(), Box<dyn std::error::Error>>;

fn spool(folder: &tempfile::TempDir) -> Spool {
    Spool::new(folder.path().join("spool"))
}

fn only(spool: &Spool) -> Result<SpoolFile> {
    let mut files = spool.pending()?;
    assert_eq!(files.len(), 1, "{files:?}");
    Ok(files.remove(0))
}

fn texts(lines: &SpoolLines) -> Vec<String> {
    let text = |line: &Vec<u8>| String::from_utf8_lossy(line).into_owned();
    lines.lines.iter().map(text).collect()
}

#[test]
fn a_file_that_was_removed_since_it_was_listed_has_no_lines() -> Done {
    let folder = tempfile::tempdir()?;
    let spool = spool(&folder);
    spool.append("session", b"{\"a\":1}")?;
    let (listed, again) = (only(&spool)?, only(&spool)?);
    let end = listed.lines(0)?.offset;
    assert_eq!(listed.remove_folded(end)?, Some(0));
    assert_eq!(
        (again.lines(end)?.lines.len(), again.lines(end)?.offset),
        (0, end)
    );
    spool.append("session", b"{\"b\":2}")?;
    assert_eq!(
        again.lines(0)?.lines.len(),
        0,
        "a file begun again under the same name is another one"
    );
    Ok(())
}

#[test]
fn lines_are_read_once_and_a_folded_file_goes_away() -> Done {
    let folder = tempfile::tempdir()?;
    let spool = spool(&folder);
    assert!(spool.pending()?.is_empty());
    spool.append("session", b"{\"n\":1}")?;
    spool.append("session", b"{\"n\":2}")?;
    let file = only(&spool)?;
    assert_eq!(file.session(), "session");
    let first = file.lines(0)?;
    assert_eq!(texts(&first), ["{\"n\":1}", "{\"n\":2}"]);
    assert_eq!((first.offset, first.torn), (file.bytes()?, 0));
    spool.append("session", b"{\"n\":3}")?;
    let second = file.lines(first.offset)?;
    assert_eq!(texts(&second), ["{\"n\":3}"]);
    let id = file.id().to_owned();
    let path = file.path().to_owned();
    assert_eq!(
        file.remove_folded(first.offset)?,
        None,
        "a line would be lost"
    );
    assert_eq!(only(&spool)?.remove_folded(second.offset)?, Some(0));
    assert!(!path.exists());
    spool.append("session", b"{\"n\":4}")?;
    assert_ne!(only(&spool)?.id(), id, "a new file needs a new offset");
    Ok(())
}

#[test]
fn a_torn_line_is_sealed_and_counted_and_harms_no_other() -> Done {
    let folder = tempfile::tempdir()?;
    let spool = spool(&folder);
    spool.append("session", b"{\"n\":1}")?;
    let path = only(&spool)?.path().to_owned();
    open_for_append(&path)?.write_all(b"{\"n\":")?;
    assert_eq!(only(&spool)?.lines(0)?.torn, 0, "it may still be growing");
    spool.append("session", b"{\"n\":2}")?;
    let read = only(&spool)?.lines(0)?;
    assert_eq!(texts(&read), ["{\"n\":1}", "{\"n\":2}"]);
    assert_eq!(read.torn, 1);
    open_for_append(&path)?.write_all(b"{\"n\":")?;
    assert_eq!(
        only(&spool)?.remove_folded(read.offset)?,
        Some(1),
        "nobody is left to finish the line"
    );
    Ok(())
}

#[test]
fn a_header_that_was_cut_off_still_names_the_file() -> Done {
    let folder = tempfile::tempdir()?;
    let spool = spool(&folder);
    spool.append("session", b"{\"n\":1}")?;
    let path = only(&spool)?.path().to_owned();
    open_existing(&path)?.set_len(9)?;
    let id = only(&spool)?.id().to_owned();
    spool.append("session", b"{\"n\":2}")?;
    let file = only(&spool)?;
    assert_eq!(file.id(), id, "an offset was kept under the first id");
    let read = file.lines(0)?;
    assert_eq!((texts(&read), read.torn), (vec!["{\"n\":2}".into()], 1));
    Ok(())
}

#[test]
fn a_stopped_remover_never_blocks_an_appender() -> Done {
    let folder = tempfile::tempdir()?;
    let spool = spool(&folder);
    spool.append("session", b"{\"n\":1}")?;
    let path = only(&spool)?.path().to_owned();
    let mut held = open_alone(&path)?.expect("nobody appends");
    spool.append("session", b"{\"n\":2}")?;
    assert_eq!(spool.pending()?.len(), 2, "the line went elsewhere");
    held.set_len(0)?;
    held.rewind()?;
    held.write_all(FOLDED)?;
    drop(held);
    spool.append("session", b"{\"n\":3}")?;
    let left = only(&spool)?;
    assert_eq!(texts(&left.lines(0)?), ["{\"n\":2}", "{\"n\":3}"]);
    assert!(!path.exists(), "what a killed remover marked is removed");
    Ok(())
}

#[test]
fn threads_append_to_one_session_while_it_is_folded() -> Done {
    const THREADS: usize = 4;
    const LINES: usize = 100;
    let folder = tempfile::tempdir()?;
    let spool = spool(&folder);
    let mut seen = std::collections::BTreeSet::new();
    let mut fold = || -> Result<usize> {
        for file in spool.pending()? {
            let read = file.lines(0)?;
            seen.extend(texts(&read));
            file.remove_folded(read.offset)?;
        }
        Ok(seen.len())
    };
    std::thread::scope(|scope| -> Done {
        for thread in 0..THREADS {
            let spool = &spool;
            scope.spawn(move || {
                for line in 0..LINES {
                    let text = format!("{{\"n\":{}}}", thread * LINES + line);
                    spool
                        .append("session", text.as_bytes())
                        .expect("there is a file to append to");
                }
            });
        }
        while fold()? < THREADS * LINES {
            std::thread::yield_now();
        }
        Ok(())
    })?;
    assert_eq!(fold()?, THREADS * LINES);
    assert!(spool.pending()?.is_empty());
    Ok(())
}

#[test]
fn sessions_have_names_that_every_file_system_takes() -> Done {
    let folder = tempfile::tempdir()?;
    let spool = spool(&folder);
    let uuid = "0190b7c8-7c3e-7a2f-b1de-3f1d0c2b4a5e";
    let long = "x".repeat(500);
    let sessions = [
        "", "con", "../up", "A/b\\c:d", "a", "A", uuid, &long, "grüße",
    ];
    for session in sessions {
        spool.append(session, b"{}")?;
    }
    let files = spool.pending()?;
    assert_eq!(files.len(), sessions.len(), "two sessions share a file");
    for file in &files {
        let name = file.path().file_stem().and_then(|name| name.to_str());
        let name = name.expect("only plain letters are used");
        assert!(name.len() <= 80, "{name}");
        assert!(sessions.contains(&file.session()), "{file:?}");
        assert_eq!(name == uuid, file.session() == uuid, "{name}");
    }
    for line in [&b"{}\n{}"[..], b""] {
        let refused = spool.append("a", line).expect_err("not one line");
        assert_eq!(refused.kind(), ErrorKind::InvalidInput);
    }
    Ok(())
}
