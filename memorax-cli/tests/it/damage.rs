//! What the program does when files of its home were damaged or lost, and what `repair` brings back.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use crate::sandbox::{Run, Sandbox, TestResult};

const WORDS: &str = "The gateway speaks gRPC only.";
const QUESTION: &str = "which protocol does the gateway speak, gRPC?";

/// What can happen to a small file: nothing in it, not all of it, something else in it.
const DAMAGE: [&str; 3] = ["", "{\"version\": 1, \"repos", "\u{0}\u{1}garbage"];

fn remembered() -> Result<(Sandbox, String), Box<dyn Error>> {
    let sandbox = Sandbox::new()?;
    let id = sandbox.remember(&[WORDS])?;
    Ok((sandbox, id))
}

/// Returns the folder of the only repository.
fn folder(sandbox: &Sandbox) -> Result<PathBuf, Box<dyn Error>> {
    let mut folders = fs::read_dir(sandbox.home().join("repos"))?;
    let folder = folders.next().ok_or("no repository")??.path();
    assert!(folders.next().is_none(), "there is a second repository");
    Ok(folder)
}

fn finding(sandbox: &Sandbox, what: &str) -> Result<Option<bool>, Box<dyn Error>> {
    let doctor = sandbox.run(&["doctor", "--json"])?;
    let doctor: serde_json::Value = serde_json::from_str(&doctor.out)?;
    let findings = doctor["findings"].as_array().ok_or("no findings")?;
    let found = findings.iter().find(|finding| finding["what"] == what);
    Ok(found.map(|finding| finding["fine"] == true))
}

#[test]
fn a_damaged_file_of_the_home_stops_no_reading_command_and_repair_mends_it() -> TestResult {
    for (file, damage) in ["device.json", "identities.json"]
        .into_iter()
        .flat_map(|file| DAMAGE.map(|damage| (file, damage)))
    {
        if file == "identities.json" && damage.is_empty() {
            continue; // Read as one that names nobody: see the next test.
        }
        let (sandbox, id) = remembered()?;
        let path = sandbox.home().join(file);
        fs::write(&path, damage)?;
        let case = format!("{file} with {damage:?}");

        let named = format!("`{}` is damaged", path.display());
        for arguments in [
            &["list"][..],
            &["show", &id],
            &["recall", QUESTION],
            &["brief"],
            &["log"],
        ] {
            let run = sandbox.run(arguments)?;
            assert!(
                run.err.contains(&named),
                "{case}: {arguments:?}: {}",
                run.err
            );
            assert!(run.err.contains("memorax repair"), "{case}: {}", run.err);
            run.done()?;
        }
        let recalled = sandbox.run(&["recall", QUESTION])?.done()?;
        assert!(recalled.contains("speaks gRPC"), "{case}: {recalled}");
        let status = sandbox
            .run(&["status"])?
            .done()?
            .replace("\n         ", " ");
        assert!(status.contains("is damaged"), "{case}: {status}");
        assert_eq!(finding(&sandbox, file)?, Some(false), "{case}");
        let refused = sandbox.run(&["remember", "Another thing."])?.failed(1)?;
        assert!(refused.contains(&format!("\nerror: {named}")), "{refused}");
        assert!(refused.ends_with("hint: memorax repair\n"), "{refused}");

        let repaired = sandbox.run(&["repair"])?.done()?;
        assert!(
            repaired.contains(&format!("{file} was mended")),
            "{repaired}"
        );
        assert!(sandbox.run(&["show", &id])?.err.is_empty(), "{case}");
        sandbox.run(&["remember", "Another thing."])?.done()?;
        sandbox.run(&["verify"])?.done()?;
        assert_eq!(finding(&sandbox, file)?, None, "{case}");
        folder(&sandbox)?;
        let status = sandbox.run(&["status", "--json"])?.json()?;
        let warnings = status["warnings"].to_string();
        assert!(warnings.contains(&format!("{file}.damaged-")), "{warnings}");
    }
    Ok(())
}

#[test]
fn a_lost_registry_is_written_anew_by_the_next_write_or_a_repair() -> TestResult {
    for damage in [None, Some("")] {
        for mend in [&["repair"][..], &["remember", "Another thing."]] {
            let (sandbox, id) = remembered()?;
            let path = sandbox.home().join("identities.json");
            fs::remove_file(&path)?;
            if let Some(damage) = damage {
                fs::write(&path, damage)?;
            }
            sandbox.run(&["show", &id])?.done()?;
            let status = sandbox.run(&["status", "--json"])?.json()?;
            let warnings = status["warnings"].to_string();
            assert!(
                warnings.contains("does not name 1 of the repositories"),
                "{warnings}"
            );
            sandbox.run(mend)?.done()?;
            sandbox.run(&["show", &id])?.done()?;
            folder(&sandbox)?;
            let written = fs::read_to_string(&path)?;
            let place = sandbox.repository().join(".git");
            assert!(written.contains(&place.display().to_string()), "{written}");
        }
    }
    Ok(())
}

