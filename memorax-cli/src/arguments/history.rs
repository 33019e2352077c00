//! Options of the command that tells what happened.

use clap::Args;

/// `memorax history`
#[derive(Args, Debug)]
#[command(after_help = "\
Without a place it prints the milestones of the whole repository.")]
pub(crate) struct HistoryArguments {
    /// A file, a folder or a definition; also one that is gone
    #[arg(value_name = "PATH|SYMBOL")]
    pub(crate) place: Option<String>,
    /// At most this many commits or milestones
    #[arg(long, value_name = "COUNT")]
    pub(crate) limit: Option<usize>,
}
