//! An issue or a pull request, as it is kept.

use serde::{Deserialize, Serialize};

use crate::StoryIssue;

/// Most characters of a text that are kept.
const TEXT: usize = 4_000;

/// An issue or a pull request. Written by anybody: it is data, and never believed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Issue {
    /// Its number; issues and merge requests of some forges have numbers of their own.
    pub number: u64,
    /// Whether it is a pull or merge request.
    pub request: bool,
    /// Its title.
    pub title: String,
    /// What was written when it was opened, cut to 4,000 characters.
    pub text: String,
    /// `open`, `closed` or `merged`.
    pub state: String,
    /// Names of its labels.
    pub labels: Vec<String>,
    /// When it last changed, as RFC 3339.
    pub updated: String,
    /// The commit that a request became, as full hexadecimal id.
    pub commit: Option<String>,
}

impl Issue {
    /// Takes secrets out, then cuts: a cut must not leave half of one.
    #[must_use]
    pub fn redacted(mut self, redact: &dyn Fn(&str) -> String) -> Self {
        self.title = redact(&self.title);
        self.text = redact(&self.text).chars().take(TEXT).collect();
        for label in &mut self.labels {
            *label = redact(label);
        }
        self
    }

    /// Returns what is told of it.
    pub(in crate::repo) fn told(&self) -> StoryIssue {
        let mut told = StoryIssue::new(self.number, &self.title);
        told.state = Some(self.state.clone());
        told
    }
}