#[test]
fn a_store_of_an_earlier_version_gets_its_evidence_with_the_next_write() -> TestResult {
    let (sandbox, id) = remembered()?;
    let evidence = folder(&sandbox)?.join("identity.json");
    fs::remove_file(&evidence)?;
    sandbox.remember(&["Another thing."])?;
    assert!(evidence.is_file(), "the evidence was not put back");
    fs::remove_file(sandbox.home().join("identities.json"))?;
    sandbox.run(&["show", &id])?.done()?;
    Ok(())
}

#[test]
fn two_folders_that_claim_one_place_are_named_and_not_joined() -> TestResult {
    let (sandbox, id) = remembered()?;
    let registry = sandbox.home().join("identities.json");
    let first = folder(&sandbox)?;
    let hidden = sandbox.root().join("hidden");
    fs::rename(&first, &hidden)?;
    fs::remove_file(&registry)?;
    sandbox.remember(&["The second life of this repository."])?;
    fs::rename(&hidden, &first)?;
    fs::write(&registry, "garbage")?;
    sandbox.run(&["show", &id])?.failed(4)?;
    let repaired = sandbox.run(&["repair"])?;
    assert_eq!(repaired.code, 6, "{repaired:?}");
    let told = repaired
        .out
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    assert!(
        told.contains("also says that it is the memory of"),
        "{told}"
    );
    Ok(())
}

#[test]
fn what_killed_writers_left_half_written_is_removed_after_a_while() -> TestResult {
    let (sandbox, _) = remembered()?;
    let old = std::time::SystemTime::now() - std::time::Duration::from_mins(10);
    let leave = || -> Result<Vec<PathBuf>, Box<dyn Error>> {
        let names = [
            sandbox.home().join(".identities.json.0-0123456789ab.tmp"),
            folder(&sandbox)?.join(".identity.json.0-0123456789ab.tmp"),
        ];
        for name in &names {
            fs::write(name, "{")?;
            fs::File::options()
                .write(true)
                .open(name)?
                .set_modified(old)?;
        }
        Ok(names.to_vec())
    };
    let names = leave()?;
    sandbox.remember(&["Another thing."])?;
    assert!(!names.iter().any(|name| name.exists()), "the next writer");
    let names = leave()?;
    fs::write(&names[0], "{")?; // Young again.
    let swept = sandbox.run(&["gc", "--json"])?.json()?;
    assert_eq!(swept["temporary"], 1, "{swept}");
    assert!(names[0].exists() && !names[1].exists(), "{names:?}");
    Ok(())
}

#[test]
fn a_home_inside_the_repository_is_neither_committed_nor_indexed() -> TestResult {
    let sandbox = Sandbox::new()?;
    let inside = |arguments: &[&str]| {
        let mut command = sandbox.command(arguments);
        command.env("MEMORAX_HOME", "memories/here");
        Run::of(command)
    };
    inside(&["remember", WORDS])?.done()?;
    inside(&["init"])?.done()?;
    let home = sandbox.repository().join("memories/here");
    assert!(
        home.join("device.json").is_file(),
        "it is relative to the folder"
    );
    // Also where someone committed it by force.
    sandbox.git(&["add", "--all", "--force", "memories/here/device.json"])?;
    let status = inside(&["status", "--json"])?.json()?;
    let before = status["view"]["files"].as_u64();
    sandbox.write("memories/notes.md", "# Notes\n\nThese are the user's.\n")?;
    inside(&["init"])?.done()?;
    let status = inside(&["status", "--json"])?.json()?;
    assert_eq!(
        status["view"]["files"].as_u64(),
        before.map(|before| before + 1)
    );
    assert_eq!(
        status["view"]["skipped"],
        serde_json::json!([["folder of memories", 1]])
    );
    sandbox.git(&["reset", "--quiet"])?;
    sandbox.git(&["add", "--all"])?;
    let mut listed = std::process::Command::new("git");
    let listed = listed
        .args(["ls-files"])
        .current_dir(sandbox.repository())
        .output()?;
    let listed = String::from_utf8(listed.stdout)?;
    assert!(listed.contains("memories/notes.md"), "{listed}");
    assert!(!listed.contains("memories/here"), "{listed}");
    Ok(())
}

#[test]
fn a_home_that_is_the_repository_itself_is_refused() -> TestResult {
    let sandbox = Sandbox::new()?;
    let mut command = sandbox.command(&["status"]);
    command.env("MEMORAX_HOME", ".");
    let error = Run::of(command)?.failed(3)?;
    assert!(
        error.ends_with("hint: set MEMORAX_HOME to a folder of its own\n"),
        "{error}"
    );
    Ok(())
}

