//! Options of the commands that ask and look.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use memorax_core::MemoryKind;

use super::value;

/// `memorax init`
#[derive(Args, Debug)]
pub(crate) struct InitArguments {
    /// Any folder of the repository
    #[arg(default_value = ".", hide_default_value = true)]
    pub(crate) path: PathBuf,
    /// Most tokens of the brief
    #[arg(long, value_name = "TOKENS")]
    pub(crate) budget: Option<usize>,
    /// Also read issues: through gh or glab, or from a JSON file
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub(crate) issues: Option<String>,
}

/// `memorax brief`
#[derive(Args, Debug)]
pub(crate) struct BriefArguments {
    /// Any folder of the repository
    #[arg(default_value = ".", hide_default_value = true)]
    pub(crate) path: PathBuf,
    /// Most tokens of the brief
    #[arg(long, value_name = "TOKENS")]
    pub(crate) budget: Option<usize>,
}

/// `memorax recall`
#[derive(Args, Debug)]
pub(crate) struct RecallArguments {
    /// The task or question; `-` reads it from standard input
    #[arg(required = true, value_name = "TEXT")]
    pub(crate) text: Vec<String>,
    /// Most tokens of the answer
    #[arg(long, value_name = "TOKENS")]
    pub(crate) budget: Option<usize>,
    /// Only memories of this kind; may be repeated
    #[arg(long = "kind", value_name = "KIND", value_parser = value::kind(), hide_possible_values = true)]
    pub(crate) kinds: Vec<MemoryKind>,
    /// File or folder that is being worked on
    #[arg(long, value_name = "PATH")]
    pub(crate) path: Option<String>,
    /// Most memories
    #[arg(long, value_name = "COUNT")]
    pub(crate) memories: Option<usize>,
    /// Most files; 0 for none
    #[arg(long, value_name = "COUNT")]
    pub(crate) files: Option<usize>,
    /// For a change: also the commands that check it
    #[arg(long)]
    pub(crate) checks: bool,
    /// Say why each was chosen
    #[arg(long)]
    pub(crate) explain: bool,
}

/// `memorax check`
#[derive(Args, Debug)]
pub(crate) struct CheckArguments {
    /// The proposal; `-` reads it from standard input
    #[arg(required = true, value_name = "TEXT")]
    pub(crate) text: Vec<String>,
}

/// `memorax list`
#[derive(Args, Debug)]
pub(crate) struct ListArguments {
    /// Only this kind; may be repeated
    #[arg(long = "kind", value_name = "KIND", value_parser = value::kind(), hide_possible_values = true)]
    pub(crate) kinds: Vec<MemoryKind>,
    /// active, pending, superseded, invalid or archived; may be repeated
    #[arg(long = "status", value_name = "STATUS", value_parser = value::status(), hide_possible_values = true)]
    pub(crate) statuses: Vec<String>,
    /// Only with this tag
    #[arg(long, value_name = "TAG")]
    pub(crate) tag: Option<String>,
    /// Only what holds for or cites this path
    #[arg(long, value_name = "PATH")]
    pub(crate) path: Option<String>,
    /// Only with these words
    #[arg(long, value_name = "WORDS")]
    pub(crate) text: Option<String>,
    /// Also what other branches know
    #[arg(long)]
    pub(crate) all_lines: bool,
    /// Only what was deleted
    #[arg(long)]
    pub(crate) deleted: bool,
    /// At most this many; 0 for all
    #[arg(long, value_name = "COUNT")]
    pub(crate) limit: Option<usize>,
}

/// `memorax show`
#[derive(Args, Debug)]
pub(crate) struct ShowArguments {
    /// The memory: its id, or at least 6 characters of either end
    pub(crate) id: String,
}

/// `memorax log`
#[derive(Args, Debug)]
pub(crate) struct LogArguments {
    /// Only changes of this memory
    pub(crate) id: Option<String>,
    /// At most this many; 0 for all
    #[arg(long, value_name = "COUNT", default_value_t = 20)]
    pub(crate) limit: usize,
}

/// `memorax branches`
#[derive(Args, Debug)]
pub(crate) struct BranchesArguments {
    /// landed: its work is in; archive: it was dropped; restore: undo either
    #[arg(requires = "name", hide_possible_values = true)]
    pub(crate) action: Option<BranchAction>,
    /// The branch
    pub(crate) name: Option<String>,
}

/// What a person says about a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BranchAction {
    /// Its work is in the branch it was cut from.
    Landed,
    /// It was dropped.
    Archive,
    /// It is open after all.
    Restore,
}

/// `memorax receipts`
#[derive(Args, Debug)]
pub(crate) struct ReceiptsArguments {
    /// Show this receipt in full
    pub(crate) id: Option<String>,
    /// At most this many; 0 for all
    #[arg(long, value_name = "COUNT", default_value_t = 20)]
    pub(crate) limit: usize,
}
