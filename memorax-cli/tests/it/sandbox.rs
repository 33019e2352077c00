//! A repository and a home of its own for each test, and the program in it.

use std::error::Error;
use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

pub(crate) type TestResult = Result<(), Box<dyn Error>>;

/// Variables by which the program could take the test's own surroundings for an agent or a CI job.
const SURROUNDINGS: [&str; 15] = [
    "AI_AGENT",
    "CI",
    "CLAUDECODE",
    "CLINE_ACTIVE",
    "CLICOLOR_FORCE",
    "CODEX_SANDBOX",
    "CODEX_THREAD_ID",
    "COPILOT_AGENT_SESSION_ID",
    "CURSOR_AGENT",
    "DSH_SESSION_ID",
    "EDITOR",
    "GEMINI_CLI",
    "MEMORAX_EMBEDDER",
    "NO_COLOR",
    "OPENCODE",
];

/// A folder with a repository `demo` and a home for memories.
pub(crate) struct Sandbox {
    folder: TempDir,
}

impl Sandbox {
    /// Makes a repository without commits.
    pub(crate) fn empty() -> Result<Self, Box<dyn Error>> {
        let sandbox = Self {
            folder: tempfile::tempdir()?,
        };
        fs::create_dir(sandbox.repository())?;
        sandbox.git(&["init", "--quiet", "--initial-branch=main"])?;
        Ok(sandbox)
    }

    /// Makes a repository with two commits.
    pub(crate) fn new() -> Result<Self, Box<dyn Error>> {
        let sandbox = Self::empty()?;
        sandbox.write("README.md", "# Demo\n\nA parser for dates.\n")?;
        sandbox.write(
            "src/parser.py",
            "def parse(text):\n    return text.split('-')\n",
        )?;
        sandbox.commit("Parse dates")?;
        sandbox.write(
            "src/clock.py",
            "from parser import parse\n\ndef today():\n    return parse('2026-01-31')\n",
        )?;
        sandbox.commit("Tell the date of today")?;
        Ok(sandbox)
    }

    pub(crate) fn root(&self) -> PathBuf {
        // Temporary folders stand behind a link on macOS, and the program prints the real place.
        self.folder
            .path()
            .canonicalize()
            .unwrap_or_else(|_| self.folder.path().to_owned())
    }

    pub(crate) fn repository(&self) -> PathBuf {
        self.root().join("demo")
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.root().join("home")
    }

