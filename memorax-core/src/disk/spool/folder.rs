//! The folder: where a line goes, and which files have lines.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::file::{Head, SpoolFile, first_line, is_marked, last_byte};
use super::name::file_name;
use crate::disk::{
    append_beside_others, create_dir_private, entries, open_alone, reading_failed, remove,
    writing_failed,
};
use crate::{Error, ErrorKind, Result};

const ENDING: &str = ".jsonl";

/// Most files of one session: a second one is begun only while a process that removes the first is stopped.
const FILES: usize = 16;

/// A folder of files to which processes append lines of JSON.
#[derive(Clone, Debug)]
pub(crate) struct Spool {
    folder: PathBuf,
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
        } else if is_marked(&first_line(&mut file).map_err(failed)?) {
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
    if is_marked(&first) {
        remove(path)?;
    }
    Ok(())
}
