//! The packet that a recall would have given at an older commit, by the same steps as `recall`: what was found, the commands
//! that the repository states, and the packing.

use std::sync::atomic::AtomicBool;

use memorax_core::repo::{Checkout, CommitTree, IndexRequest, Indexer, Project, Replay, Tree};
use memorax_core::retrieve::{Context, NoMemories, NoTree, Retriever, Sight, Weighted, commands};
use memorax_core::{Error, ErrorKind, Query, Recall, Result, SystemClock, Timestamp, inject};

use crate::ranking::Named;

/// A repository whose older states can be asked.
#[derive(Debug)]
pub(crate) struct Past {
    name: String,
    checkout: Checkout,
    pub(crate) replay: Replay,
}

impl Past {
    /// Reads what the commits need; it is kept in `cache`.
    pub(crate) fn new(
        repository: &Named,
        cache: &std::path::Path,
        commits: &[String],
    ) -> Result<Self> {
        let replay = Indexer::new().replay(
            &IndexRequest {
                root: &repository.folder,
                cache: &cache.join(repository.name.replace(['/', '\\'], "+")),
                interrupt: &AtomicBool::new(false),
                progress: &|_| {},
                clock: &SystemClock,
            },
            commits,
        )?;
        Ok(Self {
            name: repository.name.clone(),
            checkout: Checkout::discover(&repository.folder)?,
            replay,
        })
    }

    /// Returns the files of a commit.
    pub(crate) fn tree(&self, commit: &str) -> Result<CommitTree<'_>> {
        CommitTree::of(&self.checkout, commit).ok_or_else(|| {
            let message = format!("no commit `{commit}` in `{}`", self.name);
            Error::new(ErrorKind::NotFound, message)
        })
    }

    /// Answers a query as it would have been answered when `commit` was the newest, without any memory.
    pub(crate) fn recall(
        &self,
        commit: &str,
        query: &Query,
        retriever: &Weighted,
    ) -> Result<Recall> {
        let view = self.replay.at(commit)?;
        let tree = self.tree(commit)?;
        let sight = Sight::default();
        let context =
            Context::new(&NoMemories, &NoTree, &sight, Timestamp::from_millis(0)).view(&*view);
        let mut recall = retriever.retrieve(&context, query)?;
        recall.commands = commands(query, !recall.files.is_empty(), || {
            let tree: &dyn Tree = &tree;
            Ok(Project::read(tree, view.files()?, &self.name))
        })?;
        recall.abstained = recall.is_empty();
        Ok(inject::pack(recall, query.budget, &sight))
    }
}
