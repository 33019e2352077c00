//! Sentence models with a graph that a test can compute by hand.

use std::error::Error;
use std::fs;

use memorax_core::{Embedder, ErrorKind, OnnxEmbedder};

use super::tiny::{Kind, write};

type TestResult = Result<(), Box<dyn Error>>;

#[test]
fn the_vector_of_a_text_is_the_mean_of_its_words() -> TestResult {
    let folder = tempfile::tempdir()?;
    write(folder.path(), Kind::Good)?;
    let embedder = OnnxEmbedder::open(folder.path())?;
    let half = 0.5_f32.sqrt();
    assert_eq!(embedder.dimensions(), 3);
    assert_eq!(
        embedder.embed(&["Lock", "lock file", "unknown", "", "open open"])?,
        [
            [1.0, 0.0, 0.0],
            [half, half, 0.0],
            [0.0, 0.0, 0.0],
            [0.0, 0.0, 0.0],
            [0.0, 0.0, 1.0]
        ]
    );
    Ok(())
}

#[test]
fn a_long_text_is_cut() -> TestResult {
    let folder = tempfile::tempdir()?;
    write(folder.path(), Kind::Good)?;
    let embedder = OnnxEmbedder::open(folder.path())?;
    let text = format!("{}file", "lock ".repeat(128));
    assert_eq!(embedder.embed(&[&text])?, [[1.0, 0.0, 0.0]]);
    let wider = OnnxEmbedder::open(folder.path())?.with_tokens(129)?;
    assert!(wider.embed(&[&text])?[0][1] > 0.0, "the last word is read");
    assert_ne!(
        embedder.id(),
        wider.id(),
        "what is read makes other vectors"
    );
    Ok(())
}

#[test]
fn the_id_names_the_weights_and_the_tokenizer() -> TestResult {
    let folder = tempfile::tempdir()?;
    write(folder.path(), Kind::Good)?;
    let before = OnnxEmbedder::open(folder.path())?.id().to_owned();
    assert!(before.starts_with("onnx-rten/3/128/"), "{before}");
    assert_eq!(OnnxEmbedder::open(folder.path())?.id(), before);
    let tokenizer = folder.path().join("tokenizer.json");
    let changed = fs::read_to_string(&tokenizer)?
        .replace("\"lock\": 1, \"file\": 2", "\"lock\": 2, \"file\": 1");
    fs::write(&tokenizer, changed)?;
    assert_ne!(OnnxEmbedder::open(folder.path())?.id(), before);
    Ok(())
}

#[test]
fn what_is_no_sentence_model_is_refused_by_name() -> TestResult {
    let folder = tempfile::tempdir()?;
    let path = folder.path();
    let refused = |kind: ErrorKind, part: &str| {
        let error = OnnxEmbedder::open(path).expect_err(part);
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.to_string().contains(part), "{error}");
    };
    refused(ErrorKind::NotFound, "model.onnx");
    fs::write(path.join("model.onnx"), "no model")?;
    refused(ErrorKind::NotFound, "tokenizer.json");
    fs::write(path.join("tokenizer.json"), "{}")?;
    refused(ErrorKind::InvalidInput, "is no ONNX model");
    write(path, Kind::Good)?;
    fs::write(path.join("tokenizer.json"), "{}")?;
    refused(ErrorKind::InvalidInput, "describes no tokenizer");
    write(path, Kind::OtherInput)?;
    refused(ErrorKind::InvalidInput, "wants the input `pixels`");
    write(path, Kind::NoVectors)?;
    refused(
        ErrorKind::InvalidInput,
        "one vector of numbers for each token",
    );
    let whole = fs::read(path.join("model.onnx"))?;
    for length in 0..whole.len() {
        fs::write(path.join("model.onnx"), &whole[..length])?;
        OnnxEmbedder::open(path).expect_err("a part of a model is none");
    }
    let error = OnnxEmbedder::open(path.join("elsewhere")).expect_err("no such folder");
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert_eq!(
        error.hint(),
        Some("a model is a folder with `model.onnx` and `tokenizer.json`")
    );
    Ok(())
}

#[test]
fn too_few_tokens_are_refused() -> TestResult {
    let folder = tempfile::tempdir()?;
    write(folder.path(), Kind::Good)?;
    let error = OnnxEmbedder::open(folder.path())?
        .with_tokens(7)
        .expect_err("no room for words");
    assert_eq!(
        error.to_string(),
        "a model needs at least 8 tokens of a text, not 7"
    );
    Ok(())
}
