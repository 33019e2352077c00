//! Issues from a file and from programs that stand in for those of the forges.

use std::error::Error as StdError;
use std::sync::atomic::AtomicBool;

use memorax_core::{IssueOptions, IssueSource, Query};

use crate::fixture::{Repository, prose};
use crate::story::indexed;

type Result<T = ()> = std::result::Result<T, Box<dyn StdError>>;

const REPORT: &str = r#"[{"number": 41, "title": "Umlauts vanish on export", "state": "CLOSED",
    "body": "The spreadsheet loses umlauts. My token is TOKEN.",
    "labels": [{"name": "bug"}], "updatedAt": "2024-02-01T10:00:00Z"}, {"strange": true}]"#;

#[test]
fn a_report_leads_to_the_files_of_the_commit_that_settled_it() -> Result {
    let repository = Repository::with_commit();
    for topic in ["alpha", "beta", "gamma"] {
        repository.commit_as(
            &format!("{topic}.py"),
            &prose(topic, 5),
            &format!("Write about {topic}"),
        );
    }
    repository.commit_as(
        "writer.py",
        "def encode(text):\n    return text\n",
        "Encode as UTF-8 (fixes #41)",
    );
    let memory = indexed(&repository)?;
    let query = Query::new("the spreadsheet loses umlauts on export");
    let before = memory.recall(&query)?;
    assert!(before.commits.is_empty() && before.files.is_empty());
    let file = repository.beside("issues.json");
    // In two pieces, so that this file has no secret.
    let secret = format!("ghp_{}", "q7Rk2Lm9Xs4Vb6Nc1Zd8Fg3Hj5Kp0WtYuEoA");
    std::fs::write(&file, REPORT.replace("TOKEN", &secret))?;
    let interrupt = AtomicBool::new(false);
    let options = IssueOptions::new(IssueSource::File(file.clone()), &interrupt);
    let read = memory.read_issues(&options)?;
    assert_eq!((read.read, read.kept, read.skipped), (1, 1, 1));
    assert_eq!(
        memory.read_issues(&options)?.kept,
        1,
        "the same again is the same"
    );
    let after = memory.recall(&query)?;
    assert_eq!(after.commits[0].subject, "Encode as UTF-8 (fixes #41)");
    assert!(
        after.commits[0].why[0]
            .detail
            .starts_with("#41 Umlauts vanish on export")
    );
    let story = memory.history("writer.py", 5)?;
    assert_eq!(story.commits[0].issues[0].title, "Umlauts vanish on export");
    let mut kept = Vec::new();
    for entry in walk(&repository.beside("home"))? {
        kept.extend(std::fs::read(entry)?);
    }
    let kept = String::from_utf8_lossy(&kept).into_owned();
    assert!(kept.contains("Umlauts vanish") && !kept.contains(&secret));
    std::fs::write(&file, "<html>")?;
    assert!(memory.read_issues(&options).is_err());
    assert_eq!(
        memory.recall(&query)?.commits.len(),
        1,
        "a failure loses nothing"
    );
    Ok(())
}

fn walk(folder: &std::path::Path) -> Result<Vec<std::path::PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(walk(&path)?);
        } else {
            files.push(path);
        }
    }
    Ok(files)
}

#[cfg(unix)]
mod programs {
    use std::ffi::OsString;
    use std::os::unix::fs::PermissionsExt;
    use std::time::Duration;

    use memorax_core::ErrorKind;
    use memorax_core::repo::{IssueReading, read_issues};

    use super::*;

