//! Repositories of every shape.

use memorax_core::repo::{Field, Indexer, RepoIndexer};
use memorax_core::{ErrorKind, FileRole, Result};

use super::support::{file, found, index, newest, paths, skipped, subjects};
use crate::fixture::Repository;

#[test]
fn files_definitions_and_commits_are_found() -> Result<()> {
    let repository = Repository::with_commit();
    repository.commit_as(
        "src/engine.rs",
        "/// Turns the crank.\npub struct Engine;\n\nimpl Engine {\n    pub fn ignite(&self) {}\n}\n",
        "Add the engine\n\nIt ignites.",
    );
    repository.commit("src/lib.rs", "mod engine;\npub use engine::Engine;\n");
    let view = index(&repository.path, &repository.beside("cache"))?;
    assert_eq!(paths(&*view)?, ["README.md", "src/engine.rs", "src/lib.rs"]);
    assert_eq!(view.info().branch.as_deref(), Some("refs/heads/main"));
    assert_eq!(
        view.info().commit,
        Some(repository.git(&["rev-parse", "HEAD"]))
    );
    assert_eq!(found(&*view, Field::Code, "crank")?, ["src/engine.rs:1"]);
    assert_eq!(
        found(&*view, Field::Code, "engine")?,
        ["src/engine.rs:1", "src/lib.rs:1"],
        "the name of a file is a word of its chunks"
    );
    assert_eq!(found(&*view, Field::Path, "engine")?, ["src/engine.rs:0"]);
    assert_eq!(found(&*view, Field::Symbol, "Engine")?, ["src/engine.rs:2"]);
    assert!(
        found(&*view, Field::Symbol, "engine")?.is_empty(),
        "case counts"
    );
    assert_eq!(
        found(&*view, Field::Definition, "ignite")?,
        ["src/engine.rs:5"]
    );
    let structure = view.structure()?;
    assert_eq!(structure.imports, [(2, 1)], "lib.rs has the module engine");
    assert_eq!(structure.symbols[1][1].parent.as_deref(), Some("Engine"));
    let hits = newest(&*view)?;
    assert_eq!(hits[1].commit.body, "It ignites.");
    assert_eq!(hits[1].commit.paths, ["src/engine.rs"]);
    assert_eq!((hits[1].age, &hits[1].files[..]), (1, &[1][..]));
    let engine = file(&*view, "src/engine.rs")?;
    assert_eq!(
        (engine.lines, engine.last_change, engine.changes),
        (6, Some(1), 1)
    );
    assert_eq!(engine.language.as_deref(), Some("rust"));
    Ok(())
}

#[test]
fn ignored_files_are_left_out_and_tracked_ones_are_not() -> Result<()> {
    let repository = Repository::new();
    repository.write(".gitignore", "target/\n*.log\n");
    repository.write("forced.log", "kept\n");
    repository.git(&["add", "--force", "forced.log"]);
    repository.commit(".github/workflows/ci.yml", "on: push\n");
    repository.write("target/out.rs", "fn built() {}\n");
    repository.write("noise.log", "noise\n");
    repository.write("secret/plan.md", "hidden\n");
    repository.write("tracked-secret.txt", "hidden\n");
    repository.git(&["add", "--force", "tracked-secret.txt"]);
    repository.write(".memoraxignore", "secret/\n/tracked-secret.txt\n");
    let view = index(&repository.path, &repository.beside("cache"))?;
    assert_eq!(
        paths(&*view)?,
        [
            ".github/workflows/ci.yml",
            ".gitignore",
            ".memoraxignore",
            "forced.log"
        ]
    );
    Ok(())
}

#[test]
fn a_bare_repository_gives_the_files_of_its_commit() -> Result<()> {
    let repository = Repository::with_commit();
    repository.commit("src/a.py", "def bare_words():\n    pass\n");
    let bare = repository.clone_to("bare.git", &["--bare"]);
    let cache = repository.beside("cache");
    let view = index(&bare.path, &cache)?;
    assert_eq!(paths(&*view)?, ["README.md", "src/a.py"]);
    assert_eq!(found(&*view, Field::Symbol, "bare_words")?, ["src/a.py:1"]);
    assert_eq!(file(&*view, "src/a.py")?.size, 27);
    assert_eq!((view.info().uncommitted, view.info().commits), (0, 2));
    Ok(())
}

#[test]
fn a_shallow_clone_counts_what_it_lacks() -> Result<()> {
    let repository = Repository::with_commit();
    for number in 0..4 {
        repository.commit(&format!("f{number}.txt"), "text\n");
    }
    let shallow = repository.clone_to("shallow", &["--depth", "2"]);
    let cache = repository.beside("cache");
    let view = index(&shallow.path, &cache)?;
    assert_eq!(subjects(&*view)?, ["Write f3.txt", "Write f2.txt"]);
    assert_eq!(
        skipped(view.info(), "commits outside of a shallow clone"),
        1
    );
    let hits = newest(&*view)?;
    assert!(
        hits[1].commit.paths.is_empty(),
        "what the last known commit changed cannot be known"
    );
    shallow.git(&["fetch", "--quiet", "--unshallow"]);
    let view = index(&shallow.path, &cache)?;
    assert_eq!((view.info().commits, view.info().skipped.len()), (5, 0));
    assert_eq!(newest(&*view)?[1].commit.paths, ["f2.txt"]);
    Ok(())
}

