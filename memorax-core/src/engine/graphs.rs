//! The graphs that a handle keeps in memory: made and read by explicit upkeep only, used by every recall after it.

use std::sync::Arc;
#[cfg(feature = "hnsw")]
use std::sync::Mutex;

use arc_swap::ArcSwapOption;

use crate::store::Graph;

/// Live vectors from which on graphs are worth their memory.
#[cfg(feature = "hnsw")]
pub(super) const THRESHOLD: u64 = 100_000; // Below, comparing all codes takes few milliseconds and is never wrong.

/// The graphs of one store's vectors, of the chosen embedder.
#[derive(Clone, Debug, Default)]
pub(super) struct Graphs {
    current: Arc<ArcSwapOption<Graph>>,
    #[cfg(feature = "hnsw")]
    building: Arc<Mutex<()>>,
}

impl Graphs {
    /// Returns the graphs, if there are some now.
    pub(super) fn get(&self) -> Option<Arc<Graph>> {
        self.current.load_full()
    }
}

#[cfg(feature = "hnsw")]
mod upkeep {
    use std::path::Path;
    use std::sync::Arc;

    use super::Graphs;
    use crate::Result;
    use crate::embed::Embedder;
    use crate::store::{Graph, Ledger};

    impl Graphs {
        /// Brings the graphs up to the store, by at most `limit` vectors, and keeps them in a folder. Whoever recalls
        /// meanwhile compares all vectors.
        pub(in crate::engine) fn bring_up(
            &self,
            ledger: &Ledger,
            embedder: &dyn Embedder,
            threshold: u64,
            limit: usize,
            folder: &Path,
        ) -> Result<()> {
            let Ok(_turn) = self.building.try_lock() else {
                return Ok(());
            };
            let known = match self.current.swap(None).map(Arc::try_unwrap) {
                Some(Ok(graph)) => Some(graph),
                Some(Err(used)) => {
                    self.current.store(Some(used));
                    return Ok(());
                }
                None => Graph::load(folder, ledger, embedder)?,
            };
            let graph = Graph::brought_up(known, ledger, embedder, threshold, limit)?;
            let Some(mut graph) = graph else {
                return Ok(());
            };
            let saved = graph.save(folder);
            self.current.store(Some(Arc::new(graph)));
            saved
        }
    }
}
