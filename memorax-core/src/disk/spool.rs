//! Lines that hooks leave behind without ever waiting for the store: one file a session, in one folder.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{
    append_beside_others, create_dir_private, entries, open_alone, open_for_reading,
    reading_failed, remove, writing_failed,
};
use crate::{Error, ErrorKind, Result};

const ENDING: &str = ".jsonl";

/// Most files of one session: a second one is begun only while a process that removes the first is stopped.
const FILES: usize = 16;

/// Longest part of a session's name in a file's name; file systems allow 255 bytes.
const NAME: usize = 64;

/// First line of a file whose lines are all in the store: whoever still finds it begins another.
const FOLDED: &[u8] = b"{\"folded\":true}\n";

/// A folder of files to which processes append lines of JSON.
#[derive(Clone, Debug)]
pub(crate) struct Spool {
    folder: PathBuf,
}

/// A file with lines that may not be in the store yet.
#[derive(Debug)]
pub(crate) struct SpoolFile {
    path: PathBuf,
    id: String,
    session: String,
}

/// Lines of a spool file.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct SpoolLines {
    /// Whole lines, without their ends.
    pub(crate) lines: Vec<Vec<u8>>,
    /// Where the next line begins.
    pub(crate) offset: u64,
    /// Lines that were cut off when their writer was killed, and sealed by the next one.
    pub(crate) torn: usize,
}

impl Spool {
    /// Names the folder; it is created by the first line.
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Appends one line to the session's file, in one write. Never waits for another process.
    pub(crate) fn append(&self, session: &str, line: &[u8]) -> Result<()> {
        if line.contains(&b'\n') || line.is_empty() {
            return Err(Error::new(
                ErrorKind::InvalidInput,
                "a spooled record must be one line of JSON",
            ));
        }
        create_dir_private(&self.folder)?;
        let name = file_name(session);
        for number in 0..FILES {
            let path = self.folder.join(match number {
                0 => format!("{name}{ENDING}"),
                number => format!("{name}+{number}{ENDING}"),
            });
            if append_to(&path, session, line)? {
                return Ok(());
            }
        }
        Err(Error::new(
            ErrorKind::Locked,
            format!("every spool file of session `{session}` is being removed"),
        ))
    }

    /// Lists the files that hold lines, by name. What a killed process left of a folded file is removed on the way.
    pub(crate) fn pending(&self) -> Result<Vec<SpoolFile>> {
        let mut found = Vec::new();
        for path in entries(&self.folder)? {
            if !path.to_string_lossy().ends_with(ENDING) {
                continue;
            }
            match SpoolFile::open(path.clone())? {
                Head::Lines(file) => found.push(file),
                Head::Folded => remove_marked(&path)?,
                Head::Empty | Head::Gone => {}
            }
        }
        Ok(found)
    }
}

enum Head {
    Lines(SpoolFile),
    Folded,
    Empty,
    Gone,
}

impl SpoolFile {
    /// Returns the random id of the file: a file that is begun again under the same name has another.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// Returns the session as its writer named it.
    pub(crate) fn session(&self) -> &str {
        &self.session
    }

    /// Returns where the file is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns how many bytes the file has.
    pub(crate) fn bytes(&self) -> Result<u64> {
        self.path
            .metadata()
            .map(|data| data.len())
            .map_err(|source| reading_failed(&self.path, source))
    }

    /// Reads the whole lines from an offset on, which is 0 or what an earlier call returned.
    pub(crate) fn lines(&self, offset: u64) -> Result<SpoolLines> {
        whole_lines(&mut open_for_reading(&self.path)?, offset)
            .map_err(|source| reading_failed(&self.path, source))
    }

    /// Removes the file if nothing stands after `offset` and nobody is appending; returns how many lines that were cut
    /// off went with it, or `None` when the file stays.
    pub(crate) fn remove_folded(self, offset: u64) -> Result<Option<usize>> {
        let Some(mut held) = open_alone(&self.path)? else {
            return Ok(None);
        };
        let failed = |source| writing_failed(&self.path, source);
        let length = held.metadata().map_err(failed)?.len();
        // No appender is alive now: a line without an end never gets one.
        let rest = whole_lines(&mut held, offset).map_err(failed)?;
        let another = !self.is_named_in(&mut held).map_err(failed)?;
        if another || rest.offset != offset {
            return Ok(None);
        }
        // An appender that opened the file before it is removed must see that it is too late.
        held.set_len(0)
            .and_then(|()| held.rewind())
            .and_then(|()| held.write_all(FOLDED))
            .map_err(failed)?;
        remove(&self.path)?;
        Ok(Some(usize::from(length > offset)))
    }

    // The file may have been removed and begun again since it was listed.
    fn is_named_in(&self, file: &mut File) -> io::Result<bool> {
        Ok(identity(&first_line(file)?).0 == self.id)
    }

