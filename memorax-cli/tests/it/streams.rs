//! Pipes, colors, quiet, and text that would act on a terminal.

use std::process::Stdio;

use crate::sandbox::{Run, Sandbox, TestResult};

#[test]
fn a_closed_pipe_ends_the_program_quietly() -> TestResult {
    let sandbox = Sandbox::new()?;
    sandbox.run(&["init"])?.done()?;
    sandbox.remember(&["Weeks start on Monday."])?;
    let commands: [&[&str]; 9] = [
        &["--help"],
        &["list"],
        &["list", "--json"],
        &["log"],
        &["brief"],
        &["status"],
        &["export"],
        &["init"],
        &["completions", "bash"],
    ];
    for arguments in commands {
        let (reader, writer) = std::io::pipe()?;
        drop(reader);
        let output = sandbox
            .command(arguments)
            .stdout(writer)
            .stderr(Stdio::piped())
            .spawn()?
            .wait_with_output()?;
        let errors = String::from_utf8(output.stderr)?;
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
        assert!(
            !errors.contains("error") && !errors.contains("panicked"),
            "{arguments:?}: {errors}"
        );
    }
    Ok(())
}

#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_cannot_be_written_is_an_error() -> TestResult {
    let sandbox = Sandbox::new()?;
    sandbox.remember(&["Weeks start on Monday."])?;
    for arguments in [&["list"][..], &["export"], &["status"], &["--help"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full")?;
        let output = sandbox.command(arguments).stdout(full).output()?;
        let errors = String::from_utf8(output.stderr)?;
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(
            errors.starts_with("error: cannot write the answer\ncaused by: "),
            "{arguments:?}: {errors}"
        );
    }
    Ok(())
}

#[test]
fn color_is_a_choice() -> TestResult {
    let sandbox = Sandbox::new()?;
    sandbox.remember(&["Weeks start on Monday."])?;
    let plain = sandbox.run(&["list"])?.out;
    assert!(!plain.contains('\u{1b}'), "no color in a pipe");
    let colored = sandbox.run(&["list", "--color", "always"])?.out;
    assert!(colored.contains('\u{1b}'));
    let mut bare = String::new();
    let mut parts = colored.split('\u{1b}');
    bare.push_str(parts.next().unwrap_or_default());
    for part in parts {
        bare.push_str(part.split_once('m').map_or("", |(_, text)| text));
    }
    assert_eq!(bare, plain, "color changes no letter");
    for arguments in [
        &["--help", "--color=always"][..],
        &["--color", "always", "nonsense"],
    ] {
        let run = sandbox.run(arguments)?;
        assert!(
            run.out.contains('\u{1b}') || run.err.contains('\u{1b}'),
            "{arguments:?}"
        );
    }
    Ok(())
}

#[test]
fn quiet_says_nothing_but_answers_and_errors() -> TestResult {
    let sandbox = Sandbox::new()?;
    for arguments in [
        &["init", "--quiet"][..],
        &["recall", "zxqv", "-q"],
        &["list", "-q"],
        &["export", "-q"],
    ] {
        let run = sandbox.run(arguments)?;
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{arguments:?}");
    }
    assert!(
        sandbox
            .run(&["show", "00000000", "-q"])?
            .failed(4)?
            .starts_with("error: ")
    );
    Ok(())
}

#[test]
fn text_cannot_act_on_the_terminal() -> TestResult {
    let sandbox = Sandbox::new()?;
    let id = sandbox.run_with_input(
        &["remember", "-", "--json"],
        "Clear \u{1b}[2J the\u{7} screen\u{202e}.".as_bytes(),
    )?;
    let id = id.json()?["id"].as_str().ok_or("no id")?.to_owned();
    for arguments in [&["list"][..], &["show", &id], &["log"], &["brief"]] {
        let out = sandbox.run(arguments)?.done()?;
        assert!(
            !out.contains(['\u{1b}', '\u{7}', '\u{202e}']),
            "{arguments:?}: {out:?}"
        );
    }
    Ok(())
}

#[test]
fn text_comes_from_arguments_or_from_the_pipe() -> TestResult {
    let sandbox = Sandbox::new()?;
    sandbox
        .run(&["remember", "Weeks", "start", "on", "Monday."])?
        .done()?;
    sandbox
        .run_with_input(
            &["remember", "-"],
            "Months start on the first.\nAlways.\n".as_bytes(),
        )?
        .done()?;
    sandbox
        .run(&["remember", "--", "--force is never used here"])?
        .done()?;
    let list = sandbox.run(&["list"])?.done()?;
    for title in [
        "Weeks start on Monday.",
        "Months start on the first.",
        "force is never used here",
    ] {
        assert!(list.contains(title), "{title} is missing: {list}");
    }
    let dash = sandbox.run(&["remember", "--force is never used"])?;
    assert!(dash.err.contains("write `--`"), "{}", dash.err);
    assert_eq!(
        Run::of(sandbox.command(&["recall", "-"]))?.code,
        3,
        "an empty pipe is no question"
    );
    Ok(())
}
