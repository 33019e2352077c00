//! Commands of a project: what each is for, and where it comes from.

use serde::{Deserialize, Serialize};

use crate::types::named;

named! {
    /// What a command is for.
    pub enum Task ("task") {
        /// Installs what development needs.
        Setup = "set up",
        /// Compiles or packs.
        Build = "build",
        /// Runs the tests.
        Test = "test",
        /// Looks for mistakes: linters and type checkers.
        Lint = "lint",
        /// Formats the code, or checks its format.
        Format = "format",
        /// Starts the program.
        Run = "run",
        /// Builds the documentation.
        Docs = "docs",
        /// Measures speed.
        Bench = "bench",
    }
}

/// How a command is known, the most trustworthy first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Basis {
    /// A target of the project's own runner: Makefile, justfile, package scripts.
    Target,
    /// CI runs it.
    Ci,
    /// A document for contributors says it.
    Document,
    /// A manifest configures the tool that it calls.
    Configured,
    /// The manifest's ecosystem has it.
    Implied,
}

/// A command that can be run from the root.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ProjectCommand {
    /// What it is for.
    pub task: Task,
    /// The command line, to be run from the root.
    pub line: String,
    /// The best evidence for it.
    pub basis: Basis,
    /// Files that say so, the best first.
    pub from: Vec<String>,
    /// What the target runs, where that is one short line.
    pub runs: Option<String>,
}
