//! Which embedder, as people write it: in an environment variable, or as an option of a binding.

use std::env;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use super::Embedder;
use crate::{Error, ErrorKind, Result};

/// Names the embedder of the program: `static`, `none`, `onnx`, `fastembed`, or one with its folder (`onnx:FOLDER`).
const NAMED: &str = "MEMORAX_EMBEDDER";
/// Names the folder of the model.
const MODEL: &str = "MEMORAX_MODEL_DIR";

/// An embedder that comes with this library, by name: `static`, `none`, `onnx:FOLDER` or `fastembed:FOLDER`.
///
/// ```
/// use memorax_core::EmbedderChoice;
///
/// let choice: EmbedderChoice = "onnx:models/all-MiniLM-L6-v2".parse()?;
/// assert_eq!(choice, EmbedderChoice::Onnx("models/all-MiniLM-L6-v2".into()));
/// assert!("none".parse::<EmbedderChoice>()?.open()?.is_none());
/// # Ok::<(), memorax_core::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum EmbedderChoice {
    /// The table of word vectors inside the program.
    #[default]
    Static,
    /// None: search is by words.
    None,
    /// The sentence model in a folder, run in pure Rust (feature `onnx`).
    Onnx(PathBuf),
    /// The sentence model in a folder, run by the ONNX Runtime that `ORT_DYLIB_PATH` names (feature `fastembed`).
    Fastembed(PathBuf),
}

impl EmbedderChoice {
    /// Reads `MEMORAX_EMBEDDER`: a choice by name, where `onnx` and `fastembed` alone mean the model in
    /// `MEMORAX_MODEL_DIR`. The table inside the program where it is not set.
    ///
    /// # Errors
    /// `InvalidInput` where it names no embedder, or a sentence model without its folder.
    pub fn from_environment() -> Result<Self> {
        let Some(name) = env::var_os(NAMED).filter(|name| !name.is_empty()) else {
            return Ok(Self::default());
        };
        let name = name
            .into_string()
            .map_err(|name| unknown(&name.to_string_lossy()))?;
        let folder = env::var_os(MODEL).filter(|folder| !folder.is_empty());
        Self::named(&name, folder.map(PathBuf::from))
    }

    fn named(name: &str, folder: Option<PathBuf>) -> Result<Self> {
        let model: fn(PathBuf) -> Self = match name {
            "onnx" => Self::Onnx,
            "fastembed" => Self::Fastembed,
            _ => return name.parse(),
        };
        folder.map(model).ok_or_else(|| {
            Error::new(
                ErrorKind::InvalidInput,
                format!("the embedder `{name}` needs the folder of a model"),
            )
            .with_hint("set MEMORAX_MODEL_DIR, or write the folder behind it: `onnx:FOLDER`")
        })
    }

    /// Opens the embedder; nothing for [`EmbedderChoice::None`].
    ///
    /// # Errors
    /// `NotFound` where a model is missing, `InvalidInput` where it cannot be run, or not by this build.
    pub fn open(&self) -> Result<Option<Arc<dyn Embedder>>> {
        match self {
            Self::Static => built_in().map(Some),
            Self::None => Ok(None),
            Self::Onnx(folder) => onnx(folder).map(Some),
            Self::Fastembed(folder) => fastembed(folder).map(Some),
        }
    }
}

impl FromStr for EmbedderChoice {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text.split_once(':') {
            None if text == "static" => Ok(Self::Static),
            None if text == "none" => Ok(Self::None),
            Some(("onnx", folder)) if !folder.is_empty() => Ok(Self::Onnx(folder.into())),
            Some(("fastembed", folder)) if !folder.is_empty() => Ok(Self::Fastembed(folder.into())),
            _ => Err(unknown(text)),
        }
    }
}

impl fmt::Display for EmbedderChoice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Static => formatter.write_str("static"),
            Self::None => formatter.write_str("none"),
            Self::Onnx(folder) => write!(formatter, "onnx:{}", folder.display()),
            Self::Fastembed(folder) => write!(formatter, "fastembed:{}", folder.display()),
        }
    }
}

fn unknown(name: &str) -> Error {
    Error::new(ErrorKind::InvalidInput, format!("no embedder `{name}`")).with_hint(
        "one of: static, none, onnx:FOLDER, fastembed:FOLDER, where FOLDER holds a sentence model",
    )
}

#[cfg(feature = "static")]
#[expect(
    clippy::unnecessary_wraps,
    reason = "a build without the table cannot give it"
)]
fn built_in() -> Result<Arc<dyn Embedder>> {
    Ok(Arc::new(super::StaticEmbedder::new()))
}

#[cfg(not(feature = "static"))]
fn built_in() -> Result<Arc<dyn Embedder>> {
    Err(not_built("static"))
}

#[cfg(feature = "onnx")]
fn onnx(folder: &std::path::Path) -> Result<Arc<dyn Embedder>> {
    Ok(Arc::new(super::OnnxEmbedder::open(folder)?))
}

#[cfg(not(feature = "onnx"))]
fn onnx(_folder: &std::path::Path) -> Result<Arc<dyn Embedder>> {
    Err(not_built("onnx"))
}

#[cfg(feature = "fastembed")]
fn fastembed(folder: &std::path::Path) -> Result<Arc<dyn Embedder>> {
    let library = env::var_os("ORT_DYLIB_PATH").filter(|path| !path.is_empty());
    let library = library.ok_or_else(|| {
        Error::new(ErrorKind::InvalidInput, "no ONNX Runtime is named")
            .with_hint("set ORT_DYLIB_PATH to its library, or use `onnx`, which needs none")
    })?;
    Ok(Arc::new(super::FastEmbedder::open(folder, library)?))
}

#[cfg(not(feature = "fastembed"))]
fn fastembed(_folder: &std::path::Path) -> Result<Arc<dyn Embedder>> {
    Err(not_built("fastembed"))
}

#[cfg(not(all(feature = "static", feature = "onnx", feature = "fastembed")))]
fn not_built(feature: &str) -> Error {
    Error::new(
        ErrorKind::InvalidInput,
        format!("this build has no embedder `{feature}`"),
    )
    .with_hint(format!(
        "build with the feature `{feature}`: cargo install --locked --path memorax-cli --features {feature}"
    ))
}

#[cfg(test)]
mod tests {
    use super::EmbedderChoice;

    #[test]
    fn a_choice_is_read_as_it_is_written() {
        for text in ["static", "none", "onnx:/a:b", "fastembed:models"] {
            let choice: EmbedderChoice = text.parse().expect("the text names an embedder");
            assert_eq!(choice.to_string(), text);
        }
        for text in ["", "onnx", "onnx:", "bert", "static:x"] {
            assert!(text.parse::<EmbedderChoice>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_model_alone_is_the_one_in_the_named_folder() {
        let choice = EmbedderChoice::named("onnx", Some("models".into()));
        assert_eq!(choice.ok(), Some(EmbedderChoice::Onnx("models".into())));
        let error = EmbedderChoice::named("onnx", None).expect_err("no folder is named");
        assert!(
            error
                .hint()
                .is_some_and(|hint| hint.contains("MEMORAX_MODEL_DIR"))
        );
    }
}
