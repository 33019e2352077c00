//! Every way to fail: message, hint, exit code, and never a panic.

use crate::sandbox::{Run, Sandbox, TestResult};

#[test]
fn usage_errors_name_the_thing_and_exit_with_3() -> TestResult {
    let sandbox = Sandbox::new()?;
    let cases: [(&[&str], &str); 9] = [
        (
            &["recal", "x"],
            "error: no command `recal`\nhint: did you mean `recall` or `repair`?\n",
        ),
        (
            &["remember"],
            "error: `<TEXT>...` is missing\nhint: usage: memorax remember <TEXT>...\n",
        ),
        (
            &["remember", "x", "--kind", "decison"],
            "error: `decison` cannot be the value of `--kind <KIND>`; known: decision, preference, convention, \
             rejection, failure, command, fact, progress, skill\nhint: did you mean `decision`?\n",
        ),
        (
            &["list", "--limit", "-3"],
            "error: no option or argument `-3` here\n",
        ),
        (
            &["list", "--limit", "many"],
            "error: `many` cannot be the value of `--limit <COUNT>`: it must be a whole number, 0 or more\n\
             hint: memorax list --help\n",
        ),
        (
            &["show"],
            "error: `<ID>` is missing\nhint: usage: memorax show <ID>\n",
        ),
        (
            &["feedback", "12345678", "great"],
            "error: `great` cannot be the value of `<VERDICT>`; known: helpful, harmful\n",
        ),
        (&["branches", "archive"], "error: `<NAME>` is missing\n"),
        (
            &["edit", "12345678", "--status", "invalid"],
            "error: `--reason <TEXT>` is missing\n",
        ),
    ];
    for (arguments, expected) in cases {
        let error = sandbox.run(arguments)?.failed(3)?;
        assert!(error.starts_with(expected), "{arguments:?} gave\n{error}");
    }
    Ok(())
}

#[test]
fn a_kind_nobody_knows_lists_the_known_ones() -> TestResult {
    let sandbox = Sandbox::new()?;
    let error = sandbox.run(&["list", "--kind", "x"])?.failed(3)?;
    for kind in memorax_core::MemoryKind::ALL {
        assert!(error.contains(kind.as_str()), "{kind} is missing: {error}");
    }
    Ok(())
}

#[test]
fn text_without_words_is_no_text() -> TestResult {
    let sandbox = Sandbox::new()?;
    for text in ["", "   ", "\n\t \n"] {
        for command in ["remember", "recall", "check"] {
            let error = sandbox.run(&[command, text])?.failed(3)?;
            assert!(error.contains(" is empty\n"), "{command} {text:?}: {error}");
            let error = sandbox
                .run_with_input(&[command, "-"], text.as_bytes())?
                .failed(3)?;
            assert!(error.contains(" is empty\n"), "{command} {text:?}: {error}");
        }
    }
    Ok(())
}

#[test]
fn huge_text_is_refused_or_cut_but_never_breaks() -> TestResult {
    let sandbox = Sandbox::new()?;
    let megabyte = "mistaken identity ".repeat(60_000);
    let error = sandbox
        .run_with_input(&["remember", "-"], megabyte.as_bytes())?
        .failed(3)?;
    assert!(
        error.contains("20,000") || error.contains("20000"),
        "{error}"
    );
    sandbox
        .run_with_input(&["recall", "-"], megabyte.as_bytes())?
        .done()?;
    sandbox
        .run_with_input(&["check", "-"], megabyte.as_bytes())?
        .done()?;
    let one_word = "x".repeat(1 << 20);
    sandbox
        .run_with_input(&["recall", "-"], one_word.as_bytes())?
        .done()?;
    let long = "Dates are ISO 8601. ".repeat(900);
    sandbox
        .run_with_input(&["remember", "-"], long.as_bytes())?
        .done()?;
    Ok(())
}

#[test]
fn input_that_is_no_text_is_named() -> TestResult {
    let sandbox = Sandbox::new()?;
    let error = sandbox
        .run_with_input(&["remember", "-"], b"caf\xe9")?
        .failed(3)?;
    assert!(
        error.starts_with("error: the text on standard input is not UTF-8\ncaused by: "),
        "{error}"
    );
    Ok(())
}

