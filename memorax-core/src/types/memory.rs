//! The memory itself.

use serde::{Deserialize, Serialize};

use super::{Anchor, MemoryId, Provenance, Scope, SpaceId, Stamp, Timestamp, Trust, named};

named! {
    /// What a memory says something about.
    pub enum MemoryKind ("kind") {
        /// A choice, with its reason.
        Decision = "decision",
        /// How the user likes things done.
        Preference = "preference",
        /// A rule of this code base.
        Convention = "convention",
        /// A proposal that was turned down, with the reason.
        Rejection = "rejection",
        /// Symptom, cause, fix.
        Failure = "failure",
        /// A command that works here, and what for.
        Command = "command",
        /// Something true about the repository.
        Fact = "fact",
        /// What is in flight; expires.
        Progress = "progress",
        /// A procedure.
        Skill = "skill",
    }
}

impl MemoryKind {
    /// Says whether memories of this kind follow the branch they were learned on.
    ///
    /// Preferences and commands hold for the whole repository.
    pub fn follows_line(self) -> bool {
        !matches!(self, Self::Preference | Self::Command)
    }
}

/// Whether a memory is in force.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Status {
    /// In force.
    Active,
    /// Seen once, not yet believed.
    Pending,
    /// Replaced by another memory.
    Superseded {
        /// The memory that replaced it.
        by: MemoryId,
    },
    /// Contradicted.
    Invalid {
        /// Why.
        reason: String,
    },
    /// Kept, no longer recalled.
    Archived,
}

impl Status {
    /// Returns the lower-case name of the state.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Pending => "pending",
            Self::Superseded { .. } => "superseded",
            Self::Invalid { .. } => "invalid",
            Self::Archived => "archived",
        }
    }
}

/// Who may see a memory.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Visibility {
    /// Never leaves this machine.
    Local,
    /// The members of a space.
    Space(SpaceId),
}

/// What happened to a memory since it was written; counted from records, never typed in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Stats {
    /// How often the same thing was written again.
    pub repeated: u32,
    /// How often it was put into a prompt.
    pub recalled: u32,
    /// How often it was said to have helped.
    pub helpful: u32,
    /// How often it was said to have done harm.
    pub harmful: u32,
}

/// One thing worth knowing, typed, scoped and with its provenance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Memory {
    /// Its name for ever.
    pub id: MemoryId,
    /// What it says something about.
    pub kind: MemoryKind,
    /// One line, at most 80 characters.
    pub title: String,
    /// The whole text.
    pub text: String,
    /// Where it holds.
    pub scope: Scope,
    /// What it cites.
    pub anchors: Vec<Anchor>,
    /// Free words to find it by, sorted.
    pub tags: Vec<String>,
    /// Whether it is in force.
    pub status: Status,
    /// How far it is believed.
    pub trust: Trust,
    /// Who may see it.
    pub visibility: Visibility,
    /// Who wrote it first.
    pub provenance: Provenance,
    /// What happened to it since.
    pub stats: Stats,
    /// Texts written at the same time elsewhere that lost against `text`; to be resolved by an edit.
    pub conflicts: Vec<String>,
    /// When it was written.
    pub created: Timestamp,
    /// When one of its fields was last written.
    pub updated: Timestamp,
    /// When it stops being recalled, if it does.
    pub expires: Option<Timestamp>,
    /// The versions that this state was derived from; an edit names them, so that the store can tell
    /// a later edit from a concurrent one.
    #[serde(skip)]
    pub version: Vec<Stamp>,
}

/// Longest title, in characters.
pub const TITLE_CHARACTERS: usize = 80;

/// Derives the title of a text: its first sentence or line, cut at a word.
///
/// ```
/// use memorax_core::title_of;
/// assert_eq!(title_of("We chose redb: one file. It is crash safe."), "We chose redb: one file.");
/// assert_eq!(title_of("- item"), "item");
/// assert_eq!(title_of("--force is never used"), "--force is never used");
/// ```
pub fn title_of(text: &str) -> String {
    let line = text
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty())
        .unwrap_or_default();
    // A mark of a heading or a list needs a space after it: `--force` is a word.
    let marks = line.len() - line.trim_start_matches(['#', '-', '*']).len();
    let line = if line[marks..].starts_with(' ') {
        line[marks..].trim_start()
    } else {
        line
    };
    let sentence = line.find(". ").map_or(line, |end| &line[..=end]);
    if sentence.chars().count() <= TITLE_CHARACTERS {
        return sentence.to_owned();
    }
    let cut: String = sentence.chars().take(TITLE_CHARACTERS - 1).collect();
    let end = cut
        .rfind(char::is_whitespace)
        .filter(|end| *end > cut.len() / 2)
        .unwrap_or(cut.len());
    format!("{}…", cut[..end].trim_end())
}
