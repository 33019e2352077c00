//! Runs a program that the user has, with an end to its time and to what it may say.

use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::{Error, ErrorKind, Result};

/// Most bytes of an answer.
const MOST: u64 = 64 << 20;
/// Most characters of a complaint that are passed on.
const COMPLAINT: usize = 300;
/// How often a program is asked whether it ended.
const PAUSE: Duration = Duration::from_millis(10);

/// Finds a program as the shell does, in the folders of `PATH`; never in the present folder.
pub(super) fn find(name: &str, path: Option<&OsString>) -> Option<PathBuf> {
    let endings: Vec<String> = if cfg!(windows) {
        let known = std::env::var("PATHEXT").unwrap_or_else(|_| ".EXE;.CMD;.BAT;.COM".to_owned());
        known.split(';').map(str::to_lowercase).collect()
    } else {
        vec![String::new()]
    };
    let folders = std::env::split_paths(path?).filter(|folder| folder.is_absolute());
    folders
        .flat_map(|folder| {
            endings
                .iter()
                .map(move |ending| folder.join(format!("{name}{ending}")))
        })
        .find(|file| is_program(file))
}

#[cfg(unix)]
fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata()
        .is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(file: &Path) -> bool {
    file.is_file()
}

/// What a program is run for.
pub(super) struct Run<'a> {
    pub(super) program: &'a Path,
    pub(super) folder: &'a Path,
    pub(super) patience: Duration,
    pub(super) interrupt: &'a AtomicBool,
}

impl Run<'_> {
    /// Returns what the program printed; an error where it fails, says too much, or takes too long.
    pub(super) fn answer(&self, arguments: &[String]) -> Result<String> {
        let name = self.program.file_stem().unwrap_or_default();
        let name = name.to_string_lossy().into_owned();
        let mut child = Command::new(self.program)
            .args(arguments)
            .current_dir(self.folder)
            .env("GH_PROMPT_DISABLED", "1")
            .env("GH_NO_UPDATE_NOTIFIER", "1")
            .env("GLAB_CHECK_UPDATE", "false")
            .env("NO_PROMPT", "1")
            .env("NO_COLOR", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| {
                let message = format!("cannot start `{}`", self.program.display());
                Error::new(ErrorKind::Io, message).with_source(error)
            })?;
        // Both are read while it runs: a full pipe would stop it for ever.
        let output = reader(child.stdout.take());
        let complaint = reader(child.stderr.take());
        let ended = self.wait(&mut child);
        if ended.is_none() {
            drop(child.kill());
            drop(child.wait());
            let interrupted = self.interrupt.load(Ordering::Relaxed);
            // What it started may hold the pipes: nobody waits for them.
            return Err(if interrupted {
                Error::new(ErrorKind::Interrupted, format!("`{name}` was interrupted"))
            } else {
                let seconds = self.patience.as_secs();
                let message = format!("`{name}` did not answer within {seconds} s");
                Error::new(ErrorKind::Io, message).with_hint(
                    "try again, or export the issues to a file: memorax init --issues=FILE",
                )
            });
        }
        let output = output.join().unwrap_or_default();
        let complaint = complaint.join().unwrap_or_default();
        if ended != Some(true) {
            let complaint = String::from_utf8_lossy(&complaint);
            let complaint = complaint.split_whitespace().collect::<Vec<_>>().join(" ");
            let complaint: String = complaint.chars().take(COMPLAINT).collect();
            let said = if complaint.is_empty() {
                "it does not say why".to_owned()
            } else {
                complaint
            };
            return Err(
                Error::new(ErrorKind::Io, format!("`{name}` failed: {said}"))
                    .with_hint(format!("{name} auth status")),
            );
        }
        if output.len() as u64 > MOST {
            let message = format!("the answer of `{name}` is larger than {} MB", MOST >> 20);
            return Err(Error::new(ErrorKind::InvalidInput, message));
        }
        String::from_utf8(output).map_err(|_| {
            Error::new(
                ErrorKind::InvalidInput,
                format!("the answer of `{name}` is not UTF-8"),
            )
        })
    }

    /// Waits for the end; says whether it went well, or nothing where it took too long.
    fn wait(&self, child: &mut Child) -> Option<bool> {
        let end = Instant::now() + self.patience;
        loop {
            match child.try_wait() {
                Ok(Some(status)) => return Some(status.success()),
                Err(_) => return Some(false),
                Ok(None) => {}
            }
            if Instant::now() >= end || self.interrupt.load(Ordering::Relaxed) {
                return None;
            }
            thread::sleep(PAUSE);
        }
    }
}

fn reader(stream: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(stream) = stream {
            // What cannot be read is missing from the answer, which is then no valid JSON.
            drop(stream.take(MOST + 1).read_to_end(&mut bytes));
        }
        bytes
    })
}
