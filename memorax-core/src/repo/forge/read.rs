//! Reads issues from the forge of the repository's remote, through the program that its users have.

use std::ffi::OsString;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::program::{Run, find};
use super::{Issue, parse_issues};
use crate::repo::Checkout;
use crate::{Error, ErrorKind, Result};

/// Most issues that one page of a forge holds.
const PAGE: usize = 100;
/// Most pages that are asked for.
const PAGES: usize = 20;

/// How issues are read.
#[derive(Clone, Copy, Debug)]
pub struct IssueReading<'a> {
    /// Most issues and most requests, those that changed last.
    pub limit: usize,
    /// Only what changed since this moment, as RFC 3339; all where it is `None`.
    pub since: Option<&'a str>,
    /// How long one call of a program may take.
    pub patience: Duration,
    /// Raised by the caller to stop.
    pub interrupt: &'a AtomicBool,
    /// Folders in which programs are looked for; those of `PATH` where it is `None`.
    pub path: Option<&'a OsString>,
}

/// Reads the issues and requests of the remote's forge with `gh` or `glab`. Returns them, the name of the program, and how
/// many entries were not understood. Nothing is redacted yet.
///
/// # Errors
/// `NotFound` where there is no remote, or no program for its forge; `Io` where the program fails or takes too long;
/// `InvalidInput` where its answer is not understood.
pub fn read_issues(
    checkout: &Checkout,
    reading: &IssueReading<'_>,
) -> Result<(Vec<Issue>, &'static str, usize)> {
    let remotes = checkout.remotes();
    let host = remotes
        .iter()
        .find_map(|remote| host_of(&remote.address))
        .ok_or_else(|| {
            Error::new(
                ErrorKind::NotFound,
                "the repository has no remote with a forge",
            )
            .with_hint("read them from a file: memorax init --issues=FILE")
        })?;
    let own = std::env::var_os("PATH");
    let path = reading.path.or(own.as_ref());
    // A host that tells nothing of itself is asked with whichever program is there.
    let names: &[&'static str] = match host.to_lowercase() {
        host if host.contains("github") => &["gh"],
        host if host.contains("gitlab") => &["glab"],
        _ => &["glab", "gh"],
    };
    let found = names
        .iter()
        .find_map(|name| Some((*name, find(name, path)?)));
    let Some((name, program)) = found else {
        let wanted = names.join("` or `");
        return Err(Error::new(
            ErrorKind::NotFound,
            format!("no program `{wanted}` to ask `{host}` with"),
        )
        .with_hint("install it and log in, or read them from a file: memorax init --issues=FILE"));
    };
    let run = Run {
        program: &program,
        folder: checkout.root(),
        patience: reading.patience,
        interrupt: reading.interrupt,
    };
    let calls = match name {
        "gh" => github(reading),
        _ => gitlab(reading),
    };
    let (mut issues, mut skipped) = (Vec::new(), 0);
    for (kind, pages) in calls {
        let is_request = kind == Kind::Requests;
        let mut of_kind = 0;
        for arguments in pages {
            let answer = run.answer(&arguments)?;
            let (mut page, strange) = parse_issues(&answer).map_err(|error| {
                let message = format!("the answer of `{name}` is not understood: {error}");
                Error::new(ErrorKind::InvalidInput, message).with_source(error)
            })?;
            let count = page.len();
            for issue in &mut page {
                issue.request = is_request;
            }
            of_kind += count;
            skipped += strange;
            issues.extend(page);
            // The last page is not full.
            if count < PAGE || of_kind >= reading.limit {
                break;
            }
        }
    }
    Ok((issues, name, skipped))
}

/// What one series of calls asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Issues,
    Requests,
}

type Calls = [(Kind, Vec<Vec<String>>); 2];

fn github(reading: &IssueReading<'_>) -> Calls {
    let call = |what: &str, fields: &str| {
        let mut arguments: Vec<String> = [what, "list", "--state", "all", "--limit"]
            .map(str::to_owned)
            .to_vec();
        arguments.push(reading.limit.to_string());
        arguments.push("--search".to_owned());
        arguments.push(match reading.since {
            Some(since) => format!("updated:>={since} sort:updated-desc"),
            None => "sort:updated-desc".to_owned(),
        });
        arguments.extend(["--json".to_owned(), fields.to_owned()]);
        vec![arguments]
    };
    [
        (
            Kind::Issues,
            call("issue", "number,title,body,state,labels,updatedAt,closedAt"),
        ),
        (
            Kind::Requests,
            call(
                "pr",
                "number,title,body,state,labels,updatedAt,mergedAt,mergeCommit",
            ),
        ),
    ]
}

fn gitlab(reading: &IssueReading<'_>) -> Calls {
    let call = |what: &str| {
        let pages = reading.limit.div_ceil(PAGE).clamp(1, PAGES);
        let page = |page: usize| {
            let mut place = format!(
                "projects/:fullpath/{what}?scope=all&state=all&order_by=updated_at&sort=desc&per_page={}&page={page}",
                PAGE.min(reading.limit.max(1))
            );
            if let Some(since) = reading.since {
                place.push_str("&updated_after=");
                place.push_str(&since.replace('+', "%2B"));
            }
            vec!["api".to_owned(), place]
        };
        (1..=pages).map(page).collect()
    };
    [
        (Kind::Issues, call("issues")),
        (Kind::Requests, call("merge_requests")),
    ]
}

/// Returns the host of a normalised address; `None` for a path.
fn host_of(address: &str) -> Option<&str> {
    let host = address.split('/').next()?;
    let is_host = host.contains('.') && !Path::new(address).is_absolute() && !host.starts_with('.');
    is_host.then_some(host)
}

#[cfg(test)]
mod tests {
    use super::host_of;

    #[test]
    fn only_addresses_have_hosts() {
        assert_eq!(host_of("github.com/a/b"), Some("github.com"));
        assert_eq!(host_of("/home/ada/repo.git"), None);
        assert_eq!(host_of("../repo.git"), None);
    }
}
