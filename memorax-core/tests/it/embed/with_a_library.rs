//! Sentence models on ONNX Runtime: `cargo xtask test models` fetches the library and the model.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use memorax_core::{Embedder, ErrorKind, FastEmbedder, OnnxEmbedder};

use super::tiny::{Kind, write};

type TestResult = Result<(), Box<dyn Error>>;

const TEXTS: [&str; 4] = [
    "open the configuration file",
    "fn remove_path(path: &Path) -> Result<()> { std::fs::remove_file(path) }",
    "Revert \"Retry failed uploads\": it sent some of them twice",
    "x",
];

fn named(variable: &str) -> Result<PathBuf, Box<dyn Error>> {
    let path = std::env::var_os(variable).ok_or(format!("{variable} is not set"))?;
    Ok(path.into())
}

fn cosine(left: &[f32], right: &[f32]) -> f32 {
    let product: f32 = left.iter().zip(right).map(|(one, other)| one * other).sum();
    let length = |vector: &[f32]| vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    product / length(left) / length(right)
}

#[test]
fn a_library_that_is_missing_or_none_is_an_error_with_the_next_step() -> TestResult {
    let folder = tempfile::tempdir()?;
    write(folder.path(), Kind::Good)?;
    let library = folder.path().join("libonnxruntime.so");
    let error = FastEmbedder::open(folder.path(), &library).expect_err("there is no such file");
    assert_eq!(error.kind(), ErrorKind::NotFound, "{error}");
    assert!(
        error
            .hint()
            .is_some_and(|hint| hint.contains("ORT_DYLIB_PATH"))
    );
    fs::write(&library, "this is a text")?;
    let error = FastEmbedder::open(folder.path(), &library).expect_err("a text is no library");
    assert_eq!(error.kind(), ErrorKind::InvalidInput, "{error}");
    assert!(error.hint().is_some_and(|hint| hint.contains("1.24")));
    Ok(())
}

#[test]
#[ignore = "needs the library and the model that `cargo xtask test models` fetches"]
fn the_vectors_are_those_of_the_pure_embedder() -> TestResult {
    let (model, library) = (named("MEMORAX_TEST_MODEL")?, named("MEMORAX_TEST_LIBRARY")?);
    let fast = FastEmbedder::open(&model, &library)?;
    let pure = OnnxEmbedder::open(&model)?;
    assert_eq!(fast.dimensions(), pure.dimensions());
    let both = fast.embed(&TEXTS)?.into_iter().zip(pure.embed(&TEXTS)?);
    for (text, (left, right)) in TEXTS.iter().zip(both) {
        let near = cosine(&left, &right);
        assert!(near > 0.999, "{text}: {near}");
    }
    assert!(
        fast.id().starts_with("onnx-fastembed/384/128/"),
        "{}",
        fast.id()
    );
    let weights = |id: &str| id.rsplit('/').next().map(str::to_owned);
    assert_eq!(weights(fast.id()), weights(pure.id()), "the same files");
    assert_ne!(fast.id(), pure.id(), "another engine rounds in another way");
    Ok(())
}

#[test]
#[ignore = "needs the library that `cargo xtask test models` fetches"]
fn what_is_no_model_is_an_error() -> TestResult {
    let library = named("MEMORAX_TEST_LIBRARY")?;
    let folder = tempfile::tempdir()?;
    write(folder.path(), Kind::Good)?;
    fs::write(folder.path().join("model.onnx"), "no model")?;
    let error = FastEmbedder::open(folder.path(), &library).expect_err("a text is no model");
    assert_eq!(error.kind(), ErrorKind::InvalidInput, "{error}");
    assert!(error.to_string().contains("model.onnx"), "{error}");
    Ok(())
}
