//! One file: its lines, its identity, and its end.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
#[cfg(test)]
use std::path::Path;
use std::path::PathBuf;

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::name::hex;
use crate::disk::{open_alone, open_for_reading, reading_failed, remove, writing_failed};
use crate::{ErrorKind, Result};

/// First line of a file whose lines are all in the store: whoever still finds it begins another.
pub(super) const FOLDED: &[u8] = b"{\"folded\":true}\n";

/// A file with lines that may not be in the store yet.
#[derive(Debug)]
pub(crate) struct SpoolFile {
    path: PathBuf,
    id: String,
    #[cfg_attr(not(test), expect(dead_code, reason = "printed by Debug"))]
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

/// What a file turns out to be when it is opened.
pub(super) enum Head {
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
    #[cfg(test)]
    pub(crate) fn session(&self) -> &str {
        &self.session
    }

    /// Returns where the file is.
    #[cfg(test)]
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns how many bytes the file has.
    #[cfg(test)]
    pub(crate) fn bytes(&self) -> Result<u64> {
        self.path
            .metadata()
            .map(|data| data.len())
            .map_err(|source| reading_failed(&self.path, source))
    }

    /// Reads the whole lines from an offset on, which is 0 or what an earlier call returned. A file that another writer
    /// folded in and removed since it was listed has none.
    pub(crate) fn lines(&self, offset: u64) -> Result<SpoolLines> {
        let nothing = SpoolLines {
            offset,
            ..SpoolLines::default()
        };
        let mut file = match open_for_reading(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(nothing),
            Err(error) => return Err(error),
        };
        let failed = |source| reading_failed(&self.path, source);
        if !self.is_named_in(&mut file).map_err(failed)? {
            return Ok(nothing);
        }
        whole_lines(&mut file, offset).map_err(failed)
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

    pub(super) fn open(path: PathBuf) -> Result<Head> {
        let mut file = match open_for_reading(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Head::Gone),
            Err(error) => return Err(error),
        };
        let first = first_line(&mut file).map_err(|source| reading_failed(&path, source))?;
        if first.is_empty() {
            return Ok(Head::Empty);
        }
        if is_marked(&first) {
            return Ok(Head::Folded);
        }
        let (id, session) = identity(&first);
        Ok(Head::Lines(Self { path, id, session }))
    }
}

/// Returns whether a first line says that the file is about to be removed.
pub(super) fn is_marked(first: &[u8]) -> bool {
    first == &FOLDED[..FOLDED.len() - 1]
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

pub(super) fn first_line(file: &mut File) -> io::Result<Vec<u8>> {
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

pub(super) fn last_byte(file: &mut File, length: u64) -> io::Result<u8> {
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
