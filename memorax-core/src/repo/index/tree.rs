//! Lists the files of a commit.

use std::collections::HashMap;
use std::sync::Arc;

use crate::repo::code::BlobId;
use crate::repo::history::{CommitId, path_text};

/// A file, link or submodule of a commit.
#[derive(Clone, Debug)]
pub(super) struct TreeFile {
    /// Path relative to the folder that was listed.
    pub(super) path: String,
    pub(super) id: BlobId,
    pub(super) kind: TreeKind,
}

/// What an entry of a tree is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TreeKind {
    Folder,
    File,
    Link,
    Submodule,
}

/// Entries of a tree by name.
type Tree = Arc<Vec<(String, BlobId, TreeKind)>>;

/// Reads trees and remembers them: the trees of two commits are mostly the same.
#[derive(Debug, Default)]
pub(super) struct TreeReader {
    known: HashMap<BlobId, Tree>,
}

impl TreeReader {
    /// Lists everything below `prefix` in a commit, sorted by path; trees that cannot be read are counted.
    pub(super) fn list(
        &mut self,
        repository: &gix::Repository,
        commit: &CommitId,
        prefix: &str,
    ) -> (Vec<TreeFile>, usize) {
        let mut files = Vec::new();
        let mut missing = 0;
        let root = repository
            .find_commit(gix::ObjectId::from_bytes_or_panic(commit))
            .ok()
            .and_then(|commit| commit.tree_id().ok())
            .and_then(|id| BlobId::try_from(id.detach().as_slice()).ok());
        let mut top = root;
        for name in prefix.split('/').filter(|name| !name.is_empty()) {
            top = top.and_then(|id| {
                let entries = self.read(repository, id)?;
                let entry = entries.iter().find(|entry| entry.0 == name)?;
                (entry.2 == TreeKind::Folder).then_some(entry.1)
            });
        }
        let Some(top) = top else {
            return (files, usize::from(root.is_none()));
        };
        let mut open = vec![(String::new(), top)];
        while let Some((path, id)) = open.pop() {
            let Some(entries) = self.read(repository, id) else {
                missing += 1;
                continue;
            };
            for (name, id, kind) in entries.iter() {
                let path = format!("{path}{name}");
                if *kind == TreeKind::Folder {
                    open.push((format!("{path}/"), *id));
                } else {
                    files.push(TreeFile {
                        path,
                        id: *id,
                        kind: *kind,
                    });
                }
            }
        }
        files.sort_unstable_by(|left, right| left.path.cmp(&right.path));
        (files, missing)
    }

    fn read(&mut self, repository: &gix::Repository, id: BlobId) -> Option<Tree> {
        if let Some(entries) = self.known.get(&id) {
            return Some(Arc::clone(entries));
        }
        let object = repository
            .try_find_object(gix::ObjectId::from_bytes_or_panic(&id))
            .ok()
            .flatten()?;
        let mut entries = Vec::new();
        for entry in gix::objs::TreeRefIter::from_bytes(&object.data, object.id.kind()) {
            let entry = entry.ok()?;
            let kind = if entry.mode.is_tree() {
                TreeKind::Folder
            } else if entry.mode.is_commit() {
                TreeKind::Submodule
            } else if entry.mode.is_link() {
                TreeKind::Link
            } else {
                TreeKind::File
            };
            let id = entry.oid.as_bytes().try_into().ok()?;
            entries.push((path_text(entry.filename), id, kind));
        }
        let entries = Arc::new(entries);
        self.known.insert(id, Arc::clone(&entries));
        Some(entries)
    }
}
