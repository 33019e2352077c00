//! Exceptions: one class for each kind of error, all below `memorax_code.Error`. No other file names them.

use std::error::Error as _;

use memorax_core::{Error, ErrorKind};
use pyo3::exceptions::{PyException, PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple, PyType};

/// A kind, the name of its exception, the documentation of the exception.
const KINDS: [(ErrorKind, &str, &str); 11] = [
    (
        ErrorKind::NotFound,
        "NotFound",
        "The named memory, branch, file or repository does not exist.",
    ),
    (
        ErrorKind::InvalidInput,
        "InvalidInput",
        "An argument cannot be used as it is.",
    ),
    (
        ErrorKind::Conflict,
        "Conflict",
        "The thing changed since it was read.",
    ),
    (
        ErrorKind::Locked,
        "Locked",
        "Another process holds the write lock.",
    ),
    (
        ErrorKind::ReadOnly,
        "ReadOnly",
        "The store cannot be written here; reading works.",
    ),
    (
        ErrorKind::Unauthorized,
        "Unauthorized",
        "The action needs a person.",
    ),
    (
        ErrorKind::Corrupted,
        "Corrupted",
        "Stored data cannot be read; `memorax repair` salvages it.",
    ),
    (
        ErrorKind::Incompatible,
        "Incompatible",
        "The store was written by a newer or different version.",
    ),
    (ErrorKind::Full, "Full", "The disk is full."),
    (
        ErrorKind::Interrupted,
        "Interrupted",
        "The call was interrupted.",
    ),
    (ErrorKind::Io, "Io", "Reading or writing a file failed."),
];

struct Classes {
    base: Py<PyType>,
    by_kind: Vec<(ErrorKind, Py<PyType>)>,
}

static CLASSES: PyOnceLock<Classes> = PyOnceLock::new();

/// Adds the exceptions to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let classes = CLASSES.get_or_try_init(py, || Classes::new(py))?;
    module.add("Error", classes.base.bind(py))?;
    for ((_, name, _), (_, class)) in KINDS.iter().zip(&classes.by_kind) {
        module.add(*name, class.bind(py))?;
    }
    Ok(())
}

/// Turns an error of the core into its exception, the chain of causes into `__cause__`.
pub(crate) fn exception(py: Python<'_>, error: &Error) -> PyErr {
    build(py, error).unwrap_or_else(|failure| failure)
}

fn build(py: Python<'_>, error: &Error) -> PyResult<PyErr> {
    let classes = CLASSES.get_or_try_init(py, || Classes::new(py))?;
    let class = classes
        .by_kind
        .iter()
        .find(|(kind, _)| *kind == error.kind())
        .map_or(&classes.base, |(_, class)| class);
    let exception = class.bind(py).call1((error.to_string(),))?;
    exception.setattr("kind", error.kind().as_str())?;
    exception.setattr("hint", error.hint())?;
    let raised = PyErr::from_value(exception);
    let causes = causes(error);
    if !causes.is_empty() {
        raised.set_cause(py, Some(PyException::new_err(causes.join(": "))));
    }
    Ok(raised)
}

impl Classes {
    fn new(py: Python<'_>) -> PyResult<Self> {
        let base = class(
            py,
            "Error",
            "Base of all exceptions of this package: `kind` is the name of the error, `hint` the next step, if known.",
            &[py.get_type::<PyException>()],
        )?;
        base.setattr("kind", py.None())?;
        base.setattr("hint", py.None())?;
        let mut by_kind = Vec::with_capacity(KINDS.len());
        for (kind, name, documentation) in KINDS {
            let mut bases = vec![base.clone()];
            match kind {
                ErrorKind::Io | ErrorKind::Full => bases.push(py.get_type::<PyOSError>()),
                ErrorKind::InvalidInput => bases.push(py.get_type::<PyValueError>()),
                _ => {}
            }
            by_kind.push((kind, class(py, name, documentation, &bases)?.unbind()));
        }
        Ok(Self {
            base: base.unbind(),
            by_kind,
        })
    }
}

fn class<'py>(
    py: Python<'py>,
    name: &str,
    documentation: &str,
    bases: &[Bound<'py, PyType>],
) -> PyResult<Bound<'py, PyType>> {
    let members = PyDict::new(py);
    members.set_item("__module__", "memorax_code")?;
    members.set_item("__doc__", documentation)?;
    let class = py
        .get_type::<PyType>()
        .call1((name, PyTuple::new(py, bases)?, members))?;
    Ok(class.cast_into::<PyType>()?)
}

fn causes(error: &Error) -> Vec<String> {
    let mut texts = Vec::new();
    let mut next = error.source();
    while let Some(cause) = next {
        texts.push(cause.to_string());
        next = cause.source();
    }
    texts
}
