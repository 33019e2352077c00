//! The life of memories: written, listed, shown, changed, rated, forgotten, brought back, purged.

use crate::sandbox::{Sandbox, TestResult, assert_page};

#[test]
fn a_memory_lives_and_its_log_tells_how() -> TestResult {
    let sandbox = Sandbox::new()?;
    let written = sandbox.run(&[
        "remember",
        "We chose redb: one file, crash safe.",
        "Cited: src/parser.py",
        "--kind",
        "decision",
        "--tag",
        "store",
    ])?;
    assert!(
        written.out.starts_with("Remembered decision "),
        "{}",
        written.out
    );
    let list = sandbox.run(&["list"])?.done()?;
    let id = list
        .split_whitespace()
        .next()
        .ok_or("nothing is listed")?
        .to_owned();
    assert_eq!(id.len(), 8);

    sandbox
        .run(&[
            "edit",
            &id,
            "--title",
            "redb is the store",
            "--add-tag",
            "redb",
            "--remove-tag",
            "store",
        ])?
        .done()?;
    sandbox
        .run(&["feedback", &id, "helpful", "--note", "saved a day"])?
        .done()?;
    assert_page!(sandbox, sandbox.run(&["show", &id])?.done()?);

    sandbox.run(&["forget", &id])?.done()?;
    assert_eq!(sandbox.run(&["list"])?.out, "");
    assert!(
        sandbox
            .run(&["list", "--deleted"])?
            .out
            .contains("redb is the store")
    );
    sandbox.run(&["forget", "--undo", &id])?.done()?;
    assert!(sandbox.run(&["list"])?.out.contains("redb is the store"));

    assert_page!(sandbox, sandbox.run(&["log", &id])?.done()?);
    let verified = sandbox.run(&["verify"])?.done()?;
    assert!(verified.starts_with("Sound: "), "{verified}");
    Ok(())
}

#[test]
fn lists_line_up_and_say_what_is_out_of_the_ordinary() -> TestResult {
    let sandbox = Sandbox::new()?;
    sandbox.remember(&["Dates are ISO 8601.", "--kind", "convention"])?;
    sandbox.remember(&[
        "Do not parse with regular expressions.",
        "--kind",
        "rejection",
        "--path",
        "src",
    ])?;
    sandbox.remember(&[
        "I like short commits.",
        "--kind",
        "preference",
        "--everywhere",
    ])?;
    let old = sandbox.remember(&["The parser is in Perl."])?;
    sandbox
        .run(&[
            "edit",
            &old,
            "--status",
            "invalid",
            "--reason",
            "it is in Python now",
        ])?
        .done()?;

    let list = sandbox.run(&["list"])?.done()?;
    assert_page!(sandbox, list);
    let narrowed = sandbox
        .run(&[
            "list",
            "--kind",
            "rejection",
            "--path",
            "src/parser.py",
            "--text",
            "REGULAR",
        ])?
        .out;
    assert_eq!(narrowed.lines().count(), 1, "{narrowed}");
    let invalid = sandbox.run(&["list", "--status", "invalid"])?.out;
    assert!(
        invalid.contains("The parser is in Perl. [invalid]"),
        "{invalid}"
    );
    assert_eq!(
        sandbox.run(&["list", "--limit", "2"])?.out.lines().count(),
        2
    );
    Ok(())
}

#[test]
fn an_id_is_taken_by_either_end() -> TestResult {
    let sandbox = Sandbox::new()?;
    let id = sandbox.remember(&["Dates are ISO 8601."])?;
    let digits = id.replace('-', "");
    for part in [
        id.as_str(),
        &digits,
        &digits[..12],
        &digits[digits.len() - 6..],
        &id.to_uppercase(),
    ] {
        let shown = sandbox.run(&["show", part, "--json"])?.json()?;
        assert_eq!(shown["memory"]["id"], id.as_str(), "by `{part}`");
    }
    sandbox
        .run(&["show", &digits[digits.len() - 5..]])?
        .failed(3)?;
    sandbox.run(&["show", "not-an-id"])?.failed(3)?;
    sandbox.run(&["show", "00000000"])?.failed(4)?;
    Ok(())
}

#[test]
fn the_same_text_again_joins_the_first() -> TestResult {
    let sandbox = Sandbox::new()?;
    let first = sandbox.remember(&["Dates are ISO 8601.", "--kind", "convention"])?;
    let again = sandbox
        .run(&["remember", "Dates are ISO 8601.", "--kind", "convention"])?
        .done()?;
    assert_eq!(
        again,
        format!(
            "Known already as {}; counted once more.\n",
            &first[first.len() - 8..]
        )
    );
    assert_eq!(sandbox.run(&["list"])?.out.lines().count(), 1);
    Ok(())
}

