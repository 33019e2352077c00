//! The commits that touched a place.

use crate::{CommitInfo, PlaceKind, PlaceState, StoryEvent};

/// The commits that touched a file or folder, under all of its names.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Trail {
    /// A file or a folder.
    pub kind: PlaceKind,
    /// Its path now, or its last one.
    pub path: String,
    /// What became of it.
    pub state: PlaceState,
    /// Names that it had before, newest first.
    pub former: Vec<String>,
    /// What commits did, newest first.
    pub steps: Vec<TrailStep>,
    /// When the newest commit of the whole history was made, in seconds since 1970.
    pub newest: i64,
    /// Commits that touched it and whose messages were not read, because there are too many.
    pub unread: usize,
    /// Path of the view's root inside the repository, with a slash at its end.
    pub prefix: String,
}

/// What one commit did to a place.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TrailStep {
    /// The commit.
    pub commit: CommitInfo,
    /// What it did.
    pub event: StoryEvent,
    /// Path of the place after the commit; before it where the commit removed it.
    pub path: String,
    /// Path before, where the commit gave it another one.
    pub from: Option<String>,
    /// Message of the merge that brought the commit, subject and body, where one did.
    pub merge: Option<(String, String)>,
}

impl Trail {
    /// Creates a trail without commits.
    pub fn new(kind: PlaceKind, path: impl Into<String>, state: PlaceState) -> Self {
        Self {
            kind,
            path: path.into(),
            state,
            former: Vec::new(),
            steps: Vec::new(),
            newest: 0,
            unread: 0,
            prefix: String::new(),
        }
    }
}

impl TrailStep {
    /// Creates a step.
    pub fn new(commit: CommitInfo, event: StoryEvent, path: impl Into<String>) -> Self {
        Self {
            commit,
            event,
            path: path.into(),
            from: None,
            merge: None,
        }
    }
}
