//! Upkeep: proving, repairing, copying and cleaning the stores, and dropping words for good.

use std::path::{Path, PathBuf};

use super::handle::{Inner, Memorax, Place};
use super::home::Mended;
use super::write::one;
use crate::repo::IndexSwept;
use crate::store::{FileState, LeftoverReason, Redb, Table, Verification, scrub_receipts};
use crate::{Action, Draft, Error, ErrorKind, MemoryId, Outcome, Result, disk, text};

/// What a purge did.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Purged {
    /// The memory whose words are gone.
    pub id: MemoryId,
    /// Files that still hold the words, because another process has them open; the next write removes them.
    pub pending: Vec<PathBuf>,
}

/// What a repair did, for one store.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repaired {
    /// `repository` or `user`.
    pub store: &'static str,
    /// In which state the file was; `None` where it could be read.
    pub found: Option<FileState>,
    /// Where the damaged file is kept; `None` where there is none.
    pub kept: Option<PathBuf>,
    /// Operations that could be read: of the file, or of an older one that was still there.
    pub saved: u64,
    /// Whether they are those of an older file.
    pub older: bool,
    /// Operations that are lost; `None` where nothing tells how many there were.
    pub lost: Option<u64>,
    /// Changes that waited beside the store and were written now.
    pub applied: usize,
    /// Operations from which the state was derived again.
    pub operations: u64,
    /// What a verification finds now.
    pub verification: Verification,
}

/// What a clean-up did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Swept {
    /// Bytes of the stores before.
    pub before: u64,
    /// Bytes of the stores now.
    pub after: u64,
    /// Drafts that waited in the inbox and were applied.
    pub applied: usize,
    /// Files that stay, because another process has them open.
    pub pending: Vec<PathBuf>,
    /// What was removed from the derived index.
    pub index: IndexSwept,
    /// Files that killed processes had left half written and that were removed.
    pub temporary: usize,
    /// Places of repositories that are gone for long and were dropped.
    pub places: Vec<String>,
}

/// One thing that a check-up looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// What was looked at.
    pub what: String,
    /// Whether it is as it should be.
    pub fine: bool,
    /// What was found.
    pub detail: String,
    /// What to do about it.
    pub hint: Option<String>,
}

/// What a check-up found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Doctor {
    /// All that was looked at, in order.
    pub findings: Vec<Finding>,
}

/// What a repair did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repair {
    /// Files of the installation that were damaged.
    pub files: Vec<Mended>,
    /// The stores.
    pub stores: Vec<Repaired>,
}

impl Memorax {
    /// Drops the words of a memory for good: in the log, the state, the receipts and the files.
    ///
    /// # Errors
    /// `Unauthorized` unless the caller is a person at a terminal, or says `yes` in a CI job.
    pub fn purge(&self, id: &str, yes: bool) -> Result<Purged> {
        let inner = self.settled()?;
        if !(inner.is_person() || yes && inner.actor.is_ci_job()) {
            return Err(Error::new(
                ErrorKind::Unauthorized,
                "dropping words for good needs a person at a terminal",
            )
            .with_hint("memorax forget ID hides the memory and can be undone"));
        }
        let (place, id) = inner.find(id)?;
        place.drain()?;
        let checkout = inner.checkout()?;
        let known = place.ledger.get_deleted(id)?.map(|(memory, _)| memory);
        let words = known.map(|memory| {
            let conflicts = memory.conflicts.join("\n");
            text::words(&format!(
                "{}\n{}\n{conflicts}\n{}",
                memory.title,
                memory.text,
                memory.tags.join(" ")
            ))
        });
        let provenance = inner
            .actor
            .provenance(inner.clock.now(), checkout.head().commit.as_deref());
        let outcome = one(inner.commit(
            place,
            &checkout,
            vec![Draft::new(Action::Purge { memory: id }, provenance)],
        )?)?;
        if outcome == Outcome::Queued {
            return Err(Error::new(
                ErrorKind::Locked,
                "another process holds the store; the purge waits in the inbox",
            )
            .with_hint("memorax gc, once the other process is done"));
        }
        place
            .ledger
            .write(&mut |rows, _| scrub_receipts(rows, id, words.as_deref().unwrap_or_default()))?;
        let pending = match &place.redb {
            Some(redb) => redb
                .rewrite()?
                .leftovers
                .into_iter()
                .map(|leftover| leftover.path)
                .collect(),
            None => Vec::new(),
        };
        Ok(Purged { id, pending })
    }