#[test]
fn working_trees_share_what_was_learned() -> Result<()> {
    let repository = Repository::with_commit();
    repository.commit("a.rs", "fn shared_between_trees() {}\n");
    let cache = repository.beside("cache");
    index(&repository.path, &cache)?;
    let second = repository.beside("second");
    repository.git(&[
        "worktree",
        "add",
        "--quiet",
        "-b",
        "other",
        &second.to_string_lossy(),
    ]);
    let code = |cache: &std::path::Path| {
        super::support::cached(cache)
            .iter()
            .filter(|path| path.to_string_lossy().contains("code-"))
            .count()
    };
    let before = code(&cache);
    let view = index(&second, &cache)?;
    assert_eq!(view.info().branch.as_deref(), Some("refs/heads/other"));
    assert_eq!(
        found(&*view, Field::Symbol, "shared_between_trees")?,
        ["a.rs:1"]
    );
    assert_eq!(code(&cache), before, "no file is read twice");
    std::fs::write(second.join("b.rs"), "fn only_here() {}\n").expect("the folder is writable");
    index(&second, &cache)?;
    let first = Indexer::new().open(&repository.path, &cache)?;
    let first = first.expect("the first tree's view is still there");
    assert_eq!(paths(&*first)?, ["README.md", "a.rs"]);
    Ok(())
}

#[test]
fn a_folder_inside_a_repository_is_a_view_of_that_folder() -> Result<()> {
    let repository = Repository::with_commit();
    repository.commit("crates/a/src/lib.rs", "pub fn inner() {}\n");
    repository.commit("other.txt", "outside\n");
    repository.git(&["mv", "other.txt", "crates/a/came.txt"]);
    repository.git(&["commit", "--quiet", "--message", "Move in"]);
    let view = index(
        &repository.path.join("crates/a"),
        &repository.beside("cache"),
    )?;
    assert_eq!(paths(&*view)?, ["came.txt", "src/lib.rs"]);
    assert_eq!(view.info().commits, 4, "ages are those of the repository");
    let hits = newest(&*view)?;
    assert_eq!(hits[0].commit.paths, ["came.txt"]);
    assert!(hits[3].commit.paths.is_empty(), "outside of the folder");
    let came = file(&*view, "came.txt")?;
    assert_eq!(
        (came.last_change, came.changes),
        (Some(0), 2),
        "renames come in"
    );
    assert_eq!(view.info().uncommitted, 0);
    Ok(())
}

#[test]
fn repositories_without_commits_and_folders_without_git_have_files() -> Result<()> {
    let repository = Repository::new();
    repository.write("a.go", "package a\nfunc Unborn() {}\n");
    let view = index(&repository.path, &repository.beside("cache"))?;
    assert_eq!(found(&*view, Field::Symbol, "Unborn")?, ["a.go:2"]);
    assert_eq!(view.info().commit, None);
    assert_eq!(view.info().branch.as_deref(), Some("refs/heads/main"));
    assert_eq!(view.info().uncommitted, 1);
    assert!(newest(&*view)?.is_empty());

    let plain = tempfile::tempdir().expect("the temporary folder is writable");
    let write = |name: &str, text: &str| std::fs::write(plain.path().join(name), text);
    write("b.java", "class Plain {}\n").expect("the folder is writable");
    write(".gitignore", "c.txt\n").expect("the folder is writable");
    write("c.txt", "ignored\n").expect("the folder is writable");
    let view = index(plain.path(), &repository.beside("cache-plain"))?;
    assert_eq!(paths(&*view)?, [".gitignore", "b.java"]);
    assert_eq!(
        (view.info().branch.as_deref(), view.info().uncommitted),
        (None, 0)
    );

    let missing = index(
        &repository.beside("nowhere"),
        &repository.beside("cache-none"),
    );
    assert_eq!(
        missing.expect_err("there is no folder").kind(),
        ErrorKind::NotFound
    );
    Ok(())
}

#[test]
fn submodules_and_nested_repositories_are_counted_and_not_entered() -> Result<()> {
    let library = Repository::with_commit();
    let repository = Repository::with_commit();
    let address = format!("file://{}", library.path.display());
    repository.git(&["submodule", "add", "--quiet", &address, "deps/library"]);
    repository.git(&["commit", "--quiet", "--message", "Add a submodule"]);
    repository.write("copied/.git/HEAD", "ref: refs/heads/main\n");
    repository.write("copied/inside.txt", "foreign\n");
    let view = index(&repository.path, &repository.beside("cache"))?;
    assert_eq!(paths(&*view)?, [".gitmodules", "README.md"]);
    assert_eq!(skipped(view.info(), "submodule"), 1);
    assert_eq!(skipped(view.info(), "nested repository"), 1);
    Ok(())
}

