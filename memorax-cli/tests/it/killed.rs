//! At whatever moment `init` is killed, the next one says what says one that was never disturbed.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use memorax_core::repo::{CommitSelection, Field, Indexer, QueryWord, RepoIndexer};
use memorax_core::text::words;

use super::sandbox::{Sandbox, TestResult};

/// How many moments of a run are tried.
const MOMENTS: u32 = 6;
const COMMITS: usize = 150;
const FILES: usize = 60;

/// A repository with renames, merges of nothing, and enough in it that a run can be stopped half-way.
fn repository() -> Result<Sandbox, Box<dyn std::error::Error>> {
    let sandbox = Sandbox::empty()?;
    let mut stream = String::new();
    for commit in 0..COMMITS {
        let message = format!("Change the engine number {commit} (#{commit})\n\nIt was cold.\n");
        write!(
            stream,
            "commit refs/heads/main\ncommitter Ada <ada@example.com> {} +0000\ndata {}\n{message}",
            1_700_000_000 + commit * 60,
            message.len()
        )?;
        for part in 0..3 {
            let number = (commit * 3 + part) % FILES;
            let mut text = format!("//! Engine {number}.\nuse crate::engine{part}::Start{part};\n");
            for line in 0..40 {
                write!(
                    text,
                    "/// Starts cylinder {line} of round {commit}.\npub fn start_{number}_{line}() -> u32 {{ {line} }}\n"
                )?;
            }
            write!(
                stream,
                "M 644 inline src/engine{number}.rs\ndata {}\n{text}\n",
                text.len()
            )?;
        }
        if commit % 10 == 9 {
            let number = commit % FILES;
            writeln!(
                stream,
                "R src/engine{number}.rs src/moved/engine{number}.rs"
            )?;
        }
        stream.push('\n');
    }
    let file = sandbox.root().join("stream");
    fs::write(&file, stream)?;
    let imported = std::process::Command::new("git")
        .args(["fast-import", "--quiet"])
        .current_dir(sandbox.repository())
        .stdin(Stdio::from(File::open(&file)?))
        .output()?;
    assert!(imported.status.success(), "{imported:?}");
    sandbox.git(&["reset", "--quiet", "--hard", "main"])?;
    Ok(sandbox)
}

/// Everything that the view of a home says.
fn everything(sandbox: &Sandbox, home: &Path) -> Result<Vec<String>, Box<dyn std::error::Error>> {
    // Killed between making the folder and writing down whose it is, a run leaves one behind, which the next one removes.
    let repositories: Vec<_> = fs::read_dir(home.join("repos"))?.collect::<Result<_, _>>()?;
    assert_eq!(repositories.len(), 1, "one repository was indexed");
    let cache = repositories[0].path().join("index");
    let view = Indexer::new().open(&sandbox.repository(), &cache)?;
    let view = view.ok_or("no view was stored")?;
    let info = view.info();
    let mut all = vec![format!(
        "{} {} {} {} {:?} {:?}",
        info.files, info.commits, info.symbols, info.uncommitted, info.commit, info.skipped
    )];
    let mut vocabulary: BTreeSet<String> = BTreeSet::new();
    let structure = view.structure()?;
    for (number, file) in view.files()?.iter().enumerate() {
        all.push(format!("{file:?}"));
        all.push(format!("{:?}", structure.symbols[number]));
        let touching = CommitSelection::Touching(number as u32);
        all.push(format!("{:?}", view.commits(&touching, usize::MAX)?));
        let text = fs::read_to_string(sandbox.repository().join(&file.path))?;
        vocabulary.extend(words(&text));
        vocabulary.extend(
            structure.symbols[number]
                .iter()
                .map(|symbol| symbol.name.clone()),
        );
    }
    all.push(format!("{:?}", structure.imports));
    all.push(format!(
        "{:?}",
        view.commits(&CommitSelection::Newest, usize::MAX)?
    ));
    for word in vocabulary {
        let query = [QueryWord { word, weight: 1.0 }];
        for field in [Field::Code, Field::Path, Field::Symbol, Field::Definition] {
            all.push(format!(
                "{query:?} {:?}",
                view.search(field, &query, usize::MAX)?
            ));
        }
        let commits = view.commits(&CommitSelection::Words(&query), usize::MAX)?;
        all.push(format!(
            "{:?}",
            commits
                .iter()
                .map(|hit| (hit.age, hit.score))
                .collect::<Vec<_>>()
        ));
    }
    Ok(all)
}

#[test]
fn a_killed_run_leaves_nothing_wrong_behind() -> TestResult {
    let sandbox = repository()?;
    let init = |home: &Path| {
        let mut command = sandbox.command(&["init", "--quiet"]);
        command
            .env("MEMORAX_HOME", home)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        command
    };
    let undisturbed = sandbox.root().join("undisturbed");
    let started = Instant::now();
    assert!(init(&undisturbed).status()?.success());
    let whole = started.elapsed();
    let expected = everything(&sandbox, &undisturbed)?;
    assert!(expected.len() > 1000, "there is something to compare");
    let mut killed = 0;
    for moment in 0..MOMENTS {
        let home = sandbox.root().join(format!("home{moment}"));
        // The second run finds what the first one left, and is killed a little later.
        for share in [2 * moment + 1, 2 * moment + 2] {
            let mut child = init(&home).spawn()?;
            // Not to wait for anything: the moment is what is tried.
            std::thread::sleep(whole * share / (2 * MOMENTS) + Duration::from_millis(1));
            killed += usize::from(child.try_wait()?.is_none());
            child.kill()?;
            child.wait()?;
        }
        let last = init(&home).output()?;
        assert!(last.status.success(), "moment {moment}: {last:?}");
        let seen = everything(&sandbox, &home)?;
        for (seen, expected) in seen.iter().zip(&expected) {
            assert_eq!(seen, expected, "killed twice at moment {moment}");
        }
        assert_eq!(seen.len(), expected.len());
    }
    assert!(killed > 0, "no run was stopped before its end");
    Ok(())
}
