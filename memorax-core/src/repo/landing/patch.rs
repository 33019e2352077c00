//! What a commit changes, in a form that can be compared across branches.
//!
//! A patch is, for every file, the lines that it has more of and fewer of afterwards, without white space and without
//! order. So it is the same wherever in the file it was applied, and needs no alignment of the two sides, which may differ
//! between equal changes in different surroundings.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::diff::tree::recorder::Change;

use crate::repo::Checkout;
use crate::repo::git::object_id;
use crate::{Error, ErrorKind, Result};

/// Larger files are compared as a whole.
const LARGEST_BLOB: u64 = 1 << 20;

/// Characters that a line must have to tell something when it is found elsewhere: not `}` or `else {`.
const TELLING_CHARACTERS: usize = 6;

/// A file before and after a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FileChange {
    pub(super) path: BString,
    pub(super) before: Option<ObjectId>,
    pub(super) after: Option<ObjectId>,
}

/// What a commit changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Patch {
    files: BTreeMap<BString, Rc<Lines>>,
}

/// What a commit changes in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Lines {
    /// Hashes of lines there are more of, sorted, with repetitions.
    added: Vec<u64>,
    /// Hashes of lines there are fewer of.
    removed: Vec<u64>,
    /// Of `added`, those that tell something.
    telling: Vec<u64>,
    /// Content afterwards, where the lines do not tell: binary, large, only reordered, only a mode.
    opaque: Option<ObjectId>,
}

impl Lines {
    /// Tells a change by its result alone.
    pub(super) fn opaque(file: &FileChange) -> Self {
        Self {
            opaque: file.after,
            ..Self::default()
        }
    }
}

impl Patch {
    pub(super) fn new(files: impl Iterator<Item = (BString, Rc<Lines>)>) -> Self {
        Self {
            files: files.collect(),
        }
    }

    /// Says whether the patch changes exactly these files.
    pub(super) fn is_of(&self, files: &[FileChange]) -> bool {
        self.files.len() == files.len() && self.files.keys().eq(files.iter().map(|file| &file.path))
    }