#[test]
fn a_rejected_proposal_is_denied_with_its_reason() -> TestResult {
    let sandbox = Sandbox::new()?;
    sandbox.run(&["init"])?.done()?;
    sandbox.remember(&[
        "Do not move the date store to SQLite: its writers lock each other out.",
        "--kind",
        "rejection",
    ])?;
    let denied = sandbox.run(&["check", "Let us move the date store to SQLite"])?;
    assert_eq!(denied.code, 6, "{}{}", denied.out, denied.err);
    assert!(
        denied.out.contains("its writers lock each other out"),
        "{}",
        denied.out
    );
    let fine = sandbox.run(&["check", "Print weekdays in the calendar header"])?;
    assert_eq!(
        (fine.code, fine.out.as_str()),
        (0, "Nothing like this was turned down here.\n")
    );
    Ok(())
}

#[test]
fn recall_answers_and_leaves_a_receipt() -> TestResult {
    let sandbox = Sandbox::new()?;
    sandbox.run(&["init"])?.done()?;
    sandbox.remember(&[
        "We chose redb as storage engine: one file, crash safe.",
        "--kind",
        "decision",
    ])?;
    let answer = sandbox.run(&["recall", "which", "storage", "engine", "do", "we", "use"])?;
    assert!(answer.out.contains("redb"), "{}{}", answer.out, answer.err);
    assert_eq!(
        sandbox
            .run(&["recall", "which storage engine do we use"])?
            .out,
        answer.out,
        "the same bytes"
    );
    let explained = sandbox
        .run(&["recall", "which storage engine do we use", "--explain"])?
        .done()?;
    assert!(explained.contains("words"), "{explained}");

    let receipts = sandbox.run(&["receipts"])?.done()?;
    let first = receipts.lines().next().ok_or("no receipt")?;
    assert!(
        first.contains("recall") && first.contains("which storage engine"),
        "{first}"
    );
    let id = first.split_whitespace().next().ok_or("no id")?;
    let receipt = sandbox.run(&["receipts", id])?.done()?;
    assert!(
        receipt.contains("which storage engine do we use"),
        "{receipt}"
    );

    let nothing = sandbox.run(&["recall", "zxqv wvut"])?;
    assert_eq!((nothing.code, nothing.out.as_str()), (0, ""));
    Ok(())
}

#[test]
fn a_purge_needs_a_person_or_a_ci_job_and_leaves_no_word() -> TestResult {
    let sandbox = Sandbox::new()?;
    let id = sandbox.remember(&["The password hint was quokkaquokka."])?;
    let refused = sandbox.run(&["forget", &id, "--purge"])?.failed(5)?;
    assert_eq!(
        refused,
        "error: dropping words for good needs a person at a terminal\n\
         hint: run it on a terminal; in a CI job (CI=true) add --yes; memorax forget ID can be undone\n"
    );
    sandbox
        .run(&["forget", &id, "--purge", "--yes"])?
        .failed(5)?;
    let mut agent = sandbox.command(&["forget", &id, "--purge", "--yes"]);
    agent.env("CI", "true").env("CLAUDECODE", "1");
    assert_eq!(
        crate::sandbox::Run::of(agent)?.code,
        5,
        "an agent in a CI job is no person"
    );
    assert!(sandbox.home_holds("quokkaquokka")?);

    let mut job = sandbox.command(&["forget", &id, "--purge", "--yes"]);
    job.env("CI", "true");
    let purged = crate::sandbox::Run::of(job)?.done()?;
    assert_eq!(
        purged,
        format!("Purged {}: its words are gone.\n", &id[id.len() - 8..])
    );
    assert!(
        !sandbox.home_holds("quokkaquokka")?,
        "a purged word is still in a file"
    );
    assert!(
        sandbox
            .run(&["verify"])?
            .done()?
            .contains("The words of 1 memory were purged")
    );
    Ok(())
}

#[test]
fn a_secret_is_taken_out_and_the_person_is_told() -> TestResult {
    let sandbox = Sandbox::new()?;
    let secret = ["ghp_", "0123456789abcdefghijABCDEFGHIJ012345"].concat();
    let text = format!("CI logs in with {secret}.");
    let run = sandbox.run(&["remember", &text, "--kind", "fact"])?;
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(
        run.err
            .starts_with("warning: 1 secret was taken out of the text"),
        "{}",
        run.err
    );
    assert!(!sandbox.home_holds(&secret)?);
    Ok(())
}
