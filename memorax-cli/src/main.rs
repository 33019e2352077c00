//! The program `memorax`: the process around the library beside it.

use std::process::ExitCode;

use memorax_cli::Streams;

fn main() -> ExitCode {
    memorax_cli::run(std::env::args_os(), &mut Streams::standard())
}
