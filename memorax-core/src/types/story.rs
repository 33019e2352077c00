//! What happened in a repository over time: milestones of the whole, and the story of one place.

use serde::{Deserialize, Serialize};

use super::{MemoryId, MemoryKind, Timestamp, named};

named! {
    /// What kind of turn a milestone is.
    pub enum MilestoneKind ("milestone") {
        /// A module or package appeared.
        Born = "born",
        /// A module or package has another place since.
        Moved = "moved",
        /// One became several, or a part of it became one of its own.
        Split = "split",
        /// A module or package was removed.
        Gone = "gone",
        /// Dependencies were added, removed or swapped.
        Dependency = "dependency",
        /// A program was added or removed.
        EntryPoint = "entry_point",
        /// A version was released.
        Release = "release",
    }
}

/// A turn in the life of a repository.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Milestone {
    /// What kind of turn it is.
    pub kind: MilestoneKind,
    /// What happened, as one short line.
    pub what: String,
    /// The commit that did it, as full hexadecimal id.
    pub commit: String,
    /// When that commit came into this history.
    pub at: Timestamp,
    /// First line of its message.
    pub subject: String,
    /// Number of the pull request that brought it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<u64>,
    /// How much it matters; comparable within one repository only.
    pub weight: f32,
}

impl Milestone {
    /// Creates a milestone.
    pub fn new(
        kind: MilestoneKind,
        what: impl Into<String>,
        commit: impl Into<String>,
        at: Timestamp,
    ) -> Self {
        Self {
            kind,
            what: what.into(),
            commit: commit.into(),
            at,
            subject: String::new(),
            request: None,
            weight: 1.0,
        }
    }
}

named! {
    /// What the place is that a story is about.
    pub enum PlaceKind ("place") {
        /// A file.
        File = "file",
        /// A folder with everything below it.
        Folder = "folder",
        /// A definition.
        Symbol = "symbol",
    }
}

named! {
    /// What became of a place.
    pub enum PlaceState ("state of a place") {
        /// It is there.
        Alive = "alive",
        /// It has another name now.
        Moved = "moved",
        /// It was removed.
        Gone = "gone",
    }
}

named! {
    /// What a commit did to a place.
    pub enum StoryEvent ("event") {
        /// It was made.
        Born = "born",
        /// It got another name.
        Moved = "moved",
        /// It was changed.
        Changed = "changed",
        /// It was removed.
        Gone = "gone",
    }
}

/// A commit in the story of a place.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct StoryCommit {
    /// Full hexadecimal id.
    pub id: String,
    /// First line of its message.
    pub subject: String,
    /// Start of the rest of its message.
    pub body: String,
    /// Author's name.
    pub author: String,
    /// When it came into this history.
    pub at: Timestamp,
    /// What it did to the place.
    pub event: StoryEvent,
    /// The name that the place had before, where the commit gave it another one.
    pub from: Option<String>,
    /// How many files it changed in all.
    pub files: usize,
    /// Number and title of the pull request that brought it.
    pub request: Option<StoryIssue>,
    /// Issues that it names.
    pub issues: Vec<StoryIssue>,
    /// Whom its message names, with what they did: `co-author Ada`.
    pub people: Vec<String>,
    /// The commit that took it back, if one did.
    pub reverted: Option<String>,
    /// The commit that it takes back.
    pub reverts: Option<String>,
}

/// An issue or a pull request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct StoryIssue {
    /// Its number.
    pub number: u64,
    /// Its title; empty where only the number is known.
    pub title: String,
    /// `open`, `closed` or `merged`; `None` where only the number is known.
    pub state: Option<String>,
}

impl StoryIssue {
    /// Creates an issue of which only the number is known, and perhaps the title.
    pub fn new(number: u64, title: impl Into<String>) -> Self {
        Self {
            number,
            title: title.into(),
            state: None,
        }
    }
}

/// Somebody who knows a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Knower {
    /// Name as commits give it.
    pub name: String,
    /// How many of the place's commits are theirs.
    pub commits: usize,
    /// When the last of them was made.
    pub last: Timestamp,
}

