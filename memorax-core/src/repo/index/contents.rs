//! Finds out which blob each listed file is.

use super::learning::{Content, Learning, Wanted};
use super::listing::Listing;
use super::source::Source;
use super::states::States;
use super::store::CodeStore;
use crate::Result;
use crate::repo::code::BlobKey;
use crate::repo::facts::Language;
use crate::repo::view::{FileState, ViewFile, file_flag};

/// Finds out which blob each file is, and learns from those that are new.
pub(super) fn read_files(
    source: &Source,
    learning: &Learning<'_>,
    store: &mut CodeStore,
    listing: &Listing,
    before: Option<&States>,
) -> Result<Vec<ViewFile>> {
    let attributes = listing.attributes(source);
    let mut files = Vec::with_capacity(listing.files.len());
    let mut wanted = Vec::new();
    let mut open = Vec::new();
    for listed in &listing.files {
        let language = Language::of_path(&listed.path);
        let mut state = FileState {
            size: listed.size,
            modified: listed.modified,
            inode: listed.inode,
            ..FileState::default()
        };
        let known = match before.and_then(|before| before.unchanged_listed(listed)) {
            Some(old) => {
                state = old;
                let key = BlobKey {
                    id: old.id,
                    language,
                };
                old.skipped != 0 || store.place(&key).is_some()
            }
            None => false,
        };
        if !known {
            open.push(files.len());
            wanted.push(Wanted {
                language,
                content: listed.content.clone(),
            });
        }
        files.push(ViewFile {
            flags: if attributes.is_generated(&listed.path) {
                file_flag::GENERATED
            } else {
                0
            },
            path: listed.path.clone(),
            language,
            state,
            place: None,
        });
    }
    let outcomes = learning.run(store, &wanted)?;
    for (index, outcome) in open.into_iter().zip(outcomes) {
        let state = &mut files[index].state;
        state.id = outcome.id;
        state.skipped = outcome.skipped;
        if state.size == 0 {
            state.size = outcome.size;
        }
    }
    for (file, listed) in files.iter_mut().zip(&listing.files) {
        if matches!(listed.content, Content::Disk(..))
            && source.git.is_some()
            && file.state.skipped == 0
            && listing.committed.get(&file.path) != Some(&file.state.id)
        {
            file.flags |= file_flag::UNCOMMITTED;
        }
    }
    Ok(files)
}
