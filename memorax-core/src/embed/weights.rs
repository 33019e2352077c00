//! The files of a sentence model, and what names them.

use std::path::Path;

use sha2::{Digest, Sha256};

use crate::{Error, ErrorKind, Result};

/// Reads a file that a model must have.
pub(super) fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => missing(&format!("no file `{}`", path.display())),
        _ => Error::new(ErrorKind::Io, format!("cannot read `{}`", path.display()))
            .with_source(error),
    })
}

/// Reads a file that a model may have.
#[cfg(feature = "fastembed")]
pub(super) fn optional(folder: &Path, name: &str, otherwise: &str) -> Result<Vec<u8>> {
    match read(&folder.join(name)) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(otherwise.as_bytes().to_vec()),
        read => read,
    }
}

pub(super) fn missing(what: &str) -> Error {
    Error::new(ErrorKind::NotFound, what)
        .with_hint("a model is a folder with `model.onnx` and `tokenizer.json`")
}

pub(super) fn invalid(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidInput, message)
}

/// Returns the beginning of a SHA-256, enough to tell weights apart.
pub(super) fn beginning(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    let first = digest.first_chunk().expect("a SHA-256 has 32 bytes");
    format!("{:016x}", u64::from_be_bytes(*first))
}