    /// Proves that the logs are whole and that the state is what they say.
    pub fn verify(&self) -> Result<Verification> {
        let inner = self.inner()?;
        let mut sum = Verification::default();
        for (name, place) in inner.places() {
            let found = match place.ledger.verify() {
                Err(error) if error.kind() == ErrorKind::Corrupted => {
                    sum.problems.push(format!("{name} store: {error}"));
                    continue;
                }
                found => found?,
            };
            sum.chains += found.chains;
            sum.operations += found.operations;
            sum.purged += found.purged;
            sum.memories += found.memories;
            sum.forgotten += found.forgotten;
            sum.purged_memories += found.purged_memories;
            let problems = found.problems.into_iter();
            sum.problems
                .extend(problems.map(|problem| format!("{name} store: {problem}")));
            sum.lost.extend(place.losses(name)?);
        }
        Ok(sum)
    }

    /// Replaces damaged files of the installation, salvages what can be read of damaged stores, and derives the state
    /// from the log again.
    pub fn repair(&self) -> Result<Repair> {
        let inner = self.inner()?;
        let mut files = inner.home.mend()?;
        for (_, place) in inner.places() {
            let Some(redb) = &place.redb else { continue };
            if let Some(kept) = redb.mend_description()? {
                files.push(Mended {
                    file: "meta.json",
                    kept: Some(kept),
                    done: "the description of a store could not be understood; its files say themselves which holds the rows"
                        .to_owned(),
                    lost: vec!["what earlier repairs wrote down as lost".to_owned()],
                });
            }
        }
        let inner = self.settled()?;
        let stores = inner
            .places()
            .into_iter()
            .map(|(store, place)| place.repair(store))
            .collect::<Result<_>>()?;
        for (_, place) in inner.places() {
            inner.embed_after_write(place);
        }
        Ok(Repair { files, stores })
    }

    /// Names the files of the installation that were damaged when the handle was opened: what they say is lost to it, and
    /// nothing is written until they are repaired.
    pub fn damage(&self) -> Result<Vec<Finding>> {
        Ok(self.inner()?.damage.clone())
    }

    /// Copies the repository's store, as it is at one moment, into a new file.
    ///
    /// # Errors
    /// `InvalidInput` where the file exists.
    pub fn backup(&self, to: &Path) -> Result<()> {
        match &self.inner()?.repository.redb {
            Some(redb) => redb.backup(to),
            None => Err(Error::new(
                ErrorKind::InvalidInput,
                "this store is not a file of ours and cannot be copied as one",
            )
            .with_hint("memorax export")),
        }
    }

    /// Applies what waits, moves the stores into files as small as they can be, and removes what is left of old ones and what
    /// the index no longer needs.
    pub fn gc(&self) -> Result<Swept> {
        let temporary = self.inner()?.sweep_temporary()?;
        let inner = self.settled()?;
        let mut swept = Swept {
            places: inner.home.drop_gone_places(inner.clock.now())?,
            temporary,
            ..Swept::default()
        };
        for (_, place) in inner.places() {
            swept.applied += place.drain()?;
            inner.tidy_vectors(place)?;
            if let Some(redb) = &place.redb
                && redb.sizes()?.generation > 0
            {
                let rewritten = redb.rewrite()?;
                swept.before += rewritten.before;
                swept.after += rewritten.after;
                swept
                    .pending
                    .extend(redb.gc()?.into_iter().filter_map(|leftover| {
                        (leftover.reason == LeftoverReason::Replaced).then_some(leftover.path)
                    }));
            }
        }
        swept.index = inner.indexer().sweep(&inner.root, &inner.cache())?;
        Ok(swept)
    }

    /// Looks at everything that can go wrong on this machine.
    pub fn doctor(&self) -> Result<Doctor> {
        let inner = self.inner()?;
        let mut doctor = Doctor::default();
        doctor.add("home", Ok(inner.home.root().display().to_string()));
        doctor.findings.extend(inner.home.read()?.damage);
        for (name, place) in inner.places() {
            if let Some(redb) = &place.redb {
                doctor.add(
                    &format!("{name} store: locks between processes"),
                    redb.test_locks()
                        .map(|()| "they exclude each other".to_owned()),
                );
            }
            let verified = place.ledger.verify().and_then(|verification| {
                if verification.is_sound() {
                    return Ok(format!(
                        "operations: {}, memories: {}",
                        verification.operations, verification.memories
                    ));
                }
                Err(
                    Error::new(ErrorKind::Corrupted, verification.problems.join("; "))
                        .with_hint("memorax repair"),
                )
            });
            doctor.add(&format!("{name} store: log and state"), verified);
        }
        doctor.add(
            "index",
            inner.view().and_then(|view| match view {
                Some(view) => Ok(format!(
                    "files: {}, commits: {}",
                    view.info().files,
                    view.info().commits
                )),
                None => Err(Error::new(ErrorKind::NotFound, "nothing is indexed yet")
                    .with_hint("memorax init")),
            }),
        );
        doctor.add("programs of other makers with our name", no_namesakes());
        Ok(doctor)
    }
}

