//! Compares the manifests that one commit changed.

use std::collections::BTreeMap;

use crate::repo::manifest::{Declared, Note, differ_in_versions_only, differences, is_manifest};

/// Larger files are no manifests that people write.
const LARGEST: u64 = 256 << 10;
/// Most manifests of one commit that are compared: a commit that changes more is a sweep over versions.
const MOST: usize = 100;

/// Manifests by their path after the commit, or before it where they are gone: what they were and what they became.
#[derive(Debug, Default)]
pub(super) struct Manifests {
    changed: BTreeMap<String, [Option<gix::ObjectId>; 2]>,
}

impl Manifests {
    /// Adds what a file was.
    pub(super) fn before(&mut self, path: &str, blob: gix::ObjectId) {
        if is_manifest(path) {
            self.changed.entry(path.to_owned()).or_default()[0] = Some(blob);
        }
    }

    /// Adds what a file became.
    pub(super) fn after(&mut self, path: &str, blob: gix::ObjectId) {
        if is_manifest(path) {
            self.changed.entry(path.to_owned()).or_default()[1] = Some(blob);
        }
    }

    /// Says that a file that is gone and one that is new are the same.
    pub(super) fn moved(&mut self, from: &str, to: &str) {
        if !is_manifest(from) || !is_manifest(to) {
            return;
        }
        if let Some([before, _]) = self.changed.remove(from) {
            self.changed.entry(to.to_owned()).or_default()[0] = before;
        }
    }

    /// Returns what changed in them; a manifest that cannot be understood on one side says nothing.
    pub(super) fn notes(self, repository: &gix::Repository) -> Vec<Note> {
        let mut notes = Vec::new();
        if self.changed.len() > MOST {
            return notes;
        }
        let text = |blob: Option<gix::ObjectId>| match blob {
            Some(blob) => load(repository, blob).map(Some),
            None => Some(None),
        };
        for (path, [before, after]) in self.changed {
            let (Some(before), Some(after)) = (text(before), text(after)) else {
                continue;
            };
            if let (Some(before), Some(after)) = (&before, &after)
                && differ_in_versions_only(before, after)
            {
                continue;
            }
            let read = |bytes: Option<Vec<u8>>| match bytes {
                Some(bytes) => Declared::read(&path, &bytes).map(Some),
                None => Some(None),
            };
            if let (Some(before), Some(after)) = (read(before), read(after)) {
                notes.extend(differences(&path, before.as_ref(), after.as_ref()));
            }
        }
        notes
    }
}

/// Reads a manifest; `None` where it cannot be read, or no person wrote it.
fn load(repository: &gix::Repository, blob: gix::ObjectId) -> Option<Vec<u8>> {
    let header = repository.try_find_header(blob).ok().flatten()?;
    if header.size() > LARGEST {
        return None;
    }
    let object = repository.try_find_object(blob).ok().flatten()?;
    Some(object.detach().data)
}
