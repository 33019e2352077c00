//! Vectors of memories: made before a write, or caught up where they are missing.

use serde::Serialize;

use super::handle::{Inner, Memorax, Place};
use crate::embed::Embedder;
use crate::store::{Ready, RowsMut, embedded_text};
use crate::{Action, Draft, MemoryId, Result};

/// Memories without a vector that a write also embeds, with a quick embedder and with another one.
const WITH_A_WRITE: [usize; 2] = [500, 4];
/// The same for `init`.
const WITH_INIT: [usize; 2] = [20_000, 200];

/// What embedding memories came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Embedded {
    /// Memories that got a vector.
    pub embedded: usize,
    /// Memories that still wait for one.
    pub waiting: usize,
}

impl Memorax {
    /// Gives memories that have no vector of the embedder yet one, the newest first, at most `limit` in each store.
    ///
    /// Writes and [`init`](Self::init) do the same, a few at a time; this is for whoever does not want to wait for them
    /// after another embedder was chosen.
    ///
    /// # Errors
    /// What the embedder says where it cannot embed a text.
    pub fn embed(&self, limit: usize) -> Result<Embedded> {
        self.settled()?.embed([limit; 2])
    }
}

impl Inner {
    /// Embeds for `init`.
    pub(super) fn embed_at_init(&self) -> Result<Embedded> {
        self.embed(WITH_INIT)
    }

    /// Embeds what waits for vectors of each embedder in both stores.
    fn embed(&self, limits: [usize; 2]) -> Result<Embedded> {
        let mut sum = Embedded::default();
        for (_, place) in self.places() {
            for embedder in self.embedders.all() {
                let limit = limits[usize::from(!embedder.is_quick())];
                let embedded = place.ledger.embed(embedder, limit)?;
                let is_chosen = self
                    .embedders
                    .chosen()
                    .is_some_and(|chosen| chosen.id() == embedder.id());
                if is_chosen {
                    sum.embedded += embedded;
                    let (_, waiting) = place.ledger.embedded(embedder)?;
                    sum.waiting += usize::try_from(waiting).unwrap_or(usize::MAX);
                    #[cfg(feature = "hnsw")]
                    place.graphs.bring_up(
                        &place.ledger,
                        embedder,
                        self.hnsw_threshold,
                        limits[0],
                        &place.folder.join("index").join("vectors"),
                    )?;
                }
            }
        }
        Ok(sum)
    }

    /// Embeds a few of the memories that wait, after a write. What fails now is tried again with the next write.
    pub(super) fn embed_after_write(&self, place: &Place) {
        for embedder in self.embedders.all() {
            let limit = WITH_A_WRITE[usize::from(!embedder.is_quick())];
            let _ = place.ledger.embed(embedder, limit);
        }
    }

    /// Drops the vectors of embedders that this handle does not use, and embeds a few of what waits. Without an embedder
    /// all vectors stay: nothing says that they are not wanted.
    pub(super) fn tidy_vectors(&self, place: &Place) -> Result<()> {
        let used: Vec<&dyn Embedder> = self.embedders.all().collect();
        let is_written = place.ledger.counts()?.operations > 0;
        if is_written && !used.is_empty() {
            place.ledger.drop_vectors_but(&used)?;
            self.embed_after_write(place);
        }
        Ok(())
    }

    /// Embeds with the quick embedders what drafts are going to say.
    pub(super) fn prepare<'a>(
        &self,
        place: &Place,
        drafts: impl Iterator<Item = &'a Draft>,
    ) -> Result<Prepared> {
        let mut prepared = Prepared::default();
        if self.embedders.quick().next().is_none() {
            return Ok(prepared);
        }
        let mut texts = Vec::new();
        for draft in drafts {
            if let Some((id, text)) = place.said(&draft.action)? {
                prepared.ids.push(id);
                texts.push(text);
            }
        }
        for embedder in self.embedders.quick() {
            // A memory is worth more than its vector: it waits for one where the embedder fails.
            let _ = prepared.ready.embed(embedder, &texts);
        }
        Ok(prepared)
    }
}

impl Place {
    /// Returns which memory says what after an action; `None` where no text changes.
    fn said(&self, action: &Action) -> Result<Option<(MemoryId, String)>> {
        let (id, fields) = match action {
            Action::Remember { memory } => {
                return Ok(Some((
                    memory.id,
                    embedded_text(&memory.title, &memory.text),
                )));
            }
            Action::Edit { memory, fields, .. }
                if fields.title.is_some() || fields.text.is_some() =>
            {
                (*memory, Some(fields))
            }
            Action::Restore { memory } => (*memory, None),
            _ => return Ok(None),
        };
        let Some((memory, _)) = self.ledger.get_deleted(id)? else {
            return Ok(None);
        };
        let title = fields.and_then(|fields| fields.title.as_ref());
        let text = fields.and_then(|fields| fields.text.as_ref());
        let text = embedded_text(title.unwrap_or(&memory.title), text.unwrap_or(&memory.text));
        Ok(Some((id, text)))
    }
}

/// Vectors of what a write is going to say.
#[derive(Debug, Default)]
pub(super) struct Prepared {
    ready: Ready,
    ids: Vec<MemoryId>,
}

impl Prepared {
    /// Puts the vectors beside their memories, inside the transaction that wrote them.
    pub(super) fn put(&self, rows: &mut dyn RowsMut) -> Result<()> {
        for id in &self.ids {
            self.ready.put(rows, *id)?;
        }
        Ok(())
    }
}
