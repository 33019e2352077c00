//! Lists the files of a working tree: what is not ignored, and what is tracked.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::UNIX_EPOCH;

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use ignore::{DirEntry, WalkBuilder, WalkState};

use super::source::Source;
use crate::repo::history::path_text;

/// Name of the file with further rules for what is left out, in git's notation.
const OWN_RULES: &str = ".memoraxignore";

/// A file on disk.
#[derive(Clone, Debug)]
pub(super) struct DiskFile {
    /// Path as text, relative to the root, with `/` between parts.
    pub(super) path: String,
    /// Path for the operating system.
    pub(super) full: PathBuf,
    pub(super) size: u64,
    /// Nanoseconds since 1970.
    pub(super) modified: i64,
    pub(super) inode: u64,
}

/// What a walk found, and what it left out by reason.
#[derive(Debug, Default)]
pub(super) struct Walked {
    pub(super) files: Vec<DiskFile>,
    pub(super) skipped: BTreeMap<&'static str, usize>,
}

impl Walked {
    fn skip(&mut self, reason: &'static str) {
        *self.skipped.entry(reason).or_insert(0) += 1;
    }
}

/// Walks the tree below the root, without the folder `own` in which memories are kept; the files are sorted by path.
pub(super) fn walk(source: &Source, own: Option<&Path>) -> Walked {
    let inside = source
        .git
        .as_ref()
        .is_some_and(|git| !git.prefix.is_empty());
    let mut builder = WalkBuilder::new(&source.root);
    builder
        .hidden(false)
        .ignore(false)
        .parents(inside)
        .require_git(false)
        .follow_links(false)
        .add_custom_ignore_filename(OWN_RULES)
        .threads(std::thread::available_parallelism().map_or(1, std::num::NonZero::get));
    let found = Mutex::new(Walked::default());
    let nested = Mutex::new(HashSet::new());
    builder.build_parallel().run(|| {
        Box::new(|entry| {
            let step = entry.map(|entry| look(&source.root, own, &entry));
            if let Ok(Step::Nested(path)) = step {
                if let Ok(mut nested) = nested.lock() {
                    nested.insert(path);
                }
                return WalkState::Skip;
            }
            let Ok(mut found) = found.lock() else {
                return WalkState::Quit;
            };
            match step {
                Ok(Step::File(file)) => found.files.push(file),
                Ok(Step::Left(reason)) => found.skip(reason),
                Ok(Step::Own) => {
                    found.skip("folder of memories");
                    return WalkState::Skip;
                }
                Ok(Step::Git) => return WalkState::Skip,
                Ok(Step::Folder | Step::Nested(_)) => {}
                Err(_) => found.skip("unreadable folder"),
            }
            WalkState::Continue
        })
    });
    let mut walked = found.into_inner().unwrap_or_default();
    let nested = nested.into_inner().unwrap_or_default();
    let submodules = add_tracked(source, own, &mut walked);
    for path in nested {
        if !submodules.contains(&path) {
            walked.skip("nested repository");
        }
    }
    for _ in submodules {
        walked.skip("submodule");
    }
    walked
        .files
        .sort_unstable_by(|left, right| left.path.cmp(&right.path));
    walked.files.dedup_by(|left, right| left.path == right.path);
    walked
}

