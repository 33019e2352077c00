//! What people and agents are told, and what is refused, when they change a memory.

use crate::sandbox::{Run, Sandbox, TestResult};

/// A token of a shape that every rule set knows.
fn token() -> String {
    format!("ghp_{}", "q7Rk2Lm9Xs4Vb6Nc1Zd8Fg3Hj5Kp0WtYuEoA")
}

#[test]
fn edit_and_feedback_say_that_a_secret_was_taken_out() -> TestResult {
    let sandbox = Sandbox::new()?;
    let id = sandbox.remember(&["The release job logs in by itself."])?;
    let text = format!("The release job logs in with {}.", token());
    let warning = "warning: 1 secret was taken out of the text before it was written: github";
    for arguments in [
        &["edit", &id, "--text", &text][..],
        &["feedback", &id, "helpful", "--note", &text],
    ] {
        let run = sandbox.run(arguments)?;
        assert!(run.err.starts_with(warning), "{arguments:?}: {}", run.err);
        run.done()?;
    }
    let arguments = ["edit", &id, "--title", &text, "--json", "--quiet"];
    let answer = sandbox.run(&arguments)?.json()?;
    let redacted = answer["redacted"].as_object().ok_or("no secrets")?;
    assert_eq!(redacted.len(), 1, "{answer}");
    assert!(!sandbox.home_holds(&token())?);
    Ok(())
}

#[test]
fn a_memory_is_not_superseded_by_itself() -> TestResult {
    let sandbox = Sandbox::new()?;
    let id = sandbox.remember(&["Dates are ISO 8601."])?;
    let again = sandbox.remember(&["dates are  ISO 8601"])?;
    for by in [&id, &again] {
        let arguments = ["edit", &id, "--status", "superseded", "--by", by];
        let error = sandbox.run(&arguments)?.failed(3)?;
        assert_eq!(
            error,
            format!(
                "error: memory `{id}` cannot be superseded by itself\n\
                 hint: name the memory that takes its place: memorax list\n"
            )
        );
    }
    let shown = sandbox.run(&["show", &id, "--json"])?.json()?;
    assert_eq!(shown["memory"]["status"]["state"], "active", "{shown}");
    Ok(())
}

#[test]
fn verify_counts_memories_and_purged_words_apart() -> TestResult {
    let sandbox = Sandbox::new()?;
    sandbox.remember(&["Dates are ISO 8601."])?;
    let forgotten = sandbox.remember(&["The clock runs in UTC."])?;
    sandbox.run(&["forget", &forgotten])?.done()?;
    let purged = sandbox.remember(&["Backups run at noon."])?;
    let edit = ["edit", &purged, "--text", "Backups run at night."];
    sandbox.run(&edit)?.done()?;
    let mut job = sandbox.command(&["forget", "--purge", "--yes", &purged]);
    job.env("CI", "true");
    Run::of(job)?.done()?;
    let page = sandbox.run(&["verify"])?.done()?;
    assert!(
        page.ends_with(
            ", 1 memory and 1 forgotten.\nThe words of 1 memory were purged, in 2 operations.\n"
        ),
        "{page}"
    );
    Ok(())
}
