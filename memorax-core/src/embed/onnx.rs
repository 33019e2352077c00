//! Sentence models of the BERT family, as ONNX files, run by `rten`: pure Rust, the same vectors on every machine.

use std::fmt;
use std::path::Path;

use rten::{Model, NodeId, Value};
use rten_tensor::NdTensor;
use rten_tensor::prelude::*;
use tokenizers::{Tokenizer, TruncationParams};

use super::Embedder;
use super::weights::{beginning, invalid, missing, read};
use crate::Result;

/// Tokens of a text that the model reads; what follows is cut off.
const TOKENS: usize = 128; // What MiniLM was trained on (its model card); the time grows in proportion.
/// Fewest tokens that leave room for words beside the marks of beginning and end.
const FEWEST_TOKENS: usize = 8;
/// Embedded when a model is opened, so that a model that cannot run is refused there.
const PROBE: &str = "open the file";

/// Embeds with a sentence model: near meanings are found much better than by the built-in table, at milliseconds a text.
///
/// The folder holds `model.onnx` and `tokenizer.json`. The model gives one vector a token; their mean, of length 1, is the
/// text's. Each text is run alone, so a vector does not depend on the texts that were embedded with it.
///
/// ```no_run
/// use memorax_core::{Embedder, OnnxEmbedder};
///
/// let embedder = OnnxEmbedder::open("models/all-MiniLM-L6-v2")?;
/// let vectors = embedder.embed(&["why was the retry loop rejected?"])?;
/// assert_eq!(vectors[0].len(), embedder.dimensions());
/// # Ok::<(), memorax_core::Error>(())
/// ```
pub struct OnnxEmbedder {
    id: String,
    weights: String,
    dimensions: usize,
    model: Model,
    inputs: Vec<(NodeId, Input)>,
    output: NodeId,
    tokenizer: Tokenizer,
}

/// What the model wants to be told of the tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Input {
    Ids,
    Mask,
    Types,
}

impl OnnxEmbedder {
    /// Opens the model in a folder and runs it once.
    ///
    /// # Errors
    /// `NotFound` where the folder or one of its two files is missing, `InvalidInput` where they are no such model.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self> {
        let folder = folder.as_ref();
        if !folder.is_dir() {
            return Err(missing(&format!("no folder `{}`", folder.display())));
        }
        Self::open_files(folder.join("model.onnx"), folder.join("tokenizer.json"))
    }

    /// Opens a model whose two files lie in different places, as those of installed packages do.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_files(model: impl AsRef<Path>, tokenizer: impl AsRef<Path>) -> Result<Self> {
        let (path, described_at) = (model.as_ref(), tokenizer.as_ref());
        let bytes = read(path)?;
        let described = read(described_at)?;
        // Vectors of other words are other vectors, so the tokenizer is part of the weights' name.
        let weights = format!("{}-{}", beginning(&bytes), beginning(&described));
        let model = Model::load(bytes).map_err(|error| {
            invalid(format!(
                "`{}` is no ONNX model that can be run",
                path.display()
            ))
            .with_source(error)
        })?;
        let tokenizer = Tokenizer::from_bytes(&described).map_err(|error| {
            let path = described_at.display();
            invalid(format!("`{path}` describes no tokenizer")).with_source(error)
        })?;
        let inputs = inputs_of(&model)
            .map_err(|problem| invalid(format!("the model `{}` {problem}", path.display())))?;
        let output = output_of(&model)
            .ok_or_else(|| invalid(format!("the model `{}` has no output", path.display())))?;
        let embedder = Self {
            id: String::new(),
            weights,
            dimensions: 0,
            model,
            inputs,
            output,
            tokenizer,
        };
        embedder.with_tokens(TOKENS)
    }

    /// Reads that many tokens of each text instead of 128; the id changes with it.
    ///
    /// # Errors
    /// `InvalidInput` where the number is below 8 or above what the model can read.
    pub fn with_tokens(mut self, tokens: usize) -> Result<Self> {
        if tokens < FEWEST_TOKENS {
            return Err(invalid(format!(
                "a model needs at least {FEWEST_TOKENS} tokens of a text, not {tokens}"
            )));
        }
        let cut = TruncationParams {
            max_length: tokens,
            ..TruncationParams::default()
        };
        self.tokenizer
            .with_padding(None)
            .with_truncation(Some(cut))
            .map_err(|error| {
                invalid(format!("the tokenizer cannot cut texts to {tokens} tokens"))
                    .with_source(error)
            })?;
        self.dimensions = self.run(PROBE)?.len();
        // A text of full length shows whether the model has that many positions.
        self.run(&PROBE.repeat(tokens))?;
        self.id = format!("onnx-rten/{}/{tokens}/{}", self.dimensions, self.weights);
        Ok(self)
    }

    fn run(&self, text: &str) -> Result<Vec<f32>> {
        let tokens = self
            .tokenizer
            .encode_fast(text, true)
            .map_err(|error| invalid("the tokenizer cannot read a text").with_source(error))?;
        let ids: Vec<i32> = tokens
            .get_ids()
            .iter()
            .map(|id| i32::try_from(*id).unwrap_or(i32::MAX))
            .collect();
        let length = ids.len();
        if length == 0 {
            return Ok(vec![0.0; self.dimensions]);
        }
        let inputs = self
            .inputs
            .iter()
            .map(|(node, input)| {
                let values = match input {
                    Input::Ids => ids.clone(),
                    Input::Mask => vec![1; length],
                    Input::Types => vec![0; length],
                };
                let tensor = NdTensor::from_data([1, length], values);
                (*node, Value::from(tensor).into())
            })
            .collect();
        let hidden = self
            .model
            .run(inputs, &[self.output], None)
            .map_err(|error| {
                invalid(format!("the model cannot read {length} tokens")).with_source(error)
            })?
            .pop()
            .ok_or_else(|| invalid("the model gave no output"))?;
        let hidden: NdTensor<f32, 3> = hidden.try_into().map_err(|error| {
            invalid("the model's output is not one vector of numbers for each token")
                .with_source(error)
        })?;
        let [texts, vectors, dimensions] = hidden.shape();
        let changed = self.dimensions != 0 && dimensions != self.dimensions;
        if texts != 1 || vectors != length || dimensions == 0 || changed {
            return Err(invalid(format!(
                "the model's output has the shape {texts} x {vectors} x {dimensions} for {length} tokens"
            )));
        }
        Ok(mean(&hidden, length, dimensions))
    }
}

