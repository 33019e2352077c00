//! Milestones, the story of a place, and what was taken back.

use std::error::Error as StdError;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use memorax_core::{
    Actor, ErrorKind, FixedClock, InitOptions, Memorax, MemoryKind, Milestone, Note, PlaceState,
    StoryEvent, Timestamp, Trust,
};

use crate::fixture::{Repository, prose};

type Result<T = ()> = std::result::Result<T, Box<dyn StdError>>;

pub(crate) fn indexed(repository: &Repository) -> Result<Memorax> {
    let clock = FixedClock(Timestamp::from_millis(1_790_000_000_000));
    let memory = Memorax::builder()
        .home(repository.beside("home"))
        .actor(Actor::new("ada", Trust::User))
        .clock(Arc::new(clock))
        .open(&repository.path)?;
    memory.init(&InitOptions {
        interrupt: &AtomicBool::new(false),
        progress: &|_| {},
    })?;
    Ok(memory)
}

fn told(milestones: &[Milestone]) -> Vec<(String, String)> {
    let of = |milestone: &Milestone| (milestone.what.clone(), milestone.commit.clone());
    milestones.iter().map(of).collect()
}

fn package(repository: &Repository, folder: &str, dependencies: &str) {
    repository.write(
        &format!("{folder}/Cargo.toml"),
        &format!(
            "[package]\nname = \"{}\"\nversion = \"0.1.0\"\n[dependencies]\n{dependencies}",
            folder.replace('/', "-")
        ),
    );
}

#[test]
fn milestones_name_the_commit_that_did_it() -> Result {
    let repository = Repository::new();
    package(&repository, "app", "docopt = \"1\"\n");
    let first = repository.commit_as("app/src/lib.rs", &prose("app", 8), "Begin");
    repository.pass_days(60);
    package(&repository, "walker", "");
    repository.write("walker/src/entry.rs", &prose("entry", 9));
    let born = repository.commit_as("walker/src/lib.rs", &prose("walker", 9), "Add the walker");
    repository.pass_days(60);
    package(&repository, "app", "clap = \"2\"\n");
    let swapped = repository.commit_as(
        "app/src/lib.rs",
        &prose("arguments", 8),
        "Replace docopt with clap (#7)",
    );
    repository.git(&["tag", "1.0.0"]);
    repository.pass_days(60);
    repository.write("crates/.keep", "");
    repository.git(&["mv", "walker", "crates/walker"]);
    let moved = repository.commit_as("crates/.keep", "", "Move the walker");
    let memory = indexed(&repository)?;
    assert_eq!(
        told(&memory.milestones(20)?),
        [
            ("`walker` moved to `crates/walker`".to_owned(), moved),
            (
                "dependency `docopt` replaced by `clap`".to_owned(),
                swapped.clone()
            ),
            ("release `1.0.0`".to_owned(), swapped),
            ("`walker` added".to_owned(), born),
            ("the first commit".to_owned(), first),
        ]
    );
    let brief = memory.brief(3000)?.text;
    assert!(
        brief.contains("dependency `docopt` replaced by `clap`") && brief.contains(", #7)"),
        "{brief}"
    );
    repository.git(&["tag", "2.0.0"]);
    let again = indexed(&repository)?;
    let milestones = again.milestones(20)?;
    let is_told = milestones.iter().any(|told| told.what == "release `2.0.0`");
    assert!(is_told, "a new tag alone is noticed: {milestones:?}");
    Ok(())
}

