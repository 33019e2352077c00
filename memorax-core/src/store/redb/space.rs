//! Names of the files of one space, and which of them holds the rows now.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::engine;
use super::meta::{Loss, Meta};
use super::rewrite::LeftoverReason;
use crate::disk::{self, FileLock};
use crate::{Error, ErrorKind, Result};

/// The files of one space: `<space>.<generation>.redb`, and `<space>.meta.json`, which names the generation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::store) struct Space {
    folder: PathBuf,
    name: String,
}

/// What a file of a space holds.
#[derive(Clone, Copy, Debug)]
enum Part {
    Rows(u64),
    Temporary,
    Damaged,
}

impl Space {
    /// Names the space of `<folder>/<space>.redb`; the ending may be left out.
    pub(in crate::store) fn new(path: &Path) -> Result<Self> {
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.map(|name| name.strip_suffix(".redb").unwrap_or(name));
        let Some(name) = name.filter(|name| !name.is_empty() && !name.contains('.')) else {
            return Err(Error::new(
                ErrorKind::InvalidInput,
                format!("`{}` does not name a store", path.display()),
            ));
        };
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        Ok(Self {
            folder: canonical(folder)?,
            name: name.to_owned(),
        })
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(super) fn file(&self, generation: u64) -> PathBuf {
        self.folder.join(format!("{}.{generation}.redb", self.name))
    }

    pub(super) fn meta(&self) -> PathBuf {
        self.folder.join(format!("{}.meta.json", self.name))
    }

    /// Returns the file that is locked while a generation begins; rows are never waited for with it.
    pub(super) fn lock(&self) -> PathBuf {
        self.folder.join(format!("{}.lock", self.name))
    }

    /// Returns the file that is locked by the next writer.
    pub(super) fn turn(&self) -> PathBuf {
        self.folder.join(format!("{}.turn", self.name))
    }

    /// Returns the generation that holds the rows; `None` when nothing was ever written.
    pub(super) fn generation(&self) -> Result<Option<u64>> {
        match Meta::read(&self.meta())? {
            Some(meta) => Ok(Some(meta.generation())),
            // The process that made the first file was killed before it could say so, or the file was lost. A later
            // generation counts only if the one before it says so, which the first reader of the lowest will see.
            None => Ok(self.generations()?.first().copied()),
        }
    }

    /// Returns the generation that holds the rows after the file of `missing` was not found.
    pub(super) fn generation_instead_of(&self, missing: u64) -> Result<Option<u64>> {
        let now = self.generation()?;
        if now != Some(missing) {
            return Ok(now);
        }
        let later = self.generations()?.into_iter().find(|n| *n > missing);
        later.map(Some).ok_or_else(|| {
            let file = self.file(missing);
            Error::new(
                ErrorKind::Corrupted,
                format!("the file `{}` of the store is gone", file.display()),
            )
            .with_hint("memorax repair")
        })
    }

    /// Lists the generations whose files are there, in order.
    pub(super) fn generations(&self) -> Result<Vec<u64>> {
        let mut found: Vec<u64> = self
            .files()?
            .into_iter()
            .filter_map(|(_, part)| match part {
                Part::Rows(generation) => Some(generation),
                _ => None,
            })
            .collect();
        found.sort_unstable();
        Ok(found)
    }

    /// Lists the files that are not part of the space while `generation` holds the rows.
    pub(super) fn leftovers(
        &self,
        generation: Option<u64>,
    ) -> Result<Vec<(PathBuf, LeftoverReason)>> {
        let reason = |part| match (part, generation) {
            (Part::Rows(found), Some(current)) if found < current => Some(LeftoverReason::Replaced),
            (Part::Rows(found), Some(current)) if found == current => None,
            (Part::Rows(_) | Part::Temporary, _) => Some(LeftoverReason::Unfinished),
            (Part::Damaged, _) => Some(LeftoverReason::Damaged),
        };
        let files = self.files()?.into_iter();
        Ok(files
            .filter_map(|(path, part)| Some((path, reason(part)?)))
            .collect())
    }

    /// Removes what is not part of the space and returns how many files could not be removed. The caller is in the write
    /// transaction of `generation`, which is the newest: nobody else is writing a file with rows.
    pub(super) fn sweep(&self, generation: u64) -> usize {
        let Ok(leftovers) = self.leftovers(Some(generation)) else {
            return 1;
        };
        leftovers
            .iter()
            .filter(|(_, reason)| *reason != LeftoverReason::Damaged)
            // Failing is no error here: `leftovers` shows what stays, and the next write tries again.
            .filter(|(path, _)| disk::remove(path).is_err())
            .count()
    }

    /// Returns whether a path is one that this space gives a meaning to.
    pub(super) fn owns(&self, path: &Path) -> bool {
        let here = path
            .parent()
            .and_then(|folder| canonical(folder).ok())
            .is_some_and(|folder| folder == self.folder);
        here && (self.part(path).is_some() || path.ends_with(self.meta()))
    }

    fn files(&self) -> Result<Vec<(PathBuf, Part)>> {
        Ok(disk::entries(&self.folder)?
            .into_iter()
            .filter_map(|path| {
                let part = self.part(&path)?;
                Some((path, part))
            })
            .collect())
    }

    fn part(&self, path: &Path) -> Option<Part> {
        let name = path.file_name()?.to_str()?;
        let hidden = name.strip_prefix('.');
        let rest = hidden
            .unwrap_or(name)
            .strip_prefix(self.name.as_str())?
            .strip_prefix('.')?;
        let (number, end) = rest.split_once(".redb")?;
        let number = number.parse().ok()?;
        match (hidden, end) {
            (None, "") => Some(Part::Rows(number)),
            (None, end) if end.starts_with(".damaged-") => Some(Part::Damaged),
            (Some(_), end) if disk::is_temporary(Path::new(end)) => Some(Part::Temporary),
            _ => None,
        }
    }

    /// Creates the first file, unless another process was faster.
    pub(super) fn create(&self, patience: Duration) -> Result<()> {
        disk::create_dir_private(&self.folder)?;
        let lock = FileLock::exclusive(&self.lock(), patience)?;
        if self.generation()?.is_none() {
            engine::build(&self.file(1), |_| Ok(()))?;
        }
        self.say(1, &lock)
    }

    /// Says which generation holds the rows, for all who open the space from now on. Never goes back.
    pub(super) fn switch(&self, generation: u64, patience: Duration) -> Result<()> {
        let lock = FileLock::exclusive(&self.lock(), patience)?;
        self.say(generation, &lock)
    }

    /// Says which generation holds the rows after a repair, and what was lost; also over a description that cannot be
    /// read.
    pub(super) fn say_after_repair(
        &self,
        generation: u64,
        loss: Option<&Loss>,
        _lock: &FileLock,
    ) -> Result<()> {
        let mut meta = match Meta::read(&self.meta()) {
            Err(error) if error.kind() == ErrorKind::Corrupted => Meta::new(generation),
            meta => meta?.unwrap_or_else(|| Meta::new(generation)),
        };
        meta.set_generation(generation.max(meta.generation()));
        if let Some(loss) = loss {
            meta.add_loss(loss);
        }
        meta.write(&self.meta())
    }

    /// Returns which files were lost with their rows, as repairs wrote it down.
    pub(super) fn losses(&self) -> Result<Vec<Loss>> {
        Ok(Meta::read(&self.meta())?.map_or_else(Vec::new, |meta| meta.losses()))
    }

    /// Keeps a description that cannot be understood aside.
    pub(super) fn mend_description(&self) -> Result<Option<PathBuf>> {
        match Meta::read(&self.meta()) {
            Err(error) if error.kind() == ErrorKind::Corrupted => disk::keep_aside(&self.meta()),
            Err(error) => Err(error),
            Ok(_) => Ok(None),
        }
    }

    fn say(&self, generation: u64, _lock: &FileLock) -> Result<()> {
        let path = self.meta();
        let mut meta = match Meta::read(&path)? {
            Some(meta) if meta.generation() >= generation => return Ok(()),
            Some(meta) => meta,
            None => Meta::new(generation),
        };
        meta.set_generation(generation);
        meta.write(&path)
    }
}

/// Resolves links in the part of a folder's path that exists, so that one folder has one name in a process.
fn canonical(folder: &Path) -> Result<PathBuf> {
    let mut missing = Vec::new();
    let absolute =
        std::path::absolute(folder).map_err(|source| disk::reading_failed(folder, source))?;
    let mut existing = absolute.as_path();
    loop {
        match existing.canonicalize() {
            Ok(mut path) => {
                path.extend(missing.iter().rev());
                return Ok(path);
            }
            Err(_) => match (existing.parent(), existing.file_name()) {
                (Some(parent), Some(name)) => {
                    missing.push(name);
                    existing = parent;
                }
                _ => return Ok(absolute),
            },
        }
    }
}
