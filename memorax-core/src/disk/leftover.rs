//! Files that nobody needs any more: what killed writers left half done, and what was damaged and is kept aside.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::{entries, is_temporary, open_existing, remove, rename};
use crate::Result;

/// Age at which a half-written file belongs to nobody: writing one takes milliseconds.
const STALE: Duration = Duration::from_mins(5);

/// Marks the names of files that were damaged and are kept.
const DAMAGED: &str = ".damaged-";

/// Removes what killed writers left half done in a folder; returns how many files went.
///
/// A file that a process still holds stays, however old it is: its process may be stopped.
pub(crate) fn sweep_temporary(folder: &Path) -> Result<usize> {
    let mut removed = 0;
    for path in entries(folder)? {
        let abandoned = is_temporary(&path) && is_stale(&path) && !is_held(&path);
        if abandoned && path.is_file() {
            remove(&path)?;
            removed += 1;
        }
    }
    Ok(removed)
}

/// Removes a folder that holds nothing, or only what killed writers left half done, however lately; says whether it went.
///
/// The caller holds a lock without which nobody begins to write into the folder.
pub(crate) fn remove_abandoned(folder: &Path) -> Result<bool> {
    let entries = entries(folder)?;
    let is_abandoned = |path: &PathBuf| is_temporary(path) && path.is_file() && !is_held(path);
    if !entries.iter().all(is_abandoned) {
        return Ok(false);
    }
    for path in &entries {
        remove(path)?;
    }
    // Whoever put something there meanwhile keeps it: only an empty folder goes.
    Ok(std::fs::remove_dir(folder).is_ok())
}

fn is_stale(path: &Path) -> bool {
    let written = path.metadata().and_then(|data| data.modified());
    written.is_ok_and(|written| {
        let age = SystemTime::now().duration_since(written);
        age.is_ok_and(|age| age > STALE)
    })
}

/// Says whether a process is writing the file: whoever writes one has it locked.
fn is_held(path: &Path) -> bool {
    open_existing(path).is_ok_and(|file| file.try_lock().is_err())
}

/// Gives a damaged file a name under which nobody reads it, and returns that; `None` where there is no file.
pub(crate) fn keep_aside(file: &Path) -> Result<Option<PathBuf>> {
    if !file.exists() {
        return Ok(None);
    }
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let today = jiff::Timestamp::now().strftime("%Y-%m-%d").to_string();
    let names = (1..).map(|count| match count {
        1 => format!("{name}{DAMAGED}{today}"),
        count => format!("{name}{DAMAGED}{today}.{count}"),
    });
    let free = names
        .map(|name| file.with_file_name(name))
        .find(|path| !path.exists())
        .expect("there is no end of numbers");
    rename(file, &free)?;
    Ok(Some(free))
}

/// Says whether a file is one that was damaged and is kept.
pub(crate) fn is_kept_aside(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.contains(DAMAGED)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk::{create_new, temporary_name, write_atomic};

    #[test]
    fn only_old_files_that_nobody_holds_are_removed() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let path = |name: &str| folder.path().join(name);
        let [young, old, held] = [(); 3].map(|()| temporary_name(&path("identities.json")));
        let long_ago = SystemTime::now() - STALE * 2;
        let mut files = Vec::new();
        for name in [&young, &old, &held] {
            let file = create_new(name)?;
            if name != &young {
                file.set_modified(long_ago)?;
            }
            files.push(file);
        }
        let kept = path("identities.json");
        write_atomic(&kept, b"{}")?;
        open_existing(&kept)?.set_modified(long_ago)?;
        files[2].lock()?;
        assert_eq!(sweep_temporary(folder.path())?, 1);
        assert!(!old.exists() && young.exists() && held.exists() && kept.exists());
        Ok(())
    }

    #[test]
    fn a_folder_of_unfinished_files_goes_and_one_with_anything_else_stays()
    -> Result<(), Box<dyn std::error::Error>> {
        let home = tempfile::tempdir()?;
        let [abandoned, used, held] =
            ["abandoned", "used", "held"].map(|name| home.path().join(name));
        let mut files = Vec::new();
        for folder in [&abandoned, &used, &held] {
            crate::disk::create_dir_private(folder)?;
            files.push(create_new(&temporary_name(&folder.join("identity.json")))?);
        }
        crate::disk::create_dir_private(&used.join("inbox"))?;
        files[2].lock()?;
        assert!(remove_abandoned(&abandoned)? && !abandoned.exists());
        assert!(!remove_abandoned(&used)? && used.exists());
        assert!(!remove_abandoned(&held)? && held.exists());
        Ok(())
    }
}