#[test]
fn a_store_that_is_gone_or_empty_is_told_and_never_called_sound() -> TestResult {
    for state in ["gone", "empty"] {
        let (sandbox, id) = remembered()?;
        let store = folder(&sandbox)?.join("local.1.redb");
        if state == "gone" {
            fs::remove_file(&store)?;
        } else {
            fs::write(&store, "")?;
        }
        let verified = sandbox.run(&["verify"])?;
        assert_eq!(verified.code, 6, "{state}: {verified:?}");
        assert!(
            verified.out.starts_with("Damaged: 1 problem in"),
            "{verified:?}"
        );
        let status = sandbox.run(&["status", "--json"])?.json()?;
        let name = store.display().to_string();
        let damage = status["stores"][0]["damage"].as_str().unwrap_or_default();
        assert!(damage.contains(&name), "{state}: {status}");
        let warnings = status["warnings"].to_string();
        assert!(warnings.contains("run `memorax repair`"), "{warnings}");
        sandbox.run(&["show", &id])?.failed(1)?;

        let repaired = sandbox.run(&["repair"])?;
        assert_eq!(repaired.code, 6, "{state}: {repaired:?}");
        assert!(
            repaired.out.starts_with(&format!(
                "repository store was {state}: 0 operations read, nobody knows how many are lost;"
            )),
            "{repaired:?}"
        );
        let lost =
            format!("repository store: its file (generation 1) was {state} and was begun anew");
        let verified = sandbox.run(&["verify"])?.done()?;
        let told = verified.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(told.contains(&lost), "{told}");
        let status = sandbox.run(&["status", "--json"])?.json()?;
        let told = status["stores"][0]["lost"].to_string();
        assert!(told.contains(&lost), "{status}");
        sandbox.remember(&["Another thing."])?;
        assert_eq!(
            sandbox.run(&["repair"])?.code,
            0,
            "it is repaired only once"
        );
    }
    Ok(())
}

#[test]
fn a_store_that_was_never_written_has_lost_nothing() -> TestResult {
    let sandbox = Sandbox::new()?;
    sandbox.run(&["verify"])?.done()?;
    let repaired = sandbox.run(&["repair"])?.done()?;
    assert!(!repaired.contains("lost"), "{repaired}");
    Ok(())
}

#[test]
fn an_older_file_of_a_store_brings_back_what_it_held() -> TestResult {
    let (sandbox, id) = remembered()?;
    let store = |generation: u64| -> Result<PathBuf, Box<dyn Error>> {
        Ok(folder(&sandbox)?.join(format!("local.{generation}.redb")))
    };
    let old = fs::read(store(1)?)?;
    sandbox.run(&["gc"])?.done()?;
    let later = sandbox.remember(&["Another thing."])?;
    fs::remove_file(store(2)?)?;
    fs::write(store(1)?, old)?;
    let repaired = sandbox.run(&["repair"])?;
    assert_eq!(repaired.code, 6, "{repaired:?}");
    assert!(
        repaired
            .out
            .contains(" read from an older file, nobody knows"),
        "{repaired:?}"
    );
    sandbox.run(&["show", &id])?.done()?;
    sandbox.run(&["show", &later])?.failed(4)?;
    sandbox.run(&["verify"])?.done()?;
    Ok(())
}

#[test]
fn damage_that_makes_the_engine_panic_is_told_as_an_error_alone() -> TestResult {
    let (sandbox, _) = remembered()?;
    let store = folder(&sandbox)?.join("local.1.redb");
    let whole = fs::read(&store)?;
    let mut failed = 0;
    // Pages of zeros made it panic at four places of this store.
    for page in 1..whole.len() / 4096 {
        let mut bytes = whole.clone();
        bytes[page * 4096..(page + 1) * 4096].fill(0);
        fs::write(&store, bytes)?;
        // Fails where the panic of the engine is printed.
        let run = sandbox.run(&["list"])?;
        if run.code != 0 {
            assert!(run.err.starts_with("error: "), "{page}: {}", run.err);
            failed += 1;
        }
    }
    assert!(failed >= 4, "the damage was harmless: {failed} pages");
    Ok(())
}

#[test]
fn a_damaged_description_of_a_store_is_kept_aside_and_costs_no_memory() -> TestResult {
    for damage in DAMAGE {
        let (sandbox, _) = remembered()?;
        let path = folder(&sandbox)?.join("local.meta.json");
        fs::write(&path, damage)?;
        let list = sandbox.run(&["list"])?;
        assert!(
            list.err.contains("memorax repair"),
            "{damage:?}: {}",
            list.err
        );

        sandbox.run(&["repair"])?;
        let listed = sandbox.run(&["list"])?.done()?;
        assert!(listed.contains("speaks gRPC"), "{damage:?}: {listed}");
        sandbox.run(&["verify"])?.done()?;
        let kept = fs::read_dir(folder(&sandbox)?)?
            .filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()))
            .filter(|name| name.starts_with("local.meta.json.damaged"))
            .count();
        assert_eq!(kept, 1, "{damage:?}: the damaged description is kept");
    }
    Ok(())
}
