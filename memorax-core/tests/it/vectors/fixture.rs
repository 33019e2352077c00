//! An embedder of letters, and texts of many subjects.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use memorax_core::store::{Ledger, MemoryStore, Table};
use memorax_core::{
    Action, DeviceId, Draft, Embedder, LineId, MemoryKind, Result, SpaceId, StaticEmbedder,
};

use crate::ledger::{new_memory, provenance};

pub(super) type Done = std::result::Result<(), Box<dyn std::error::Error>>;
pub(super) type Row = (Table, Vec<u8>, Vec<u8>);

const TABLES: [Table; 4] = [
    Table::Embedder,
    Table::Vector,
    Table::Code,
    Table::VectorOrder,
];

/// Knows how often each letter stands in a text; counts how often it is called, and is slow unless it is told otherwise.
#[derive(Debug, Default)]
pub(super) struct Letters {
    pub(super) called: AtomicUsize,
}

impl Embedder for Letters {
    fn id(&self) -> &'static str {
        "letters/1"
    }

    fn dimensions(&self) -> usize {
        26
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        self.called.fetch_add(1, Ordering::Relaxed);
        let count = |text: &str, letter: char| text.matches(letter).count() as f32;
        Ok(texts
            .iter()
            .map(|text| ('a'..='z').map(|letter| count(text, letter)).collect())
            .collect())
    }
}

pub(super) fn ledger_on(store: Arc<dyn MemoryStore>) -> Ledger {
    Ledger::new(store, SpaceId::local(), DeviceId::new())
}

pub(super) fn rows_of(store: &dyn MemoryStore) -> Result<Vec<Row>> {
    let mut found = Vec::new();
    store.read(&mut |rows| {
        found.clear();
        for table in TABLES {
            rows.range(table, &[], &[], &mut |key, value| {
                found.push((table, key.to_vec(), value.to_vec()));
                Ok(ControlFlow::Continue(()))
            })?;
        }
        Ok(())
    })?;
    Ok(found)
}

/// Texts of many subjects: the sources of this library, in pieces of some lines.
pub(super) fn pieces(count: usize) -> std::io::Result<Vec<String>> {
    fn below(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                below(&path, files)?;
            } else {
                files.push(path);
            }
        }
        Ok(())
    }
    let mut files = Vec::new();
    below(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("src"),
        &mut files,
    )?;
    files.sort();
    let mut pieces = Vec::new();
    for file in files {
        let text = fs::read_to_string(file)?;
        let lines: Vec<&str> = text.lines().collect();
        pieces.extend(
            lines
                .chunks(6)
                .map(|lines| lines.join("\n").trim().to_owned()),
        );
    }
    pieces.retain(|piece| piece.split_whitespace().count() > 5);
    // Every so many, so that few are as mixed as many.
    let step = (pieces.len() / count).max(1);
    Ok(pieces.into_iter().step_by(step).take(count).collect())
}

pub(super) fn apart(text: &str, kind: MemoryKind, line: Option<LineId>) -> Draft {
    let mut memory = new_memory(text);
    memory.kind = kind;
    memory.scope.line = line;
    memory.keep_apart = true;
    Draft::new(
        Action::Remember {
            memory: Box::new(memory),
        },
        provenance(1_000),
    )
}

/// Compares one by one, in full precision.
pub(super) fn exactly(texts: &[String], question: &str) -> Result<Vec<(usize, f32)>> {
    let embedder = StaticEmbedder::new();
    let asked = embedder.embed(&[question])?.remove(0);
    let mut cosines = Vec::new();
    for (number, text) in texts.iter().enumerate() {
        let vector = embedder.embed(&[text])?.remove(0);
        cosines.push((number, asked.iter().zip(&vector).map(|(x, y)| x * y).sum()));
    }
    cosines.sort_by(|left: &(usize, f32), right| right.1.total_cmp(&left.1));
    Ok(cosines)
}
