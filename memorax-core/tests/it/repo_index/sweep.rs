//! The cache stays small: views of folders that are gone, and those that were used least recently, are dropped.

use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use memorax_core::Result;
use memorax_core::repo::{Indexer, RepoIndexer};

use super::support::{cached, index, with_request};
use crate::fixture::{Repository, prose};

/// A repository and two more working trees of it, each with a file of its own.
fn three_trees() -> (Repository, [PathBuf; 2]) {
    let repository = Repository::with_commit();
    repository.commit("src/common.rs", &prose("common", 400));
    let trees = ["one", "two"].map(|name| {
        let path = repository.beside(name);
        let text = path.to_string_lossy();
        repository.git(&["worktree", "add", "--quiet", "-b", name, &text]);
        std::fs::write(path.join("own.md"), prose(name, 4000)).expect("the folder is new");
        path
    });
    (repository, trees)
}

fn size(cache: &Path) -> u64 {
    let sizes = cached(cache).into_iter().map(|path| {
        let data = path.metadata().expect("the file was listed");
        data.len()
    });
    sizes.sum()
}

fn view_of(cache: &Path, root: &Path, at: SystemTime) {
    let before: Vec<PathBuf> = cached(cache);
    index(root, cache).expect("the folder can be indexed");
    for path in cached(cache) {
        let is_view = path.to_string_lossy().contains("view-");
        if is_view && !before.contains(&path) {
            let file = OpenOptions::new().append(true).open(&path);
            let file: File = file.expect("the view was just written");
            file.set_modified(at).expect("the file is ours");
        }
    }
}

fn is_stored(cache: &Path, root: &Path) -> Result<bool> {
    Ok(Indexer::new().open(root, cache)?.is_some())
}

#[test]
fn the_view_of_a_removed_working_tree_goes_with_all_that_only_it_needs() -> Result<()> {
    let (repository, [one, two]) = three_trees();
    let cache = repository.beside("cache");
    index(&repository.path, &cache)?;
    let alone = size(&cache);
    index(&one, &cache)?;
    index(&two, &cache)?;
    let full = size(&cache);
    assert!(full > alone);
    std::fs::remove_dir_all(&one).expect("the folder is there");
    let swept = Indexer::new().sweep(&repository.path, &cache)?;
    assert_eq!((swept.before, swept.views), (full, 1));
    assert_eq!(swept.after, size(&cache));
    assert!(swept.after < full, "what only that tree needed is gone");
    assert!(is_stored(&cache, &two)? && is_stored(&cache, &repository.path)?);
    // A run that writes a view cleans up by itself.
    std::fs::remove_dir_all(&two).expect("the folder is there");
    repository.write("new.md", "new\n");
    index(&repository.path, &cache)?;
    assert!(!is_stored(&cache, &two)?);
    let again = Indexer::new().sweep(&repository.path, &cache)?;
    assert_eq!((again.before, again.views), (again.after, 0), "all is done");
    Ok(())
}

#[test]
fn above_the_limit_the_views_used_least_recently_go_and_the_present_one_never() -> Result<()> {
    let (repository, [one, two]) = three_trees();
    let cache = repository.beside("cache");
    let hour = Duration::from_hours(1);
    let now = SystemTime::now();
    view_of(&cache, &one, now - hour);
    view_of(&cache, &two, now - hour * 2);
    view_of(&cache, &repository.path, now - hour * 3);
    let full = size(&cache);
    let sweep = |limit| Indexer::new().limit(limit).sweep(&repository.path, &cache);
    assert_eq!(sweep(full)?.views, 0, "exactly the limit is fine");
    let swept = sweep(full - 1)?;
    assert_eq!(swept.views, 1);
    assert!(!is_stored(&cache, &two)?, "it was used before the other");
    assert!(is_stored(&cache, &one)?);
    assert_eq!(sweep(0)?.views, 1);
    assert!(
        is_stored(&cache, &repository.path)?,
        "the present one stays"
    );
    index(&one, &cache)?;
    let run = with_request(&two, &cache, |request| {
        Indexer::new().limit(1).index(request)
    });
    assert_eq!(run?.info().files, 3, "a run keeps what it made");
    assert!(!is_stored(&cache, &repository.path)? && !is_stored(&cache, &one)?);
    Ok(())
}

#[test]
fn opening_a_view_counts_as_use_at_most_once_a_day() -> Result<()> {
    let repository = Repository::with_commit();
    let cache = repository.beside("cache");
    let day = Duration::from_hours(24);
    let used = || {
        let paths = cached(&cache);
        let view = paths
            .iter()
            .find(|path| path.to_string_lossy().contains("view-"));
        let data = view.expect("a view was stored").metadata();
        data.and_then(|data| data.modified())
            .expect("the file was listed")
    };
    for (age, is_noted) in [(day * 2, true), (day / 2, false)] {
        std::fs::remove_dir_all(&cache).ok();
        let then = SystemTime::now() - age;
        view_of(&cache, &repository.path, then);
        let before = used();
        assert!(is_stored(&cache, &repository.path)?);
        assert_eq!(used() > before, is_noted, "{age:?}");
    }
    Ok(())
}

#[test]
fn a_second_working_tree_of_the_same_commit_adds_only_what_its_files_looked_like() -> Result<()> {
    let repository = Repository::with_commit();
    for number in 0..60 {
        repository.write(
            &format!("src/module{number}/engine{number}.rs"),
            &prose(&format!("fuel{number}"), 60),
        );
    }
    repository.git(&["add", "--all"]);
    repository.git(&["commit", "--quiet", "--message", "Add the engines"]);
    let cache = repository.beside("cache");
    index(&repository.path, &cache)?;
    let before = cached(&cache);
    let second = repository.beside("second");
    let text = second.to_string_lossy();
    repository.git(&["worktree", "add", "--quiet", "-b", "second", &text]);
    let view = index(&second, &cache)?;
    let files = view.info().files as u64;
    let added: Vec<PathBuf> = cached(&cache)
        .into_iter()
        .filter(|path| !before.contains(path))
        .collect();
    assert_eq!(added.len(), 1, "the view's own file: {added:?}");
    let bytes = added[0].metadata().expect("the file was listed").len();
    assert!(bytes < 2000 + files * 64, "{bytes} bytes for {files} files");
    Ok(())
}
