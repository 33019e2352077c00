//! The files of a commit, for repositories without a working tree and for looking back.

use super::Checkout;
use super::project::Tree;

/// Largest file that is read, in bytes.
const LARGEST: u64 = 1 << 20;

/// The files of one commit.
#[derive(Debug)]
pub struct CommitTree<'a> {
    tree: gix::Tree<'a>,
}

impl<'a> CommitTree<'a> {
    /// Returns the files of the commit that HEAD names; `None` before the first commit and without git.
    pub fn of_head(checkout: &'a Checkout) -> Option<Self> {
        let repository = checkout.repository()?;
        let tree = repository.head_commit().ok()?.tree().ok()?;
        Some(Self { tree })
    }

    /// Returns the files of a commit by its full id; `None` where it is not there, and without git.
    pub fn of(checkout: &'a Checkout, commit: &str) -> Option<Self> {
        let id = gix::ObjectId::from_hex(commit.as_bytes()).ok()?;
        let commit = checkout.repository()?.find_commit(id).ok()?;
        Some(Self {
            tree: commit.tree().ok()?,
        })
    }
}

impl Tree for CommitTree<'_> {
    fn read(&self, path: &str) -> Option<Vec<u8>> {
        let entry = self.tree.lookup_entry_by_path(path).ok()??;
        if !entry.mode().is_blob() {
            return None;
        }
        let header = entry.id().header().ok()?;
        if header.size() > LARGEST {
            return None;
        }
        Some(entry.object().ok()?.detach().data)
    }
}