#[cfg(unix)]
#[test]
fn arguments_that_are_no_text_are_refused_but_paths_are_not() -> TestResult {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let sandbox = Sandbox::new()?;
    let odd = OsStr::from_bytes(b"caf\xe9");
    let error = sandbox.run(&[OsStr::new("remember"), odd])?.failed(3)?;
    assert_eq!(
        error,
        "error: an argument is not UTF-8 text\nhint: put the text into a file: memorax remember - < FILE\n"
    );
    // macOS keeps no such names.
    if std::fs::create_dir(sandbox.root().join(odd)).is_ok() {
        let folder = sandbox.root().join(odd);
        sandbox
            .run(&[OsStr::new("-C"), folder.as_os_str(), OsStr::new("brief")])?
            .done()?;
    }
    Ok(())
}

#[test]
fn what_is_not_there_exits_with_4() -> TestResult {
    let sandbox = Sandbox::new()?;
    sandbox.remember(&["Dates are ISO 8601."])?;
    let cases: [&[&str]; 9] = [
        &["show", "00000000"],
        &["edit", "00000000", "--title", "x"],
        &["forget", "00000000"],
        &["forget", "--undo", "00000000"],
        &["feedback", "00000000", "helpful"],
        &["log", "00000000"],
        &["receipts", "00000000"],
        &["branches", "archive", "no-such-branch"],
        &["restore", "no-such-file"],
    ];
    for arguments in cases {
        let error = sandbox.run(arguments)?.failed(4)?;
        assert!(error.starts_with("error: "), "{arguments:?}: {error}");
        assert!(
            error.contains("00000000") || error.contains("no-such-"),
            "{arguments:?}: {error}"
        );
    }
    let gone = sandbox
        .run(&["-C", "no-such-folder", "status"])?
        .failed(4)?;
    assert!(gone.contains("no-such-folder"), "{gone}");
    Ok(())
}

#[test]
fn hints_name_the_next_step() -> TestResult {
    let sandbox = Sandbox::new()?;
    sandbox.remember(&["Dates are ISO 8601."])?;
    let cases: [(&[&str], i32, &str); 12] = [
        (&["receipts", "BAD"], 3, "memorax receipts"),
        (&["show", "BAD"], 3, "memorax list"),
        (
            &["forget", "--undo", "00000000"],
            4,
            "memorax list --deleted",
        ),
        (
            &["recall", "x", "--budget", "9.5"],
            3,
            "memorax recall --help",
        ),
        (&["list", "--kind", "nope"], 3, "memorax list --help"),
        (&["status", "a.txt"], 3, "usage: memorax status [OPTIONS]"),
        (
            &["list", "--path", "../.."],
            3,
            "name a file or folder of this repository, or start elsewhere with: memorax -C DIR",
        ),
        (
            &["check", " "],
            3,
            "write it behind the command, or `-` to read it from standard input",
        ),
        (
            &["restore", "no-such-file"],
            4,
            "name a file that was written with: memorax export > FILE",
        ),
        (
            &["restore", "."],
            3,
            "name a file that was written with: memorax export > FILE",
        ),
        (&["init", "README.md"], 3, "memorax init ."),
        (&["init", "no-such-folder"], 4, "memorax init FOLDER"),
    ];
    sandbox.write("README.md", "# A project\n")?;
    for (arguments, code, hint) in cases {
        let error = sandbox.run(arguments)?.failed(code)?;
        assert!(
            error.ends_with(&format!("hint: {hint}\n")),
            "{arguments:?}: {error}"
        );
    }
    assert_eq!(
        sandbox.run(&["list", "--limit", "0"])?.out,
        sandbox.run(&["list"])?.out,
        "0 is all, as for the log"
    );
    let empty = sandbox.run(&["list", "--tag", "none"])?;
    assert!(!empty.err.contains("first"), "{}", empty.err);
    Ok(())
}

#[test]
fn errors_are_json_where_the_answer_would_be() -> TestResult {
    let sandbox = Sandbox::new()?;
    for (arguments, kind, exit) in [
        (&["show", "00000000", "--json"][..], "not_found", 4),
        (&["show", "--json"][..], "invalid_input", 3),
        (
            &["forget", "--json", "--purge", "00000000"][..],
            "not_found",
            4,
        ),
    ] {
        let error = sandbox.run(arguments)?.failed(exit)?;
        let error: serde_json::Value = serde_json::from_str(&error)?;
        assert_eq!(error["error"]["kind"], kind, "{arguments:?}");
        assert_eq!(error["error"]["exit"], exit, "{arguments:?}");
        assert!(error["error"]["message"].is_string() && error["error"]["causes"].is_array());
    }
    Ok(())
}

