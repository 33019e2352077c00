//! Which repositories this installation has met: one document for all, and in each repository's folder what is known of
//! it alone, so that a lost document can be written anew.

use std::path::PathBuf;

use super::home::{Home, Mended, PATIENCE, damaged, read_optional};
use crate::disk::{self, FileLock};
use crate::repo::{Contested, Facts, Known, Registry, identify};
use crate::{ErrorKind, Identity, RepositoryId, Result, Timestamp};

/// Name of the document in a repository's own folder.
const EVIDENCE: &str = "identity.json";

/// The repositories that were met, with those that a lost document no longer names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recovered {
    pub(crate) registry: Registry,
    /// Folders whose repositories were found again.
    pub(crate) found: Vec<RepositoryId>,
    /// Folders whose evidence another repository has too.
    pub(crate) contested: Vec<Contested>,
    /// Folders that do not say which repository they belong to.
    pub(crate) silent: Vec<PathBuf>,
}

impl Home {
    fn registry_path(&self) -> PathBuf {
        self.root().join("identities.json")
    }

    fn evidence_path(&self, id: RepositoryId) -> PathBuf {
        self.repository(id).join(EVIDENCE)
    }

    /// Reads the repositories that were met, as they are written down.
    ///
    /// # Errors
    /// `Corrupted` where the file is damaged.
    pub(super) fn written_registry(&self) -> Result<Registry> {
        let path = self.registry_path();
        let Some(bytes) = read_optional(&path)? else {
            return Ok(Registry::default());
        };
        Registry::from_bytes(&bytes).map_err(|error| match error.kind() {
            ErrorKind::Corrupted => damaged(&path).with_source(error),
            _ => error,
        })
    }

    /// Adds the repositories whose folders are there and which the registry does not name.
    pub(crate) fn with_lost(&self, registry: Registry) -> Result<Recovered> {
        let mut recovered = Recovered {
            registry,
            ..Recovered::default()
        };
        let mut known: Vec<Known> = Vec::new();
        for folder in disk::entries(&self.repositories())? {
            let name = folder.file_name().unwrap_or_default().to_string_lossy();
            let id = name.parse::<RepositoryId>().ok();
            if id.is_some_and(|id| recovered.registry.get(id).is_some()) || !folder.is_dir() {
                continue;
            }
            match id.map(|id| self.evidence(id)).transpose()?.flatten() {
                Some(evidence) => known.push(evidence),
                None => recovered.silent.push(folder),
            }
        }
        recovered.found = known.iter().map(|known| known.id).collect();
        recovered.contested = recovered.registry.join(known);
        let contested = &recovered.contested;
        recovered
            .found
            .retain(|id| !contested.iter().any(|other| other.id == *id));
        Ok(recovered)
    }

    /// Reads what a repository's folder keeps; `None` where that cannot be understood either.
    fn evidence(&self, id: RepositoryId) -> Result<Option<Known>> {
        let Some(bytes) = read_optional(&self.evidence_path(id))? else {
            return Ok(None);
        };
        let document = Registry::from_bytes(&bytes).unwrap_or_default();
        Ok(document
            .repositories
            .into_iter()
            .find(|known| known.id == id))
    }

    /// Decides on an identity and writes it down, one process at a time; a new one gets the id `proposed`.
    pub(crate) fn settle_identity(
        &self,
        facts: &Facts,
        proposed: RepositoryId,
    ) -> Result<Identity> {
        disk::create_dir_private(self.root())?;
        let _turn = FileLock::exclusive(&self.root().join("identities.lock"), PATIENCE)?;
        let written = self.written_registry()?;
        let recovered = self.with_lost(written.clone())?;
        for folder in &recovered.silent {
            // A first run that was killed before it wrote down whose folder it is; nobody else begins one meanwhile.
            disk::remove_abandoned(folder)?;
        }
        let before = recovered.registry;
        let mut decision = identify(&before, facts, &mut |_| false);
        let mut after = decision.registry.unwrap_or_else(|| before.clone());
        if decision.is_new {
            // What was read and queued under the proposed id stays valid.
            for known in &mut after.repositories {
                if known.id == decision.identity.id {
                    known.id = proposed;
                }
            }
            decision.identity.id = proposed;
        }
        self.write_registry(&written, &after, Some(decision.identity.id))?;
        Ok(decision.identity)
    }

