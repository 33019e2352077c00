//! Where everything lives below `MEMORAX_HOME`, and what this installation is called.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::disk::{self, FileLock};
use crate::repo::{Registry, identify};
use crate::{DeviceId, Error, ErrorKind, Identity, RepositoryId, Result};

/// How long a process waits for another one that makes an identity.
const PATIENCE: Duration = Duration::from_secs(2);

/// The folder of everything that is remembered on this machine.
#[derive(Clone, Debug)]
pub(crate) struct Home {
    root: PathBuf,
}

/// This installation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Device {
    pub(crate) device: DeviceId,
    /// Key of the placeholders of secrets; random, so that they cannot be guessed back.
    pub(crate) redaction_key: [u8; 16],
}

impl Home {
    pub(crate) fn new(root: PathBuf) -> Self {
        Self { root }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the folder of one repository.
    pub(crate) fn repository(&self, id: RepositoryId) -> PathBuf {
        self.root.join("repos").join(id.to_string())
    }

    /// Returns the folder of what holds everywhere.
    pub(crate) fn user(&self) -> PathBuf {
        self.root.join("user")
    }

    fn registry_path(&self) -> PathBuf {
        self.root.join("identities.json")
    }

    fn device_path(&self) -> PathBuf {
        self.root.join("device.json")
    }

    /// Reads this installation's name; makes one up, without writing it, where there is none yet.
    pub(crate) fn device(&self) -> Result<Device> {
        match read_optional(&self.device_path())? {
            Some(bytes) => serde_json::from_slice(&bytes).map_err(|error| {
                Error::new(
                    ErrorKind::Corrupted,
                    format!("cannot read `{}`", self.device_path().display()),
                )
                .with_source(error)
                .with_hint("move the file away; a new device is made, and memories stay readable")
            }),
            None => Ok(Device {
                device: DeviceId::new(),
                redaction_key: *crate::OperationId::new().as_bytes(),
            }),
        }
    }

    /// Makes the folder and writes this installation's name, unless another process was first; returns what counts.
    pub(crate) fn settle(&self, device: &Device) -> Result<Device> {
        disk::create_dir_private(&self.root)?;
        if read_optional(&self.device_path())?.is_some() {
            return self.device();
        }
        let _turn = FileLock::exclusive(&self.root.join("device.lock"), PATIENCE)?;
        if read_optional(&self.device_path())?.is_some() {
            return self.device();
        }
        let bytes = serde_json::to_vec_pretty(device).map_err(|error| {
            Error::new(ErrorKind::InvalidInput, "cannot encode the device").with_source(error)
        })?;
        disk::write_atomic(&self.device_path(), &bytes)?;
        Ok(device.clone())
    }

    /// Reads the repositories that were met.
    pub(crate) fn registry(&self) -> Result<Registry> {
        match read_optional(&self.registry_path())? {
            Some(bytes) => Registry::from_bytes(&bytes),
            None => Ok(Registry::default()),
        }
    }

    /// Lists folders of repositories that no known repository owns: what a lost or emptied registry leaves behind.
    pub(crate) fn orphans(&self) -> Result<Vec<PathBuf>> {
        let known: Vec<String> = self
            .registry()?
            .repositories
            .iter()
            .map(|known| known.id.to_string())
            .collect();
        let folders = disk::entries(&self.root.join("repos"))?;
        let is_orphan = |folder: &PathBuf| {
            folder.is_dir()
                && folder
                    .file_name()
                    .is_some_and(|name| !known.iter().any(|id| name == id.as_str()))
        };
        Ok(folders.into_iter().filter(is_orphan).collect())
    }

    /// Decides on an identity and writes it down, one process at a time; a new one gets the id `proposed`.
    pub(crate) fn settle_identity(
        &self,
        facts: &crate::repo::Facts,
        proposed: RepositoryId,
    ) -> Result<Identity> {
        disk::create_dir_private(&self.root)?;
        let _turn = FileLock::exclusive(&self.root.join("identities.lock"), PATIENCE)?;
        let mut decision = identify(&self.registry()?, facts, &mut |_| false);
        if decision.is_new {
            // What was read and queued under the proposed id stays valid.
            for known in decision
                .registry
                .iter_mut()
                .flat_map(|registry| &mut registry.repositories)
            {
                if known.id == decision.identity.id {
                    known.id = proposed;
                }
            }
            decision.identity.id = proposed;
        }
        if let Some(registry) = &decision.registry {
            disk::write_atomic(&self.registry_path(), &registry.to_bytes())?;
        }
        Ok(decision.identity)
    }
}

/// Reads a file; `None` where there is none.
fn read_optional(path: &Path) -> Result<Option<Vec<u8>>> {
    match disk::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