    /// Counts the telling lines that the patch adds to each file.
    pub(super) fn added_by_path(&self) -> impl Iterator<Item = (&BStr, usize)> {
        let files = self.files.iter();
        files.map(|(path, lines)| (path.as_bstr(), lines.telling.len()))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Returns the telling lines that the patch adds to any file, sorted.
    pub(super) fn added(&self) -> Vec<u64> {
        let telling = self.files.values().flat_map(|lines| &lines.telling);
        let mut added: Vec<u64> = telling.copied().collect();
        added.sort_unstable();
        added
    }
}

/// Counts the elements that two sorted lists have in common, with repetitions.
pub(super) fn common(one: &[u64], other: &[u64]) -> usize {
    let (mut left, mut right, mut count) = (0, 0, 0);
    while let (Some(a), Some(b)) = (one.get(left), other.get(right)) {
        match a.cmp(b) {
            std::cmp::Ordering::Less => left += 1,
            std::cmp::Ordering::Greater => right += 1,
            std::cmp::Ordering::Equal => {
                left += 1;
                right += 1;
                count += 1;
            }
        }
    }
    count
}

/// Returns the files that differ between two commits, sorted by path; all files of `after` where there is no `before`. None where a tree
/// is not here, as in some partial clones: that tells nothing.
pub(super) fn between(
    checkout: &Checkout,
    before: Option<&str>,
    after: &str,
) -> Result<Vec<FileChange>> {
    let Some(repository) = checkout.repository() else {
        return Ok(Vec::new());
    };
    let tree = |commit: &str| -> Option<Vec<u8>> {
        let found = repository.find_commit(object_id(commit)?).ok()?;
        Some(found.tree().ok()?.take_data())
    };
    let (Some(old), Some(new)) = (before.map_or_else(|| Some(Vec::new()), tree), tree(after))
    else {
        return Ok(Vec::new());
    };
    let mut recorder = gix::diff::tree::Recorder::default();
    let kind = repository.object_hash();
    gix::diff::tree(
        gix::objs::TreeRefIter::from_bytes(&old, kind),
        gix::objs::TreeRefIter::from_bytes(&new, kind),
        gix::diff::tree::State::default(),
        &repository.objects,
        &mut recorder,
    )
    .map_err(|error| unreadable(after, error))?;
    let files = recorder.records.into_iter().filter_map(|change| {
        let (mode, path, before, after) = match change {
            Change::Addition {
                entry_mode,
                oid,
                path,
                ..
            } => (entry_mode, path, None, Some(oid)),
            Change::Deletion {
                entry_mode,
                oid,
                path,
                ..
            } => (entry_mode, path, Some(oid), None),
            Change::Modification {
                entry_mode,
                previous_oid,
                oid,
                path,
                ..
            } => (entry_mode, path, Some(previous_oid), Some(oid)),
        };
        (!mode.is_tree()).then_some(FileChange {
            path,
            before,
            after,
        })
    });
    let mut files: Vec<FileChange> = files.collect();
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(files)
}

/// Reads which lines a file has more and fewer of.
pub(super) fn lines_of(checkout: &Checkout, file: &FileChange) -> Lines {
    let before = file.before.map(|id| text(checkout, id));
    let after = file.after.map(|id| text(checkout, id));
    let (Some(before), Some(after)) = (
        before.unwrap_or_else(|| Some(Vec::new())),
        after.unwrap_or_else(|| Some(Vec::new())),
    ) else {
        return Lines::opaque(file);
    };
    let mut counts: HashMap<u64, (i64, bool)> = HashMap::new();
    for (side, step) in [(&before, -1), (&after, 1)] {
        for line in side.lines() {
            if let Some((hash, telling)) = hash_of(line) {
                counts.entry(hash).or_insert((0, telling)).0 += step;
            }
        }
    }
    let mut lines = Lines::default();
    for (hash, (count, telling)) in counts {
        let times = usize::try_from(count.unsigned_abs()).unwrap_or(usize::MAX);
        let repeated = std::iter::repeat_n(hash, times);
        if count < 0 {
            lines.removed.extend(repeated);
            continue;
        }
        if telling {
            lines.telling.extend(repeated.clone());
        }
        lines.added.extend(repeated);
    }
    lines.added.sort_unstable();
    lines.removed.sort_unstable();
    lines.telling.sort_unstable();
    if lines.added.is_empty() && lines.removed.is_empty() {
        lines.opaque = file.after;
    }
    lines
}

/// Reads a blob; `None` where it is binary, large, or no blob (a submodule).
fn text(checkout: &Checkout, id: ObjectId) -> Option<Vec<u8>> {
    let repository = checkout.repository()?;
    let header = repository.find_header(id).ok()?;
    if header.size() > LARGEST_BLOB {
        return None;
    }
    let data = repository.find_blob(id).ok()?.take_data();
    let is_binary = data.iter().take(8_000).any(|byte| *byte == 0);
    (!is_binary).then_some(data)
}

/// Hashes a line without its white space; `None` for a blank one. The second value says whether it tells something.
fn hash_of(line: &[u8]) -> Option<(u64, bool)> {
    let visible: Vec<u8> = line
        .iter()
        .copied()
        .filter(|byte| !byte.is_ascii_whitespace())
        .collect();
    if visible.is_empty() {
        return None;
    }
    let words = visible
        .iter()
        .filter(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii());
    let telling = words.take(TELLING_CHARACTERS).count() == TELLING_CHARACTERS;
    let mut hasher = DefaultHasher::new();
    visible.hash(&mut hasher);
    Some((hasher.finish(), telling))
}

fn unreadable(commit: &str, error: gix::diff::tree::Error) -> Error {
    Error::new(
        ErrorKind::Io,
        format!("cannot read what `{commit}` changes"),
    )
    .with_source(error)
}

#[cfg(test)]
mod tests {
    use super::{common, hash_of};

    #[test]
    fn common_elements_are_counted_with_repetitions() {
        assert_eq!(common(&[1, 2, 2, 3], &[2, 2, 2, 4]), 2);
        assert_eq!(common(&[], &[1]), 0);
    }

    #[test]
    fn white_space_does_not_matter_and_punctuation_tells_nothing() {
        let (one, telling) = hash_of(b"  let total = 0;\r").expect("is not blank");
        assert_eq!(hash_of(b"let total=0;"), Some((one, true)));
        assert!(telling);
        assert_eq!(hash_of(b"} else {").map(|found| found.1), Some(false));
        assert_eq!(hash_of(b" \t"), None);
    }
}