    /// Puts a program into a folder of its own and gives that folder's path.
    fn stand_in(repository: &Repository, name: &str, script: &str) -> Result<OsString> {
        let folder = repository.beside("bin");
        std::fs::create_dir_all(&folder)?;
        let file = folder.join(name);
        std::fs::write(&file, format!("#!/bin/sh\n{script}\n"))?;
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755))?;
        Ok(folder.into_os_string())
    }

    fn reading<'a>(path: &'a OsString, interrupt: &'a AtomicBool) -> IssueReading<'a> {
        IssueReading {
            limit: 200,
            since: Some("2024-01-01T00:00:00Z"),
            patience: Duration::from_secs(20),
            interrupt,
            path: Some(path),
        }
    }

    fn with_remote(address: &str) -> Repository {
        let repository = Repository::with_commit();
        repository.git(&["remote", "add", "origin", address]);
        repository
    }

    #[test]
    fn the_program_of_the_forge_is_asked_for_what_is_new() -> Result {
        let repository = with_remote("https://github.com/ada/app.git");
        let script = r#"echo "$@" >> calls
if [ "$1" = issue ]; then echo '[{"number":1,"title":"It is slow","body":"","state":"OPEN","labels":[],"updatedAt":"2024-02-01T00:00:00Z","closedAt":null}]'
else echo '[{"number":2,"title":"Make it fast","body":"Fixes #1","state":"MERGED","labels":[],"updatedAt":"2024-02-02T00:00:00Z","mergedAt":"2024-02-02T00:00:00Z","mergeCommit":{"oid":"00ff"}}]'; fi"#;
        let path = stand_in(&repository, "gh", script)?;
        let interrupt = AtomicBool::new(false);
        let (issues, name, skipped) =
            read_issues(&repository.checkout(), &reading(&path, &interrupt))?;
        assert_eq!((name, skipped), ("gh", 0));
        let told: Vec<(u64, bool, &str)> = issues
            .iter()
            .map(|issue| (issue.number, issue.request, issue.state.as_str()))
            .collect();
        assert_eq!(told, [(1, false, "open"), (2, true, "merged")]);
        let calls = std::fs::read_to_string(repository.path.join("calls"))?;
        assert!(
            calls
                .lines()
                .all(|call| call.contains("--search updated:>=2024-01-01T00:00:00Z")),
            "{calls}"
        );
        Ok(())
    }

    #[test]
    fn pages_are_read_until_one_is_not_full() -> Result {
        let repository = with_remote("git@gitlab.example.org:team/app.git");
        let script = r#"case "$2" in *"&page=1"*)
i=0; printf '['; while [ $i -lt 100 ]; do i=$((i+1)); printf '{"iid":%s,"title":"t","state":"opened","updated_at":"2024-02-01T00:00:00Z"},' $i; done; printf '{"iid":0,"title":""}]';;
*) echo '[]';; esac"#;
        let path = stand_in(&repository, "glab", script)?;
        let interrupt = AtomicBool::new(false);
        let (issues, name, _) = read_issues(&repository.checkout(), &reading(&path, &interrupt))?;
        assert_eq!((name, issues.len()), ("glab", 200));
        Ok(())
    }

    #[test]
    fn every_failure_says_what_is_wrong() -> Result {
        let repository = with_remote("https://github.com/ada/app.git");
        let interrupt = AtomicBool::new(false);
        let mut failures = Vec::new();
        let nowhere = repository.beside("nowhere").into_os_string();
        let mut fail = |path: &OsString, patience: Duration| {
            let reading = IssueReading {
                patience,
                ..reading(path, &interrupt)
            };
            let error = read_issues(&repository.checkout(), &reading).expect_err("it must fail");
            failures.push((error.kind(), error.to_string()));
        };
        let long = Duration::from_secs(20);
        fail(&nowhere, long);
        fail(
            &stand_in(&repository, "gh", "echo 'gh auth login first' >&2; exit 4")?,
            long,
        );
        fail(&stand_in(&repository, "gh", "echo '<html>'")?, long);
        fail(
            &stand_in(&repository, "gh", "exec sleep 60")?,
            Duration::from_millis(100),
        );
        assert_eq!(
            failures,
            [
                (
                    ErrorKind::NotFound,
                    "no program `gh` to ask `github.com` with".to_owned()
                ),
                (ErrorKind::Io, "`gh` failed: gh auth login first".to_owned()),
                (
                    ErrorKind::InvalidInput,
                    "the answer of `gh` is not understood: the issues are not valid JSON"
                        .to_owned()
                ),
                (ErrorKind::Io, "`gh` did not answer within 0 s".to_owned()),
            ]
        );
        let silent = Repository::with_commit();
        let error = read_issues(&silent.checkout(), &reading(&nowhere, &interrupt));
        assert_eq!(
            error.expect_err("there is no remote").kind(),
            ErrorKind::NotFound
        );
        Ok(())
    }
}
