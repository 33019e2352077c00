//! Files that are whole or absent, whatever happens in between, and that only their owner can read.
#![expect(
    clippy::disallowed_methods,
    reason = "this is the module that the ban sends everyone to"
)]

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use super::{reading_failed, writing_failed};
use crate::Result;

/// Ending of files that are being written; readers of a folder ignore them.
const TEMPORARY: &str = ".tmp";

/// Writes a file so that it holds the old bytes or the new ones, never a part of them, and is on disk when the call
/// returns.
pub(crate) fn write_atomic(path: &Path, bytes: &[u8]) -> Result<()> {
    let temporary = temporary_name(path);
    let written = create_new(&temporary).and_then(|mut file| {
        // Says that somebody is at it; where files cannot be locked, its age says so.
        let _ = file.try_lock();
        file.write_all(bytes)
            .and_then(|()| file.sync_all())
            .map_err(|source| writing_failed(&temporary, source))
    });
    let renamed = written.and_then(|()| rename(&temporary, path));
    if renamed.is_err() {
        // The first error is the one to report; what is left behind is removed by a later writer.
        let _ = fs::remove_file(&temporary);
    }
    renamed
}

/// Appends bytes and a line end in one write.
#[cfg(test)]
pub(crate) fn append_line(path: &Path, line: &[u8]) -> Result<()> {
    let mut bytes = Vec::with_capacity(line.len() + 1);
    bytes.extend_from_slice(line);
    bytes.push(b'\n');
    open_for_append(path)?
        .write_all(&bytes)
        .map_err(|source| writing_failed(path, source))
}

/// Opens a file for reading and appending and creates it if it is missing.
pub(crate) fn open_for_append(path: &Path) -> Result<File> {
    private()
        .read(true)
        .append(true)
        .create(true)
        .open(path)
        .map_err(|source| writing_failed(path, source))
}

/// Reads a whole file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(|source| reading_failed(path, source))
}

/// Removes a file; one that is not there is as good.
pub(crate) fn remove(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            Err(writing_failed(path, source))
        }
        _ => Ok(()),
    }
}

/// Gives a file its final name, replacing what had it before, and waits until the folder is on disk.
pub(crate) fn rename(from: &Path, to: &Path) -> Result<()> {
    fs::rename(from, to).map_err(|source| writing_failed(to, source))?;
    match to.parent() {
        Some(folder) => sync_dir(folder),
        None => Ok(()),
    }
}

/// Waits until a file that somebody else wrote is on disk.
#[cfg(feature = "hnsw")]
pub(crate) fn sync(path: &Path) -> Result<()> {
    open_existing(path)?
        .sync_all()
        .map_err(|source| writing_failed(path, source))
}

/// Waits until the names in a folder are on disk, where the platform can do that.
fn sync_dir(folder: &Path) -> Result<()> {
    if cfg!(unix) {
        File::open(folder)
            .and_then(|handle| handle.sync_all())
            .map_err(|source| writing_failed(folder, source))?;
    }
    Ok(())
}

/// Creates a folder and its parents; only the owner can enter those that are new.
pub(crate) fn create_dir_private(folder: &Path) -> Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
        .create(folder)
        .map_err(|source| writing_failed(folder, source))
}

/// Creates a file that must not be there yet, for reading and writing.
pub(crate) fn create_new(path: &Path) -> Result<File> {
    private()
        .read(true)
        .write(true)
        .create_new(true)
        .open(path)
        .map_err(|source| writing_failed(path, source))
}

/// Opens a file for reading and writing and creates it if it is missing; its bytes stay.
pub(crate) fn open_for_update(path: &Path) -> Result<File> {
    private()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .map_err(|source| writing_failed(path, source))
}

/// Opens a file for reading and writing that must be there.
pub(crate) fn open_existing(path: &Path) -> Result<File> {
    private()
        .read(true)
        .write(true)
        .open(path)
        .map_err(|source| writing_failed(path, source))
}

/// Opens a file for reading and writing so that nobody else can open it.
#[cfg(windows)]
pub(super) fn open_unshared(path: &Path) -> Result<File> {
    let mut options = private();
    std::os::windows::fs::OpenOptionsExt::share_mode(&mut options, 0);
    options
        .read(true)
        .write(true)
        .open(path)
        .map_err(|source| writing_failed(path, source))
}

