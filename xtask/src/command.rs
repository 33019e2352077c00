//! One call of a program: what is run is printed first, its output goes to the terminal, its summary is counted.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use crate::tally::Tally;

/// Why a stage could not go on.
pub(crate) type Failure = String;

/// A call of a program that has not been made yet.
pub(crate) struct Call {
    command: Command,
}

impl Call {
    /// Prepares a call.
    pub(crate) fn new(program: impl AsRef<OsStr>) -> Self {
        let mut command = Command::new(program);
        command.stdin(Stdio::null());
        Self { command }
    }

    /// Adds arguments.
    pub(crate) fn args<A: AsRef<OsStr>>(mut self, arguments: impl IntoIterator<Item = A>) -> Self {
        self.command.args(arguments);
        self
    }

    /// Adds one argument.
    pub(crate) fn arg(self, argument: impl AsRef<OsStr>) -> Self {
        self.args([argument])
    }

    /// Sets an environment variable.
    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Sets the folder to run in.
    pub(crate) fn folder(mut self, folder: &Path) -> Self {
        self.command.current_dir(folder);
        self
    }

    /// Runs the program; fails when it cannot be started or does not succeed.
    pub(crate) fn run(mut self) -> Result<(), Failure> {
        self.announce();
        let status = self
            .command
            .status()
            .map_err(|error| self.not_started(&error))?;
        self.judge(status)
    }

    /// Runs the program without a word and returns what it printed.
    pub(crate) fn output(mut self) -> Result<String, Failure> {
        let output = self
            .command
            .output()
            .map_err(|error| self.not_started(&error))?;
        let complaint = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        self.judge(output.status).map_err(|failure| {
            if complaint.is_empty() {
                failure
            } else {
                format!("{failure}\n{complaint}")
            }
        })?;
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    /// Runs a test runner, passing its output on, and adds up what `count` reads from its lines.
    ///
    /// A runner that fails without naming a failed test counts as one failure.
    pub(crate) fn count(mut self, count: fn(&str) -> Option<Tally>) -> Result<Tally, Failure> {
        self.announce();
        self.command.stdout(Stdio::piped());
        let mut child = self
            .command
            .spawn()
            .map_err(|error| self.not_started(&error))?;
        let output = child.stdout.take().expect("the output was asked for above");
        let mut tally = Tally::default();
        let mut reader = BufReader::new(output);
        let mut line = Vec::new();
        let mut terminal = std::io::stdout().lock();
        while reader
            .read_until(b'\n', &mut line)
            .map_err(|error| format!("cannot read the output of {}: {error}", self.shown()))?
            > 0
        {
            // A terminal that went away is no reason to lose the result.
            let _ = terminal.write_all(&line);
            tally += count(String::from_utf8_lossy(&line).trim_end()).unwrap_or_default();
            line.clear();
        }
        drop(terminal);
        let status = child
            .wait()
            .map_err(|error| format!("cannot wait for {}: {error}", self.shown()))?;
        if !status.success() && tally.failed == 0 {
            eprintln!("error: {} failed with {status}", self.shown());
            tally.failed = 1;
        }
        Ok(tally)
    }

    fn announce(&self) {
        println!("$ {}", self.shown());
    }

    fn shown(&self) -> String {
        let program = Path::new(self.command.get_program());
        std::iter::once(program.file_name().unwrap_or(program.as_os_str()))
            .chain(self.command.get_args())
            .map(OsStr::to_string_lossy)
            .collect::<Vec<_>>()
            .join(" ")
    }

    fn not_started(&self, error: &std::io::Error) -> Failure {
        format!("cannot run {}: {error}", self.shown())
    }

    fn judge(&self, status: ExitStatus) -> Result<(), Failure> {
        if status.success() {
            Ok(())
        } else {
            Err(format!("{} failed with {status}", self.shown()))
        }
    }
}
