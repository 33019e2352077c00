//! Views of older commits are what a clone of that time would have given.

use memorax_core::Result;
use memorax_core::repo::{Field, Indexer, RepositoryView};

use super::support::{found, index, newest, paths, with_request};
use crate::fixture::{Repository, prose};

fn searches(view: &dyn RepositoryView) -> Result<(Vec<String>, Vec<String>, Vec<String>)> {
    let files = view.files()?;
    let mut facts: Vec<String> = Vec::new();
    for file in files {
        facts.push(format!(
            "{} {:?} {}",
            file.path, file.last_change, file.changes
        ));
    }
    let mut all = found(view, Field::Code, "engine fuel sentence")?;
    all.extend(found(view, Field::Symbol, "engine Motor")?);
    let commits = newest(view)?
        .into_iter()
        .map(|hit| format!("{} {:?} {:?}", hit.commit.id, hit.files, hit.commit.paths))
        .collect();
    Ok((facts, all, commits))
}

#[test]
fn a_replayed_view_is_the_view_of_that_commit() -> Result<()> {
    let repository = Repository::with_commit();
    repository.commit("src/engine.rs", "pub fn engine() {}\n");
    repository.commit("src/fuel.rs", &prose("fuel", 100));
    repository.git(&["mv", "src/fuel.rs", "src/oil.rs"]);
    repository.git(&["commit", "--quiet", "--message", "Rename fuel"]);
    repository.git(&["checkout", "--quiet", "-b", "side", "HEAD~2"]);
    repository.commit("src/motor.py", "class Motor:\n    pass\n");
    repository.git(&["checkout", "--quiet", "main"]);
    repository.git(&[
        "merge",
        "--quiet",
        "--no-ff",
        "--message",
        "Merge side",
        "side",
    ]);
    repository.commit("src/engine.rs", "pub fn engine() { fuel() }\n");
    let cache = repository.beside("replay");
    let replay = with_request(&repository.path, &cache, |request| {
        Indexer::new().replay(request, &[])
    })?;
    assert_eq!(replay.commits().len(), 7);
    assert_eq!(
        replay.commits()[0],
        repository.git(&["rev-list", "--max-parents=0", "HEAD"])
    );
    let old = repository.clone_to("old", &[]);
    for (number, commit) in replay.commits().iter().enumerate() {
        old.git(&["checkout", "--quiet", commit]);
        let real = index(&old.path, &repository.beside(&format!("cache{number}")))?;
        let replayed = replay.at(commit)?;
        assert_eq!(searches(&*replayed)?, searches(&*real)?, "at {commit}");
        let before = replay.before(commit)?;
        let parent = old.git(&["rev-list", "--parents", "--max-count=1", commit]);
        match parent.split(' ').nth(1) {
            Some(parent) => assert_eq!(paths(&*before)?, paths(&*replay.at(parent)?)?),
            None => assert!(paths(&*before)?.is_empty(), "nothing is before the first"),
        }
        assert_eq!(before.info().commits, replayed.info().commits - 1);
    }
    assert!(replay.at(&"0".repeat(40)).is_err());
    assert!(replay.at("main").is_err(), "ids are written in full");
    Ok(())
}
