//! Finds a memory by its meaning, with a sentence model and a graph of its vectors, in a store on disk.
//!
//! `cargo xtask model` fetches a model and prints its folder. Run with
//! `MEMORAX_MODEL_DIR=FOLDER cargo run --release -p memorax-examples --features models --example sentence_model`.

#![expect(clippy::print_stdout, reason = "an example shows what it found")]

use std::sync::Arc;

use memorax_core::{Memorax, MemoryKind, OnnxEmbedder, Query, Result};

fn main() -> Result<()> {
    let Some(folder) = std::env::var_os("MEMORAX_MODEL_DIR") else {
        println!("skipped: MEMORAX_MODEL_DIR names no model; `cargo xtask model` fetches one");
        return Ok(());
    };
    let memory = Memorax::builder()
        .embedder(Arc::new(OnnxEmbedder::open(folder)?))
        // Graphs pay from 100,000 memories on; here they have to show that they work.
        .hnsw_threshold(2)
        .open(".")?;
    memory.remember(
        "Passwords are hashed with argon2 before they are kept.",
        MemoryKind::Convention,
    )?;
    memory.remember(
        "The nightly job removes sessions older than a week.",
        MemoryKind::Fact,
    )?;
    memory.remember(
        "Prices are integers of the smallest coin, never floats.",
        MemoryKind::Convention,
    )?;
    // Writes leave most of a slow embedder's work for later; this does it now, and builds the graph.
    memory.embed(1000)?;
    let recall = memory.recall(
        &Query::new("how do we store user credentials safely?")
            .files(0)
            .budget(400),
    )?;
    println!("{}", recall.text());
    assert!(
        recall.text().contains("argon2"),
        "it shares no word with the question"
    );
    Ok(())
}
