//! What is to be remembered, with everything that can be said about it.

use crate::{Anchor, MemoryId, MemoryKind, Outcome, Timestamp};

/// Something to remember.
///
/// ```
/// use memorax_core::{MemoryKind, Note};
/// let note = Note::new("Use tabs in Makefiles.", MemoryKind::Convention).path("build").tag("make");
/// assert_eq!(note.tags, ["make"]);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Note {
    /// What it says something about.
    pub kind: MemoryKind,
    /// The words.
    pub text: String,
    /// One line; `None` derives it from the text.
    pub title: Option<String>,
    /// File or folder below which it holds, relative to the repository's root.
    pub path: Option<String>,
    /// Free words to find it by.
    pub tags: Vec<String>,
    /// What it cites, besides the existing paths that the text names.
    pub anchors: Vec<Anchor>,
    /// Whether it holds in every repository of the user.
    pub everywhere: bool,
    /// When it stops being recalled.
    pub expires: Option<Timestamp>,
}

impl Note {
    /// Notes a text.
    pub fn new(text: impl Into<String>, kind: MemoryKind) -> Self {
        Self {
            kind,
            text: text.into(),
            title: None,
            path: None,
            tags: Vec::new(),
            anchors: Vec::new(),
            everywhere: false,
            expires: None,
        }
    }

    /// Sets the title.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Names the file or folder below which it holds.
    #[must_use]
    pub fn path(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// Adds a tag.
    #[must_use]
    pub fn tag(mut self, tag: impl Into<String>) -> Self {
        self.tags.push(tag.into());
        self
    }

    /// Adds something that it cites.
    #[must_use]
    pub fn anchor(mut self, anchor: Anchor) -> Self {
        self.anchors.push(anchor);
        self
    }

    /// Says whether it holds in every repository of the user.
    #[must_use]
    pub fn everywhere(mut self, everywhere: bool) -> Self {
        self.everywhere = everywhere;
        self
    }

    /// Says when it stops being recalled.
    #[must_use]
    pub fn expires(mut self, expires: Timestamp) -> Self {
        self.expires = Some(expires);
        self
    }
}

/// What became of something that was remembered.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Remembered {
    /// Id under which it was written; it resolves for ever, also where the text was known already.
    pub id: MemoryId,
    /// Whether it was new, known, or waits in the inbox.
    pub outcome: Outcome,
    /// Secrets that were taken out of the text, by the name of the rule.
    pub redacted: Vec<(String, usize)>,
}
