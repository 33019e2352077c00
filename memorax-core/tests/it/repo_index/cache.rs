//! The cache may be deleted, damaged, shared or left half done at any time.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use memorax_core::repo::{IndexRequest, Indexer, RepoIndexer};
use memorax_core::{ErrorKind, Result};

use super::support::{NOW, cached, everything, index};
use crate::fixture::{Repository, prose};

const TEXTS: [&str; 2] = ["fuel sentence", "write"];

fn sample() -> Repository {
    let repository = Repository::with_commit();
    for number in 0..5 {
        repository.commit(
            &format!("src/f{number}.rs"),
            &prose(&format!("fuel{number}"), 50),
        );
    }
    repository
}

#[test]
fn a_damaged_or_missing_file_is_made_again() -> Result<()> {
    let repository = sample();
    let cache = repository.beside("cache");
    let expected = everything(&*index(&repository.path, &cache)?, &TEXTS)?;
    let count = cached(&cache).len();
    assert!(count >= 3, "code, history and view");
    for number in 0..count {
        for damage in 0..4 {
            let path = &cached(&cache)[number];
            let mut bytes = std::fs::read(path).expect("the file was listed");
            let middle = bytes.len() / 2;
            match damage {
                0 => bytes.clear(),
                1 => bytes.truncate(middle),
                2 => bytes[middle] ^= 0x55,
                _ => bytes[8] ^= 0xff,
            }
            std::fs::write(path, &bytes).expect("the folder is writable");
            // A reader may fail or give the older view, but never panics or gives something else.
            if let Ok(Some(view)) = Indexer::new().open(&repository.path, &cache)
                && let Ok(seen) = everything(&*view, &TEXTS)
            {
                assert_eq!(seen, expected, "{} damage {damage}", path.display());
            }
            let view = index(&repository.path, &cache)?;
            let context = format!("file {number}, damage {damage}");
            assert_eq!(everything(&*view, &TEXTS)?, expected, "{context}");
        }
        let path = &cached(&cache)[number];
        std::fs::remove_file(path).expect("the file was listed");
        let view = index(&repository.path, &cache)?;
        assert_eq!(
            everything(&*view, &TEXTS)?,
            expected,
            "file {number} removed"
        );
    }
    std::fs::remove_dir_all(&cache).expect("the folder is there");
    assert!(Indexer::new().open(&repository.path, &cache)?.is_none());
    assert_eq!(
        everything(&*index(&repository.path, &cache)?, &TEXTS)?,
        expected
    );
    Ok(())
}

#[test]
fn an_open_view_stays_whole_while_the_index_moves_on() -> Result<()> {
    let repository = sample();
    let cache = repository.beside("cache");
    index(&repository.path, &cache)?;
    let opened = Indexer::new().open(&repository.path, &cache)?;
    let opened = opened.expect("a view was stored");
    let other = repository.beside("other");
    let expected = everything(&*index(&repository.path, &other)?, &TEXTS)?;
    for number in 0..12 {
        repository.commit("src/f0.rs", &prose(&format!("other{number}"), 30));
        index(&repository.path, &cache)?;
    }
    assert_eq!(everything(&*opened, &TEXTS)?, expected);
    Ok(())
}

#[test]
fn a_busy_index_serves_the_last_view() -> Result<()> {
    let repository = sample();
    let cache = repository.beside("cache");
    std::fs::create_dir_all(&cache).expect("the folder is writable");
    let lock = || std::fs::File::create(cache.join("index.lock")).expect("the folder is writable");
    let held = lock();
    held.try_lock().expect("nobody else has it");
    let refused = index(&repository.path, &cache).expect_err("there is no view yet");
    assert_eq!(refused.kind(), ErrorKind::Locked);
    drop(held);
    let first = index(&repository.path, &cache)?;
    repository.commit("new.txt", "new\n");
    let held = lock();
    held.try_lock().expect("nobody else has it");
    let served = index(&repository.path, &cache)?;
    assert_eq!(everything(&*served, &TEXTS)?, everything(&*first, &TEXTS)?);
    drop(held);
    assert_eq!(index(&repository.path, &cache)?.info().files, 7);
    Ok(())
}

#[test]
fn an_interrupted_run_goes_on_where_it_stopped() -> Result<()> {
    let repository = sample();
    let cache = repository.beside("cache");
    let expected = everything(
        &*index(&repository.path, &repository.beside("other"))?,
        &TEXTS,
    )?;
    let mut stops = 0;
    // Raised at the first, second, third ... report, until a run gets through.
    for patience in 0.. {
        let interrupt = AtomicBool::new(false);
        let reports = AtomicUsize::new(0);
        let result = Indexer::new().index(&IndexRequest {
            root: &repository.path,
            cache: &cache,
            interrupt: &interrupt,
            progress: &|_| {
                let seen = reports.fetch_add(1, Ordering::Relaxed);
                interrupt.store(seen >= patience, Ordering::Relaxed);
            },
            clock: &NOW,
        });
        match result {
            Ok(view) => {
                assert_eq!(everything(&*view, &TEXTS)?, expected);
                break;
            }
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Interrupted);
                stops += 1;
            }
        }
        assert!(patience < 50, "no run gets through");
    }
    assert!(stops > 0, "the flag is polled");
    Ok(())
}
