//! Where the program is started: sub-folders, empty repositories, folders without git, other folders by option.

use std::fs;

use crate::sandbox::{Run, Sandbox, TestResult, assert_page};

#[test]
fn init_is_the_main_job() -> TestResult {
    let sandbox = Sandbox::new()?;
    let run = sandbox.run(&["init"])?;
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(
        run.out.contains("# Demo") && run.out.contains("src/parser.py"),
        "{}",
        run.out
    );
    assert_eq!(
        sandbox.run(&["brief"])?.out,
        run.out,
        "init prints the brief"
    );
    assert_eq!(
        sandbox.run(&["init"])?.out,
        run.out,
        "the same bytes on every run"
    );
    assert_page!(sandbox, run.err.clone());
    assert_page!(sandbox, sandbox.run(&["status"])?.done()?);
    Ok(())
}

#[test]
fn a_repository_without_commits_works() -> TestResult {
    let sandbox = Sandbox::empty()?;
    let not_indexed = "The repository is not indexed yet: memorax init";
    assert!(sandbox.run(&["brief"])?.err.contains(not_indexed));
    sandbox.run(&["init"])?.done()?;
    sandbox.remember(&["Dates are ISO 8601.", "--kind", "convention"])?;
    assert_eq!(
        sandbox.run(&["brief"])?.err,
        "",
        "there is no history to be indexed"
    );
    assert!(sandbox.run(&["list"])?.out.contains("Dates are ISO 8601."));
    sandbox.write("README.md", "# Demo\n")?;
    sandbox.commit("Begin")?;
    assert!(
        sandbox.run(&["list"])?.out.contains("Dates are ISO 8601."),
        "the first commit hides nothing"
    );
    Ok(())
}

#[test]
fn a_folder_without_git_works() -> TestResult {
    let sandbox = Sandbox::empty()?;
    let folder = sandbox.root().join("plain");
    fs::create_dir(&folder)?;
    fs::write(folder.join("notes.txt"), "Dates.\n")?;
    let folder = folder.to_string_lossy().into_owned();
    sandbox.run(&["init", &folder])?.done()?;
    sandbox
        .run(&["-C", &folder, "remember", "Dates are ISO 8601."])?
        .done()?;
    assert_eq!(
        sandbox.run(&["-C", &folder, "list"])?.out.lines().count(),
        1
    );
    assert_eq!(
        sandbox.run(&["list"])?.out,
        "",
        "the repository beside it knows nothing of that"
    );
    Ok(())
}

#[test]
fn paths_start_where_the_person_stands() -> TestResult {
    let sandbox = Sandbox::new()?;
    let source = sandbox.repository().join("src");
    let from_source = |arguments: &[&str]| {
        let mut command = sandbox.command(arguments);
        command.current_dir(&source);
        Run::of(command)
    };
    let cases = [
        ("parser.py", "src/parser.py"),
        ("../README.md", "README.md"),
        ("src/clock.py", "src/clock.py"),
    ];
    for (typed, kept) in cases {
        let text = format!("About the file {kept}, typed as {typed}.");
        let written = from_source(&["remember", &text, "--path", typed, "--json"])?.json()?;
        let id = written["id"].as_str().ok_or("no id")?;
        let shown = sandbox.run(&["show", id, "--json"])?.json()?;
        assert_eq!(shown["memory"]["scope"]["path"], kept, "typed as `{typed}`");
    }
    assert_eq!(
        from_source(&["list", "--path", "parser.py"])?
            .out
            .lines()
            .count(),
        1
    );
    let outside = from_source(&["remember", "x y", "--path", "../../elsewhere"])?.failed(3)?;
    assert!(
        outside.starts_with("error: path `../../elsewhere` is not below "),
        "{outside}"
    );
    Ok(())
}

#[test]
fn branches_are_listed_and_corrected() -> TestResult {
    let sandbox = Sandbox::new()?;
    sandbox.run(&["init"])?.done()?;
    sandbox.remember(&["Dates are ISO 8601.", "--kind", "convention"])?;
    sandbox.git(&["checkout", "--quiet", "-b", "feature/weeks"])?;
    sandbox.write("src/weeks.py", "def week(day):\n    return day // 7\n")?;
    sandbox.commit("Count weeks")?;
    sandbox.remember(&["Weeks start on Monday.", "--kind", "decision"])?;
    assert_eq!(
        sandbox.run(&["list"])?.out.lines().count(),
        2,
        "a branch sees what it was cut from"
    );
    sandbox.git(&["checkout", "--quiet", "main"])?;
    assert_eq!(
        sandbox.run(&["list"])?.out.lines().count(),
        1,
        "the default branch does not see the other"
    );
    let all = sandbox.run(&["list", "--all-lines"])?.out;
    assert!(
        all.contains("Weeks start on Monday. [on feature/weeks]"),
        "{all}"
    );
    assert_page!(sandbox, sandbox.run(&["branches"])?.done()?);

    let landed = sandbox
        .run(&["branches", "landed", "feature/weeks"])?
        .done()?;
    assert_eq!(landed, "Branch feature/weeks is landed now.\n");
    assert_eq!(
        sandbox.run(&["list"])?.out.lines().count(),
        2,
        "what landed is common"
    );
    sandbox
        .run(&["branches", "archive", "feature/weeks"])?
        .done()?;
    assert_eq!(sandbox.run(&["list"])?.out.lines().count(), 1);
    sandbox
        .run(&["branches", "restore", "feature/weeks"])?
        .done()?;
    Ok(())
}

#[test]
fn home_and_folder_come_from_options_too() -> TestResult {
    let sandbox = Sandbox::new()?;
    let mut command = sandbox.command(&[
        "-C",
        "demo",
        "--home",
        "../other",
        "remember",
        "Dates are ISO 8601.",
    ]);
    command
        .current_dir(sandbox.root())
        .env_remove("MEMORAX_HOME");
    Run::of(command)?.done()?;
    assert!(
        sandbox.root().join("other").is_dir(),
        "--home starts where -C leads"
    );
    assert!(!sandbox.home().exists());
    Ok(())
}