    /// Writes the registry, and in the folder of every repository that changed what is known of it.
    fn write_registry(
        &self,
        before: &Registry,
        after: &Registry,
        new: Option<RepositoryId>,
    ) -> Result<()> {
        for known in &after.repositories {
            let changed = before.get(known.id) != Some(known);
            let has_folder = self.repository(known.id).is_dir();
            if changed && has_folder || Some(known.id) == new {
                disk::create_dir_private(&self.repository(known.id))?;
                self.write_evidence(after, known.id)?;
            }
        }
        if before != after {
            disk::write_atomic(&self.registry_path(), &after.to_bytes())?;
        }
        Ok(())
    }

    fn write_evidence(&self, registry: &Registry, id: RepositoryId) -> Result<()> {
        match registry.only(id) {
            Some(document) => disk::write_atomic(&self.evidence_path(id), &document.to_bytes()),
            None => Ok(()),
        }
    }

    /// Puts into a repository's folder what is known of it, where that is not there yet.
    pub(crate) fn keep_evidence(&self, id: RepositoryId) -> Result<()> {
        let path = self.evidence_path(id);
        if path.metadata().is_ok_and(|data| data.len() > 0) {
            return Ok(());
        }
        // Another process is at it; if not, the next write is.
        let Some(_turn) = FileLock::try_exclusive(&self.root().join("identities.lock"))? else {
            return Ok(());
        };
        self.write_evidence(&self.read()?.registry, id)
    }

    /// Writes the registry anew where it is damaged, or does not name repositories whose folders are there.
    pub(super) fn mend_registry(&self) -> Result<Option<Mended>> {
        let _turn = FileLock::exclusive(&self.root().join("identities.lock"), PATIENCE)?;
        let (written, kept) = match self.written_registry() {
            Err(error) if error.kind() == ErrorKind::Corrupted => (
                Registry::default(),
                disk::keep_aside(&self.registry_path())?,
            ),
            registry => (registry?, None),
        };
        let recovered = self.with_lost(written.clone())?;
        let lost = recovered.unnamed(self);
        if kept.is_none() && recovered.found.is_empty() {
            return Ok(None);
        }
        for known in &recovered.registry.repositories {
            if self.repository(known.id).is_dir() {
                self.write_evidence(&recovered.registry, known.id)?;
            }
        }
        disk::write_atomic(&self.registry_path(), &recovered.registry.to_bytes())?;
        Ok(Some(Mended {
            file: "identities.json",
            kept,
            done: format!(
                "repositories named again by what their folders keep: {}",
                recovered.found.len()
            ),
            lost,
        }))
    }

    /// Drops places that are gone for long; returns them.
    pub(crate) fn drop_gone_places(&self, now: Timestamp) -> Result<Vec<String>> {
        if !self.registry_path().exists() {
            return Ok(Vec::new());
        }
        let _turn = FileLock::exclusive(&self.root().join("identities.lock"), PATIENCE)?;
        let before = self.written_registry()?;
        let mut after = before.clone();
        let dropped = after.drop_gone(now);
        self.write_registry(&before, &after, None)?;
        Ok(dropped)
    }
}

impl Recovered {
    /// Says of each folder that no repository gets back why that is so, and what to do.
    pub(crate) fn unnamed(&self, home: &Home) -> Vec<String> {
        let silent = self.silent.iter().map(|folder| {
            format!(
                "`{}` holds memories of a repository that `identities.json` no longer names: put back a copy of that file",
                folder.display()
            )
        });
        let contested = self.contested.iter().map(|contested| {
            format!(
                "`{}` also says that it is the memory of `{}`, which is {} now: move the folder that you do not need \
                 and `identities.json` away, then run `memorax repair`",
                home.repository(contested.id).display(),
                contested.evidence,
                contested.other
            )
        });
        silent.chain(contested).collect()
    }
}
