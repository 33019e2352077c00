//! What a person at a terminal sees and may do, through a pseudo terminal.

use std::error::Error;
use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::process::Command;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::sandbox::{Sandbox, TestResult};

/// Runs a command on a pseudo terminal where somebody types; returns exit code and screen.
fn on_terminal(mut command: Command, typed: &str) -> Result<(i32, String), Box<dyn Error>> {
    let controller: OwnedFd = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
    grantpt(&controller)?;
    unlockpt(&controller)?;
    let name = ptsname(&controller, Vec::new())?;
    let terminal = OpenOptions::new()
        .read(true)
        .write(true)
        .open(std::ffi::OsStr::from_bytes(name.as_bytes()))?;
    let mut child = command
        .stdin(terminal.try_clone()?)
        .stdout(terminal.try_clone()?)
        .stderr(terminal.try_clone()?)
        .spawn()?;
    // The screen ends when nobody holds the terminal any more; the command holds copies of it.
    drop((command, terminal));
    let mut keyboard = File::from(controller.try_clone()?);
    keyboard.write_all(typed.as_bytes())?;
    let mut screen = Vec::new();
    let mut buffer = [0; 4096];
    let mut controller = File::from(controller);
    while let Ok(count) = controller.read(&mut buffer) {
        if count == 0 {
            break;
        }
        screen.extend_from_slice(&buffer[..count]);
    }
    let code = child.wait()?.code().ok_or("the program was killed")?;
    Ok((code, String::from_utf8_lossy(&screen).replace("\r\n", "\n")))
}

#[test]
fn a_person_is_believed_and_an_agent_is_not() -> TestResult {
    let sandbox = Sandbox::new()?;
    let (code, screen) = on_terminal(sandbox.command(&["remember", "Weeks start on Monday."]), "")?;
    assert_eq!(code, 0, "{screen}");
    let mut agent = sandbox.command(&["remember", "Months start on the first."]);
    agent.env("CLAUDECODE", "1");
    assert_eq!(on_terminal(agent, "")?.0, 0);
    let list = sandbox.run(&["list", "--json"])?.json()?;
    assert_eq!(
        (&list[0]["trust"], &list[0]["provenance"]["actor"]),
        (&"agent".into(), &"claude-code".into())
    );
    assert_eq!(
        (&list[1]["trust"], &list[1]["provenance"]["actor"]),
        (&"user".into(), &"ada".into())
    );
    Ok(())
}

#[test]
fn a_purge_asks_and_takes_only_yes() -> TestResult {
    let sandbox = Sandbox::new()?;
    let id = sandbox.remember(&["The password hint was quokkaquokka."])?;
    for answer in ["no\n", "\n", "y\n"] {
        let (code, screen) = on_terminal(sandbox.command(&["forget", &id, "--purge"]), answer)?;
        assert_eq!(code, 5, "{screen}");
        assert!(
            screen.contains("Drop the words of \"The password hint was quokkaquokka.\" for good"),
            "{screen}"
        );
    }
    assert!(sandbox.home_holds("quokkaquokka")?);
    let mut agent = sandbox.command(&["forget", &id, "--purge"]);
    agent.env("CLAUDECODE", "1");
    assert_eq!(
        on_terminal(agent, "yes\n")?.0,
        5,
        "an agent on a terminal is no person"
    );
    let (code, screen) = on_terminal(sandbox.command(&["forget", &id, "--purge"]), "yes\n")?;
    assert_eq!(code, 0, "{screen}");
    assert!(!sandbox.home_holds("quokkaquokka")?);
    Ok(())
}

#[test]
fn a_memory_is_edited_in_the_editor() -> TestResult {
    let sandbox = Sandbox::new()?;
    let id = sandbox.remember(&["Weeks start on Sunday.", "--tag", "calendar"])?;
    let edit = |editor: &str| {
        let mut command = sandbox.command(&["edit", &id]);
        command.env("VISUAL", editor);
        on_terminal(command, "")
    };
    let (code, screen) = edit("true")?;
    assert_eq!(code, 0, "{screen}");
    assert!(screen.contains("Nothing was changed."), "{screen}");

    let (code, screen) = edit(
        "sed -i.old -e s/Sunday/Monday/ -e 's/^tags: .*/tags: weeks/' -e 's/^kind: .*/kind: decision/'",
    )?;
    assert_eq!(code, 0, "{screen}");
    let shown = sandbox.run(&["show", &id, "--json"])?.json()?;
    let memory = &shown["memory"];
    assert_eq!(memory["text"], "Weeks start on Monday.");
    assert_eq!(memory["kind"], "decision");
    assert_eq!(memory["tags"], serde_json::json!(["weeks"]));

    let (code, screen) = edit("false")?;
    assert_eq!(code, 1, "{screen}");
    assert!(screen.contains("nothing was changed"), "{screen}");
    let (code, screen) = edit("sed -i.old -e 's/^kind: .*/kind: opinion/'")?;
    assert_eq!(code, 3, "{screen}");
    assert!(
        screen.contains("no kind `opinion`; known: decision"),
        "{screen}"
    );
    Ok(())
}

#[test]
fn color_and_asides_are_for_terminals() -> TestResult {
    let sandbox = Sandbox::new()?;
    let (code, screen) = on_terminal(sandbox.command(&["init"]), "")?;
    assert_eq!(code, 0, "{screen}");
    assert!(screen.contains("What next:"), "{screen}");
    assert!(screen.contains("reading files"), "no progress: {screen}");
    sandbox.remember(&["We chose redb as storage engine.", "--kind", "decision"])?;
    let (_, screen) = on_terminal(sandbox.command(&["list"]), "")?;
    assert!(screen.contains('\u{1b}'), "{screen}");
    let mut plain = sandbox.command(&["list"]);
    plain.env("NO_COLOR", "1");
    assert!(!on_terminal(plain, "")?.1.contains('\u{1b}'));
    Ok(())
}