    pub(crate) fn write(&self, path: &str, text: &str) -> TestResult {
        let path = self.repository().join(path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(path, text)?;
        Ok(())
    }

    pub(crate) fn commit(&self, message: &str) -> TestResult {
        self.git(&["add", "--all"])?;
        self.git(&["commit", "--quiet", "--message", message])
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> TestResult {
        let output = Command::new("git")
            .args(arguments)
            .current_dir(self.repository())
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", self.root().join("no-gitconfig"))
            .env("GIT_AUTHOR_NAME", "Ada")
            .env("GIT_AUTHOR_EMAIL", "ada@example.com")
            .env("GIT_AUTHOR_DATE", "2026-01-31T12:00:00Z")
            .env("GIT_COMMITTER_NAME", "Ada")
            .env("GIT_COMMITTER_EMAIL", "ada@example.com")
            .env("GIT_COMMITTER_DATE", "2026-01-31T12:00:00Z")
            .output()?;
        if output.status.success() {
            return Ok(());
        }
        Err(format!(
            "git {arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        )
        .into())
    }

    /// Returns the program, to be started in the repository.
    pub(crate) fn command<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_memorax"));
        for name in SURROUNDINGS {
            command.env_remove(name);
        }
        command
            .args(arguments)
            .current_dir(self.repository())
            .env("MEMORAX_HOME", self.home())
            .env("USER", "ada")
            .env("TERM", "xterm")
            .stdin(Stdio::null());
        command
    }

    /// Runs the program.
    pub(crate) fn run<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Result<Run, Box<dyn Error>> {
        Run::of(self.command(arguments))
    }

    /// Runs the program with a text on its standard input.
    pub(crate) fn run_with_input(
        &self,
        arguments: &[&str],
        input: &[u8],
    ) -> Result<Run, Box<dyn Error>> {
        let mut child = self
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let mut stdin = child.stdin.take().ok_or("no standard input")?;
        let input = input.to_vec();
        // The program may end without reading everything.
        let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
        let output = child.wait_with_output()?;
        writer.join().map_err(|_| "the writer panicked")?;
        Run::from_output(output)
    }

    /// Writes a memory and returns its id.
    pub(crate) fn remember(&self, arguments: &[&str]) -> Result<String, Box<dyn Error>> {
        let mut all = vec!["remember", "--json"];
        all.extend(arguments);
        let answer = self.run(&all)?.done()?;
        let answer: serde_json::Value = serde_json::from_str(&answer)?;
        Ok(answer["id"].as_str().ok_or("no id")?.to_owned())
    }

    /// Says whether some file below the home holds these bytes.
    pub(crate) fn home_holds(&self, words: &str) -> Result<bool, Box<dyn Error>> {
        holds(&self.home(), words.as_bytes())
    }
}

fn holds(folder: &Path, words: &[u8]) -> Result<bool, Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let found = if path.is_dir() {
            holds(&path, words)?
        } else {
            fs::read(&path)?
                .windows(words.len())
                .any(|window| window == words)
        };
        if found {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What a run of the program gave.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Run {
    pub(crate) fn of(mut command: Command) -> Result<Self, Box<dyn Error>> {
        Self::from_output(command.output()?)
    }

    fn from_output(output: std::process::Output) -> Result<Self, Box<dyn Error>> {
        let run = Self {
            code: output.status.code().ok_or("the program was killed")?,
            out: String::from_utf8(output.stdout)?,
            err: String::from_utf8(output.stderr)?,
        };
        if run.err.contains("panicked") {
            return Err(format!("the program panicked: {}", run.err).into());
        }
        Ok(run)
    }

    /// Returns the answer of a run that must have succeeded.
    pub(crate) fn done(self) -> Result<String, Box<dyn Error>> {
        if self.code == 0 {
            return Ok(self.out);
        }
        Err(format!("exit code {}: {}", self.code, self.err).into())
    }

    /// Returns the answer as JSON, of a run that must have succeeded.
    pub(crate) fn json(self) -> Result<serde_json::Value, Box<dyn Error>> {
        Ok(serde_json::from_str(&self.done()?)?)
    }

    /// Returns the errors of a run that must have failed with a code, and must not have answered.
    pub(crate) fn failed(self, code: i32) -> Result<String, Box<dyn Error>> {
        if self.code == code && self.out.is_empty() {
            return Ok(self.err);
        }
        Err(format!(
            "exit code {} instead of {code}: {}{}",
            self.code, self.out, self.err
        )
        .into())
    }
}

/// Compares a text with its snapshot, with what changes from run to run taken out.
macro_rules! assert_page {
    ($sandbox:expr, $page:expr) => {{
        let mut settings = insta::Settings::clone_current();
        let root = $sandbox.root().display().to_string();
        settings.add_filter(&regex::escape(&root), "<root>");
        settings.add_filter(
            "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
            "<full-id>",
        );
        settings.add_filter(r"\b[0-9a-f]{8}\b", "<id>    ");
        settings.add_filter(r"\b2[0-9]{3}-[0-9]{2}-[0-9]{2}\b", "<date>    ");
        settings.add_filter(r"\b[0-9.]+ [kM]?B\b", "<size>");
        settings.add_filter(r"\b[0-9,]+ tokens\b", "<count> tokens");
        settings.add_filter(r"in [0-9.]+ s\b", "in <time>");
        let page: String = $page;
        settings.bind(|| insta::assert_snapshot!(page));
    }};
}
pub(crate) use assert_page;
