//! Reads a history through the `git` program, linearised as the protocol says.

use std::path::Path;
use std::process::Command;

use memorax_core::{Error, ErrorKind, Result};

use crate::stale::Renames;

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
    let text = print(
        folder,
        &[
            "log",
            "--no-merges",
            "--reverse",
            "--topo-order",
            "--raw",
            "--no-abbrev",
            "-M50%",
            "-z",
            "--format=%x01%H%x02%B%x03",
        ],
    )?;
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

/// Runs `git` in a folder and returns what it prints.
pub(crate) fn print(folder: &Path, arguments: &[&str]) -> Result<String> {
    let output = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(arguments)
        .output()
        .map_err(|error| Error::new(ErrorKind::Io, "cannot run `git`").with_source(error))?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        return Err(Error::new(
            ErrorKind::NotFound,
            format!(
                "`git {}` failed in `{}`: {}",
                arguments.first().copied().unwrap_or_default(),
                folder.display(),
                message.trim()
            ),
        ));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Makes a clone that shares the objects of another one and has no files yet.
pub(crate) fn clone(from: &Path, to: &Path) -> Result<()> {
    let from = from.canonicalize().unwrap_or_else(|_| from.to_owned());
    let (from, to) = (from.to_string_lossy(), to.to_string_lossy());
    let arguments = ["clone", "--quiet", "--shared", "--no-checkout", &from, &to];
    print(Path::new("."), &arguments).map(drop)
}

/// Puts the files of a commit into the folder, and takes all others away.
pub(crate) fn checkout(folder: &Path, commit: &str) -> Result<()> {
    print(
        folder,
        &["checkout", "--quiet", "--force", "--detach", commit],
    )?;
    print(folder, &["clean", "--quiet", "-ffdx"]).map(drop)
}

/// Lists all commits, none before its parents, oldest first.
pub(crate) fn order(folder: &Path) -> Result<Vec<String>> {
    let text = print(folder, &["rev-list", "--topo-order", "--reverse", "HEAD"])?;
    Ok(text.lines().map(str::to_owned).collect())
}

/// Says whether one commit is behind another.
pub(crate) fn is_behind(folder: &Path, old: &str, new: &str) -> bool {
    print(folder, &["merge-base", "--is-ancestor", old, new]).is_ok()
}

/// Returns the subjects of the newest commits behind the one that is checked out, with the paths that they changed.
pub(crate) fn newest(folder: &Path, most: usize) -> Result<Vec<(String, Vec<String>)>> {
    let most = format!("-n{most}");
    let text = print(
        folder,
        &[
            "log",
            "--no-merges",
            &most,
            "--name-only",
            "-z",
            "--format=%x01%s%x02",
        ],
    )?;
    let commits = text.split('\u{1}').skip(1).filter_map(|record| {
        let (subject, paths) = record.split_once('\u{2}')?;
        let paths = paths.split(['\0', '\n']).filter(|path| !path.is_empty());
        Some((subject.to_owned(), paths.map(str::to_owned).collect()))
    });
    Ok(commits.collect())
}

/// Returns where each path of one commit is in a later one: by the renames of the commits between, followed in their
/// order, and by comparing the two.
pub(crate) fn renames(folder: &Path, old: &str, new: &str) -> Result<Renames> {
    let range = format!("{old}..{new}");
    let between = print(
        folder,
        &[
            "log",
            "--no-merges",
            "--reverse",
            "--topo-order",
            "--raw",
            "-M50%",
            "-z",
            "--format=",
            &range,
        ],
    )?;
    let whole = print(folder, &["diff", "--raw", "-M50%", "-z", old, new])?;
    let mut now = Renames::new();
    for (from, to) in pairs(&between) {
        let mut former: Vec<String> = now
            .iter()
            .filter(|(_, places)| places.contains(&from))
            .map(|(path, _)| path.clone())
            .collect();
        former.push(from);
        for path in former {
            now.entry(path).or_default().insert(to.clone());
        }
    }
    for (from, to) in pairs(&whole) {
        now.entry(from).or_default().insert(to);
    }
    let exists = |path: &str| folder.join(path).exists();
    for places in now.values_mut() {
        places.retain(|path| exists(path));
    }
    now.retain(|_, places| !places.is_empty());
    Ok(now)
}

/// Reads the renames out of raw changes.
fn pairs(raw: &str) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    let mut fields = raw.split('\0').map(|field| field.trim_start_matches('\n'));
    while let Some(field) = fields.next() {
        if !field.starts_with(':') {
            continue;
        }
        let kind = field.rsplit(' ').next().unwrap_or_default();
        let (Some(old), true) = (fields.next(), kind.starts_with(['R', 'C'])) else {
            continue;
        };
        if let Some(new) = fields.next().filter(|_| kind.starts_with('R')) {
            pairs.push((old.to_owned(), new.to_owned()));
        }
    }
    pairs
}
