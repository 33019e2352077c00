//! Texts of issues and pull requests: read when a person asks, redacted before anything is kept.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::handle::Memorax;
use crate::repo::{Issue, IssueReading, issues_since, keep_issues, parse_issues, read_issues};
use crate::{Error, ErrorKind, Result, disk};

/// Issues, and as many pull requests, that are kept when nobody says how many.
pub const ISSUES: usize = 300;
/// How long one call of a forge's program may take.
const PATIENCE: Duration = Duration::from_mins(2);

/// Where issues come from.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum IssueSource {
    /// The forge of the repository's remote, asked through `gh` or `glab`. This is the only thing that uses the network, and
    /// it is the forge's program that does.
    Forge,
    /// A JSON file: what a forge, `gh ... --json` or `glab api` answers.
    File(PathBuf),
}

/// How issues are read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct IssueOptions<'a> {
    /// Where they come from.
    pub source: IssueSource,
    /// Most issues and most pull requests that are kept, those that changed last.
    pub limit: usize,
    /// How long one call of a program may take.
    pub patience: Duration,
    /// Raised by the caller to stop.
    pub interrupt: &'a AtomicBool,
}

impl<'a> IssueOptions<'a> {
    /// Creates options with the default limits.
    pub fn new(source: IssueSource, interrupt: &'a AtomicBool) -> Self {
        Self {
            source,
            limit: ISSUES,
            patience: PATIENCE,
            interrupt,
        }
    }
}

/// What reading issues gave.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct IssuesRead {
    /// Where they came from: `gh`, `glab` or the file.
    pub source: String,
    /// How many were read this time.
    pub read: usize,
    /// How many are kept now.
    pub kept: usize,
    /// Entries that were no issue.
    pub skipped: usize,
}

impl Memorax {
    /// Reads issues and pull requests and keeps them beside the index, to be found by `recall` and told by `history`.
    ///
    /// From a forge only what changed since the last time is asked for. Their words are data of strangers: nothing of them
    /// becomes a memory. A failure leaves what was kept before.
    ///
    /// # Errors
    /// `NotFound` without a remote, program or file; `Io` where the program fails or takes too long; `InvalidInput` where
    /// its answer is not understood.
    pub fn read_issues(&self, options: &IssueOptions<'_>) -> Result<IssuesRead> {
        let inner = self.settled()?;
        let folder = inner.cache();
        let (issues, source, skipped) = match &options.source {
            IssueSource::File(path) => {
                let bytes = disk::read(path)?;
                let text = String::from_utf8(bytes).map_err(|_| {
                    let message = format!("`{}` is not UTF-8 text", path.display());
                    Error::new(ErrorKind::InvalidInput, message)
                })?;
                let (issues, skipped) = parse_issues(&text).map_err(|error| {
                    let message = format!("cannot read issues from `{}`", path.display());
                    Error::new(ErrorKind::InvalidInput, message).with_source(error)
                })?;
                (issues, path.display().to_string(), skipped)
            }
            IssueSource::Forge => {
                let since = issues_since(&folder);
                let reading = IssueReading {
                    limit: options.limit,
                    since: since.as_deref(),
                    patience: options.patience,
                    interrupt: options.interrupt,
                    path: None,
                };
                let (issues, name, skipped) = read_issues(&inner.checkout()?, &reading)?;
                (issues, name.to_owned(), skipped)
            }
        };
        let redact = |text: &str| inner.redactor().redact(text).text.into_owned();
        let issues: Vec<Issue> = issues
            .into_iter()
            .map(|issue| issue.redacted(&redact))
            .collect();
        let read = issues.len();
        let kept = keep_issues(&folder, issues, options.limit)?;
        Ok(IssuesRead {
            source,
            read,
            kept,
            skipped,
        })
    }
}
