//! A sentence model small enough to be written by a test: its vectors are looked up, nothing is computed.

use std::error::Error;
use std::fs;
use std::path::Path;

/// Knows four words: `lock`, `file`, `open`, `the`.
pub(crate) const TOKENIZER: &str = r#"{"version": "1.0", "truncation": null, "padding": null, "added_tokens": [],
"normalizer": {"type": "Lowercase"}, "pre_tokenizer": {"type": "Whitespace"}, "post_processor": null, "decoder": null,
"model": {"type": "WordLevel", "vocab": {"[UNK]": 0, "lock": 1, "file": 2, "open": 3, "the": 4}, "unk_token": "[UNK]"}}"#;

/// The vectors of the words, in the order of their numbers.
pub(crate) const VECTORS: [[f32; 3]; 5] = [
    [0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [0.5, 0.5, 0.0],
];

const FLOATS: u64 = 1;
const INTEGERS: u64 = 7;

/// What the graph does with the numbers of the words.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// Gives the vector of each.
    Good,
    /// Gives them back as they are.
    NoVectors,
    /// Wants them under a name that sentence models do not use.
    OtherInput,
}

/// Writes model and tokenizer into a folder.
pub(crate) fn write(folder: &Path, kind: Kind) -> Result<(), Box<dyn Error>> {
    fs::write(folder.join("tokenizer.json"), TOKENIZER)?;
    fs::write(folder.join("model.onnx"), model(kind))?;
    Ok(())
}

fn model(kind: Kind) -> Vec<u8> {
    let input = match kind {
        Kind::OtherInput => "pixels",
        Kind::Good | Kind::NoVectors => "input_ids",
    };
    let (inputs, operator, output) = match kind {
        Kind::NoVectors => (vec![input], "Identity", INTEGERS),
        Kind::Good | Kind::OtherInput => (vec!["vectors", input], "Gather", FLOATS),
    };
    let mut node = Message::default();
    for name in inputs {
        node.text(1, name);
    }
    node.text(2, "last_hidden_state");
    node.text(3, "look_up");
    node.text(4, operator);

    let mut vectors = Message::default();
    vectors.number(1, VECTORS.len() as u64);
    vectors.number(1, VECTORS[0].len() as u64);
    vectors.number(2, FLOATS);
    vectors.text(8, "vectors");
    let values: Vec<u8> = VECTORS
        .as_flattened()
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect();
    vectors.bytes(9, &values);

    let mut graph = Message::default();
    graph.message(1, &node);
    graph.text(2, "tiny");
    graph.message(5, &vectors);
    graph.message(11, &value(input, INTEGERS));
    graph.message(12, &value("last_hidden_state", output));

    let mut version = Message::default();
    version.text(1, "");
    version.number(2, 14);
    let mut model = Message::default();
    model.number(1, 8);
    model.message(7, &graph);
    model.message(8, &version);
    model.0
}

fn value(name: &str, element: u64) -> Message {
    let mut tensor = Message::default();
    tensor.number(1, element);
    let mut kind = Message::default();
    kind.message(1, &tensor);
    let mut value = Message::default();
    value.text(1, name);
    value.message(2, &kind);
    value
}

/// A protocol buffer in the making: fields with their numbers.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn number(&mut self, field: u64, number: u64) {
        self.variable(field << 3);
        self.variable(number);
    }

    fn bytes(&mut self, field: u64, bytes: &[u8]) {
        self.variable(field << 3 | 2);
        self.variable(bytes.len() as u64);
        self.0.extend(bytes);
    }

    fn text(&mut self, field: u64, text: &str) {
        self.bytes(field, text.as_bytes());
    }

    fn message(&mut self, field: u64, message: &Self) {
        self.bytes(field, &message.0);
    }

    fn variable(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push((number & 0x7f) as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }
}
