//! The stages of `cargo xtask test`: their order, their times, and the one line that sums them up.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::command::Failure;
use crate::tally::Tally;
use crate::workspace::Workspace;
use crate::{examples, model, node, python, rust};

/// One group of checks that can be run alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    Format,
    Lint,
    Docs,
    Rust,
    Models,
    Python,
    Node,
    Examples,
}

impl Stage {
    /// All stages; the quick ones come first, and the examples last because they use what the others built.
    pub(crate) const ALL: [Self; 8] = [
        Self::Format,
        Self::Lint,
        Self::Docs,
        Self::Rust,
        Self::Models,
        Self::Python,
        Self::Node,
        Self::Examples,
    ];

    /// Finds a stage by its name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|stage| stage.name() == name)
    }

    fn name(self) -> &'static str {
        match self {
            Self::Format => "format",
            Self::Lint => "lint",
            Self::Docs => "docs",
            Self::Rust => "rust",
            Self::Models => "models",
            Self::Python => "python",
            Self::Node => "node",
            Self::Examples => "examples",
        }
    }

    fn check(self, workspace: &Workspace) -> Result<Tally, Failure> {
        match self {
            Self::Format => rust::format(workspace),
            Self::Lint => rust::lint(workspace),
            Self::Docs => rust::docs(workspace),
            Self::Rust => rust::test(workspace),
            Self::Models => model::test(workspace),
            Self::Python => python::test(workspace),
            Self::Node => node::test(workspace),
            Self::Examples => examples::run(workspace),
        }
    }
}

/// Runs stages one after the other, prints the time of each, and last the sum of all tests alone on a line.
pub(crate) fn run(workspace: &Workspace, stages: &[Stage], keep_going: bool) -> ExitCode {
    let mut results: Vec<(Stage, Duration, Tally)> = Vec::new();
    for stage in stages {
        println!("\n== {} ==", stage.name());
        let start = Instant::now();
        let tally = stage.check(workspace).unwrap_or_else(|failure| {
            eprintln!("error: {failure}");
            Tally::one(false)
        });
        let taken = start.elapsed();
        println!(
            "== {}: {tally} in {:.1} s",
            stage.name(),
            taken.as_secs_f64()
        );
        results.push((*stage, taken, tally));
        if tally.failed > 0 && !keep_going {
            break;
        }
    }
    report(&results, stages.len())
}

fn report(results: &[(Stage, Duration, Tally)], planned: usize) -> ExitCode {
    let mut sum = Tally::default();
    let mut time = Duration::ZERO;
    println!("\n{:<10}{:>9}  result", "stage", "seconds");
    for (stage, taken, tally) in results {
        println!("{:<10}{:>9.1}  {tally}", stage.name(), taken.as_secs_f64());
        sum += *tally;
        time += *taken;
    }
    println!("{:<10}{:>9.1}", "all", time.as_secs_f64());
    if results.len() < planned {
        println!(
            "{} stages were not run; --keep-going runs them after a failure",
            planned - results.len()
        );
    }
    println!("\n{sum}");
    if sum.failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
