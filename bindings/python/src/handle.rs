//! The handle: each method converts in, makes one call of the core, converts out.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use memorax_core::{
    Actor, BRIEF_BUDGET, Error, ErrorKind, Fields, Filter, InitOptions, MILESTONES,
    Memorax as Handle, MemoryKind, Note, Query, Result, STORY_COMMITS, Status, Trust,
};
use pyo3::prelude::*;
use pyo3::types::PyAny;
use serde_json::json;

use crate::convert::{Check, Memory, Recall, Remembered, Shown, all, plain};
use crate::embedder::{Embedder, with_threshold};
use crate::error::exception;

/// Runs work of the core without holding up other Python threads, and maps its errors.
fn core<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T> + Send) -> PyResult<T> {
    py.detach(work).map_err(|error| exception(py, &error))
}

/// Opens the memory of the repository that `path` lies in.
#[pyfunction]
#[pyo3(signature = (path = None, *, home = None, actor = None, session = None, embedder = None, hnsw_threshold = None))]
pub(crate) fn open(
    py: Python<'_>,
    path: Option<PathBuf>,
    home: Option<PathBuf>,
    actor: Option<String>,
    session: Option<String>,
    embedder: Option<String>,
    hnsw_threshold: Option<u64>,
) -> PyResult<Memorax> {
    let embedder = embedder.map(|name| Embedder::read(py, name)).transpose()?;
    core(py, || {
        let mut writer = Actor::detect("python", false);
        if let Some(name) = actor {
            writer = Actor::new(name, Trust::Agent).via("python");
        }
        if let Some(session) = session {
            writer = writer.session(session);
        }
        let mut builder = Handle::builder().actor(writer);
        if let Some(home) = home {
            builder = builder.home(home);
        }
        if let Some(embedder) = embedder {
            builder = embedder.add_to(builder)?;
        }
        if let Some(vectors) = hnsw_threshold {
            builder = with_threshold(builder, vectors)?;
        }
        let handle = builder.open(path.as_deref().unwrap_or(Path::new(".")))?;
        Ok(Memorax {
            root: handle.root().display().to_string(),
            handle: Mutex::new(Some(handle)),
        })
    })
}

/// The memory of one repository, and of the user everywhere. Threads may share it, forked children too.
#[pyclass(frozen, module = "memorax_code")]
pub(crate) struct Memorax {
    root: String,
    /// Locked only to copy or drop the handle, and only while attached to the interpreter: a fork of Python never
    /// finds it locked by a thread that the child does not have.
    handle: Mutex<Option<Handle>>,
}

impl Memorax {
    fn call<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Handle) -> Result<T> + Send,
    ) -> PyResult<T> {
        let handle = self
            .handle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        core(py, || match handle {
            Some(handle) => work(&handle),
            None => Err(Error::new(
                ErrorKind::InvalidInput,
                format!("the memory of `{}` is closed", self.root),
            )),
        })
    }
}