impl Place {
    fn repair(&self, store: &'static str) -> Result<Repaired> {
        let readable = self
            .ledger
            .verify()
            .err()
            .is_none_or(|error| error.kind() != ErrorKind::Corrupted);
        let salvaged = match &self.redb {
            Some(_) if !readable => Some(Redb::salvage(&self.path())?),
            _ => None,
        };
        let mut tables = salvaged.iter().flat_map(|salvaged| &salvaged.tables);
        // The other tables are derived from the log again, or proved against it.
        let log = tables.find(|found| found.table == Table::Log);
        let (saved, lost) = log.map_or((0, Some(0)), |log| (log.saved, log.lost));
        // What waits is all that is left of a store that is gone.
        let applied = match salvaged {
            Some(_) => self.drain()?,
            None => 0,
        };
        let operations = self.ledger.derive_again()?;
        let mut verification = self.ledger.verify()?;
        verification.lost = self.losses(store)?;
        Ok(Repaired {
            store,
            found: salvaged.as_ref().map(|salvaged| salvaged.found),
            older: salvaged
                .as_ref()
                .is_some_and(|salvaged| salvaged.older.is_some()),
            kept: salvaged.and_then(|salvaged| salvaged.kept),
            saved,
            lost,
            applied,
            operations,
            verification,
        })
    }

    /// Says which files of the store were lost, one sentence each.
    pub(super) fn losses(&self, store: &str) -> Result<Vec<String>> {
        let losses = match &self.redb {
            Some(redb) => redb.losses()?,
            None => Vec::new(),
        };
        let told = losses.into_iter().map(|loss| {
            format!(
                "{store} store: its file (generation {}) was {} and was begun anew on {}; what only that file held is lost",
                loss.generation,
                loss.state.as_str(),
                loss.on
            )
        });
        Ok(told.collect())
    }
}

impl Inner {
    pub(super) fn places(&self) -> [(&'static str, &Place); 2] {
        [("repository", &self.repository), ("user", &self.user)]
    }

    /// Removes what killed writers left half done in the folders that this handle writes to.
    pub(super) fn sweep_temporary(&self) -> Result<usize> {
        let folders = [self.home.root(), &self.repository.folder, &self.user.folder];
        let removed = folders.into_iter().map(disk::sweep_temporary);
        removed.sum()
    }
}

impl Repair {
    /// Says whether nothing was lost, and everything fits now.
    pub fn is_whole(&self) -> bool {
        self.files.iter().all(|file| file.lost.is_empty())
            && self
                .stores
                .iter()
                .all(|store| store.lost == Some(0) && store.verification.is_sound())
    }
}

impl Finding {
    /// Says what is wrong.
    pub(super) fn bad(what: &str, error: &Error) -> Self {
        Self {
            what: what.to_owned(),
            fine: false,
            detail: error.to_string(),
            hint: error.hint().map(str::to_owned),
        }
    }
}

impl Doctor {
    fn add(&mut self, what: &str, found: Result<String>) {
        self.findings.push(match found {
            Ok(detail) => Finding {
                what: what.to_owned(),
                fine: true,
                detail,
                hint: None,
            },
            Err(error) => Finding::bad(what, &error),
        });
    }

    /// Says whether everything is as it should be.
    pub fn is_fine(&self) -> bool {
        self.findings.iter().all(|finding| finding.fine)
    }
}

/// Looks for programs that a person could mistake for this one.
fn no_namesakes() -> Result<String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    for folder in std::env::split_paths(&path) {
        for name in ["memorax-code", "memorax-cli"] {
            let file = folder.join(name);
            if file.is_file() {
                return Err(Error::new(
                    ErrorKind::Conflict,
                    format!(
                        "`{}` is another maker's program; ours is `memorax`",
                        file.display()
                    ),
                )
                .with_hint("call `memorax`, or remove the other program"));
            }
        }
    }
    Ok("none".to_owned())
}
