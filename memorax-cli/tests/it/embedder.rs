//! The embedder that the environment names.

use crate::sandbox::{Run, Sandbox, TestResult};

fn run(
    sandbox: &Sandbox,
    embedder: &str,
    arguments: &[&str],
) -> Result<Run, Box<dyn std::error::Error>> {
    let mut command = sandbox.command(arguments);
    command.env("MEMORAX_EMBEDDER", embedder);
    Run::of(command)
}

#[test]
fn without_an_embedder_all_goes_by_words_and_the_status_says_so() -> TestResult {
    let sandbox = Sandbox::new()?;
    run(&sandbox, "none", &["init"])?.done()?;
    let status = run(&sandbox, "none", &["status", "--json"])?.json()?;
    assert_eq!(status["embedder"], "none");
    let found = run(&sandbox, "none", &["recall", "where is a date parsed?"])?.done()?;
    assert!(found.contains("src/parser.py"), "{found}");
    Ok(())
}

#[test]
fn a_model_that_is_missing_is_told_and_the_built_in_one_serves() -> TestResult {
    let sandbox = Sandbox::new()?;
    let built_in = sandbox.run(&["status", "--json"])?.json()?;
    for (embedder, part) in [
        ("onnx:/no/such/folder", "onnx"),
        ("onnx", "needs the folder of a model"),
        ("bert", "no embedder `bert`"),
    ] {
        let told = run(&sandbox, embedder, &["init"])?;
        assert_eq!(told.code, 0, "{}", told.err);
        assert!(
            told.err.contains("using the built-in embedder") && told.err.contains("next: "),
            "{}",
            told.err
        );
        let status = run(&sandbox, embedder, &["status", "--json"])?.json()?;
        assert_eq!(status["embedder"], built_in["embedder"]);
        let warnings = status["warnings"].to_string();
        assert!(
            warnings.contains(part) || warnings.contains("no folder"),
            "{warnings}"
        );
    }
    Ok(())
}
