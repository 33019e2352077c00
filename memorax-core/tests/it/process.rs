//! Other processes for tests: the test binary again, in a role.

use std::io::{BufRead, BufReader, Lines, Write};
use std::path::Path;
use std::process::{ChildStderr, Command, ExitStatus, Stdio};

const ROLE: &str = "MEMORAX_TEST_ROLE";
const STORE: &str = "MEMORAX_TEST_STORE";

type Done = Result<(), Box<dyn std::error::Error>>;

/// Another process, and the lines it says. It is killed when the test ends.
pub(crate) struct Other {
    process: std::process::Child,
    lines: Lines<BufReader<ChildStderr>>,
}

impl Other {
    /// Starts the test binary in a role, on a store.
    pub(crate) fn start(
        role: &str,
        store: &Path,
        variables: &[(&str, &str)],
    ) -> std::io::Result<Self> {
        let mut process = Command::new(std::env::current_exe()?)
            .args(["--exact", "process::plays_its_role", "--nocapture"])
            .env(ROLE, role)
            .env(STORE, store)
            .envs(variables.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()?;
        let errors = process.stderr.take().expect("it was asked for");
        Ok(Self {
            process,
            lines: BufReader::new(errors).lines(),
        })
    }

    /// Returns the next line that the process says; `None` when it ended.
    pub(crate) fn hear(&mut self) -> std::io::Result<Option<String>> {
        self.lines.next().transpose()
    }

    /// Lets a process go on that waits in [`wait`].
    pub(crate) fn tell(&mut self) -> std::io::Result<()> {
        let input = self.process.stdin.as_mut().expect("it was asked for");
        input.write_all(b"\n")
    }

    /// Sends a signal.
    #[expect(unsafe_code, reason = "std sends no signal but SIGKILL")]
    pub(crate) fn signal(&self, signal: libc::c_int) {
        let id = libc::pid_t::try_from(self.process.id()).expect("ids fit");
        // SAFETY: the process was started here and was not waited for, so the id is its own.
        assert_eq!(unsafe { libc::kill(id, signal) }, 0);
    }

    /// Kills the process as `kill -9` does.
    pub(crate) fn kill(&mut self) -> std::io::Result<ExitStatus> {
        self.process.kill()?;
        self.process.wait()
    }

    /// Waits for the end; what the process said is in the panic if it failed.
    pub(crate) fn finish(&mut self) -> std::io::Result<()> {
        let status = self.process.wait()?;
        let said: Vec<_> = self.lines.by_ref().collect::<Result<_, _>>()?;
        assert!(status.success(), "{status}: {said:#?}");
        Ok(())
    }
}

impl Drop for Other {
    fn drop(&mut self) {
        let _ = self.kill();
    }
}

/// Says a line to the process that started this one.
pub(crate) fn say(line: impl std::fmt::Display) {
    writeln!(std::io::stderr(), "{line}").expect("the test listens");
}

/// Waits for [`Other::tell`].
pub(crate) fn wait() {
    let mut line = String::new();
    std::io::stdin()
        .read_line(&mut line)
        .expect("the test speaks");
}

#[test]
fn plays_its_role() -> Done {
    let (Ok(role), Some(store)) = (std::env::var(ROLE), std::env::var_os(STORE)) else {
        return Ok(());
    };
    if let Some(role) = role.strip_prefix("handle: ") {
        return crate::shared::play(role, Path::new(&store)).inspect_err(|error| say(error));
    }
    crate::crash::play(&role, Path::new(&store)).inspect_err(|error| say(error))
}
