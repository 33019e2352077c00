//! What a command works with: the global options, the streams, and the ways to answer.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use memorax_core::repo::Progress;
use memorax_core::{Actor, EmbedderChoice, Error, ErrorKind, Memorax, Result as CoreResult};
use serde::Serialize;

use crate::arguments::Global;
use crate::failure::Failure;
use crate::paint::{Paint, Tone};
use crate::progress::ProgressLine;
use crate::render::{Page, visible};
use crate::streams::Streams;

/// Largest text that is read from a file or a pipe: far above any memory, far below any machine's memory.
const MOST_INPUT: u64 = 64 << 20;

/// One run of one command.
#[derive(Debug)]
pub(crate) struct Session<'a> {
    global: Global,
    streams: &'a mut Streams,
    /// Why the embedder that the environment names is not used.
    embedder_problem: Option<String>,
}

impl<'a> Session<'a> {
    /// Starts a run.
    pub(crate) fn new(global: Global, streams: &'a mut Streams) -> Self {
        Self {
            global,
            streams,
            embedder_problem: None,
        }
    }

    /// Returns the global options.
    pub(crate) fn global(&self) -> &Global {
        &self.global
    }

    /// Opens the memory of the repository that the program stands in.
    pub(crate) fn open(&mut self) -> Result<Memorax, Failure> {
        self.open_at(Path::new("."))
    }

    /// Opens the memory of the repository that a folder lies in, and warns where files of the installation are damaged.
    pub(crate) fn open_at(&mut self, path: &Path) -> Result<Memorax, Failure> {
        let handle = self.open_as_it_is(path)?;
        for finding in handle.damage()? {
            let next = finding.hint.unwrap_or_default();
            self.warn(&format!("{}; next: {next}", finding.detail));
        }
        Ok(handle)
    }

    /// Opens the memory for a command that tells or mends what is damaged itself.
    pub(crate) fn open_damaged(&mut self) -> Result<Memorax, Failure> {
        self.open_as_it_is(Path::new("."))
    }

    /// Says why the embedder that the environment names is not used, if so; it was warned of when the memory was opened.
    pub(crate) fn embedder_problem(&self) -> Option<&str> {
        self.embedder_problem.as_deref()
    }

    fn open_as_it_is(&mut self, path: &Path) -> Result<Memorax, Failure> {
        let actor = Actor::detect("cli", self.streams.terminals.input);
        let mut builder = Memorax::builder().actor(actor);
        if let Some(home) = &self.global.home {
            builder = builder.home(self.resolve(home));
        }
        // A model that is missing must not keep anybody from the memories.
        match EmbedderChoice::from_environment().and_then(|choice| choice.open()) {
            Ok(Some(embedder)) => builder = builder.embedder(embedder),
            Ok(None) => builder = builder.without_embedder(),
            Err(error) => {
                let next = error.hint().unwrap_or("unset MEMORAX_EMBEDDER");
                let problem = format!("{error}; using the built-in embedder; next: {next}");
                self.warn(&problem);
                self.embedder_problem = Some(problem);
            }
        }
        Ok(builder.open(self.resolve(path))?)
    }

    /// Does long work that does not tell its steps, behind a line that shows that something happens.
    pub(crate) fn waiting<T>(
        &self,
        what: &'static str,
        work: impl FnOnce() -> CoreResult<T>,
    ) -> CoreResult<T> {
        let line = ProgressLine::new(self.shows_progress());
        line.show(Progress::new(what, 0, None));
        let result = work();
        line.finish();
        result
    }

    /// Says whether a person can be asked.
    pub(crate) fn has_person(&self) -> bool {
        self.streams.terminals.input && self.streams.terminals.errors
    }

    /// Says whether progress may be drawn.
    pub(crate) fn shows_progress(&self) -> bool {
        self.streams.terminals.errors && !self.global.quiet
    }

    /// Returns the stream for data.
    pub(crate) fn output(&mut self) -> &mut dyn Write {
        &mut self.streams.output
    }

    /// Returns the stream that `-` reads.
    pub(crate) fn input(&mut self) -> &mut dyn Read {
        &mut self.streams.input
    }

