//! Where everything lives below `MEMORAX_HOME`, and what this installation is called.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::upkeep::Finding;
use crate::disk::{self, FileLock};
use crate::repo::Registry;
use crate::{DeviceId, Error, ErrorKind, RepositoryId, Result};

/// How long a process waits for another one that makes a device or an identity.
pub(super) const PATIENCE: Duration = Duration::from_secs(2);

/// Keeps git from committing what is remembered, where the folder lies in a repository.
const IGNORE_ALL: &[u8] = b"# Memories of this machine: not for git.\n*\n";

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

/// What the files of the installation say; a damaged one says nothing.
#[derive(Clone, Debug)]
pub(crate) struct Installation {
    pub(crate) device: Device,
    /// The repositories that were met.
    pub(crate) registry: Registry,
    /// The damaged files, each with what to do.
    pub(crate) damage: Vec<Finding>,
}

/// What a repair did with a file of the installation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mended {
    /// Name of the file below the home.
    pub file: &'static str,
    /// Where the damaged file is kept; `None` where there was none.
    pub kept: Option<PathBuf>,
    /// What was done, in one sentence.
    pub done: String,
    /// What could not be brought back, one sentence each.
    pub lost: Vec<String>,
}

impl Device {
    fn new() -> Self {
        Self {
            device: DeviceId::new(),
            redaction_key: *crate::OperationId::new().as_bytes(),
        }
    }
}

impl Home {
    /// Names the folder. A relative path is resolved now: the process may change its directory later.
    pub(crate) fn new(root: &Path) -> Result<Self> {
        let root = std::path::absolute(root).map_err(|source| {
            let message = format!("`{}` cannot keep memories", root.display());
            Error::new(ErrorKind::InvalidInput, message).with_source(source)
        })?;
        Ok(Self { root })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the folder of one repository.
    pub(crate) fn repository(&self, id: RepositoryId) -> PathBuf {
        self.repositories().join(id.to_string())
    }

    pub(super) fn repositories(&self) -> PathBuf {
        self.root.join("repos")
    }

    /// Returns the folder of what holds everywhere.
    pub(crate) fn user(&self) -> PathBuf {
        self.root.join("user")
    }

    fn device_path(&self) -> PathBuf {
        self.root.join("device.json")
    }

    /// Refuses a home that is the repository itself: its files would stand among the user's.
    pub(crate) fn check_place(&self, repository: &Path) -> Result<()> {
        let place = self.root.canonicalize();
        if place.is_ok_and(|place| place == repository) {
            return Err(Error::new(
                ErrorKind::InvalidInput,
                format!(
                    "`{}` is the root of the repository and cannot keep memories",
                    self.root.display()
                ),
            )
            .with_hint("set MEMORAX_HOME to a folder of its own"));
        }
        Ok(())
    }

    /// Reads both files of the installation once. A missing device is made up, without being written.
    ///
    /// # Errors
    /// Whatever is wrong with a file but damage, which `damage` names.
    pub(crate) fn read(&self) -> Result<Installation> {
        let mut damage = Vec::new();
        let registry = undamaged("identities.json", self.written_registry(), &mut damage)?;
        let device = undamaged("device.json", self.written_device(), &mut damage)?;
        Ok(Installation {
            device: device.flatten().unwrap_or_else(Device::new),
            registry: registry.unwrap_or_default(),
            damage,
        })
    }

    fn written_device(&self) -> Result<Option<Device>> {
        let path = self.device_path();
        let Some(bytes) = read_optional(&path)? else {
            return Ok(None);
        };
        let device = serde_json::from_slice(&bytes);
        device
            .map(Some)
            .map_err(|source| damaged(&path).with_source(source))
    }

    /// Makes the folder and writes this installation's name, unless another process was first; returns what counts.
    pub(crate) fn settle(&self, device: &Device) -> Result<Device> {
        if let Some(written) = self.written_device()? {
            return Ok(written);
        }
        disk::create_dir_private(&self.root)?;
        let is_new = disk::entries(&self.root)?.is_empty();
        let _turn = FileLock::exclusive(&self.root.join("device.lock"), PATIENCE)?;
        if let Some(written) = self.written_device()? {
            return Ok(written);
        }
        if is_new {
            disk::write_atomic(&self.root.join(".gitignore"), IGNORE_ALL)?;
        }
        self.write_device(device)?;
        Ok(device.clone())
    }

    fn write_device(&self, device: &Device) -> Result<()> {
        let bytes = serde_json::to_vec_pretty(device).map_err(|error| {
            Error::new(ErrorKind::InvalidInput, "cannot encode the device").with_source(error)
        })?;
        disk::write_atomic(&self.device_path(), &bytes)
    }

    /// Replaces what is damaged of the installation, and keeps the damaged files aside.
    pub(crate) fn mend(&self) -> Result<Vec<Mended>> {
        if !self.root.exists() {
            return Ok(Vec::new());
        }
        let device = self.mend_device()?;
        let registry = self.mend_registry()?;
        Ok(device.into_iter().chain(registry).collect())
    }

    fn mend_device(&self) -> Result<Option<Mended>> {
        let _turn = FileLock::exclusive(&self.root.join("device.lock"), PATIENCE)?;
        match self.written_device() {
            Err(error) if error.kind() == ErrorKind::Corrupted => {}
            other => return other.map(|_| None),
        }
        let kept = disk::keep_aside(&self.device_path())?;
        self.write_device(&Device::new())?;
        Ok(Some(Mended {
            file: "device.json",
            kept,
            done: "this installation has a new id; its memories stay, and their log goes on in a new chain"
                .to_owned(),
            lost: Vec::new(),
        }))
    }

    /// Lists damaged files of the installation that a repair kept.
    pub(crate) fn kept_aside(&self) -> Result<Vec<PathBuf>> {
        let mut files = disk::entries(&self.root)?;
        files.retain(|path| disk::is_kept_aside(path));
        Ok(files)
    }
}

/// Says that a file of the installation cannot be understood.
pub(super) fn damaged(path: &Path) -> Error {
    Error::new(
        ErrorKind::Corrupted,
        format!("`{}` is damaged", path.display()),
    )
    .with_hint("memorax repair")
}

/// Takes what was read of a file; of a damaged one nothing but that it is damaged.
fn undamaged<T>(name: &str, read: Result<T>, damage: &mut Vec<Finding>) -> Result<Option<T>> {
    match read {
        Err(error) if error.kind() == ErrorKind::Corrupted => {
            damage.push(Finding::bad(name, &error));
            Ok(None)
        }
        read => read.map(Some),
    }
}

/// Reads a file; `None` where there is none.
pub(super) fn read_optional(path: &Path) -> Result<Option<Vec<u8>>> {
    match disk::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
