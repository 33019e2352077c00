//! Tasks of this repository: `cargo xtask test` sets up what the checks need and runs all of them.
//!
//! Start with `stage.rs` (what is run, in which order), then the file of a stage.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the output of a task is for the terminal or the log that it runs in"
)]

mod command;
mod examples;
mod node;
mod python;
mod rust;
mod stage;
mod tally;
mod workspace;

use std::process::ExitCode;

use stage::Stage;
use workspace::Workspace;

const USAGE: &str = "\
usage: cargo xtask test [STAGE...] [--keep-going]

Runs the checks of this repository, in this order, or only the named stages:
  format    cargo fmt --check
  lint      cargo clippy on everything, warnings are errors
  docs      cargo doc of our packages, warnings are errors
  rust      cargo test of all packages, documentation examples included
  python    builds the Python package into its own virtual environment, pytest, mypy
  node      builds the Node package, node --test, tsc
  examples  runs every program below examples/

  --keep-going   runs the later stages although one has failed";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.split_first() {
        Some((task, rest)) if task == "test" => test(rest),
        Some((task, _)) if task == "help" || task == "--help" || task == "-h" => {
            println!("{USAGE}");
            ExitCode::SUCCESS
        }
        Some((task, _)) => refuse(&format!("no task `{task}`")),
        None => refuse("no task named"),
    }
}

fn test(arguments: &[String]) -> ExitCode {
    let mut stages = Vec::new();
    let mut keep_going = false;
    for argument in arguments {
        match argument.as_str() {
            "--keep-going" => keep_going = true,
            "--help" | "-h" => {
                println!("{USAGE}");
                return ExitCode::SUCCESS;
            }
            name => match Stage::named(name) {
                Some(stage) => stages.push(stage),
                None => return refuse(&format!("no stage `{name}`")),
            },
        }
    }
    if stages.is_empty() {
        stages.extend(Stage::ALL);
    }
    stage::run(&Workspace::find(), &stages, keep_going)
}

fn refuse(message: &str) -> ExitCode {
    eprintln!("error: {message}\n\n{USAGE}");
    ExitCode::FAILURE
}