#[pymethods]
impl Memorax {
    /// Indexes the repository and its history; a second call with nothing changed reads almost nothing.
    fn init<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let interrupt = AtomicBool::new(false);
        let signal = Mutex::new(None);
        // Python learns of Ctrl-C only when asked; the work done until then is kept.
        let progress = |_| {
            Python::attach(|py| {
                if let Err(raised) = py.check_signals() {
                    interrupt.store(true, Ordering::Relaxed);
                    *signal.lock().unwrap_or_else(PoisonError::into_inner) = Some(raised);
                }
            });
        };
        let found = self.call(py, |memory| {
            let init = memory.init(&InitOptions {
                interrupt: &interrupt,
                progress: &progress,
            })?;
            Ok(json!({ "identity": init.identity, "view": init.view, "branches": init.branches }))
        });
        if let Some(raised) = signal.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(raised);
        }
        plain(py, &found?)
    }

    /// Returns what a new colleague needs to know, in at most `budget` tokens.
    #[pyo3(signature = (*, budget = None))]
    fn brief(&self, py: Python<'_>, budget: Option<usize>) -> PyResult<String> {
        self.call(py, |memory| {
            Ok(memory.brief(budget.unwrap_or(BRIEF_BUDGET))?.text)
        })
    }

    /// Returns the few memories and files that matter for a task.
    #[pyo3(signature = (text, *, budget = None, memories = None, files = None, kinds = None, path = None))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
    fn recall(
        &self,
        py: Python<'_>,
        text: String,
        budget: Option<usize>,
        memories: Option<usize>,
        files: Option<usize>,
        kinds: Option<Vec<String>>,
        path: Option<String>,
    ) -> PyResult<Recall> {
        self.call(py, |memory| {
            let mut query = Query::new(text);
            query.budget = budget.unwrap_or(query.budget);
            query.memories = memories.unwrap_or(query.memories);
            query.files = files.unwrap_or(query.files);
            query.kinds = kinds_of(kinds)?;
            query.path = path;
            memory.recall(&query).map(Recall::from)
        })
    }

    /// Writes down a text.
    #[pyo3(signature = (text, *, kind, title = None, path = None, tags = None, everywhere = false))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
    fn remember(
        &self,
        py: Python<'_>,
        text: String,
        kind: &str,
        title: Option<String>,
        path: Option<String>,
        tags: Option<Vec<String>>,
        everywhere: bool,
    ) -> PyResult<Remembered> {
        self.call(py, |memory| {
            let mut note = Note::new(text, kind.parse()?).everywhere(everywhere);
            note.title = title;
            note.path = path;
            note.tags = tags.unwrap_or_default();
            memory.remember_with(note).map(Remembered::from)
        })
    }

    /// Says whether a proposal was turned down before, and why.
    fn check(&self, py: Python<'_>, text: &str) -> PyResult<Check> {
        self.call(py, |memory| memory.check(text).map(Check::from))
    }

    /// Lists memories, newest first.
    #[pyo3(signature = (*, kinds = None, statuses = None, tag = None, path = None, text = None, all_lines = false, deleted = false, limit = None))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
    fn list(
        &self,
        py: Python<'_>,
        kinds: Option<Vec<String>>,
        statuses: Option<Vec<String>>,
        tag: Option<String>,
        path: Option<String>,
        text: Option<String>,
        all_lines: bool,
        deleted: bool,
        limit: Option<usize>,
    ) -> PyResult<Vec<Memory>> {
        self.call(py, |memory| {
            let mut filter = Filter::new();
            filter.kinds = kinds_of(kinds)?;
            filter.statuses = statuses.unwrap_or_default();
            filter.tag = tag;
            filter.path = path;
            filter.text = text;
            filter.all_lines = all_lines;
            filter.deleted = deleted;
            filter.limit = limit;
            memory.list(&filter).map(all)
        })
    }

    /// Returns one memory by its id or the first characters of it.
    fn show(&self, py: Python<'_>, id: &str) -> PyResult<Shown> {
        self.call(py, |memory| memory.show(id).map(Shown::from))
    }

    /// Changes the given fields of a memory.
    #[pyo3(signature = (id, *, text = None, title = None, kind = None, add_tags = None, remove_tags = None, archived = None))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
    fn edit(
        &self,
        py: Python<'_>,
        id: &str,
        text: Option<String>,
        title: Option<String>,
        kind: Option<&str>,
        add_tags: Option<Vec<String>>,
        remove_tags: Option<Vec<String>>,
        archived: Option<bool>,
    ) -> PyResult<&'static str> {
        self.call(py, |memory| {
            let mut fields = Fields::default();
            fields.text = text;
            fields.title = title;
            fields.kind = kind.map(str::parse).transpose()?;
            fields.add_tags = add_tags.unwrap_or_default();
            fields.remove_tags = remove_tags.unwrap_or_default();
            fields.status = archived.map(|archived| {
                if archived {
                    Status::Archived
                } else {
                    Status::Active
                }
            });
            memory.edit(id, fields).map(|outcome| outcome.as_str())
        })
    }

    /// Deletes a memory; it stays in the log and can be restored.
    fn forget(&self, py: Python<'_>, id: &str) -> PyResult<&'static str> {
        self.call(py, |memory| {
            memory.forget(id).map(|outcome| outcome.as_str())
        })
    }

    /// Says whether a memory was `helpful` or `harmful`.
    #[pyo3(signature = (id, verdict, *, note = None))]
    fn feedback(
        &self,
        py: Python<'_>,
        id: &str,
        verdict: &str,
        note: Option<String>,
    ) -> PyResult<&'static str> {
        self.call(py, |memory| {
            memory
                .feedback(id, verdict.parse()?, note)
                .map(|outcome| outcome.as_str())
        })
    }

    /// Tells the story of a file, a folder or a definition, with at most `limit` of its commits, as plain data.
    #[pyo3(signature = (place, *, limit = None))]
    fn history<'py>(
        &self,
        py: Python<'py>,
        place: &str,
        limit: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let story = self.call(py, |memory| {
            Ok(json!(
                memory.history(place, limit.unwrap_or(STORY_COMMITS))?
            ))
        })?;
        plain(py, &story)
    }

    /// Returns the turns in the life of the repository that matter most, newest first, as plain data.
    #[pyo3(signature = (*, limit = None))]
    fn milestones<'py>(
        &self,
        py: Python<'py>,
        limit: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let milestones = self.call(py, |memory| {
            Ok(json!(memory.milestones(limit.unwrap_or(MILESTONES))?))
        })?;
        plain(py, &milestones)
    }

    /// Returns what is known about the repository, the store and what is wrong, as plain data.
    fn status<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let report = self.call(py, |memory| Ok(json!(memory.status()?)))?;
        plain(py, &report)
    }

    /// Ends the use of the handle; every call after it raises `InvalidInput`.
    fn close(&self, py: Python<'_>) {
        let handle = self
            .handle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        py.detach(|| drop(handle));
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __exit__(
        &self,
        py: Python<'_>,
        _kind: &Bound<'_, PyAny>,
        _raised: &Bound<'_, PyAny>,
        _trace: &Bound<'_, PyAny>,
    ) {
        self.close(py);
    }

    fn __repr__(&self) -> String {
        format!("Memorax({:?})", self.root)
    }
}

fn kinds_of(names: Option<Vec<String>>) -> Result<Vec<MemoryKind>> {
    names
        .unwrap_or_default()
        .iter()
        .map(|name| name.parse())
        .collect()
}