#[test]
fn large_and_binary_files_are_listed_and_not_searched() -> Result<()> {
    let repository = Repository::new();
    let large = repository.path.join("large.txt");
    let handle = std::fs::File::create(&large).expect("the folder is writable");
    handle
        .set_len(100 << 20)
        .expect("the file system has sparse files");
    repository.write("picture.bin", "needle\0needle\n");
    repository.write("text.txt", "needle\n");
    let view = index(&repository.path, &repository.beside("cache"))?;
    assert_eq!(paths(&*view)?, ["large.txt", "picture.bin", "text.txt"]);
    assert_eq!(found(&*view, Field::Code, "needle")?, ["text.txt:1"]);
    assert_eq!(file(&*view, "large.txt")?.size, 100 << 20);
    assert_eq!(file(&*view, "picture.bin")?.lines, 0);
    assert_eq!(skipped(view.info(), "too large"), 1);
    assert_eq!(skipped(view.info(), "binary"), 1);
    Ok(())
}

#[test]
fn minified_and_generated_files_are_recognised() -> Result<()> {
    let repository = Repository::new();
    repository.write(".gitattributes", "schema/* linguist-generated\n");
    repository.write("schema/a.rs", "fn a() {}\n");
    repository.write("app.js", &"var a=1;".repeat(2000));
    repository.write("b.go", "// Code generated by x. DO NOT EDIT.\npackage b\n");
    repository.write("c.go", "package c\n");
    let view = index(&repository.path, &repository.beside("cache"))?;
    for (path, role) in [
        ("schema/a.rs", FileRole::Generated),
        ("app.js", FileRole::Generated),
        ("b.go", FileRole::Generated),
        ("c.go", FileRole::Source),
    ] {
        assert_eq!(file(&*view, path)?.role, role, "{path}");
    }
    Ok(())
}

#[test]
fn windows_line_endings_are_the_commit_s_file() -> Result<()> {
    let repository = Repository::with_commit();
    repository.commit("a.txt", "one\ntwo\n");
    repository.write("a.txt", "one\r\ntwo\r\n");
    repository.write("b.txt", "one\r\n");
    let view = index(&repository.path, &repository.beside("cache"))?;
    assert_eq!(view.info().uncommitted, 1, "only b.txt is new");
    Ok(())
}

#[cfg(unix)]
#[test]
fn links_and_odd_names_are_no_trouble() -> Result<()> {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let repository = Repository::with_commit();
    for name in [
        &b"new\nline.txt"[..],
        b"quote\"'.txt",
        b" space .txt",
        b"\xff\xfe.txt",
        b"-dash.txt",
        b"back\\slash.txt",
        "\u{e9}\u{4e2d}.txt".as_bytes(),
    ] {
        let path = repository.path.join(OsStr::from_bytes(name));
        std::fs::write(path, "peculiar\n").expect("the file system takes any bytes");
    }
    std::os::unix::fs::symlink("README.md", repository.path.join("link.md"))
        .expect("links can be made");
    std::os::unix::fs::symlink("/", repository.path.join("everything")).expect("links can be made");
    repository.git(&["add", "--all"]);
    repository.git(&["commit", "--quiet", "--message", "Odd names"]);
    let cache = repository.beside("cache");
    let view = index(&repository.path, &cache)?;
    let mut expected = vec![
        " space .txt",
        "-dash.txt",
        "README.md",
        "\\xff\\xfe.txt",
        "back\\slash.txt",
        "new\nline.txt",
        "quote\"'.txt",
        "\u{e9}\u{4e2d}.txt",
    ];
    expected.sort_unstable();
    assert_eq!(paths(&*view)?, expected);
    assert_eq!(found(&*view, Field::Code, "peculiar")?.len(), 7);
    assert_eq!(view.info().uncommitted, 0);
    assert_eq!(skipped(view.info(), "symbolic link"), 2);
    assert_eq!(
        newest(&*view)?[0].files.len(),
        7,
        "history names them as the tree does"
    );
    let bare = repository.clone_to("bare.git", &["--bare"]);
    assert_eq!(paths(&*index(&bare.path, &cache)?)?, expected);
    Ok(())
}

#[test]
fn the_same_content_under_two_names_is_found_twice() -> Result<()> {
    let repository = Repository::new();
    repository.write("a/one.rs", "fn twin() {}\n");
    repository.write("b/two.rs", "fn twin() {}\n");
    repository.write("c/three.py", "fn twin() {}\n");
    let view = index(&repository.path, &repository.beside("cache"))?;
    assert_eq!(
        found(&*view, Field::Code, "twin")?,
        ["a/one.rs:1", "b/two.rs:1", "c/three.py:1"]
    );
    assert_eq!(
        found(&*view, Field::Code, "twin two")?[0],
        "b/two.rs:1",
        "each has the words of its own path"
    );
    assert_eq!(
        found(&*view, Field::Symbol, "twin")?,
        ["a/one.rs:1", "b/two.rs:1"]
    );
    Ok(())
}
