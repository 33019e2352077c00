//! Commits: their order, their files, and what rewriting does to them.

use memorax_core::Result;
use memorax_core::repo::{CommitSelection, Indexer, RepoIndexer};

use super::support::{file, index, newest, paths, query, subjects, with_request};
use crate::fixture::{Repository, prose};

fn words(view: &dyn memorax_core::repo::RepositoryView, text: &str) -> Result<Vec<String>> {
    let hits = view.commits(&CommitSelection::Words(&query(text)), 10)?;
    Ok(hits.into_iter().map(|hit| hit.commit.subject).collect())
}

#[test]
fn renamed_files_keep_their_history() -> Result<()> {
    let repository = Repository::with_commit();
    repository.commit_as("old/parser.rs", &prose("parser", 20), "Add the parser");
    repository.commit_as("old/lexer.rs", &prose("lexer", 20), "Add the lexer");
    repository.git(&["mv", "old", "new"]);
    repository.git(&["commit", "--quiet", "--message", "Move the folder"]);
    let changed = format!("{}One more sentence.\n", prose("parser", 20));
    repository.git(&["mv", "new/parser.rs", "new/reader.rs"]);
    repository.commit_as("new/reader.rs", &changed, "Rename and change the parser");
    let view = index(&repository.path, &repository.beside("cache"))?;
    assert_eq!(
        paths(&*view)?,
        ["README.md", "new/lexer.rs", "new/reader.rs"]
    );
    let reader = file(&*view, "new/reader.rs")?;
    assert_eq!((reader.last_change, reader.changes), (Some(0), 3));
    let touching = view.commits(&CommitSelection::Touching(2), 10)?;
    let ages: Vec<u32> = touching.iter().map(|hit| hit.age).collect();
    assert_eq!(ages, [0, 1, 3]);
    assert_eq!(touching[2].commit.paths, ["old/parser.rs"]);
    assert_eq!(touching[2].files, [2], "an old name means the present file");
    assert_eq!(touching[0].commit.paths, ["new/reader.rs"]);
    Ok(())
}

#[test]
fn a_commit_keeps_the_time_of_its_author_and_of_its_committer() -> Result<()> {
    let repository = Repository::with_commit();
    repository.git(&[
        "commit",
        "--quiet",
        "--amend",
        "--no-edit",
        "--date=2001-02-03T04:05:06Z",
    ]);
    let view = index(&repository.path, &repository.beside("cache"))?;
    let commit = &newest(&*view)?[0].commit;
    assert_eq!(commit.at.date(), "2001-02-03");
    assert_eq!(commit.committed.date(), "2023-11-14");
    Ok(())
}

#[test]
fn merges_follow_all_parents_and_are_not_searched() -> Result<()> {
    let repository = Repository::with_commit();
    repository.git(&["checkout", "--quiet", "-b", "feature"]);
    repository.commit_as("feature.txt", "zebra\n", "Add the zebra");
    repository.git(&["checkout", "--quiet", "main"]);
    repository.commit_as("main.txt", "main\n", "Work on main");
    repository.git(&[
        "merge",
        "--quiet",
        "--no-ff",
        "--message",
        "Merge zebra",
        "feature",
    ]);
    let view = index(&repository.path, &repository.beside("cache"))?;
    assert_eq!(
        subjects(&*view)?,
        [
            "Merge zebra",
            "Work on main",
            "Add the zebra",
            "Write README.md"
        ]
    );
    assert!(newest(&*view)?[0].commit.paths.is_empty());
    assert_eq!(words(&*view, "zebra")?, ["Add the zebra"]);
    Ok(())
}

