//! The status: everything that a person wants to know when something seems wrong, or to see that nothing is.

use std::collections::BTreeMap;

use serde::Serialize;

use super::ask::seen_from;
use super::chunks::ChunkReport;
use super::handle::{Inner, Memorax, Place};
use crate::store::{Injections, LeftoverReason};
use crate::{ErrorKind, Evidence, Receipt, RepositoryId, Result, Timestamp, ViewInfo};

/// Milliseconds of seven days.
const WEEK: i64 = 7 * 24 * 60 * 60 * 1000;

/// The state of the memory of a repository.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct StatusReport {
    /// Identity of the repository.
    pub repository: RepositoryId,
    /// Root of the working tree.
    pub root: String,
    /// What the identity rests on.
    pub evidence: Vec<Evidence>,
    /// Whether anything was written for this repository yet.
    pub known: bool,
    /// Folder of everything that is remembered.
    pub home: String,
    /// Name of the branch line that is checked out.
    pub line: Option<String>,
    /// Commit that is checked out.
    pub commit: Option<String>,
    /// The stores: of the repository, and of the user everywhere.
    pub stores: Vec<StoreReport>,
    /// The repository view; `None` before the first `init`.
    pub view: Option<ViewReport>,
    /// Id of the embedder that memories are found with; `none` where they are found by words alone.
    pub embedder: String,
    /// Vectors of memories: of the embedder, and of the quick one that is kept beside where it is slow.
    pub vectors: Vec<VectorReport>,
    /// What was put in front of agents in the last seven days.
    pub injected: Injections,
    /// What is wrong, each with what to do.
    pub warnings: Vec<String>,
}

/// The state of one store.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct StoreReport {
    /// `repository` or `user`.
    pub name: String,
    /// Memories by kind, then by state.
    pub memories: BTreeMap<String, BTreeMap<String, usize>>,
    /// Memories in force.
    pub in_force: usize,
    /// Memories with two texts written at the same time.
    pub conflicts: usize,
    /// Operations in the log.
    pub operations: u64,
    /// Bytes of the file.
    pub bytes: u64,
    /// Drafts that wait in the inbox.
    pub inbox: usize,
    /// Files of the inbox that could not be read and were set aside.
    pub inbox_damaged: usize,
    /// Spool files that are not folded in yet.
    pub spool_files: usize,
    /// Files that still hold purged words, because another process has them open.
    pub pending_purges: usize,
    /// Damaged files that a repair kept.
    pub damaged_files: usize,
    /// How often this process found the file as a killed process had left it.
    pub repairs: u64,
    /// Why the store cannot be read, where it cannot.
    pub damage: Option<String>,
    /// Files that were lost and begun anew by a repair, one sentence each.
    pub lost: Vec<String>,
}

/// How many memories have vectors of an embedder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct VectorReport {
    /// Id of the embedder.
    pub embedder: String,
    /// Memories that have a vector of it.
    pub memories: u64,
    /// Memories that wait for one: they are found by words, and get it with later writes or with `memorax init`.
    pub waiting: u64,
}

/// The state of the repository view.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ViewReport {
    /// Facts about the view.
    #[serde(flatten)]
    pub info: ViewInfo,
    /// Whether it is of the commit that is checked out.
    pub current: bool,
    /// Chunks with vectors of the embedder; `None` where that is the built-in one, of which all have them, or there is none.
    pub chunks: Option<ChunkReport>,
}

impl Memorax {
    /// Reports the state of the memory. Writes nothing.
    pub fn status(&self) -> Result<StatusReport> {
        let inner = self.inner()?;
        let checkout = inner.checkout()?;
        // A damaged store is reported below, with what to do.
        let lines = unless_damaged(inner.repository.ledger.lines())?.unwrap_or_default();
        let seen = seen_from(&checkout, &lines, inner.clock.now());
        let mut warnings = inner.identity.warnings.clone();
        warnings.extend(inner.home_warnings()?);
        let mut stores = Vec::new();
        for (name, place) in inner.places() {
            stores.push(place.report(name, &mut warnings)?);
        }
        let view = match inner.view()? {
            Some(view) => Some(ViewReport {
                current: view.info().commit == checkout.head().commit,
                info: view.info().clone(),
                chunks: inner.chunk_report(&*view)?,
            }),
            None => None,
        };
        match &view {
            None => {
                warnings.push("the repository is not indexed yet: run `memorax init`".to_owned());
            }
            Some(view) if !view.current => {
                warnings.push(
                    "the index is of another commit than the one checked out: run `memorax init`"
                        .to_owned(),
                );
            }
            Some(_) => {}
        }
        Ok(StatusReport {
            repository: inner.identity.id,
            root: inner.root.display().to_string(),
            evidence: inner.identity.evidence.clone(),
            known: inner.known
                || stores
                    .iter()
                    .any(|store| store.name == "repository" && store.operations > 0),
            home: inner.home.root().display().to_string(),
            line: seen
                .visibility
                .own
                .and_then(|own| seen.lines.iter().find(|line| line.id == own))
                .map(|line| line.name().to_owned()),
            commit: checkout.head().commit.clone(),
            stores,
            view,
            embedder: inner
                .embedders
                .chosen()
                .map_or_else(|| "none".to_owned(), |embedder| embedder.id().to_owned()),
            vectors: inner.vectors()?,
            injected: unless_damaged(inner.injected_last_week())?.unwrap_or_default(),
            warnings,
        })
    }
}

