//! The program `memorax`: the process around the library beside it.

use std::panic;
use std::process::ExitCode;

use memorax_cli::Streams;
use memorax_core::store::contains_panics;

fn main() -> ExitCode {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        // The storage engine panics over some damage; what is caught is told as an error.
        if !contains_panics() {
            usual(panic);
        }
    }));
    memorax_cli::run(std::env::args_os(), &mut Streams::standard())
}
