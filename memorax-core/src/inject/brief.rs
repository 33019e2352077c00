//! The brief: what a new colleague needs to know about a repository, in a bounded text.

mod about;
mod direction;
mod entries;
mod exports;
mod fence;
mod history;
mod keys;
mod layout;
mod map;
mod memories;
mod milestones;
mod modules;
mod names;
mod rank;
mod units;

use std::fmt;

use crate::repo::{Project, RepositoryView, Tree};
use crate::text::Redactor;
use crate::{Freshness, Memory, MemoryId, Result};
use layout::Section;

/// What a brief is made from.
#[derive(Clone, Copy)]
pub struct BriefInput<'a> {
    /// What manifests, CI files and documents say.
    pub project: &'a Project,
    /// Files, structure and history; without it the brief has no map and no history.
    pub view: Option<&'a dyn RepositoryView>,
    /// Where the text of files comes from; without it modules are not described.
    pub tree: Option<&'a dyn Tree>,
    /// Memories in the order in which they matter; what is stale or not in force is left out here.
    pub memories: &'a [BriefMemory<'a>],
    /// Hides secrets that stand in files; those of memories and commits are hidden before they are stored.
    pub redactor: Option<&'a Redactor>,
    /// Short name of the branch that is checked out.
    pub branch: Option<&'a str>,
}

impl fmt::Debug for BriefInput<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("BriefInput")
            .field("project", &self.project.name)
            .field("memories", &self.memories.len())
            .field("branch", &self.branch)
            .finish_non_exhaustive()
    }
}

impl<'a> BriefInput<'a> {
    /// Creates the input of a brief that knows the project's own files only.
    pub fn new(project: &'a Project) -> Self {
        Self {
            project,
            view: None,
            tree: None,
            memories: &[],
            redactor: None,
            branch: None,
        }
    }
}

/// A memory that may stand in a brief.
#[derive(Clone, Copy, Debug)]
pub struct BriefMemory<'a> {
    /// The memory.
    pub memory: &'a Memory,
    /// How its anchors compare with the code now.
    pub freshness: Freshness,
    /// Name of the other live branch that it belongs to, if it is not of this one.
    pub elsewhere: Option<&'a str>,
}

/// A brief.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Brief {
    /// The text, fenced as data. Empty when the budget is too small to say anything.
    pub text: String,
    /// Tokens of the text; never above the budget.
    pub tokens: usize,
    /// Memories that stand in the text, in its order.
    pub memories: Vec<MemoryId>,
}

/// Writes the brief of a repository in at most `budget` tokens.
///
/// The same input gives the same bytes: ages are dates, and nothing depends on the day on which it is written.
///
/// # Errors
/// Those of the view, when its files or commits cannot be read.
pub fn brief(input: &BriefInput<'_>, budget: usize) -> Result<Brief> {
    let mut sections = about::sections(input, budget)?;
    if let Some(view) = input.view {
        let map = map::Map::build(view, input)?;
        sections.extend(map.section());
        sections.extend(history::sections(view, &map)?);
        sections.extend(milestones::section(&view.milestones()?, budget));
    }
    sections.extend(memories::sections(input.memories));
    sections.sort_by_key(|section: &Section| section.place);
    if let Some(redactor) = input.redactor {
        for line in sections.iter_mut().flat_map(|section| &mut section.lines) {
            line.text = redactor.redact(&line.text).text.into_owned();
        }
    }
    Ok(layout::fit(&sections, budget))
}
