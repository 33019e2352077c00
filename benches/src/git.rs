//! Reads a history through the `git` program, linearised as the protocol says.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use memorax_core::{Error, ErrorKind, Result};

/// One change of one file.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) kind: char,
    pub(crate) old: String,
    pub(crate) new: String,
    pub(crate) blob: String,
    pub(crate) is_file: bool,
}

/// One commit, merges excluded.
#[derive(Clone, Debug)]
pub(crate) struct Commit {
    pub(crate) id: String,
    pub(crate) seconds: i64,
    pub(crate) author: String,
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
        .arg("--format=%x01%H%x02%at%x02%an%x02%B%x03")
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
    let mut head = head.splitn(4, '\u{2}');
    let (id, seconds, author, message) = (head.next()?, head.next()?, head.next()?, head.next()?);
    let mut changes = Vec::new();
    let mut fields = rest.split('\0').map(|field| field.trim_start_matches('\n'));
    while let Some(field) = fields.next() {
        let Some(raw) = field.strip_prefix(':') else {
            continue;
        };
        let parts: Vec<&str> = raw.split(' ').collect();
        let [_, mode, _, blob, status] = parts[..] else {
            continue;
        };
        let kind = status.chars().next()?;
        let old = fields.next()?.to_owned();
        let new = if matches!(kind, 'R' | 'C') {
            fields.next()?.to_owned()
        } else {
            old.clone()
        };
        changes.push(Change {
            kind,
            old,
            new,
            blob: blob.to_owned(),
            is_file: !mode.starts_with("160"),
        });
    }
    Some(Commit {
        id: id.to_owned(),
        seconds: seconds.parse().ok()?,
        author: author.to_owned(),
        message: message.to_owned(),
        changes,
    })
}

/// Reads blobs, one after the other.
#[derive(Debug)]
pub(crate) struct Blobs {
    process: Child,
    output: BufReader<ChildStdout>,
}

impl Blobs {
    pub(crate) fn open(folder: &Path) -> Result<Self> {
        let failed =
            |error| Error::new(ErrorKind::Io, "cannot run `git cat-file`").with_source(error);
        let mut process = Command::new("git")
            .arg("-C")
            .arg(folder)
            .args(["cat-file", "--batch"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let output = BufReader::new(process.stdout.take().expect("the output is a pipe"));
        Ok(Self { process, output })
    }

    /// Returns the bytes of a blob; empty where it is missing.
    pub(crate) fn read(&mut self, id: &str) -> Result<Vec<u8>> {
        let failed = |error| {
            Error::new(ErrorKind::Io, format!("cannot read blob `{id}`")).with_source(error)
        };
        let input = self.process.stdin.as_mut().expect("the input is a pipe");
        input
            .write_all(format!("{id}\n").as_bytes())
            .map_err(failed)?;
        input.flush().map_err(failed)?;
        let mut head = String::new();
        self.output.read_line(&mut head).map_err(failed)?;
        let Some(size) = head
            .split_whitespace()
            .nth(2)
            .and_then(|size| size.parse::<usize>().ok())
        else {
            return Ok(Vec::new());
        };
        let mut bytes = vec![0; size + 1];
        self.output.read_exact(&mut bytes).map_err(failed)?;
        bytes.pop();
        Ok(bytes)
    }
}

impl Drop for Blobs {
    fn drop(&mut self) {
        // The process ends when its input closes; waiting leaves no zombie.
        drop(self.process.stdin.take());
        let _ended = self.process.wait();
    }
}