impl Place {
    /// Reports the state of one store; adds what is wrong with it to the warnings.
    fn report(&self, name: &str, warnings: &mut Vec<String>) -> Result<StoreReport> {
        let inbox = self.inbox();
        let mut report = StoreReport {
            name: name.to_owned(),
            inbox: inbox.count()?,
            inbox_damaged: inbox.damaged()?,
            spool_files: self.spool().pending()?.len(),
            ..StoreReport::default()
        };
        let mut refused = Vec::new();
        let read = self.read_into(&mut report, &mut refused);
        if let Err(error) = &read
            && error.kind() == ErrorKind::Corrupted
        {
            report.damage = Some(error.to_string());
            warnings.push(format!("{name} store: {error}: run `memorax repair`"));
            return Ok(report);
        }
        let unread = read?;
        report.lost = self.losses(name)?;
        warn(&report, &refused, unread, warnings);
        Ok(report)
    }

    /// Reads what only the store itself tells; returns how many lines of hooks could not be read.
    fn read_into(&self, report: &mut StoreReport, refused: &mut Vec<String>) -> Result<u64> {
        let counts = self.ledger.counts()?;
        for ((kind, state), count) in &counts.by_kind {
            report
                .memories
                .entry(kind.to_string())
                .or_default()
                .insert((*state).to_owned(), *count);
        }
        report.in_force = counts.in_force;
        report.conflicts = counts.conflicts;
        report.operations = counts.operations;
        *refused = counts.refused;
        if let Some(redb) = &self.redb {
            let leftovers = redb.leftovers()?;
            let left = |reason| {
                let of_reason = leftovers.iter().filter(|file| file.reason == reason);
                of_reason.count()
            };
            report.pending_purges = left(LeftoverReason::Replaced);
            report.damaged_files = left(LeftoverReason::Damaged);
            report.bytes = redb.sizes()?.bytes;
            report.repairs = redb.repairs();
        }
        self.ledger.unread_lines()
    }
}

/// Returns what was read, or nothing where the store is damaged.
fn unless_damaged<T>(read: Result<T>) -> Result<Option<T>> {
    match read {
        Err(error) if error.kind() == ErrorKind::Corrupted => Ok(None),
        read => read.map(Some),
    }
}

impl Inner {
    /// Says what is wrong with the files of the installation.
    fn home_warnings(&self) -> Result<Vec<String>> {
        let written = self.home.read()?;
        let damage = written.damage.into_iter().map(|finding| {
            format!(
                "{}: nothing is written until it is repaired: run `memorax repair`",
                finding.detail
            )
        });
        let mut warnings: Vec<String> = damage.collect();
        let recovered = self.home.with_lost(written.registry)?;
        if !recovered.found.is_empty() {
            warnings.push(format!(
                "`identities.json` does not name {} of the repositories in `repos`: run `memorax repair`",
                recovered.found.len()
            ));
        }
        warnings.extend(recovered.unnamed(&self.home));
        for file in self.home.kept_aside()? {
            warnings.push(format!(
                "`{}` was damaged and kept by `memorax repair`: remove it when you no longer need it",
                file.display()
            ));
        }
        Ok(warnings)
    }

    fn vectors(&self) -> Result<Vec<VectorReport>> {
        let mut reports = Vec::new();
        for embedder in self.embedders.all() {
            let mut report = VectorReport {
                embedder: embedder.id().to_owned(),
                memories: 0,
                waiting: 0,
            };
            for (_, place) in self.places() {
                let counts = unless_damaged(place.ledger.embedded(embedder))?;
                let (memories, waiting) = counts.unwrap_or_default();
                report.memories += memories;
                report.waiting += waiting;
            }
            reports.push(report);
        }
        Ok(reports)
    }

    fn injected_last_week(&self) -> Result<Injections> {
        let since = Timestamp::from_millis(self.clock.now().as_millis() - WEEK);
        let mut sum = self.repository.ledger.injected_since(since)?;
        for receipt in self.spooled_receipts()? {
            sum.count(&receipt, since);
        }
        Ok(sum)
    }

    /// Returns the receipts that wait in the spool of the repository.
    pub(super) fn spooled_receipts(&self) -> Result<Vec<Receipt>> {
        let mut receipts = Vec::new();
        for file in self.repository.spool().pending()? {
            let from = self.repository.ledger.folded(file.id())?;
            let lines = file.lines(from)?.lines;
            receipts.extend(
                lines
                    .iter()
                    .filter_map(|line| serde_json::from_slice::<Receipt>(line).ok()),
            );
        }
        Ok(receipts)
    }
}

fn warn(store: &StoreReport, refused: &[String], unread: u64, warnings: &mut Vec<String>) {
    let name = &store.name;
    if store.pending_purges > 0 {
        warnings.push(format!(
            "{name} store: {} files with purged words are open in another process: run `memorax gc` when it is done",
            store.pending_purges
        ));
    }
    if store.damaged_files > 0 {
        warnings.push(format!(
            "{name} store: {} damaged files were kept by `memorax repair` and may hold purged words: remove them when you no longer need them",
            store.damaged_files
        ));
    }
    if store.inbox_damaged > 0 {
        warnings.push(format!("{name} store: {} files of the inbox could not be read and were kept in `inbox/damaged`", store.inbox_damaged));
    }
    if store.conflicts > 0 {
        warnings.push(format!(
            "{name} store: {} memories have two texts written at the same time: `memorax show` and `memorax edit` settle it",
            store.conflicts
        ));
    }
    for reason in refused {
        warnings.push(format!(
            "{name} store: a change that waited was refused: {reason}"
        ));
    }
    if unread > 0 {
        warnings.push(format!(
            "{name} store: {unread} lines left by hooks could not be read and were passed over"
        ));
    }
}
