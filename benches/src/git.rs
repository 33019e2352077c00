//! Reads a history through the `git` program, linearised as the protocol says.

use std::path::Path;
use std::process::Command;

use memorax_core::{Error, ErrorKind, Result};

/// One change of one file.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    /// `A`, `M`, `D`, `R`, ... as git says it.
    pub(crate) kind: char,
    /// The path before the change.
    pub(crate) old: String,
}

/// One commit, merges excluded.
#[derive(Clone, Debug)]
pub(crate) struct Commit {
    pub(crate) id: String,
    pub(crate) message: String,
    pub(crate) changes: Vec<Change>,
}

/// Lists the commits, oldest first, with renames followed at 50 % likeness.
pub(crate) fn history(folder: &Path) -> Result<Vec<Commit>> {
    let output = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args([
            "log",
            "--no-merges",
            "--reverse",
            "--topo-order",
            "--raw",
            "--no-abbrev",
            "-M50%",
            "-z",
        ])
        .arg("--format=%x01%H%x02%B%x03")
        .output()
        .map_err(|error| Error::new(ErrorKind::Io, "cannot run `git`").with_source(error))?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        return Err(Error::new(
            ErrorKind::NotFound,
            format!(
                "`git log` failed in `{}`: {}",
                folder.display(),
                message.trim()
            ),
        ));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.split('\u{1}').skip(1).filter_map(commit).collect())
}

fn commit(record: &str) -> Option<Commit> {
    let (head, rest) = record.split_once('\u{3}')?;
    let (id, message) = head.split_once('\u{2}')?;
    let mut changes = Vec::new();
    let mut fields = rest.split('\0').map(|field| field.trim_start_matches('\n'));
    while let Some(field) = fields.next() {
        if !field.starts_with(':') {
            continue;
        }
        let kind = field.rsplit(' ').next()?.chars().next()?;
        let old = fields.next()?.to_owned();
        if matches!(kind, 'R' | 'C') {
            fields.next()?;
        }
        changes.push(Change { kind, old });
    }
    Some(Commit {
        id: id.to_owned(),
        message: message.to_owned(),
        changes,
    })
}
