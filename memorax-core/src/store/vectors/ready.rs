//! Vectors that are made before a transaction begins, and put beside their memories inside it.

use std::collections::HashMap;

use sha2::{Digest, Sha256};

use super::exact::{Exact, TextHash, label_of};
use super::follow;
use super::rows::Known;
use crate::embed::Embedder;
use crate::store::{RowsMut, Table, state};
use crate::{Memory, MemoryId, Result};

/// Characters of a memory that are embedded: of a longer text the start says what it is about.
const LONGEST: usize = 2_000;

/// Returns the text of a memory that is embedded.
pub(crate) fn embedded_text(title: &str, text: &str) -> String {
    let mut embedded = String::new();
    // A title that was made from the text says nothing new.
    if crate::title_of(text) != title {
        embedded.push_str(title);
        embedded.push('\n');
    }
    embedded.extend(text.chars().take(LONGEST));
    embedded
}

/// Returns the hash of the text of a memory that is embedded.
pub(super) fn hash_of(memory: &Memory) -> TextHash {
    hash(&embedded_text(&memory.title, &memory.text))
}

fn hash(text: &str) -> TextHash {
    *Sha256::digest(text)
        .first_chunk()
        .expect("a SHA-256 has 32 bytes")
}

/// Vectors of texts, ready to be written.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ready {
    sets: Vec<(Known, HashMap<TextHash, Exact>)>,
}

impl Ready {
    /// Embeds texts; one that is there already is not embedded again. Never called inside a transaction.
    pub(crate) fn embed(&mut self, embedder: &dyn Embedder, texts: &[String]) -> Result<()> {
        let known = Known::new(embedder.id(), embedder.dimensions())?;
        let key = known.key();
        let place = self.sets.iter().position(|(other, _)| other.key() == key);
        let place = place.unwrap_or_else(|| {
            self.sets.push((known, HashMap::new()));
            self.sets.len() - 1
        });
        let (_, set) = &mut self.sets[place];
        let texts = texts.iter().map(|text| (hash(text), text.as_str()));
        let (hashes, texts): (Vec<TextHash>, Vec<&str>) =
            texts.filter(|(hash, _)| !set.contains_key(hash)).unzip();
        if texts.is_empty() {
            return Ok(());
        }
        let vectors = embedder.embed(&texts)?;
        for (hash, vector) in hashes.into_iter().zip(vectors) {
            set.insert(hash, Exact::new(&vector, embedder.dimensions())?);
        }
        Ok(())
    }

    /// Puts the vectors of a memory beside it, if its text is among those that were embedded; says whether one was new.
    pub(crate) fn put(&self, rows: &mut dyn RowsMut, id: MemoryId) -> Result<bool> {
        let id = state::resolve(rows.as_rows(), id)?;
        let (Some(memory), Some(ordinal)) = (
            state::shown(rows.as_rows(), id)?,
            state::ordinal(rows.as_rows(), id)?,
        ) else {
            return Ok(false);
        };
        let text = hash_of(&memory);
        let mut is_new = false;
        for (embedder, set) in &self.sets {
            let Some(vector) = set.get(&text) else {
                continue;
            };
            let key = embedder.key().with(ordinal);
            let kept = rows.get(Table::Vector, &key)?;
            let kept = kept.map(|row| label_of(&key, &row)).transpose()?;
            if kept.map(|label| label.text) != Some(text) {
                follow::put(rows, embedder, ordinal, text, vector)?;
                is_new = true;
            }
        }
        Ok(is_new)
    }
}
