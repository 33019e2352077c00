//! How a view lies on disk.

use serde::{Deserialize, Serialize};

use crate::repo::code::BlobId;
use crate::repo::facts::Language;
use crate::repo::format::{Kind, put_u32, put_u64, u32_at, u64_at};
use crate::repo::recipe;
use crate::{FileRole, ViewInfo};

/// Kind of the file that says what one working tree looked like, see [`crate::repo::format::Container`].
pub(in crate::repo) const VIEW_KIND: Kind = Kind {
    number: 3,
    recipe: recipe::VIEW,
};
/// Kind of the file that says what its files are and what happened to them: the same for all working trees of a commit,
/// which share it.
pub(in crate::repo) const TREE_KIND: Kind = Kind {
    number: 4,
    recipe: recipe::VIEW,
};
/// Number that stands for no segment, no file, no commit.
pub(in crate::repo) const NONE: u32 = u32::MAX;

/// Sections of the file of one working tree.
pub(super) mod own {
    pub(in crate::repo) const META: usize = 0;
    pub(in crate::repo) const STATES: usize = 1;
}

/// Sections of the file that working trees share.
pub(super) mod section {
    pub(in crate::repo) const FILES: usize = 0;
    pub(in crate::repo) const PATHS: usize = 1;
    pub(in crate::repo) const ORDER: usize = 2;
    pub(in crate::repo) const COMMIT_ENDS: usize = 3;
    pub(in crate::repo) const COMMIT_FILES: usize = 4;
    pub(in crate::repo) const TOUCH_ENDS: usize = 5;
    pub(in crate::repo) const TOUCHES: usize = 6;
    pub(in crate::repo) const IMPORTS: usize = 7;
    pub(in crate::repo) const PATH_WORDS: usize = 8;
    pub(in crate::repo) const STEM_WORDS: usize = 11;
    pub(in crate::repo) const MILESTONES: usize = 14;
    pub(in crate::repo) const REVERTS: usize = 15;
    pub(in crate::repo) const COUNT: usize = 16;
}

/// What a view is of and what is needed to open it; kept as JSON.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(in crate::repo) struct Meta {
    pub(in crate::repo) info: ViewInfo,
    /// Path of the root inside the repository, with a slash at its end; empty for the repository's root.
    pub(in crate::repo) prefix: String,
    /// Root of the working tree, where its path is text: when the folder is gone, so may be the view.
    pub(in crate::repo) root: Option<String>,
    /// Name of the file that says what the files are.
    pub(in crate::repo) tree: String,
    /// File names of the segments of code and of history.
    pub(in crate::repo) code: Vec<String>,
    pub(in crate::repo) history: Vec<String>,
    /// When the walk over the files began, in nanoseconds since 1970: a file as young as this is read again.
    pub(in crate::repo) walked: i64,
    /// Chunks of all files and the words in them.
    pub(in crate::repo) chunks: u64,
    pub(in crate::repo) chunk_words: u64,
    /// Words in all paths.
    pub(in crate::repo) path_words: u64,
    /// Messages that are searched, and the words in them.
    pub(in crate::repo) messages: u64,
    pub(in crate::repo) message_words: u64,
    /// Commits that are not in this clone.
    pub(in crate::repo) missing: usize,
    /// Sum over the tags: a new one may be a release.
    #[serde(default)]
    pub(in crate::repo) tags: u64,
}

/// Flags of a file in a view, as bits.
pub(in crate::repo) mod file_flag {
    /// Differs from the commit.
    pub(in crate::repo) const UNCOMMITTED: u8 = 1;
    /// `.gitattributes` calls it generated.
    pub(in crate::repo) const GENERATED: u8 = 2;
}

/// Facts about a file of a view.
#[derive(Clone, Copy, Debug)]
pub(in crate::repo) struct FileRow {
    /// Segment and blob that say what is in it; [`NONE`] where it is only listed.
    pub(in crate::repo) segment: u32,
    pub(in crate::repo) blob: u32,
    pub(in crate::repo) role: FileRole,
    pub(in crate::repo) language: Language,
    pub(in crate::repo) flags: u8,
    /// Words of its name without ending, and of its whole path.
    pub(in crate::repo) stem_words: u16,
    pub(in crate::repo) path_words: u16,
    pub(in crate::repo) size: u64,
    pub(in crate::repo) lines: u32,
    pub(in crate::repo) last_change: u32,
    pub(in crate::repo) changes: u32,
    pub(in crate::repo) path_end: u32,
    pub(in crate::repo) first_chunk: u32,
    pub(in crate::repo) chunks: u32,
}

pub(in crate::repo) const FILE_ROW: usize = 52;

impl FileRow {
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        let role = FileRole::ALL
            .iter()
            .position(|role| *role == self.role)
            .unwrap_or(0) as u8;
        put_u32(out, self.segment);
        put_u32(out, self.blob);
        out.extend_from_slice(&[role, self.language.0, self.flags, 0]);
        out.extend_from_slice(&self.stem_words.to_le_bytes());
        out.extend_from_slice(&self.path_words.to_le_bytes());
        put_u64(out, self.size);
        for value in [
            self.lines,
            self.last_change,
            self.changes,
            self.path_end,
            self.first_chunk,
            self.chunks,
            0,
        ] {
            put_u32(out, value);
        }
    }

    pub(super) fn read(row: &[u8]) -> Self {
        let role = row.get(8).map_or(0, |role| usize::from(*role));
        Self {
            segment: u32_at(row, 0),
            blob: u32_at(row, 4),
            role: FileRole::ALL.get(role).copied().unwrap_or(FileRole::Source),
            language: Language(row.get(9).copied().unwrap_or(0)),
            flags: row.get(10).copied().unwrap_or(0),
            stem_words: u32_at(row, 12) as u16,
            path_words: (u32_at(row, 12) >> 16) as u16,
            size: u64_at(row, 16),
            lines: u32_at(row, 24),
            last_change: u32_at(row, 28),
            changes: u32_at(row, 32),
            path_end: u32_at(row, 36),
            first_chunk: u32_at(row, 40),
            chunks: u32_at(row, 44),
        }
    }
}

/// What a file on disk looked like when it was read, and which blob it was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::repo) struct FileState {
    pub(in crate::repo) id: BlobId,
    pub(in crate::repo) size: u64,
    /// Last change in nanoseconds since 1970; 0 for a file that is read from a commit.
    pub(in crate::repo) modified: i64,
    /// Number of the file in its file system, where there is one.
    pub(in crate::repo) inode: u64,
    /// Why nothing is known of the content; an index into [`REASONS`] plus one.
    pub(in crate::repo) skipped: u8,
}

/// Reasons for which a file is listed but not searched.
pub(in crate::repo) const REASONS: [&str; 4] =
    ["too large", "unreadable", "binary", "slow to parse"];
pub(in crate::repo) const TOO_LARGE: u8 = 1;
pub(in crate::repo) const UNREADABLE: u8 = 2;

pub(super) const STATE_ROW: usize = 48;

impl FileState {
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.id);
        put_u32(out, u32::from(self.skipped));
        put_u64(out, self.size);
        put_u64(out, self.modified.cast_unsigned());
        put_u64(out, self.inode);
    }

    pub(super) fn read(row: &[u8]) -> Self {
        Self {
            id: std::array::from_fn(|index| row.get(index).copied().unwrap_or(0)),
            skipped: u32_at(row, 20) as u8,
            size: u64_at(row, 24),
            modified: u64_at(row, 32).cast_signed(),
            inode: u64_at(row, 40),
        }
    }
}
