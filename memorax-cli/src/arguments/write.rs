//! Options of the commands that write memories.

use clap::Args;
use memorax_core::{MemoryKind, Verdict};

use super::value;

/// `memorax remember`
#[derive(Args, Debug)]
#[command(after_help = "\
Kinds: decision, preference, convention, rejection, failure, command, fact,
       progress, skill")]
pub(crate) struct RememberArguments {
    /// What to remember; `-` reads it from standard input
    #[arg(required = true, value_name = "TEXT")]
    pub(crate) text: Vec<String>,
    /// What it says something about
    #[arg(long, value_name = "KIND", value_parser = value::kind(), default_value = "fact", hide_possible_values = true)]
    pub(crate) kind: MemoryKind,
    /// One line; taken from the text when not given
    #[arg(long, value_name = "TITLE")]
    pub(crate) title: Option<String>,
    /// Holds for this file or folder only
    #[arg(long, value_name = "PATH")]
    pub(crate) path: Option<String>,
    /// Word to find it by; may be repeated
    #[arg(long = "tag", value_name = "TAG")]
    pub(crate) tags: Vec<String>,
    /// Holds in every repository of yours
    #[arg(long, conflicts_with = "path")]
    pub(crate) everywhere: bool,
}

/// `memorax edit`
#[derive(Args, Debug, Default)]
#[command(after_help = "Without options the memory opens in $VISUAL or $EDITOR.")]
pub(crate) struct EditArguments {
    /// The memory: its id, or at least 6 characters of either end
    pub(crate) id: String,
    /// New text; `-` reads it from standard input
    #[arg(long, value_name = "TEXT")]
    pub(crate) text: Option<String>,
    /// New title
    #[arg(long, value_name = "TITLE")]
    pub(crate) title: Option<String>,
    /// New kind
    #[arg(long, value_name = "KIND", value_parser = value::kind(), hide_possible_values = true)]
    pub(crate) kind: Option<MemoryKind>,
    /// active, pending, archived, invalid or superseded
    #[arg(long, value_name = "STATUS", value_parser = value::status(), hide_possible_values = true)]
    pub(crate) status: Option<String>,
    /// Why it is invalid
    #[arg(long, value_name = "TEXT", required_if_eq("status", "invalid"))]
    pub(crate) reason: Option<String>,
    /// The memory that supersedes it
    #[arg(long, value_name = "ID", required_if_eq("status", "superseded"))]
    pub(crate) by: Option<String>,
    /// Tag to add; may be repeated
    #[arg(long = "add-tag", value_name = "TAG")]
    pub(crate) add_tags: Vec<String>,
    /// Tag to remove; may be repeated
    #[arg(long = "remove-tag", value_name = "TAG")]
    pub(crate) remove_tags: Vec<String>,
    /// File or folder for which it holds; empty for all
    #[arg(long, value_name = "PATH")]
    pub(crate) path: Option<String>,
}

impl EditArguments {
    /// Says whether no option was given.
    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_none()
            && self.title.is_none()
            && self.kind.is_none()
            && self.status.is_none()
            && self.add_tags.is_empty()
            && self.remove_tags.is_empty()
            && self.path.is_none()
    }
}

/// `memorax forget`
#[derive(Args, Debug)]
pub(crate) struct ForgetArguments {
    /// The memory: its id, or at least 6 characters of either end
    pub(crate) id: String,
    /// Bring a deleted memory back
    #[arg(long, conflicts_with = "purge")]
    pub(crate) undo: bool,
    /// Remove its words for good, from the log and every other file
    #[arg(long)]
    pub(crate) purge: bool,
    /// Do not ask; off a terminal, purges only where CI=true
    #[arg(long, requires = "purge")]
    pub(crate) yes: bool,
}

/// `memorax feedback`
#[derive(Args, Debug)]
pub(crate) struct FeedbackArguments {
    /// The memory: its id, or at least 6 characters of either end
    pub(crate) id: String,
    /// helpful or harmful
    #[arg(value_parser = value::verdict(), hide_possible_values = true)]
    pub(crate) verdict: Verdict,
    /// Why
    #[arg(long, value_name = "TEXT")]
    pub(crate) note: Option<String>,
}
