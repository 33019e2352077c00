//! The files of the commit that is checked out, for repositories without a working tree.

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
