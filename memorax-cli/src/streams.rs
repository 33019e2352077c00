//! The three streams of a run, and what is known about the terminal behind them.

use std::fmt;
use std::io::{self, BufWriter, IsTerminal, Read, Write};

/// Where a run reads from and writes to.
pub struct Streams {
    /// Text that commands read with `-`.
    pub input: Box<dyn Read>,
    /// Data.
    pub output: Box<dyn Write>,
    /// Everything else: errors, hints, notes, questions, progress.
    pub errors: Box<dyn Write>,
    /// Which of the three is a terminal.
    pub terminals: Terminals,
    /// Width of the terminal behind the output, if it is one.
    pub columns: Option<usize>,
}

/// Which streams are terminals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terminals {
    /// A person may type.
    pub input: bool,
    /// A person reads the data.
    pub output: bool,
    /// A person reads the messages.
    pub errors: bool,
}

impl Streams {
    /// Returns the streams of the process.
    pub fn standard() -> Self {
        let terminals = Terminals {
            input: io::stdin().is_terminal(),
            output: io::stdout().is_terminal(),
            errors: io::stderr().is_terminal(),
        };
        let columns = terminals
            .output
            .then(terminal_size::terminal_size)
            .flatten()
            .map(|(width, _)| usize::from(width.0));
        Self {
            input: Box::new(io::stdin()),
            output: Box::new(BufWriter::new(io::stdout())),
            errors: Box::new(io::stderr()),
            terminals,
            columns,
        }
    }
}

impl fmt::Debug for Streams {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Streams")
            .field("terminals", &self.terminals)
            .field("columns", &self.columns)
            .finish_non_exhaustive()
    }
}
