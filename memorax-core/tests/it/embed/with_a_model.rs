//! A real sentence model: `cargo xtask test models` fetches all-MiniLM-L6-v2 and runs these.

use std::error::Error;

use memorax_core::{Embedder, OnnxEmbedder};
#[cfg(feature = "hnsw")]
use {
    memorax_core::{InitOptions, Memorax, MemoryKind, Query},
    std::sync::{Arc, atomic::AtomicBool},
};

/// What ONNX Runtime 1.32 gives for "open the configuration file" with the same weights: the first twelve of 384.
const REFERENCE: [f32; 12] = [
    0.0557, -0.0085, -0.1251, -0.0528, 0.0589, 0.0426, -0.0161, 0.0549, -0.0857, 0.0244, 0.0829,
    0.0613,
];

fn model() -> Result<OnnxEmbedder, Box<dyn Error>> {
    let folder = std::env::var_os("MEMORAX_TEST_MODEL")
        .ok_or("MEMORAX_TEST_MODEL names the folder that `cargo xtask model` made")?;
    Ok(OnnxEmbedder::open(folder)?)
}

#[test]
#[ignore = "needs the model that `cargo xtask test models` fetches"]
fn the_vectors_are_those_of_another_runtime() -> Result<(), Box<dyn Error>> {
    let vectors = model()?.embed(&["open the configuration file"])?;
    assert_eq!(vectors[0].len(), 384);
    for (value, expected) in vectors[0].iter().zip(REFERENCE) {
        assert!(
            (value - expected).abs() < 0.002,
            "{value} is not {expected}"
        );
    }
    Ok(())
}

#[test]
#[ignore = "needs the model that `cargo xtask test models` fetches"]
fn vectors_do_not_depend_on_their_batch() -> Result<(), Box<dyn Error>> {
    let embedder = model()?;
    let long = "the retry loop was rejected because of the load on the server ".repeat(40);
    let texts = [
        "why was the retry loop rejected?",
        "",
        &long,
        "fn remove_path(path: &Path)",
    ];
    let together = embedder.embed(&texts)?;
    for (text, vector) in texts.iter().zip(&together) {
        assert_eq!(&embedder.embed(&[text])?[0], vector, "{text:?}");
    }
    Ok(())
}

#[test]
#[ignore = "needs the model that `cargo xtask test models` fetches"]
fn near_meanings_without_common_words_are_near() -> Result<(), Box<dyn Error>> {
    let vectors = model()?.embed(&[
        "how do users sign in",
        "Authentication uses a session cookie",
        "The parser reads numbers in hexadecimal",
    ])?;
    let near = |other: usize| -> f32 {
        vectors[0]
            .iter()
            .zip(&vectors[other])
            .map(|(x, y)| x * y)
            .sum()
    };
    assert!(near(1) > near(2) + 0.1, "{} and {}", near(1), near(2));
    let more = model()?
        .with_tokens(1024)
        .expect_err("the model has 512 positions");
    assert_eq!(more.to_string(), "the model cannot read 1024 tokens");
    Ok(())
}

#[cfg(feature = "hnsw")]
#[test]
#[ignore = "needs the model that `cargo xtask test models` fetches"]
fn a_model_and_a_graph_find_memories_and_files_in_a_store_on_disk() -> Result<(), Box<dyn Error>> {
    let (folder, home) = (tempfile::tempdir()?, tempfile::tempdir()?);
    for (name, text) in [
        (
            "login.py",
            "def verify(password, digest):\n    return argon2.verify(digest, password)\n",
        ),
        ("prices.py", "def total(cents):\n    return sum(cents)\n"),
        (
            "nightly.py",
            "def sweep(sessions):\n    return [one for one in sessions if one.is_old()]\n",
        ),
    ] {
        std::fs::write(folder.path().join(name), text)?;
    }
    let open = || -> Result<Memorax, Box<dyn Error>> {
        let builder = Memorax::builder().home(home.path()).hnsw_threshold(2);
        Ok(builder.embedder(Arc::new(model()?)).open(folder.path())?)
    };
    let memory = open()?;
    for text in [
        "Passwords are hashed with argon2 before they are kept.",
        "The nightly job removes sessions older than a week.",
        "Prices are integers of the smallest coin, never floats.",
    ] {
        memory.remember(text, MemoryKind::Convention)?;
    }
    let options = InitOptions {
        interrupt: &AtomicBool::new(false),
        progress: &|_| {},
    };
    let init = memory.init(&options)?;
    assert_eq!(init.vectors.waiting, 0);
    let chunks = init.chunks.ok_or("a model is not the built-in embedder")?;
    assert_eq!((chunks.embedded, chunks.chunks), (3, 3));
    // Another handle, as another process would have it, finds what this one wrote.
    for memory in [memory, open()?] {
        let recall = memory.recall(&Query::new("how do we store user credentials safely?"))?;
        let first = recall.hits.first().ok_or("nothing was found")?;
        assert!(
            first.memory.text.contains("argon2"),
            "{}",
            first.memory.text
        );
    }
    Ok(())
}
