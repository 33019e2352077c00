//! From arguments to an exit code.

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use clap::FromArgMatches;

use crate::arguments::{Arguments, parser};
use crate::commands::{self, Session};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::paint::{ColorChoice, Paint};
use crate::streams::Streams;
use crate::usage::usage;

/// Runs the program: the first argument is its own name.
///
/// The exit code is one of those that `memorax --help` lists.
pub fn run(arguments: impl IntoIterator<Item = OsString>, streams: &mut Streams) -> ExitCode {
    let typed: Vec<OsString> = arguments.into_iter().collect();
    let exit = parsed(&typed, streams);
    ExitCode::from(exit.code())
}

fn parsed(typed: &[OsString], streams: &mut Streams) -> Exit {
    let matches = parser().try_get_matches_from(typed);
    match matches.and_then(|matches| Arguments::from_arg_matches(&matches)) {
        Ok(arguments) => answered(arguments, streams),
        Err(error) => unparsed(&error, typed, streams),
    }
}

fn answered(arguments: Arguments, streams: &mut Streams) -> Exit {
    let global = arguments.global;
    let color = global.color;
    let as_json = global.json;
    let answer = match arguments.command {
        Some(command) => commands::dispatch(command, &mut Session::new(global, streams)),
        None => help(streams, color).map(|()| Exit::Done),
    };
    let answer = answer.and_then(|exit| {
        streams.output.flush()?;
        Ok(exit)
    });
    let paint = Paint::errors(color, streams);
    answer.unwrap_or_else(|failure| failure.report(&mut streams.errors, paint, as_json))
}

/// Prints the help page for someone who typed the bare name.
fn help(streams: &mut Streams, color: ColorChoice) -> Result<(), Failure> {
    let page = parser().render_help();
    if Paint::output(color, streams).is_enabled() {
        write!(streams.output, "{}", page.ansi())?;
    } else {
        write!(streams.output, "{page}")?;
    }
    Ok(())
}

/// Tells a usage error in the form of all other errors, or prints the help or version that was asked for.
fn unparsed(error: &clap::Error, typed: &[OsString], streams: &mut Streams) -> Exit {
    let color = color_of(typed);
    let page = error.render();
    if !error.use_stderr() {
        let painted = Paint::output(color, streams).is_enabled();
        let written = if painted {
            write!(streams.output, "{}", page.ansi())
        } else {
            write!(streams.output, "{page}")
        };
        return match written.and_then(|()| streams.output.flush()) {
            Ok(()) => Exit::Done,
            Err(error) => {
                let paint = Paint::errors(color, streams);
                Failure::Output(error).report(&mut streams.errors, paint, false)
            }
        };
    }
    let as_json = typed.iter().any(|argument| argument == "--json");
    let paint = Paint::errors(color, streams);
    Failure::Error(usage(error, command_of(typed).as_deref())).report(
        &mut streams.errors,
        paint,
        as_json,
    )
}

/// Finds the command where the arguments as a whole could not be understood.
fn command_of(typed: &[OsString]) -> Option<String> {
    let parser = parser();
    typed.iter().skip(1).find_map(|word| {
        let word = word.to_string_lossy();
        let command = parser.find_subcommand(word.as_ref())?;
        Some(command.get_name().to_owned())
    })
}

/// Finds out about color where the arguments as a whole could not be understood.
fn color_of(typed: &[OsString]) -> ColorChoice {
    let mut words = typed.iter().map(|word| word.to_string_lossy());
    while let Some(word) = words.next() {
        let value = match word.strip_prefix("--color=") {
            Some(value) => value.to_owned(),
            None if word == "--color" => words.next().unwrap_or_default().into_owned(),
            None => continue,
        };
        match value.as_str() {
            "always" => return ColorChoice::Always,
            "never" => return ColorChoice::Never,
            _ => {}
        }
    }
    ColorChoice::Auto
}
