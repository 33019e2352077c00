//! The repositories that this installation has met, and by what it would know them again.

use serde::{Deserialize, Serialize};

use super::Facts;
use crate::{Error, ErrorKind, Evidence, Identity, RepositoryId, Result, Timestamp};

/// Version of the document; a newer one is refused.
const VERSION: u32 = 1;

/// The repositories that this installation has met: the document `identities.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Registry {
    /// Version of the document.
    version: u32,
    /// The repositories, in the order in which they were met.
    pub repositories: Vec<Known>,
}

impl Default for Registry {
    fn default() -> Self {
        Self {
            version: VERSION,
            repositories: Vec::new(),
        }
    }
}

/// A repository that was met before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Known {
    /// The canonical id.
    pub id: RepositoryId,
    /// Common git directories and folders that have the id.
    #[serde(default)]
    pub places: Vec<Place>,
    /// Addresses of remotes that have the id.
    #[serde(default)]
    pub remotes: Vec<String>,
    /// Root commits, as full hexadecimal ids.
    #[serde(default)]
    pub roots: Vec<String>,
    /// Ids that the project's own file had.
    #[serde(default)]
    pub committed: Vec<RepositoryId>,
}

/// A common git directory, or a folder without git.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Place {
    /// Canonical path.
    pub path: String,
    /// When it was created, where the file system tells: after a change the identity is checked again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub born: Option<Timestamp>,
    /// Addresses that its remotes had then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remotes: Vec<String>,
    /// When it was first found to be gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gone: Option<Timestamp>,
}

impl Registry {
    /// Reads the document; an empty one is an empty registry.
    ///
    /// # Errors
    /// `Incompatible` for a newer version, `Corrupted` for anything else that cannot be read.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        #[derive(Deserialize)]
        struct Head {
            version: u32,
        }
        if bytes.is_empty() {
            return Ok(Self::default());
        }
        let failed = |error: serde_json::Error| {
            Error::new(ErrorKind::Corrupted, "cannot read `identities.json`")
                .with_source(error)
                .with_hint("memorax repair")
        };
        let head: Head = serde_json::from_slice(bytes).map_err(failed)?;
        if head.version > VERSION {
            return Err(Error::new(
                ErrorKind::Incompatible,
                format!(
                    "`identities.json` has version {}, this program knows {VERSION}",
                    head.version
                ),
            ));
        }
        serde_json::from_slice(bytes).map_err(failed)
    }

    /// Writes the document.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes =
            serde_json::to_vec_pretty(self).expect("strings and numbers always become JSON");
        bytes.push(b'\n');
        bytes
    }

    /// Returns the id of a place that was met before and does not look as if another repository stood there now.
    ///
    /// Takes [`Facts::quick`]; `None` means that [`identify`](super::identify) must look closer.
    pub fn known(&self, facts: &Facts) -> Option<RepositoryId> {
        let known = self.at(&facts.path)?;
        let place = known.places.iter().find(|place| place.path == facts.path)?;
        (!place.was_rebuilt(facts) && place.remotes == facts.addresses()).then_some(known.id)
    }

    /// Returns the repository that a place has.
    pub(super) fn at(&self, path: &str) -> Option<&Known> {
        self.repositories
            .iter()
            .find(|known| known.places.iter().any(|place| place.path == path))
    }

    pub(crate) fn get(&self, id: RepositoryId) -> Option<&Known> {
        self.repositories.iter().find(|known| known.id == id)
    }
}

impl Place {
    /// Says whether the directory was certainly created anew since it was met.
    fn was_rebuilt(&self, facts: &Facts) -> bool {
        matches!((self.born, facts.born), (Some(stored), Some(found)) if stored != found)
    }

    /// Says whether the directory is certainly the one that was met.
    pub(super) fn is_same(&self, facts: &Facts) -> bool {
        self.path == facts.path && self.born.is_some() && self.born == facts.born
    }
}

impl Identity {
    /// Adds the root commits that the registry knows of, before the evidence of the path.
    pub(crate) fn add_roots(&mut self, registry: &Registry) {
        let known = registry
            .get(self.id)
            .into_iter()
            .flat_map(|known| &known.roots);
        let missing: Vec<Evidence> = known
            .map(|root| Evidence::RootCommit(root.clone()))
            .filter(|root| !self.evidence.contains(root))
            .collect();
        let weakest =
            |evidence: &Evidence| matches!(evidence, Evidence::CommittedId(_) | Evidence::Path(_));
        let place = self
            .evidence
            .iter()
            .position(weakest)
            .unwrap_or(self.evidence.len());
        self.evidence.splice(place..place, missing);
    }
}

impl Known {
    pub(super) fn new(id: RepositoryId) -> Self {
        Self {
            id,
            places: Vec::new(),
            remotes: Vec::new(),
            roots: Vec::new(),
            committed: Vec::new(),
        }
    }

    /// Says whether an address is this repository's: one of its remotes, or one of its places (a clone of a path).
    pub(super) fn has_remote(&self, address: &str) -> bool {
        self.remotes.iter().any(|known| known == address)
            || self.places.iter().any(|place| place.path == address)
    }

    pub(super) fn has_root(&self, roots: &[String]) -> bool {
        self.roots.iter().any(|root| roots.contains(root))
    }
}