#[test]
fn amended_commits_are_forgotten_and_new_ones_are_added() -> Result<()> {
    let repository = Repository::with_commit();
    repository.commit_as("a.txt", "one\n", "Add giraffe");
    let cache = repository.beside("cache");
    let view = index(&repository.path, &cache)?;
    assert_eq!(words(&*view, "giraffe")?, ["Add giraffe"]);
    repository.git(&["commit", "--quiet", "--amend", "--message", "Add elephant"]);
    repository.commit_as("b.txt", "two\n", "Add lion");
    let view = index(&repository.path, &cache)?;
    assert_eq!(
        subjects(&*view)?,
        ["Add lion", "Add elephant", "Write README.md"]
    );
    assert!(words(&*view, "giraffe")?.is_empty());
    assert_eq!(words(&*view, "elephant")?, ["Add elephant"]);
    assert_eq!(file(&*view, "a.txt")?.last_change, Some(1));
    repository.git(&["reset", "--quiet", "--hard", "HEAD~2"]);
    let view = index(&repository.path, &cache)?;
    assert_eq!(subjects(&*view)?, ["Write README.md"]);
    assert_eq!(paths(&*view)?, ["README.md"]);
    Ok(())
}

#[test]
fn many_small_steps_are_joined_and_nothing_is_lost() -> Result<()> {
    let repository = Repository::with_commit();
    let cache = repository.beside("cache");
    let animals = [
        "ant", "bee", "cow", "dog", "elk", "fox", "gnu", "hen", "ibis", "jay", "koi", "lynx",
    ];
    for (number, animal) in animals.iter().enumerate() {
        repository.commit_as(
            &format!("f{number}.rs"),
            &format!("fn step_{number}() {{}}\n"),
            &format!("Feed the {animal}"),
        );
        index(&repository.path, &cache)?;
    }
    let view = index(&repository.path, &cache)?;
    assert_eq!(view.info().commits, 13);
    for (number, animal) in animals.iter().enumerate() {
        assert_eq!(words(&*view, animal)?, [format!("Feed the {animal}")]);
        let changed = file(&*view, &format!("f{number}.rs"))?;
        assert_eq!(changed.last_change, Some(11 - number as u32));
    }
    let count = super::support::cached(&cache).len();
    assert!(count <= 17, "{count} files after twelve steps");
    Ok(())
}

#[test]
fn messages_are_redacted_before_they_are_kept() -> Result<()> {
    let repository = Repository::with_commit();
    repository.commit_as("a.txt", "a\n", "Use hunter2\n\nThe password is hunter2.");
    let cache = repository.beside("cache");
    let indexer = Indexer::new().redact(|text| text.replace("hunter2", "[secret]"));
    let view = with_request(&repository.path, &cache, |request| indexer.index(request))?;
    let newest = &newest(&*view)?[0].commit;
    assert_eq!(newest.subject, "Use [secret]");
    assert_eq!(newest.body, "The password is [secret].");
    assert!(words(&*view, "hunter2")?.is_empty());
    for path in super::support::cached(&cache) {
        let bytes = std::fs::read(&path).expect("the file is there");
        assert!(
            !bytes.windows(7).any(|part| part == b"hunter2"),
            "{} has the secret",
            path.display()
        );
    }
    Ok(())
}

#[test]
fn former_paths_lead_to_the_present_ones() -> Result<()> {
    let repository = Repository::with_commit();
    repository.commit("a/one.txt", &prose("one", 20));
    repository.commit("a/two.txt", &prose("two", 20));
    repository.git(&["mv", "a", "b"]);
    repository.git(&["commit", "--quiet", "--message", "Move"]);
    // The name is given again: the file that had it last gave it up last.
    repository.commit("a/one.txt", &prose("another", 20));
    repository.git(&["mv", "a/one.txt", "c.txt"]);
    repository.git(&["commit", "--quiet", "--message", "Move again"]);
    let view = index(&repository.path, &repository.beside("cache"))?;
    for (path, now) in [
        ("a/two.txt", Some("b/two.txt")),
        ("a/one.txt", Some("c.txt")),
        ("a/three.txt", None),
        ("a", None),
        ("README.md", None),
    ] {
        assert_eq!(view.moved(path)?.as_deref(), now, "{path}");
    }
    Ok(())
}