/// Opens a file for reading.
pub(crate) fn open_for_reading(path: &Path) -> Result<File> {
    File::open(path).map_err(|source| reading_failed(path, source))
}

/// Lists the files of a folder by name; a folder that is not there has none.
pub(crate) fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let listed = match fs::read_dir(folder) {
        Ok(listed) => listed,
        Err(source) if source.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => return Err(reading_failed(folder, source)),
    };
    let mut paths = listed
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<Vec<_>>>()
        .map_err(|source| reading_failed(folder, source))?;
    paths.sort();
    Ok(paths)
}

/// Notes that a file was used, as the time of its last change, unless that is less than a day ago. Costs a look at the file,
/// and where it cannot be written, nothing is noted.
pub(crate) fn mark_used(path: &Path) {
    const OFTEN: Duration = Duration::from_hours(24);
    let now = SystemTime::now();
    let noted = fs::metadata(path).and_then(|data| data.modified());
    let recent = |then| now.duration_since(then).is_ok_and(|age| age < OFTEN);
    if !noted.is_ok_and(recent)
        && let Ok(file) = OpenOptions::new().append(true).open(path)
    {
        let _ = file.set_modified(now);
    }
}

/// Returns a name beside `path` that nobody else uses and that readers of the folder ignore.
pub(crate) fn temporary_name(path: &Path) -> PathBuf {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    // The process id alone would repeat in containers that share a folder.
    let random = uuid::Uuid::new_v4().simple().to_string();
    path.with_file_name(format!(".{name}.{count}-{}{TEMPORARY}", &random[..12]))
}

/// Returns whether a file is one that is, or was, being written.
pub(crate) fn is_temporary(path: &Path) -> bool {
    path.to_string_lossy().ends_with(TEMPORARY)
}

fn private() -> OpenOptions {
    #[cfg_attr(not(unix), expect(unused_mut, reason = "only Unix has file modes"))]
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;

    type Done = Result<(), Box<dyn std::error::Error>>;

    #[test]
    fn an_atomic_write_replaces_the_file_and_leaves_nothing_else() -> Done {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("meta.json");
        write_atomic(&path, b"old")?;
        write_atomic(&path, b"new")?;
        assert_eq!(read(&path)?, b"new");
        assert_eq!(entries(folder.path())?, [path], "a temporary file stayed");
        Ok(())
    }

    #[test]
    fn an_atomic_write_that_fails_keeps_the_old_state() -> Done {
        let folder = tempfile::tempdir()?;
        let taken = folder.path().join("taken");
        create_dir_private(&taken.join("inside"))?;
        assert!(
            write_atomic(&taken, b"x").is_err(),
            "a folder was replaced by a file"
        );
        assert_eq!(entries(folder.path())?, [taken], "a temporary file stayed");
        Ok(())
    }

    #[test]
    fn lines_are_appended_and_missing_things_are_named() -> Done {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("log");
        append_line(&path, b"one")?;
        append_line(&path, b"two")?;
        assert_eq!(read(&path)?, b"one\ntwo\n");
        remove(&path)?;
        remove(&path)?;
        let error = read(&path).expect_err("the file is gone");
        assert_eq!(error.kind(), ErrorKind::NotFound);
        assert_eq!(
            error.to_string(),
            format!("cannot read `{}`", path.display())
        );
        assert!(entries(&folder.path().join("none"))?.is_empty());
        Ok(())
    }

    #[cfg(unix)]
    #[test]
    fn only_the_owner_can_read_what_is_written() -> Done {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir()?;
        let inner = folder.path().join("a/b");
        create_dir_private(&inner)?;
        write_atomic(&inner.join("file"), b"x")?;
        append_line(&inner.join("lines"), b"x")?;
        let mode = |path: &Path| fs::metadata(path).map(|data| data.permissions().mode() & 0o777);
        assert_eq!(mode(&inner)?, 0o700);
        assert_eq!(mode(&inner.join("file"))?, 0o600);
        assert_eq!(mode(&inner.join("lines"))?, 0o600);
        Ok(())
    }
}