#[test]
fn the_story_of_a_file_goes_on_through_its_names() -> Result {
    let repository = Repository::with_commit();
    let born = repository.commit_as("old/parser.py", &prose("parser", 20), "Add the parser (#3)");
    repository.write("new/.keep", "");
    repository.git(&["mv", "old/parser.py", "new/reader.py"]);
    let moved = repository.commit_as(
        "new/.keep",
        "",
        "Call it a reader\n\nReviewed-by: Eve <eve@example.org>",
    );
    repository.write("tests/reader.py", "x = 1\n");
    let text = format!("{}One more.\n", prose("parser", 20));
    repository.commit_as("new/reader.py", &text, "Read more, see #9");
    let memory = indexed(&repository)?;
    let note = Note::new("The reader is slow.", MemoryKind::Fact).path("new/reader.py");
    memory.remember_with(note)?;
    let story = memory.history("new/reader.py", 10)?;
    assert_eq!(story.former, ["old/parser.py"]);
    assert_eq!(
        story.born.as_ref().map(|commit| commit.id.clone()),
        Some(born)
    );
    let events: Vec<StoryEvent> = story.commits.iter().map(|commit| commit.event).collect();
    assert_eq!(
        events,
        [StoryEvent::Born, StoryEvent::Moved, StoryEvent::Changed]
    );
    assert_eq!(story.commits[1].id, moved);
    assert_eq!(story.commits[1].people, ["reviewer Eve"]);
    let numbers = |at: usize| -> Vec<u64> {
        let commit = &story.commits[at];
        let issues = commit.request.iter().chain(&commit.issues);
        issues.map(|issue| issue.number).collect()
    };
    assert_eq!((numbers(0), numbers(2)), (vec![3], vec![9]));
    assert_eq!(story.memories.len(), 1);
    let by_old_name = memory.history("old/parser.py", 10)?;
    assert_eq!(
        (by_old_name.state, by_old_name.path.as_str()),
        (PlaceState::Moved, "new/reader.py")
    );
    assert!(
        !serde_json_of(&story).contains("example.org"),
        "no address is told"
    );
    Ok(())
}

fn serde_json_of(story: &memorax_core::Story) -> String {
    format!("{story:?}")
}

#[test]
fn what_is_gone_has_a_story_and_what_never_was_has_near_names() -> Result {
    let repository = Repository::with_commit();
    repository.commit_as(
        "src/engine.py",
        "def ignite(now):\n    return now\n",
        "Add the engine",
    );
    repository.commit_as("src/wheel.py", &prose("wheel", 9), "Add the wheel");
    repository.commit_as(
        "src/engine.py",
        "def ignite(now):\n    return now + 1\n\n\ndef stop():\n    pass\n",
        "Ignite later",
    );
    repository.git(&["rm", "--quiet", "src/wheel.py"]);
    repository.git(&["commit", "--quiet", "--message", "Drop the wheel"]);
    let memory = indexed(&repository)?;
    let wheel = memory.history("src/wheel.py", 5)?;
    assert_eq!(wheel.state, PlaceState::Gone);
    assert_eq!(
        wheel.last.map(|commit| commit.subject),
        Some("Drop the wheel".to_owned())
    );
    let ignite = memory.history("ignite", 5)?;
    let subjects: Vec<&str> = ignite
        .commits
        .iter()
        .map(|commit| commit.subject.as_str())
        .collect();
    assert_eq!(subjects, ["Add the engine", "Ignite later"]);
    assert_eq!(
        memory.history("stop", 5)?.changes,
        1,
        "only what touched its body counts"
    );
    let folder = memory.history("src", 5)?;
    assert_eq!(folder.changes, 4);
    let unknown = memory
        .history("src/enginee.py", 5)
        .expect_err("there is no such file");
    assert_eq!(unknown.kind(), ErrorKind::NotFound);
    assert_eq!(unknown.hint(), Some("perhaps `src/engine.py`"));
    Ok(())
}

#[test]
fn what_was_taken_back_is_a_rejection_until_it_is_done_again() -> Result {
    let repository = Repository::with_commit();
    let cached = repository.commit_as("cache.py", &prose("cache", 5), "Cache prices in Redis");
    let message = format!(
        "Revert \"Cache prices in Redis\"\n\nThis reverts commit {cached}.\n\nPrices were stale for minutes."
    );
    repository.git(&["rm", "--quiet", "cache.py"]);
    repository.git(&["commit", "--quiet", "--message", &message]);
    let memory = indexed(&repository)?;
    let check = memory.check("Cache prices in Redis")?;
    assert_eq!(check.rejections.len(), 1);
    let found = &check.rejections[0];
    assert!(
        found.memory.text.contains("Prices were stale for minutes."),
        "{}",
        found.memory.text
    );
    assert!(!check.denies(), "anybody can write a commit: it warns");
    assert_eq!(
        memory
            .check("Format the tables of the manual")?
            .rejections
            .len(),
        0
    );
    assert!(
        memory
            .brief(3000)?
            .text
            .contains("git history, external] Cache prices in Redis")
    );
    assert!(
        memory.list(&memorax_core::Filter::new())?.is_empty(),
        "nothing was written"
    );
    repository.commit_as(
        "cache.py",
        &prose("cache", 6),
        "Reland \"Cache prices in Redis\"",
    );
    assert!(
        indexed(&repository)?
            .check("Cache prices in Redis")?
            .rejections
            .is_empty()
    );
    Ok(())
}
