//! Where files and history come from: a working tree, a bare repository, or a folder without git.

use std::path::{Path, PathBuf};

use crate::repo::format::checksum;
use crate::repo::history::{CommitId, path_text};
use crate::repo::milestones::Tag;

/// The repository around a folder.
#[derive(Debug)]
pub(super) struct GitSource {
    pub(super) shared: gix::ThreadSafeRepository,
    /// Path of the folder inside the repository, with a slash at its end; empty for the repository's own root.
    pub(super) prefix: String,
    pub(super) bare: bool,
    pub(super) head: Option<CommitId>,
    pub(super) branch: Option<String>,
    /// Sorted by name.
    pub(super) tags: Vec<Tag>,
}

/// What a folder is.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) root: PathBuf,
    pub(super) git: Option<GitSource>,
    /// There is a repository that cannot be opened; the files are read without it.
    pub(super) unreadable: bool,
}

impl Source {
    /// Looks at a folder and those above it.
    pub(super) fn open(root: &Path) -> Self {
        let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        let (git, unreadable) = match gix::ThreadSafeRepository::discover(&root) {
            Ok(shared) => (describe(shared, &root), false),
            Err(_) => (None, root.join(".git").exists()),
        };
        Self {
            root,
            git,
            unreadable,
        }
    }
}

fn describe(shared: gix::ThreadSafeRepository, root: &Path) -> Option<GitSource> {
    let repository = shared.to_thread_local();
    let (prefix, bare) = match repository.workdir() {
        Some(top) => {
            let top = top.canonicalize().unwrap_or_else(|_| top.to_owned());
            // A folder inside `.git` is not part of the working tree.
            let inside = root.strip_prefix(&top).ok()?;
            if root.starts_with(repository.git_dir()) {
                return None;
            }
            let parts: Vec<String> = inside
                .components()
                .map(|part| path_text(part.as_os_str().as_encoded_bytes()))
                .collect();
            let prefix = match parts.as_slice() {
                [] => String::new(),
                parts => format!("{}/", parts.join("/")),
            };
            (prefix, false)
        }
        None => (String::new(), true),
    };
    let head = repository.head().ok();
    let branch = head
        .as_ref()
        .and_then(|head| head.referent_name())
        .map(|name| path_text(name.as_bstr()));
    let commit = repository
        .head_commit()
        .ok()
        .and_then(|commit| commit.id.as_slice().try_into().ok());
    Some(GitSource {
        tags: tags(&repository),
        prefix,
        bare,
        head: commit,
        branch,
        shared,
    })
}

/// Most tags that are looked at.
const MOST_TAGS: usize = 10_000;

/// Reads the tags that name commits; one that cannot be read names none.
fn tags(repository: &gix::Repository) -> Vec<Tag> {
    let Ok(platform) = repository.references() else {
        return Vec::new();
    };
    let Ok(found) = platform.tags() else {
        return Vec::new();
    };
    let mut tags: Vec<Tag> = found
        .take(MOST_TAGS)
        .filter_map(std::result::Result::ok)
        .filter_map(|mut reference| {
            let commit = reference.peel_to_id().ok()?;
            Some(Tag {
                name: path_text(reference.name().shorten()),
                commit: commit.detach().as_slice().try_into().ok()?,
            })
        })
        .collect();
    tags.sort();
    tags
}

impl GitSource {
    /// Sums up the tags, to notice new ones.
    pub(super) fn tag_sum(&self) -> u64 {
        let mut bytes = Vec::new();
        for tag in &self.tags {
            bytes.extend_from_slice(tag.name.as_bytes());
            bytes.extend_from_slice(&tag.commit);
        }
        checksum(&bytes)
    }
}