impl Embedder for OnnxEmbedder {
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

impl fmt::Debug for OnnxEmbedder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("OnnxEmbedder")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

/// Returns the mean of the tokens' vectors, of length 1.
fn mean(hidden: &NdTensor<f32, 3>, length: usize, dimensions: usize) -> Vec<f32> {
    let mut sum = vec![0.0_f32; dimensions];
    for token in 0..length {
        for (at, total) in sum.iter_mut().enumerate() {
            *total += hidden[[0, token, at]];
        }
    }
    let norm = sum.iter().map(|value| value * value).sum::<f32>().sqrt();
    if norm > 0.0 {
        for value in &mut sum {
            *value /= norm;
        }
    }
    sum
}

/// Finds out which inputs the model has; the error goes on a sentence.
fn inputs_of(model: &Model) -> Result<Vec<(NodeId, Input)>, String> {
    let mut inputs = Vec::new();
    for node in model.input_ids() {
        let info = model.node_info(*node);
        let name = info.as_ref().and_then(rten::NodeInfo::name).unwrap_or("");
        let input = match name {
            "input_ids" => Input::Ids,
            "attention_mask" => Input::Mask,
            "token_type_ids" => Input::Types,
            other => {
                return Err(format!(
                    "wants the input `{other}`, which sentence models do not have"
                ));
            }
        };
        inputs.push((*node, input));
    }
    if inputs.iter().any(|(_, input)| *input == Input::Ids) {
        Ok(inputs)
    } else {
        Err("has no input `input_ids`".to_owned())
    }
}

fn output_of(model: &Model) -> Option<NodeId> {
    let usual = ["last_hidden_state", "token_embeddings"];
    let outputs = model.output_ids();
    outputs
        .iter()
        .find(|node| {
            model
                .node_info(**node)
                .and_then(|info| info.name().map(|name| usual.contains(&name)))
                .unwrap_or(false)
        })
        .or_else(|| outputs.first())
        .copied()
}
