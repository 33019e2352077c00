//! What a commit changed in a manifest, as it is kept with the commit.

use crate::repo::format::{Reader, put_bytes, put_varint};

/// One thing that a commit changed in a manifest.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::repo) struct Note {
    /// Path of the manifest after the commit; before it where the commit removed it.
    pub(in crate::repo) path: String,
    pub(in crate::repo) kind: NoteKind,
    /// Name of the dependency, program or package, or the version.
    pub(in crate::repo) name: String,
}

/// What was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::repo) enum NoteKind {
    DependencyAdded,
    DependencyRemoved,
    ProgramAdded,
    ProgramRemoved,
    PackageAdded,
    PackageRemoved,
    /// The package has this version now.
    Version,
}

const KINDS: [NoteKind; 7] = [
    NoteKind::DependencyAdded,
    NoteKind::DependencyRemoved,
    NoteKind::ProgramAdded,
    NoteKind::ProgramRemoved,
    NoteKind::PackageAdded,
    NoteKind::PackageRemoved,
    NoteKind::Version,
];

impl Note {
    /// Appends notes; nothing where there are none.
    pub(in crate::repo) fn write(notes: &[Self], out: &mut Vec<u8>) {
        for note in notes {
            put_varint(out, note.kind as u64);
            put_bytes(out, note.path.as_bytes());
            put_bytes(out, note.name.as_bytes());
        }
    }

    /// Reads notes to the end of a buffer.
    pub(in crate::repo) fn read(reader: &mut Reader<'_>) -> Option<Vec<Self>> {
        let mut notes = Vec::new();
        while !reader.is_empty() {
            notes.push(Self {
                kind: *KINDS.get(usize::try_from(reader.varint()?).ok()?)?,
                path: reader.text()?.to_owned(),
                name: reader.text()?.to_owned(),
            });
        }
        Some(notes)
    }
}
