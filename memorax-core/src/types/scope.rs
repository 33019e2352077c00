//! Where a memory holds.

use serde::{Deserialize, Serialize};

use super::{LineId, RepositoryId};

/// Where a memory holds; `None` means everywhere.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Scope {
    /// Repository; `None` for what holds for the user everywhere.
    pub repo: Option<RepositoryId>,
    /// Line of the branch it was learned on; `None` for the whole repository.
    pub line: Option<LineId>,
    /// Folder or file below which it holds, relative, with `/` between parts.
    pub path: Option<String>,
}

impl Scope {
    /// Returns the scope that holds everywhere.
    pub fn everywhere() -> Self {
        Self::default()
    }

    /// Returns the scope of a whole repository.
    pub fn repository(repo: RepositoryId) -> Self {
        Self {
            repo: Some(repo),
            ..Self::default()
        }
    }

    /// Narrows the scope to a line.
    #[must_use]
    pub fn line(mut self, line: LineId) -> Self {
        self.line = Some(line);
        self
    }

    /// Narrows the scope to a path.
    #[must_use]
    pub fn path(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// Says whether the scope covers a file.
    ///
    /// ```
    /// use memorax_core::Scope;
    /// let scope = Scope::everywhere().path("web");
    /// assert!(scope.covers("web/app.ts") && scope.covers("web"));
    /// assert!(!scope.covers("website/app.ts"));
    /// ```
    pub fn covers(&self, path: &str) -> bool {
        self.path.as_deref().is_none_or(|prefix| {
            path.strip_prefix(prefix).is_some_and(|rest| {
                rest.is_empty() || rest.starts_with('/') || prefix.ends_with('/')
            })
        })
    }
}
