//! Lists the files of the present state, before their content is known.

use std::collections::{BTreeMap, HashMap};

use super::attributes::Attributes;
use super::learning::Content;
use super::source::Source;
use super::tree::{TreeKind, TreeReader};
use super::walk::Walked;
use crate::repo::code::BlobId;
use crate::repo::facts::LARGEST;

/// Files of the present state, before their content is known.
#[derive(Default)]
pub(super) struct Listing {
    /// Sorted by path.
    pub(super) files: Vec<Listed>,
    /// What was left out, by reason.
    pub(super) skipped: BTreeMap<&'static str, usize>,
    /// Blob of each path in the commit.
    pub(super) committed: HashMap<String, BlobId>,
}

/// A file of the present state.
pub(super) struct Listed {
    pub(super) path: String,
    pub(super) content: Content,
    pub(super) size: u64,
    pub(super) modified: i64,
    pub(super) inode: u64,
}

impl Listing {
    /// Lists what a walk found, or without one the files of the commit.
    pub(super) fn new(source: &Source, on_disk: Option<Walked>) -> Self {
        let mut listing = Self::default();
        let mut tree = Vec::new();
        if let Some(git) = &source.git
            && let Some(head) = &git.head
        {
            let repository = git.shared.to_thread_local();
            let (files, missing) = TreeReader::default().list(&repository, head, &git.prefix);
            if missing > 0 {
                listing.skipped.insert("unreadable git tree", missing);
            }
            tree = files;
        }
        if let Some(walked) = on_disk {
            listing.skipped.extend(walked.skipped);
            listing.committed = tree
                .into_iter()
                .filter(|file| file.kind == TreeKind::File)
                .map(|file| (file.path, file.id))
                .collect();
            listing.files = walked
                .files
                .into_iter()
                .map(|file| Listed {
                    content: Content::Disk(file.full, listing.committed.get(&file.path).copied()),
                    path: file.path,
                    size: file.size,
                    modified: file.modified,
                    inode: file.inode,
                })
                .collect();
        } else {
            for file in tree {
                match file.kind {
                    TreeKind::File => listing.files.push(Listed {
                        path: file.path.clone(),
                        content: Content::Blob(file.id),
                        size: 0,
                        modified: 0,
                        inode: 0,
                    }),
                    TreeKind::Link => *listing.skipped.entry("symbolic link").or_insert(0) += 1,
                    TreeKind::Submodule => *listing.skipped.entry("submodule").or_insert(0) += 1,
                    TreeKind::Folder => {}
                }
            }
        }
        if source.unreadable {
            listing.skipped.insert("unreadable git repository", 1);
        }
        listing
    }

    /// Reads the `.gitattributes` among the files.
    pub(super) fn attributes(&self, source: &Source) -> Attributes {
        let repository = source.git.as_ref().map(|git| git.shared.to_thread_local());
        let files: Vec<(String, String)> = self
            .files
            .iter()
            .filter_map(|file| {
                let folder = file.path.strip_suffix(".gitattributes")?;
                if !folder.is_empty() && !folder.ends_with('/') {
                    return None;
                }
                let bytes = match &file.content {
                    Content::Disk(path, _) if file.size <= LARGEST => std::fs::read(path).ok()?,
                    Content::Disk(..) => return None,
                    Content::Blob(id) => {
                        let id = gix::ObjectId::from_bytes_or_panic(id);
                        let object = repository.as_ref()?.try_find_object(id).ok()??;
                        object.detach().data
                    }
                };
                Some((folder.to_owned(), String::from_utf8(bytes).ok()?))
            })
            .collect();
        Attributes::new(&files)
    }
}
