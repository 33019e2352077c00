//! Embedders through the public trait: the built-in one always, sentence models where the feature is on.

#[cfg(feature = "onnx")]
mod onnx;
#[cfg(feature = "onnx")]
mod tiny;
#[cfg(all(feature = "fastembed", feature = "onnx"))]
mod with_a_library;
#[cfg(feature = "onnx")]
mod with_a_model;

use std::error::Error;

use memorax_core::{Embedder, StaticEmbedder};

#[test]
fn a_vector_does_not_depend_on_the_texts_beside_it() -> Result<(), Box<dyn Error>> {
    let embedder = StaticEmbedder::new();
    let texts = ["open the lock file", "", "fn read_config(path: &Path)"];
    let together = embedder.embed(&texts)?;
    for (text, vector) in texts.iter().zip(&together) {
        assert_eq!(&embedder.embed(&[text])?[0], vector, "{text:?}");
        assert_eq!(vector.len(), embedder.dimensions());
    }
    Ok(())
}
