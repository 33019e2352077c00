//! Help pages and completions.

use crate::sandbox::{Sandbox, TestResult, assert_page};

const COMMANDS: [&str; 23] = [
    "init",
    "brief",
    "status",
    "recall",
    "check",
    "remember",
    "edit",
    "forget",
    "feedback",
    "history",
    "list",
    "show",
    "log",
    "branches",
    "receipts",
    "verify",
    "repair",
    "backup",
    "gc",
    "export",
    "restore",
    "doctor",
    "completions",
];

#[test]
fn the_page_of_the_program_is_what_the_bare_name_prints() -> TestResult {
    let sandbox = Sandbox::empty()?;
    let page = sandbox.run(&["--help"])?.done()?;
    assert_eq!(sandbox.run::<&str>(&[])?.done()?, page);
    assert_eq!(sandbox.run(&["help"])?.done()?, page);
    assert_page!(sandbox, page.clone());
    Ok(())
}

#[test]
fn every_page_fits_a_screen() -> TestResult {
    let sandbox = Sandbox::empty()?;
    for command in COMMANDS {
        let page = sandbox.run(&[command, "--help"])?.done()?;
        assert_eq!(sandbox.run(&["help", command])?.done()?, page);
        assert!(
            page.lines().count() <= 30,
            "{command}: {} lines",
            page.lines().count()
        );
        let widest = page
            .lines()
            .map(|line| line.chars().count())
            .max()
            .unwrap_or(0);
        assert!(widest <= 80, "{command}: {widest} columns");
        assert!(
            page.contains(&format!("Usage: memorax {command}")),
            "{page}"
        );
    }
    Ok(())
}

#[test]
fn the_version_is_that_of_the_package() -> TestResult {
    let sandbox = Sandbox::empty()?;
    let version = sandbox.run(&["--version"])?.done()?;
    assert_eq!(
        version,
        concat!("memorax ", env!("CARGO_PKG_VERSION"), "\n")
    );
    Ok(())
}

#[test]
fn every_shell_gets_completions_with_commands_and_kinds() -> TestResult {
    let sandbox = Sandbox::empty()?;
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = sandbox.run(&["completions", shell])?.done()?;
        // These two complete names of options, not their values.
        let value = match shell {
            "elvish" | "powershell" => "--kind",
            _ => "rejection",
        };
        for word in ["memorax", "remember", "receipts", value] {
            assert!(script.contains(word), "{shell} does not know `{word}`");
        }
    }
    let error = sandbox.run(&["completions", "tcsh"])?.failed(3)?;
    assert_eq!(
        error,
        "error: `tcsh` cannot be the value of `<SHELL>`; known: bash, elvish, fish, powershell, zsh\n\
         hint: did you mean `zsh`?\n"
    );
    Ok(())
}