enum Step {
    File(DiskFile),
    Folder,
    /// A folder with its own repository, which is not entered.
    Nested(String),
    /// The repository's own data.
    Git,
    /// Our own data.
    Own,
    Left(&'static str),
}

fn look(root: &Path, own: Option<&Path>, entry: &DirEntry) -> Step {
    let Some(kind) = entry.file_type() else {
        return Step::Left("special file");
    };
    if entry.depth() == 0 {
        Step::Folder
    } else if entry.file_name() == ".git" {
        Step::Git
    } else if own == Some(entry.path()) {
        Step::Own
    } else if kind.is_dir() {
        if entry.path().join(".git").exists() {
            return Step::Nested(relative(root, entry.path()));
        }
        Step::Folder
    } else if kind.is_symlink() {
        Step::Left("symbolic link")
    } else if kind.is_file() {
        match entry.metadata() {
            Ok(data) => Step::File(disk_file(root, entry.path(), &data)),
            Err(_) => Step::Left("unreadable"),
        }
    } else {
        Step::Left("special file")
    }
}

/// Writes a path below the root with `/` between its parts.
fn relative(root: &Path, path: &Path) -> String {
    let inside = path.strip_prefix(root).unwrap_or(path);
    let parts: Vec<String> = inside
        .components()
        .map(|part| path_text(part.as_os_str().as_encoded_bytes()))
        .collect();
    parts.join("/")
}

fn disk_file(root: &Path, full: &Path, data: &Metadata) -> DiskFile {
    let modified = data
        .modified()
        .ok()
        .and_then(|time| time.duration_since(UNIX_EPOCH).ok())
        .map_or(0, |since| {
            i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
        });
    DiskFile {
        path: relative(root, full),
        full: full.to_owned(),
        size: data.len(),
        modified,
        inode: inode(data),
    }
}

#[cfg(unix)]
fn inode(data: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(data)
}

#[cfg(not(unix))]
fn inode(_data: &Metadata) -> u64 {
    0
}

/// Adds tracked files that a rule of git ignores; returns the paths of submodules.
fn add_tracked(source: &Source, own: Option<&Path>, walked: &mut Walked) -> HashSet<String> {
    let mut submodules = HashSet::new();
    let Some(git) = &source.git else {
        return submodules;
    };
    let repository = git.shared.to_thread_local();
    let Ok(index) = repository.index_or_empty() else {
        walked.skip("unreadable git index");
        return submodules;
    };
    let seen: HashSet<String> = walked.files.iter().map(|file| file.path.clone()).collect();
    let mut rules = OwnRules::new(&source.root);
    for entry in index.entries() {
        let bytes = entry.path(&index);
        let text = path_text(bytes);
        let Some(path) = text.strip_prefix(&git.prefix) else {
            continue;
        };
        if entry.mode == gix::index::entry::Mode::COMMIT {
            submodules.insert(path.to_owned());
            continue;
        }
        if entry.mode == gix::index::entry::Mode::SYMLINK || seen.contains(path) {
            continue;
        }
        let Some(full) = repository.workdir_path(bytes) else {
            continue;
        };
        if own.is_some_and(|own| source.root.join(path).starts_with(own)) {
            continue;
        }
        // Absent files are deleted or not checked out; the rest of the list is about what is there.
        let Ok(data) = full.symlink_metadata() else {
            continue;
        };
        if data.is_file() && !rules.leave_out(path) {
            let mut file = disk_file(&source.root, &full, &data);
            path.clone_into(&mut file.path);
            walked.files.push(file);
        }
    }
    submodules
}

/// The rules of `.memoraxignore` files, by folder.
struct OwnRules<'a> {
    root: &'a Path,
    by_folder: HashMap<PathBuf, Option<Gitignore>>,
}

impl<'a> OwnRules<'a> {
    fn new(root: &'a Path) -> Self {
        Self {
            root,
            by_folder: HashMap::new(),
        }
    }

    fn leave_out(&mut self, path: &str) -> bool {
        let full = self.root.join(path);
        for folder in full.ancestors().skip(1) {
            let rules = self
                .by_folder
                .entry(folder.to_owned())
                .or_insert_with(|| read_rules(folder));
            if let Some(rules) = rules {
                let matched = rules.matched_path_or_any_parents(&full, false);
                if !matched.is_none() {
                    return matched.is_ignore();
                }
            }
            if folder == self.root {
                break;
            }
        }
        false
    }
}

fn read_rules(folder: &Path) -> Option<Gitignore> {
    let file = folder.join(OWN_RULES);
    if !file.is_file() {
        return None;
    }
    let mut builder = GitignoreBuilder::new(folder);
    builder.add(file);
    builder.build().ok()
}
