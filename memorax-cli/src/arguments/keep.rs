//! Options of the commands that look after the store.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

/// `memorax backup`
#[derive(Args, Debug)]
pub(crate) struct BackupArguments {
    /// File to write; it must not exist
    pub(crate) file: PathBuf,
}

/// `memorax export`
#[derive(Args, Debug)]
pub(crate) struct ExportArguments {
    /// Markdown with front matter, for reading; JSON Lines lose nothing
    #[arg(long)]
    pub(crate) markdown: bool,
}

/// `memorax restore`
#[derive(Args, Debug)]
pub(crate) struct RestoreArguments {
    /// JSON Lines of `memorax export`; `-` reads standard input
    pub(crate) file: PathBuf,
}

/// `memorax completions`
#[derive(Args, Debug)]
pub(crate) struct CompletionsArguments {
    /// bash, elvish, fish, powershell or zsh
    #[arg(hide_possible_values = true)]
    pub(crate) shell: Shell,
}