impl Knower {
    /// Creates somebody who knows a place.
    pub fn new(name: impl Into<String>, commits: usize, last: Timestamp) -> Self {
        Self {
            name: name.into(),
            commits,
            last,
        }
    }
}

/// A file that changes together with a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Companion {
    /// Its path.
    pub path: String,
    /// In how many commits both changed; commits with many files aside.
    pub together: usize,
}

impl Companion {
    /// Creates a companion.
    pub fn new(path: impl Into<String>, together: usize) -> Self {
        Self {
            path: path.into(),
            together,
        }
    }
}

/// A memory that cites a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct StoryMemory {
    /// Names the memory.
    pub id: MemoryId,
    /// What it says something about.
    pub kind: MemoryKind,
    /// One line.
    pub title: String,
    /// When it was last written.
    pub updated: Timestamp,
}

impl StoryMemory {
    /// Creates a line about a memory.
    pub fn new(
        id: MemoryId,
        kind: MemoryKind,
        title: impl Into<String>,
        updated: Timestamp,
    ) -> Self {
        Self {
            id,
            kind,
            title: title.into(),
            updated,
        }
    }
}

/// The story of a place: a file, a folder or a definition.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Story {
    /// What was asked for.
    pub asked: String,
    /// What it is.
    pub kind: PlaceKind,
    /// Its path now; its last one where it is gone. Of a definition, the file that holds it.
    pub path: String,
    /// Name and lines of the definition, such as `Retriever::recall (12-40)`.
    pub symbol: Option<String>,
    /// What became of it.
    pub state: PlaceState,
    /// Names that it had before, newest first.
    pub former: Vec<String>,
    /// The commit that made it; `None` where the known history begins later.
    pub born: Option<StoryCommit>,
    /// The commit that changed it last.
    pub last: Option<StoryCommit>,
    /// How many commits changed it.
    pub changes: usize,
    /// Of these, how many in the 365 days before the newest commit.
    pub lately: usize,
    /// The commits that matter most, oldest first.
    pub commits: Vec<StoryCommit>,
    /// Who knows it, most commits first.
    pub people: Vec<Knower>,
    /// What changes with it, most often first.
    pub companions: Vec<Companion>,
    /// Memories that cite it, newest first.
    pub memories: Vec<StoryMemory>,
    /// What was not looked at, and other things that a reader should know.
    pub notes: Vec<String>,
}

impl Story {
    /// Creates an empty story.
    pub fn new(
        asked: impl Into<String>,
        kind: PlaceKind,
        path: impl Into<String>,
        state: PlaceState,
    ) -> Self {
        Self {
            asked: asked.into(),
            kind,
            path: path.into(),
            symbol: None,
            state,
            former: Vec::new(),
            born: None,
            last: None,
            changes: 0,
            lately: 0,
            commits: Vec::new(),
            people: Vec::new(),
            companions: Vec::new(),
            memories: Vec::new(),
            notes: Vec::new(),
        }
    }
}

/// A proposal that was tried and taken back, as the history tells it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Revert {
    /// The commit that took it back, as full hexadecimal id.
    pub commit: String,
    /// When that commit came into this history.
    pub at: Timestamp,
    /// Who took it back.
    pub author: String,
    /// The commit that was taken back, where it is known.
    pub reverted: Option<String>,
    /// First line of the message of what was taken back, without the number of its pull request.
    pub subject: String,
    /// Why; empty where the commit does not say.
    pub reason: String,
    /// Number of the pull request that took it back.
    pub request: Option<u64>,
}

impl Revert {
    /// Creates a revert without a reason.
    pub fn new(commit: impl Into<String>, at: Timestamp, subject: impl Into<String>) -> Self {
        Self {
            commit: commit.into(),
            at,
            author: String::new(),
            reverted: None,
            subject: subject.into(),
            reason: String::new(),
            request: None,
        }
    }
}