    /// Starts a page on the output.
    pub(crate) fn page(&mut self) -> Page<'_> {
        let paint = Paint::output(self.global.color, self.streams);
        let columns = self.streams.columns;
        Page::new(&mut self.streams.output, paint, columns)
    }

    /// Returns a path as if the program had been started in the folder that `-C` names.
    pub(crate) fn resolve(&self, path: &Path) -> PathBuf {
        match &self.global.directory {
            Some(directory) => directory.join(path),
            None => path.to_owned(),
        }
    }

    /// Answers with JSON.
    pub(crate) fn json(&mut self, answer: &impl Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(answer).map_err(|error| {
            Error::new(ErrorKind::InvalidInput, "cannot print the answer as JSON")
                .with_source(error)
        })?;
        writeln!(self.streams.output, "{text}")?;
        Ok(())
    }

    /// Says something that is not part of the answer, unless the user wants quiet.
    pub(crate) fn note(&mut self, text: &str) {
        if !self.global.quiet {
            self.tell(Tone::Faint, "", text);
        }
    }

    /// Says something to a person who reads the answer on a terminal, and to nobody else.
    pub(crate) fn aside(&mut self, text: &str) {
        if self.streams.terminals.output && self.streams.terminals.errors {
            self.note(text);
        }
    }

    /// Warns, unless the user wants quiet.
    pub(crate) fn warn(&mut self, text: &str) {
        if !self.global.quiet {
            self.tell(Tone::Warning, "warning: ", text);
        }
    }

    fn tell(&mut self, tone: Tone, label: &str, text: &str) {
        let paint = Paint::errors(self.global.color, self.streams);
        let text = visible(text);
        let line = if label.is_empty() {
            paint.tone(tone, text).to_string()
        } else {
            format!("{}{text}", paint.tone(tone, label))
        };
        // A note that nobody can read must not stop the work.
        drop(writeln!(self.streams.errors, "{line}"));
    }

    /// Asks a person and returns the line that was typed, without its end.
    pub(crate) fn ask(&mut self, question: &str) -> Result<String, Failure> {
        let cannot =
            |error| Error::new(ErrorKind::Io, "cannot ask on the terminal").with_source(error);
        write!(self.streams.errors, "{} ", visible(question)).map_err(cannot)?;
        self.streams.errors.flush().map_err(cannot)?;
        let mut line = Vec::new();
        let mut letter = [0];
        while self.streams.input.read(&mut letter).map_err(cannot)? > 0 && letter[0] != b'\n' {
            line.push(letter[0]);
        }
        Ok(String::from_utf8_lossy(&line).trim().to_owned())
    }

    /// Returns the words of a text argument, or standard input for `-`.
    pub(crate) fn text(&mut self, words: &[String], what: &str) -> Result<String, Failure> {
        let text = if words == ["-"] {
            self.read_input(what)?
        } else {
            words.join(" ")
        };
        if text.trim().is_empty() {
            return Err(
                Error::new(ErrorKind::InvalidInput, format!("the {what} is empty"))
                    .with_hint("write it behind the command, or `-` to read it from standard input")
                    .into(),
            );
        }
        Ok(text)
    }

    fn read_input(&mut self, what: &str) -> Result<String, Failure> {
        if self.streams.terminals.input {
            let end = if cfg!(windows) {
                "Ctrl-Z, Enter"
            } else {
                "Ctrl-D"
            };
            self.note(&format!("Type the {what}, then {end}."));
        }
        let mut bytes = Vec::new();
        self.streams
            .input
            .by_ref()
            .take(MOST_INPUT + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| {
                Error::new(ErrorKind::Io, "cannot read standard input").with_source(error)
            })?;
        if bytes.len() as u64 > MOST_INPUT {
            let limit = crate::render::bytes(MOST_INPUT);
            let message = format!("the {what} on standard input is larger than {limit}");
            return Err(Error::new(ErrorKind::InvalidInput, message).into());
        }
        String::from_utf8(bytes).map_err(|error| {
            Error::new(
                ErrorKind::InvalidInput,
                format!("the {what} on standard input is not UTF-8"),
            )
            .with_source(error.utf8_error())
            .into()
        })
    }
}
