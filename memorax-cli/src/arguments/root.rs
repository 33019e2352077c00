//! The program, the options that every command knows, and the list of commands.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use super::{
    BackupArguments, BranchesArguments, BriefArguments, CheckArguments, CompletionsArguments,
    EditArguments, ExportArguments, FeedbackArguments, ForgetArguments, HistoryArguments,
    InitArguments, ListArguments, LogArguments, RecallArguments, ReceiptsArguments,
    RememberArguments, RestoreArguments, ShowArguments,
};
use crate::paint::ColorChoice;

/// Long-term memory for coding agents, offline, in one file a repository
#[derive(Debug, Parser)]
#[command(name = "memorax", version)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// Options that every command knows.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Global {
    /// Run as if started in DIR
    #[arg(short = 'C', value_name = "DIR", global = true)]
    pub(crate) directory: Option<PathBuf>,
    /// Keep memories below DIR [env: MEMORAX_HOME]
    #[arg(long, value_name = "DIR", global = true)]
    pub(crate) home: Option<PathBuf>,
    /// Print the answer as JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Print no notes, only the answer and errors
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// auto, always or never
    #[arg(
        long,
        value_name = "WHEN",
        global = true,
        default_value = "auto",
        hide_default_value = true,
        hide_possible_values = true
    )]
    pub(crate) color: ColorChoice,
}

/// The commands. Their order is that of completions; `help.rs` has the order of the help page.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Identify and index a repository, print its brief
    Init(InitArguments),
    /// Print what a new colleague needs to know
    Brief(BriefArguments),
    /// Show what is remembered here and whether all is well
    Status,
    /// Print the memories and files that matter for a task
    Recall(RecallArguments),
    /// Say whether a proposal was turned down before
    Check(CheckArguments),
    /// Write a memory
    Remember(RememberArguments),
    /// Change a memory, by options or in your editor
    Edit(EditArguments),
    /// Delete a memory; undo it, or purge its words for good
    Forget(ForgetArguments),
    /// Say whether a memory helped
    Feedback(FeedbackArguments),
    /// Tell what happened to a file, a folder or a definition
    History(HistoryArguments),
    /// List memories, newest first
    List(ListArguments),
    /// Show a memory with its source and history
    Show(ShowArguments),
    /// Show who changed what, newest first
    Log(LogArguments),
    /// List branches and what they know; correct their state
    Branches(BranchesArguments),
    /// Show what was put in front of agents, and why
    Receipts(ReceiptsArguments),
    /// Prove that the log is whole and the memories follow from it
    Verify,
    /// Salvage a damaged store
    Repair,
    /// Copy the store to a file
    Backup(BackupArguments),
    /// Drop what is no longer needed
    Gc,
    /// Print all memories as JSON Lines or Markdown
    Export(ExportArguments),
    /// Read memories from an export
    Restore(RestoreArguments),
    /// Look for what keeps the program from working
    Doctor,
    /// Print the completion script of a shell
    Completions(CompletionsArguments),
}
