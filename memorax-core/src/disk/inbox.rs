//! Whole writes that did not get the store's lock in time, one file each, until the next writer takes them in.

use std::path::{Path, PathBuf};

use super::{create_dir_private, entries, read, remove, rename, sweep_temporary, write_atomic};
use crate::{Error, ErrorKind, Result};

const ENDING: &str = "json";
const DAMAGED: &str = "damaged";

/// A folder of files that wait to be taken in.
#[derive(Clone, Debug)]
pub(crate) struct Inbox {
    folder: PathBuf,
}

/// A file that waits to be taken in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct InboxFile {
    /// Name under which it was put there.
    pub(crate) name: String,
    /// What it holds.
    pub(crate) bytes: Vec<u8>,
}

impl Inbox {
    /// Names the folder; it is created by the first file.
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Puts a file there, on disk when the call returns. The same name again replaces it.
    pub(crate) fn put(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let path = self.path(name)?;
        create_dir_private(&self.folder)?;
        write_atomic(&path, bytes)
    }

    /// Reads all files, by name, and removes what killed writers left half done.
    pub(crate) fn list(&self) -> Result<Vec<InboxFile>> {
        // What cannot be removed here is read around.
        let _ = sweep_temporary(&self.folder);
        let mut found = Vec::new();
        for path in entries(&self.folder)? {
            let Some(name) = name_of(&path) else { continue };
            match read(&path) {
                Ok(bytes) => found.push(InboxFile { name, bytes }),
                // Another writer took it in meanwhile.
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(found)
    }

    /// Returns how many files wait.
    pub(crate) fn count(&self) -> Result<usize> {
        let names = entries(&self.folder)?;
        Ok(names.iter().filter_map(|path| name_of(path)).count())
    }

    /// Removes a file that was taken in.
    pub(crate) fn remove(&self, name: &str) -> Result<()> {
        remove(&self.path(name)?)
    }

    /// Moves a file that cannot be understood out of the way, and keeps it.
    pub(crate) fn set_aside(&self, name: &str) -> Result<()> {
        let from = self.path(name)?;
        let folder = self.folder.join(DAMAGED);
        create_dir_private(&folder)?;
        let mut to = folder.join(format!("{name}.{ENDING}"));
        let mut count = 1;
        while to.exists() {
            to = folder.join(format!("{name}.{count}.{ENDING}"));
            count += 1;
        }
        rename(&from, &to)
    }

    /// Returns how many files were set aside.
    pub(crate) fn damaged(&self) -> Result<usize> {
        Ok(entries(&self.folder.join(DAMAGED))?.len())
    }

    fn path(&self, name: &str) -> Result<PathBuf> {
        let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
        if name.is_empty() || name.len() > 128 || !name.chars().all(plain) {
            return Err(Error::new(
                ErrorKind::InvalidInput,
                format!("`{name}` cannot name a file of the inbox"),
            ));
        }
        Ok(self.folder.join(format!("{name}.{ENDING}")))
    }
}

fn name_of(path: &Path) -> Option<String> {
    let matches = path.extension().is_some_and(|ending| ending == ENDING);
    matches.then(|| {
        path.file_stem()
            .map(|stem| stem.to_string_lossy().into_owned())
    })?
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk::append_line;

    type Done = Result<(), Box<dyn std::error::Error>>;

    #[test]
    fn files_are_whole_and_stay_until_they_are_taken_in() -> Done {
        let folder = tempfile::tempdir()?;
        let inbox = Inbox::new(folder.path().join("inbox"));
        assert!(inbox.list()?.is_empty());
        inbox.put("b", b"2")?;
        inbox.put("a", b"1")?;
        let half = folder.path().join("inbox/.c.json.0-1.tmp");
        append_line(&half, b"half")?;
        let file = |name: &str, bytes: &[u8]| InboxFile {
            name: name.into(),
            bytes: bytes.into(),
        };
        assert_eq!(inbox.list()?, [file("a", b"1"), file("b", b"2")]);
        assert!(half.exists(), "another process may still be writing it");
        let old = std::time::SystemTime::now() - std::time::Duration::from_hours(1);
        super::super::open_existing(&half)?.set_modified(old)?;
        inbox.remove("a")?;
        assert_eq!(inbox.list()?, [file("b", b"2")]);
        assert!(!half.exists(), "nobody will finish it");
        Ok(())
    }

    #[test]
    fn damaged_files_are_kept_and_counted() -> Done {
        let folder = tempfile::tempdir()?;
        let inbox = Inbox::new(folder.path().join("inbox"));
        for bytes in [b"first", b"again"] {
            inbox.put("x", bytes)?;
            inbox.set_aside("x")?;
        }
        assert_eq!((inbox.count()?, inbox.damaged()?), (0, 2));
        let kept = folder.path().join("inbox/damaged/x.json");
        assert_eq!(read(&kept)?, b"first", "an earlier file was replaced");
        Ok(())
    }

    #[test]
    fn a_name_cannot_leave_the_folder() {
        let inbox = Inbox::new("inbox".into());
        for name in ["", "../x", "a/b", "a.b", "a\\b", "ü"] {
            let error = inbox.put(name, b"").expect_err("the name is not plain");
            assert_eq!(error.kind(), ErrorKind::InvalidInput, "{name}");
        }
    }
}
