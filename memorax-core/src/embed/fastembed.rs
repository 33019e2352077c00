//! Sentence models run by ONNX Runtime, a library that the user has and that is loaded when the first model is opened.

use std::fmt;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use fastembed::{
    InitOptionsUserDefined, Pooling, TextEmbedding, TokenizerFiles, UserDefinedEmbeddingModel,
};

use super::Embedder;
use super::weights::{beginning, invalid, missing, optional, read};
use crate::{Error, ErrorKind, Result};

/// Tokens of a text that the model reads; what follows is cut off.
const TOKENS: usize = 128; // As `OnnxEmbedder`.
/// Embedded when a model is opened, so that a model that cannot run is refused there.
const PROBE: &str = "open the file";
/// The oldest version of the library whose interface is spoken.
const OLDEST: &str = "1.24";

/// Embeds with a sentence model that ONNX Runtime runs: faster than [`OnnxEmbedder`](crate::OnnxEmbedder) where the model's
/// numbers are bytes, with a library of 20 to 50 MB that you bring.
///
/// The folder holds `model.onnx` and `tokenizer.json`, and may hold `config.json`, `tokenizer_config.json` and
/// `special_tokens_map.json`. Nothing is ever downloaded. The library is loaded once a process: the first path counts.
///
/// ```no_run
/// use memorax_core::{Embedder, FastEmbedder};
///
/// let embedder = FastEmbedder::open("models/all-MiniLM-L6-v2", "/usr/lib/libonnxruntime.so")?;
/// let vectors = embedder.embed(&["why was the retry loop rejected?"])?;
/// assert_eq!(vectors[0].len(), embedder.dimensions());
/// # Ok::<(), memorax_core::Error>(())
/// ```
pub struct FastEmbedder {
    id: String,
    dimensions: usize,
    /// Running a model changes it.
    model: Mutex<TextEmbedding>,
}

impl FastEmbedder {
    /// Opens the model in a folder with the library of ONNX Runtime at a path, and runs it once.
    ///
    /// # Errors
    /// `NotFound` where the library, the folder or one of its two files is missing; `InvalidInput` where the library is none
    /// or too old, or the files are no such model.
    pub fn open(folder: impl AsRef<Path>, library: impl AsRef<Path>) -> Result<Self> {
        let folder = folder.as_ref();
        if !folder.is_dir() {
            return Err(missing(&format!("no folder `{}`", folder.display())));
        }
        let bytes = read(&folder.join("model.onnx"))?;
        let described = read(&folder.join("tokenizer.json"))?;
        load(library.as_ref())?;
        let weights = format!("{}-{}", beginning(&bytes), beginning(&described));
        let files = TokenizerFiles {
            tokenizer_file: described,
            config_file: optional(folder, "config.json", r#"{"pad_token_id": 0}"#)?,
            special_tokens_map_file: optional(folder, "special_tokens_map.json", "{}")?,
            tokenizer_config_file: optional(
                folder,
                "tokenizer_config.json",
                r#"{"model_max_length": 512, "pad_token": "[PAD]"}"#,
            )?,
        };
        let model = UserDefinedEmbeddingModel::new(bytes, files).with_pooling(Pooling::Mean);
        let options = InitOptionsUserDefined::new().with_max_length(TOKENS);
        let model = TextEmbedding::try_new_from_user_defined(model, options).map_err(|error| {
            let path = folder.join("model.onnx");
            invalid(format!(
                "`{}` is no sentence model that ONNX Runtime can run",
                path.display()
            ))
            .with_source(Cause(format!("{error:#}")))
        })?;
        let mut embedder = Self {
            id: String::new(),
            dimensions: 0,
            model: Mutex::new(model),
        };
        embedder.dimensions = embedder.run(PROBE)?.len();
        embedder.id = format!("onnx-fastembed/{}/{TOKENS}/{weights}", embedder.dimensions);
        Ok(embedder)
    }

    /// Runs one text: of models with byte numbers, a vector would else depend on the texts beside it.
    fn run(&self, text: &str) -> Result<Vec<f32>> {
        let mut model = self.model.lock().unwrap_or_else(PoisonError::into_inner);
        let mut vectors = model.embed([text], Some(1)).map_err(|error| {
            invalid("the model cannot read a text").with_source(Cause(format!("{error:#}")))
        })?;
        vectors
            .pop()
            .filter(|vector| !vector.is_empty())
            .ok_or_else(|| invalid("the model gave no vector"))
    }
}

impl Embedder for FastEmbedder {
    fn id(&self) -> &str {
        &self.id
    }

    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        texts.iter().map(|text| self.run(text)).collect()
    }
}

impl fmt::Debug for FastEmbedder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("FastEmbedder")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

/// Loads the library. Everything else of its interface panics where it was not loaded before.
fn load(library: &Path) -> Result<()> {
    let next = format!(
        "need ONNX Runtime {OLDEST} or later; set ORT_DYLIB_PATH, or use the embedder `onnx`, which needs no library"
    );
    if !library.is_file() {
        let message = format!("no library `{}`", library.display());
        return Err(Error::new(ErrorKind::NotFound, message).with_hint(next));
    }
    ort::init_from(library).map_err(|error| {
        invalid(format!(
            "`{}` is no ONNX Runtime that can be used",
            library.display()
        ))
        .with_source(Cause(error.to_string()))
        .with_hint(next)
    })?;
    // What it returns would make an environment of our own; the one that comes with the first model does as well.
    Ok(())
}

/// What ONNX Runtime says, as text: its own errors are tied to types that leave with the library.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Cause(String);