#[test]
fn a_home_that_cannot_be_written_is_told_and_reading_still_answers() -> TestResult {
    let sandbox = Sandbox::new()?;
    let blocked = sandbox.root().join("a-file").join("home");
    std::fs::write(sandbox.root().join("a-file"), "no folder")?;
    let blocked = blocked.to_string_lossy().into_owned();
    let run = sandbox.run(&["remember", "x y z", "--home", &blocked])?;
    assert!(
        [1, 4, 7].contains(&run.code),
        "exit code {}: {}",
        run.code,
        run.err
    );
    assert!(
        run.err.starts_with("error: ") && run.err.contains("a-file"),
        "{}",
        run.err
    );
    Ok(())
}

#[cfg(unix)]
#[test]
fn a_read_only_home_answers_and_says_that_it_cannot_write() -> TestResult {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    let sandbox = Sandbox::new()?;
    let id = sandbox.remember(&["Dates are ISO 8601."])?;
    let folders = folders(&sandbox.home())?;
    for folder in &folders {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o500))?;
    }
    let root = fs::write(sandbox.home().join("probe"), "x").is_ok();
    let shown = sandbox.run(&["show", &id])?;
    let written = sandbox.run(&["remember", "The parser is in Python."])?;
    for folder in &folders {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
    }
    assert!(shown.out.contains("Dates are ISO 8601."), "{}", shown.err);
    // The administrator may write everywhere.
    let expected = if root { 0 } else { 7 };
    assert_eq!(written.code, expected, "{}", written.err);
    Ok(())
}

#[cfg(unix)]
fn folders(
    folder: &std::path::Path,
) -> Result<Vec<std::path::PathBuf>, Box<dyn std::error::Error>> {
    let mut found = vec![folder.to_owned()];
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(folders(&path)?);
        }
    }
    Ok(found)
}

#[test]
fn editing_without_options_needs_a_terminal() -> TestResult {
    let sandbox = Sandbox::new()?;
    let id = sandbox.remember(&["Dates are ISO 8601."])?;
    let error = sandbox.run(&["edit", &id])?.failed(3)?;
    assert!(
        error.contains("there is no terminal") && error.contains("--text TEXT"),
        "{error}"
    );
    let unchanged = sandbox.run(&["edit", &id, "--text", "  "])?.failed(3)?;
    assert!(
        unchanged.starts_with("error: the text is empty\nhint: "),
        "{unchanged}"
    );
    Ok(())
}

#[test]
fn a_damaged_store_is_told_and_repaired() -> TestResult {
    let sandbox = Sandbox::new()?;
    sandbox.remember(&["Dates are ISO 8601."])?;
    let store = find(&sandbox.home(), ".redb")?.ok_or("no store")?;
    let mut bytes = std::fs::read(&store)?;
    for byte in bytes.iter_mut().take(64) {
        *byte = 0;
    }
    std::fs::write(&store, bytes)?;
    let run = sandbox.run(&["list"])?;
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    assert!(run.err.ends_with("hint: memorax repair\n"), "{}", run.err);
    let doctor = sandbox.run(&["doctor"])?;
    assert_eq!(doctor.code, 6, "{}{}", doctor.out, doctor.err);
    assert!(
        doctor.out.contains("hint: memorax repair"),
        "{}",
        doctor.out
    );

    let repaired = sandbox.run(&["repair"])?.done()?;
    assert!(
        repaired.contains("The damaged file is kept as "),
        "{repaired}"
    );
    assert!(
        sandbox
            .run(&["list"])?
            .done()?
            .contains("Dates are ISO 8601.")
    );
    Ok(())
}

fn find(
    folder: &std::path::Path,
    ending: &str,
) -> Result<Option<std::path::PathBuf>, Box<dyn std::error::Error>> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            if let Some(found) = find(&path, ending)? {
                return Ok(Some(found));
            }
        } else if path.to_string_lossy().ends_with(ending)
            && path.to_string_lossy().contains("repos")
        {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

#[test]
fn a_backup_never_overwrites() -> TestResult {
    let sandbox = Sandbox::new()?;
    sandbox.remember(&["Dates are ISO 8601."])?;
    let file = sandbox.root().join("copy");
    let file = file.to_string_lossy().into_owned();
    assert!(
        sandbox
            .run(&["backup", &file])?
            .done()?
            .starts_with("Copied to ")
    );
    sandbox.run(&["backup", &file])?.failed(3)?;
    let run = Run::of(sandbox.command(&["backup", "/no/such/folder/copy"]))?;
    assert!(
        run.code == 1 || run.code == 4 || run.code == 7,
        "{}: {}",
        run.code,
        run.err
    );
    Ok(())
}
