//! Remembers a decision about the repository that you stand in, and finds it again by a question.
//!
//! Run with `cargo run -p memorax-examples --example quickstart`; set `MEMORAX_HOME` to an empty folder to keep your own
//! memory out of it.

#![expect(clippy::print_stdout, reason = "an example shows what it found")]

use memorax_core::{Memorax, MemoryKind, Query, Result};

fn main() -> Result<()> {
    let memory = Memorax::open(".")?;
    memory.remember(
        "We chose redb as the storage engine: one file, crash safe.",
        MemoryKind::Decision,
    )?;
    let recall = memory.recall(&Query::new("which storage engine do we use?").budget(800))?;
    println!("{}", recall.text());
    assert!(
        recall.text().contains("redb"),
        "the decision comes back in other words"
    );
    Ok(())
}
