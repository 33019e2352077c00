//! A view that was brought up to date is the view that a first run gives.

use memorax_core::Result;
use memorax_core::repo::{Field, Indexer, RepoIndexer};

use super::support::{NOW, cached, everything, found, index, paths};
use crate::fixture::{Repository, prose};

const TEXTS: [&str; 4] = [
    "engine fuel tank",
    "step",
    "readme words",
    "needle haystack",
];

#[test]
fn a_second_run_with_nothing_changed_writes_nothing() -> Result<()> {
    let repository = Repository::with_commit();
    repository.commit("src/lib.rs", "pub fn engine() {}\n");
    let cache = repository.beside("cache");
    // The first run may be too close to the last write to be sure of it; the second settles that.
    index(&repository.path, &cache)?;
    std::thread::sleep(std::time::Duration::from_millis(40));
    let view = index(&repository.path, &cache)?;
    let before = (cached(&cache), everything(&*view, &TEXTS)?);
    let view = index(&repository.path, &cache)?;
    assert_eq!((cached(&cache), everything(&*view, &TEXTS)?), before);
    assert_eq!(view.info().indexed, NOW.0);
    let opened = Indexer::new().open(&repository.path, &cache)?;
    let opened = opened.expect("a view was stored");
    assert_eq!(everything(&*opened, &TEXTS)?, before.1);
    Ok(())
}

#[test]
fn every_step_gives_what_a_first_run_would_give() -> Result<()> {
    let repository = Repository::with_commit();
    let cache = repository.beside("cache");
    let steps: [&dyn Fn(&Repository); 8] = [
        &|repository| repository.write("src/engine.rs", "pub fn engine() {}\n// needle\n"),
        &|repository| {
            repository.git(&["add", "--all"]);
            repository.git(&["commit", "--quiet", "--message", "Take the first step"]);
        },
        &|repository| repository.write("src/engine.rs", &prose("fuel", 120)),
        &|repository| repository.write("docs/tank.md", "# Tank\n\nHolds the fuel.\n"),
        &|repository| {
            repository.git(&["add", "--all"]);
            repository.git(&["mv", "src/engine.rs", "src/motor.rs"]);
            repository.git(&["commit", "--quiet", "--message", "Rename in a second step"]);
        },
        &|repository| {
            std::fs::remove_file(repository.path.join("docs/tank.md")).expect("it was written");
        },
        &|repository| {
            repository.git(&["checkout", "--quiet", "-b", "side", "HEAD~1"]);
        },
        &|repository| {
            repository.commit_as("haystack.py", "def needle():\n    pass\n", "Step aside");
        },
    ];
    for (number, step) in steps.iter().enumerate() {
        step(&repository);
        let updated = index(&repository.path, &cache)?;
        let fresh = index(
            &repository.path,
            &repository.beside(&format!("fresh{number}")),
        )?;
        assert_eq!(
            everything(&*updated, &TEXTS)?,
            everything(&*fresh, &TEXTS)?,
            "after step {number}"
        );
    }
    Ok(())
}

#[test]
fn a_quick_change_of_the_same_size_is_seen() -> Result<()> {
    let repository = Repository::new();
    let cache = repository.beside("cache");
    for word in ["alpha", "gamma", "delta"] {
        repository.write("a.txt", word);
        let view = index(&repository.path, &cache)?;
        assert_eq!(found(&*view, Field::Code, word)?, ["a.txt:1"]);
    }
    Ok(())
}

#[test]
fn statistics_are_those_of_the_view() -> Result<()> {
    let repository = Repository::new();
    let cache = repository.beside("cache");
    for number in 0..30 {
        repository.write(&format!("f{number}.txt"), "rare common\n");
    }
    index(&repository.path, &cache)?;
    for number in 1..30 {
        repository.write(&format!("f{number}.txt"), "common\n");
    }
    let view = index(&repository.path, &cache)?;
    let score = |word: &str| -> Result<f32> {
        Ok(view.search(Field::Code, &super::support::query(word), 1)?[0].score)
    };
    let (rare, common) = (score("rare")?, score("common")?);
    // ln(1 + (30 - 1 + .5) / 1.5) against ln(1 + .5 / 30.5): contents that are gone do not count.
    assert!(rare > 100.0 * common, "{rare} {common}");
    assert_eq!(paths(&*view)?.len(), 30);
    Ok(())
}
