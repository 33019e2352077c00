//! Export and restore.

use crate::sandbox::{Sandbox, TestResult};

#[test]
fn an_export_restores_to_the_same_export() -> TestResult {
    let sandbox = Sandbox::new()?;
    sandbox.remember(&[
        "Dates are ISO 8601.",
        "--kind",
        "convention",
        "--tag",
        "dates",
        "--path",
        "src",
    ])?;
    sandbox.remember(&[
        "Do not parse with regular expressions: \"07\" was a month.",
        "--kind",
        "rejection",
    ])?;
    sandbox.remember(&[
        "I like short commits.",
        "--kind",
        "preference",
        "--everywhere",
    ])?;
    let export = sandbox.run(&["export"])?.done()?;
    assert_eq!(export.lines().count(), 3);

    let other = sandbox.root().join("other").to_string_lossy().into_owned();
    let told = sandbox
        .run_with_input(&["restore", "-", "--home", &other], export.as_bytes())?
        .done()?;
    assert_eq!(told, "3 memories new, 0 changed, 0 as they were.\n");
    let again = sandbox
        .run_with_input(&["restore", "-", "--home", &other], export.as_bytes())?
        .done()?;
    assert_eq!(again, "0 memories new, 0 changed, 3 as they were.\n");

    let texts = |export: &str| -> Result<Vec<[serde_json::Value; 5]>, serde_json::Error> {
        export
            .lines()
            .map(|line| {
                let mut memory: serde_json::Value = serde_json::from_str(line)?;
                Ok(["id", "kind", "title", "text", "tags"].map(|key| memory[key].take()))
            })
            .collect()
    };
    let back = sandbox.run(&["export", "--home", &other])?.done()?;
    assert_eq!(texts(&back)?, texts(&export)?);
    Ok(())
}

#[test]
fn lines_that_are_no_memories_are_counted_with_their_numbers() -> TestResult {
    let sandbox = Sandbox::new()?;
    let lines = "{\"text\": \"Weeks start on Monday.\"}\n\nnot json\n{\"text\": \"\"}\n{\"kind\": \"fact\"}\n";
    let run = sandbox.run_with_input(&["restore", "-"], lines.as_bytes())?;
    assert_eq!(run.code, 1);
    assert_eq!(
        run.out,
        "1 memory new, 0 changed, 0 as they were; 3 lines were not taken.\n"
    );
    let warned: Vec<&str> = run
        .err
        .lines()
        .filter(|line| line.starts_with("warning: line "))
        .collect();
    assert_eq!(warned.len(), 3, "{}", run.err);
    assert!(
        warned[0].starts_with("warning: line 3 was not taken: "),
        "{}",
        run.err
    );
    let answer = sandbox.run_with_input(&["restore", "-", "--json"], b"not json\n")?;
    let answer: serde_json::Value = serde_json::from_str(&answer.out)?;
    assert_eq!(answer["refused"][0]["line"], 1);
    Ok(())
}

#[test]
fn markdown_is_for_people() -> TestResult {
    let sandbox = Sandbox::new()?;
    sandbox.remember(&["Weeks start on Monday.", "--kind", "decision"])?;
    let page = sandbox.run(&["export", "--markdown"])?.done()?;
    assert!(
        page.starts_with("---\n") && page.contains("\nkind: decision\n"),
        "{page}"
    );
    assert!(page.contains("\nWeeks start on Monday.\n"), "{page}");
    Ok(())
}
