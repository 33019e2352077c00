//! Skills: procedures that worked.

use serde::{Deserialize, Serialize};

/// A procedure: when to use it, its steps, and how to tell that it worked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Skill {
    /// Short name in kebab case.
    pub name: String,
    /// When it applies, in words.
    pub when: String,
    /// Steps in order, with `{slots}`.
    pub steps: Vec<String>,
    /// Command that shows that it worked.
    pub verify: Option<String>,
    /// What went wrong before.
    pub pitfalls: Vec<String>,
}

impl Skill {
    /// Creates a skill without steps.
    pub fn new(name: impl Into<String>, when: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            when: when.into(),
            ..Self::default()
        }
    }
}