    fn open(path: PathBuf) -> Result<Head> {
        let mut file = match open_for_reading(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Head::Gone),
            Err(error) => return Err(error),
        };
        let first = first_line(&mut file).map_err(|source| reading_failed(&path, source))?;
        if first.is_empty() {
            return Ok(Head::Empty);
        }
        if first == FOLDED[..FOLDED.len() - 1] {
            return Ok(Head::Folded);
        }
        let (id, session) = identity(&first);
        Ok(Head::Lines(Self { path, id, session }))
    }
}

/// Appends to one file; `false` when it is being removed.
fn append_to(path: &Path, session: &str, line: &[u8]) -> Result<bool> {
    let failed = |source| writing_failed(path, source);
    // A second look, because the file may be removed between opening it and being seen at it.
    for _ in 0..2 {
        let Some(mut file) = append_beside_others(path)? else {
            return Ok(false);
        };
        let length = file.metadata().map_err(failed)?.len();
        let mut bytes = Vec::with_capacity(line.len() + 128);
        if length == 0 {
            let id = uuid::Uuid::new_v4().simple().to_string();
            let header = json!({ "spool": id, "session": session });
            bytes.extend_from_slice(header.to_string().as_bytes());
            bytes.push(b'\n');
        } else if first_line(&mut file).map_err(failed)? == FOLDED[..FOLDED.len() - 1] {
            continue;
        } else if last_byte(&mut file, length).map_err(failed)? != b'\n' {
            // The last writer was killed: its half line must not swallow this one.
            bytes.push(b'\n');
        }
        bytes.extend_from_slice(line);
        bytes.push(b'\n');
        file.write_all(&bytes).map_err(failed)?;
        return Ok(true);
    }
    Ok(false)
}

// A process was killed between marking the file and removing it.
fn remove_marked(path: &Path) -> Result<()> {
    let Some(mut held) = open_alone(path)? else {
        return Ok(());
    };
    let first = first_line(&mut held).map_err(|source| reading_failed(path, source))?;
    if first == FOLDED[..FOLDED.len() - 1] {
        remove(path)?;
    }
    Ok(())
}

fn whole_lines(file: &mut File, offset: u64) -> io::Result<SpoolLines> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(offset))?;
    file.read_to_end(&mut bytes)?;
    // What stands after the last line end may still be on its way.
    let whole = bytes
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |last| last + 1);
    let mut found = SpoolLines {
        offset: offset + whole as u64,
        ..SpoolLines::default()
    };
    for line in bytes[..whole].split(|byte| *byte == b'\n') {
        // Whoever finds the file empty writes a header: there may be two.
        if line.is_empty() || header(line).is_some() {
            continue;
        }
        if serde_json::from_slice::<serde::de::IgnoredAny>(line).is_ok() {
            found.lines.push(line.to_vec());
        } else {
            found.torn += 1;
        }
    }
    Ok(found)
}

fn first_line(file: &mut File) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    let mut block = [0; 512];
    file.seek(SeekFrom::Start(0))?;
    loop {
        let read = file.read(&mut block)?;
        let end = block[..read].iter().position(|byte| *byte == b'\n');
        line.extend_from_slice(&block[..end.unwrap_or(read)]);
        if end.is_some() || read == 0 {
            return Ok(line);
        }
    }
}

fn last_byte(file: &mut File, length: u64) -> io::Result<u8> {
    let mut byte = [0];
    file.seek(SeekFrom::Start(length - 1))?;
    file.read_exact(&mut byte)?;
    Ok(byte[0])
}

/// Returns the id and the session that a first line gives to its file. One that was cut off names nothing, but it never
/// changes once it is sealed.
fn identity(first: &[u8]) -> (String, String) {
    header(first).unwrap_or_else(|| (hex(&Sha256::digest(first)[..16]), String::new()))
}

fn header(line: &[u8]) -> Option<(String, String)> {
    // Every file has one, and records are many: look closer only at what can be one.
    if !line.starts_with(b"{\"") || line.len() > 1024 {
        return None;
    }
    let fields: Value = serde_json::from_slice(line).ok()?;
    let fields = fields.as_object().filter(|fields| fields.len() == 2)?;
    let id = fields.get("spool")?.as_str()?;
    let session = fields.get("session")?.as_str()?;
    Some((id.to_owned(), session.to_owned()))
}

/// Returns a file name for a session that every file system takes and that other sessions do not have.
fn file_name(session: &str) -> String {
    let plain: String = session
        .chars()
        .take(NAME)
        .map(|letter| match letter {
            'a'..='z' | '0'..='9' | '-' | '_' => letter,
            _ => '_',
        })
        .collect();
    // Windows gives names like `con` a meaning, with any ending; none of them has five letters.
    if plain == session && plain.len() > 4 {
        return plain;
    }
    let digest = Sha256::digest(session.as_bytes());
    format!("{plain}-{}", hex(&digest[..6]))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk::open_for_append;

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
        super::super::open_existing(&path)?.set_len(9)?;
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
}
