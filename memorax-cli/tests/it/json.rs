//! Answers for programs: they parse, and have the keys that the documentation names.

use crate::sandbox::{Sandbox, TestResult};

#[test]
fn every_answer_has_its_keys() -> TestResult {
    let sandbox = Sandbox::new()?;
    sandbox.run(&["init"])?.done()?;
    let id = sandbox.remember(&["We chose redb as storage engine.", "--kind", "decision"])?;
    let id = id.as_str();
    let objects: [(&[&str], &[&str]); 15] = [
        (&["init"], &["identity", "view", "branches", "brief"]),
        (&["brief"], &["id", "text", "tokens", "memories", "commit"]),
        (
            &["status"],
            &[
                "repository",
                "root",
                "evidence",
                "home",
                "line",
                "commit",
                "stores",
                "view",
                "embedder",
                "vectors",
                "injected",
                "warnings",
            ],
        ),
        (
            &["recall", "which storage engine"],
            &[
                "id",
                "hits",
                "files",
                "text",
                "tokens",
                "dropped",
                "commit",
                "notes",
                "abstained",
                "confidence",
                "near_misses",
            ],
        ),
        (
            &["check", "use another storage engine"],
            &["id", "denies", "rejections"],
        ),
        (
            &["remember", "Weeks start on Monday."],
            &["id", "outcome", "redacted"],
        ),
        (
            &["show", id],
            &[
                "memory",
                "deleted",
                "waiting",
                "freshness",
                "citations",
                "branch",
                "history",
            ],
        ),
        (&["edit", id, "--title", "redb"], &["id", "outcome"]),
        (&["feedback", id, "helpful"], &["id", "outcome"]),
        (
            &["verify"],
            &[
                "sound",
                "chains",
                "operations",
                "purged",
                "memories",
                "problems",
            ],
        ),
        (&["gc"], &["before", "after", "applied", "pending", "index"]),
        (&["doctor"], &["fine", "findings"]),
        (&["backup", "../copy"], &["file", "bytes"]),
        (&["forget", id], &["id", "outcome"]),
        (&["forget", "--undo", id], &["id", "outcome"]),
    ];
    for (arguments, keys) in objects {
        let mut all = arguments.to_vec();
        all.push("--json");
        let answer = sandbox.run(&all)?.json()?;
        let answer = answer
            .as_object()
            .ok_or_else(|| format!("{arguments:?} gave no object"))?;
        let missing: Vec<_> = keys
            .iter()
            .filter(|key| !answer.contains_key(**key))
            .collect();
        assert!(missing.is_empty(), "{arguments:?} lacks {missing:?}");
    }
    Ok(())
}

#[test]
fn every_list_is_an_array_of_objects_with_ids() -> TestResult {
    let sandbox = Sandbox::new()?;
    sandbox.run(&["init"])?.done()?;
    for command in ["list", "log", "receipts", "branches"] {
        sandbox
            .run(&[command, "--json"])?
            .json()?
            .as_array()
            .ok_or("an empty list is an array too")?;
    }
    sandbox.remember(&["We chose redb as storage engine.", "--kind", "decision"])?;
    sandbox.run(&["recall", "storage engine"])?.done()?;
    for command in ["list", "log", "receipts", "branches"] {
        let answer = sandbox.run(&[command, "--json"])?.json()?;
        let first = answer.get(0).ok_or_else(|| format!("{command} is empty"))?;
        assert!(first["id"].is_string(), "{command}: {first}");
    }
    let repaired = sandbox.run(&["repair", "--json"])?.json()?;
    assert_eq!(
        repaired["stores"][0]["verification"]["sound"], true,
        "{repaired}"
    );
    let log = sandbox.run(&["log", "--json", "--limit", "0"])?.json()?;
    let created = &log
        .as_array()
        .ok_or("no array")?
        .iter()
        .find(|entry| entry["payload"]["change"] == "create");
    let created = created.ok_or("no creation in the log")?;
    assert_eq!(created["payload"]["provenance"]["actor"], "ada");
    assert_eq!(
        created["payload"]["provenance"]["trust"], "agent",
        "no terminal, no person"
    );
    Ok(())
}
