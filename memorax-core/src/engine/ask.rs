//! What agents and people ask: the brief, a recall, a check, and the first indexing.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::chunks::ChunkReport;
use super::handle::{Inner, Memorax};
use super::sources::Sources;
use super::tree::WorkingTree;
use super::vectors::Embedded;
use crate::inject::{self, BriefInput, BriefMemory};
use crate::repo::{
    Checkout, CheckoutKind, CommitTree, EmbeddedView, FolderTree, IndexRequest, Progress, Project,
    RepositoryView, Tree, observe_head, with_changes,
};
use crate::retrieve::{Context, MemorySelection, Reach, Sight, commands, examine};
use crate::store::{HeadFacts, Visibility, visible};
use crate::{
    Check, Freshness, Identity, Line, LineId, LineState, Memory, MemoryId, MemoryKind, Query,
    Recall, Receipt, ReceiptId, ReceiptKind, ReceiptMemory, Result, StatedCommand, Timestamp,
    ViewInfo,
};

/// Longest query that a receipt keeps, in characters.
const KEPT_QUERY: usize = 200;
/// Most memories of one kind that are offered to the brief.
const OFFERED: usize = 40;
/// Longest question that is searched for, in characters; of a longer one the start says what it is about.
const LONGEST_QUERY: usize = 20_000;

/// What a new session should know first.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Brief {
    /// Names the brief and its receipt.
    pub id: ReceiptId,
    /// The text.
    pub text: String,
    /// Tokens of the text; never above the budget.
    pub tokens: usize,
    /// Memories that stand in the text.
    pub memories: Vec<MemoryId>,
    /// Commit that the repository view is of, if there is one.
    pub commit: Option<String>,
    /// Whether files were indexed, and the history where there is one.
    pub indexed: bool,
}

/// How to index for the first time, or again.
#[derive(Clone, Copy)]
pub struct InitOptions<'a> {
    /// Raised by the caller to stop; the work done so far is kept.
    pub interrupt: &'a AtomicBool,
    /// Called now and then with what is being done, on any thread.
    pub progress: &'a (dyn Fn(Progress) + Sync),
}

impl std::fmt::Debug for InitOptions<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("InitOptions")
            .field("interrupt", &self.interrupt)
            .finish_non_exhaustive()
    }
}

/// What indexing found.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Init {
    /// Which repository it is.
    pub identity: Identity,
    /// Facts about the view.
    pub view: ViewInfo,
    /// What was found out about branches, one sentence each.
    pub branches: Vec<String>,
    /// Memories that were embedded, where that was left to do.
    pub vectors: Embedded,
    /// Chunks of files that have vectors of the embedder by now; `None` where that is the built-in one, of which all have
    /// them, or there is none.
    pub chunks: Option<ChunkReport>,
}

/// Lines and what of them is seen from what is checked out.
pub(super) struct Seen {
    pub(super) lines: Vec<Line>,
    pub(super) visibility: Visibility,
    pub(super) sight: Sight,
}

impl Memorax {
    /// Indexes the repository and its history, and finds out which branches landed.
    ///
    /// A second call with nothing changed reads almost nothing.
    pub fn init(&self, options: &InitOptions<'_>) -> Result<Init> {
        let inner = self.settled()?;
        let checkout = inner.checkout()?;
        let request = IndexRequest {
            root: &inner.root,
            cache: &inner.cache(),
            interrupt: options.interrupt,
            progress: options.progress,
            clock: &*inner.clock,
        };
        let view = inner.indexer().index(&request)?;
        let branches = inner.follow_branches(&checkout, options.interrupt)?;
        Ok(Init {
            identity: inner.identity.clone(),
            view: view.info().clone(),
            branches,
            vectors: inner.embed_at_init()?,
            chunks: inner.embed_chunks(options)?,
        })
    }

    /// Says what a new colleague needs to know, in at most `budget` tokens.
    ///
    /// The same state gives the same bytes.
    pub fn brief(&self, budget: usize) -> Result<Brief> {
        let inner = self.inner()?;
        let checkout = inner.checkout()?;
        let view = inner.view()?;
        let tree = inner.file_tree(&checkout);
        let files = match &view {
            Some(view) => view.files()?.to_vec(),
            None => Vec::new(),
        };
        let project = Project::read(&*tree, &files, &inner.folder_name());
        let seen = inner.seen(&checkout)?;
        let memories = inner.brief_memories(&seen, view.as_deref())?;
        let offered: Vec<BriefMemory<'_>> = memories
            .iter()
            .map(|(memory, freshness, elsewhere)| BriefMemory {
                memory,
                freshness: *freshness,
                elsewhere: elsewhere.as_deref(),
            })
            .collect();
        let branch = checkout
            .head()
            .reference
            .as_deref()
            .map(|name| name.trim_start_matches("refs/heads/"));
        let mut input = BriefInput::new(&project);
        input.view = view.as_deref();
        input.tree = Some(&*tree);
        input.memories = &offered;
        input.branch = branch;
        input.redactor = Some(inner.redactor());
        let brief = inject::brief(&input, budget)?;
        let id = ReceiptId::new();
        let mut receipt = inner.receipt(id, ReceiptKind::Brief, "");
        receipt.tokens = brief.tokens;
        receipt.memories = brief
            .memories
            .iter()
            .map(|id| ReceiptMemory::new(*id, 0.0, "brief"))
            .collect();
        self.leave_receipt(&receipt, &mut Vec::new());
        let commit = view.as_ref().and_then(|view| view.info().commit.clone());
        Ok(Brief {
            id,
            text: brief.text,
            tokens: brief.tokens,
            memories: brief.memories,
            indexed: view.is_some() && (commit.is_some() || checkout.head().commit.is_none()),
            commit,
        })
    }

    /// Finds what matters for a task, packed into the query's budget; empty when nothing fits.
    ///
    /// Leaves a receipt. Never waits for a writer.
    pub fn recall(&self, query: &Query) -> Result<Recall> {
        let inner = self.inner()?;
        let mut query = query.clone();
        query.text = query.text.chars().take(LONGEST_QUERY).collect();
        if let Some(path) = &query.path {
            query.path = Some(inner.relative_path(path)?);
        }
        let mut notes = Vec::new();
        let view = inner.view().unwrap_or_else(|error| {
            notes.push(format!("files and history were not searched: {error}"));
            None
        });
        let mut recall = inner.with_context(view.as_deref(), query.quick, |context| {
            let mut recall = inner.retriever.retrieve(context, &query)?;
            let files_found = !recall.files.is_empty();
            recall.commands = inner.stated_commands(&query, view.as_deref(), files_found)?;
            recall.abstained = recall.is_empty();
            let fitting = recall.items();
            let mut packed = inject::pack(recall, query.budget, context.sight);
            if packed.text.is_empty() && fitting > 0 {
                packed.notes.push(format!(
                    "{fitting} things fit, and none of them into {} tokens: give a larger budget",
                    query.budget
                ));
            }
            Ok(packed)
        })?;
        recall.notes.extend(notes);
        for hit in &mut recall.hits {
            let place = if hit.memory.scope.repo.is_some() {
                &inner.repository
            } else {
                &inner.user
            };
            hit.memory.stats.recalled = place.ledger.usage(hit.memory.id)?;
        }
        if let Some(view) = &view {
            recall.commit.clone_from(&view.info().commit);
        }
        let mut receipt = inner.receipt(recall.id, ReceiptKind::Recall, &query.text);
        receipt.tokens = recall.tokens;
        receipt.memories = recall
            .hits
            .iter()
            .map(|hit| {
                let why: Vec<&str> = hit
                    .why
                    .iter()
                    .map(|signal| signal.source.as_str())
                    .collect();
                ReceiptMemory::new(hit.memory.id, hit.score, why.join(", "))
            })
            .collect();
        receipt.files = recall.files.iter().map(|file| file.path.clone()).collect();
        self.leave_receipt(&receipt, &mut recall.notes);
        Ok(recall)
    }

    /// Says whether a proposal (a sentence, a command or a patch) was turned down here before, and why.
    pub fn check(&self, proposal: &str) -> Result<Check> {
        let inner = self.inner()?;
        let view = inner.view()?;
        let proposal: String = proposal.chars().take(LONGEST_QUERY).collect();
        let check = inner.with_context(view.as_deref(), true, |context| {
            inner.retriever.check(context, &proposal)
        })?;
        let mut receipt = inner.receipt(check.id, ReceiptKind::Check, &proposal);
        receipt.memories = check
            .rejections
            .iter()
            .map(|hit| ReceiptMemory::new(hit.memory.id, hit.confidence, hit.evidence.join(", ")))
            .collect();
        self.leave_receipt(&receipt, &mut Vec::new());
        Ok(check)
    }
}

impl Memorax {
    /// Leaves a receipt; where nothing can be written, the answer says so instead of failing.
    ///
    /// An empty answer about a repository that was never met leaves no trace at all.
    fn leave_receipt(&self, receipt: &Receipt, notes: &mut Vec<String>) {
        let inner = match self.inner() {
            Ok(inner) if inner.known => Ok(inner),
            Ok(_) if receipt.tokens == 0 => return,
            _ => self.settled(),
        };
        if let Err(error) = inner.and_then(|inner| inner.leave_receipt(receipt)) {
            notes.push(format!("no receipt was left: {error}"));
        }
    }
}

impl Inner {
    /// Opens the stored view; `None` where nothing was indexed yet.
    pub(super) fn view(&self) -> Result<Option<Arc<dyn RepositoryView>>> {
        self.indexer().open(&self.root, &self.cache())
    }

    /// Returns what the lines are and which are seen from what is checked out. Writes nothing.
    pub(super) fn seen(&self, checkout: &Checkout) -> Result<Seen> {
        let lines = self.repository.ledger.lines()?;
        Ok(seen_from(checkout, &lines, self.clock.now()))
    }

    pub(super) fn sight(&self) -> Result<Sight> {
        Ok(self.seen(&self.checkout()?)?.sight)
    }

    pub(super) fn with_context<T>(
        &self,
        view: Option<&dyn RepositoryView>,
        quick: bool,
        work: impl Fn(&Context<'_>) -> Result<T>,
    ) -> Result<T> {
        let checkout = self.checkout()?;
        let now = self.clock.now();
        let tree = WorkingTree::new(&checkout);
        let waiting = self.waiting_memories()?;
        self.repository.ledger.reading(|repository| {
            let seen = seen_from(&checkout, &repository.lines()?, now);
            self.user.ledger.reading(|user| {
                let sources = Sources::new([repository, user], &seen.sight, seen.open(), &waiting)
                    .embedders(
                        self.embedders.for_question(quick),
                        [self.repository.graphs.get(), self.user.graphs.get()],
                    );
                let mut context = Context::new(&sources, &tree, &seen.sight, now);
                let by = self.embedders.for_question(quick).next();
                let view = view.map(|view| EmbeddedView::new(view, by));
                context.view = view.as_ref().map(|view| view as &dyn RepositoryView);
                work(&context)
            })
        })
    }

    /// Returns the commands that belong to an answer. Reads manifests only where there is a need.
    fn stated_commands(
        &self,
        query: &Query,
        view: Option<&dyn RepositoryView>,
        files_found: bool,
    ) -> Result<Vec<StatedCommand>> {
        let Some(view) = view else {
            return Ok(Vec::new());
        };
        let mut commands = commands(query, files_found, || {
            let checkout = self.checkout()?;
            let tree = self.file_tree(&checkout);
            Ok(Project::read(&*tree, view.files()?, &self.folder_name()))
        })?;
        for command in &mut commands {
            command.command = self.redactor().redact(&command.command).text.into_owned();
        }
        Ok(commands)
    }

    /// Chooses the memories that are offered to the brief, in the order in which they matter.
    fn brief_memories(
        &self,
        seen: &Seen,
        view: Option<&dyn RepositoryView>,
    ) -> Result<Vec<(Memory, Freshness, Option<String>)>> {
        let names: BTreeMap<LineId, &str> = seen
            .lines
            .iter()
            .map(|line| (line.id, line.name()))
            .collect();
        let now = self.clock.now();
        self.with_context(view, true, |context| {
            let mut offered = Vec::new();
            for kind in MemoryKind::ALL {
                let kinds = [*kind];
                let selection = MemorySelection::words(&[]).kinds(&kinds);
                let mut found = context.memories.search(&selection, OFFERED)?;
                if *kind == MemoryKind::Rejection {
                    let elsewhere = selection.reach(Reach::Elsewhere);
                    found.extend(context.memories.search(&elsewhere, OFFERED)?);
                }
                for score in found {
                    let memory = score.memory;
                    if memory.expires.is_some_and(|expires| expires <= now) {
                        continue;
                    }
                    let freshness = examine(context, &memory)?.freshness;
                    let elsewhere = memory
                        .scope
                        .line
                        .filter(|line| !seen.visibility.sees(Some(*line)))
                        .map(|line| (*names.get(&line).unwrap_or(&"another branch")).to_owned());
                    offered.push((memory, freshness, elsewhere));
                }
            }
            Ok(offered)
        })
    }

    /// Compares what a memory cites with the code as it is now.
    pub(super) fn freshness(&self, memory: &Memory) -> Result<Freshness> {
        let view = self.view()?;
        self.with_context(view.as_deref(), true, |context| {
            Ok(examine(context, memory)?.freshness)
        })
    }

    /// Returns where the text of files comes from: the folder, or the commit of a bare repository.
    fn file_tree<'a>(&self, checkout: &'a Checkout) -> Box<dyn Tree + 'a> {
        if checkout.kind() == CheckoutKind::Bare
            && let Some(tree) = CommitTree::of_head(checkout)
        {
            return Box::new(tree);
        }
        Box::new(FolderTree::new(&self.root))
    }

    /// Returns the last part of the root's path: a name to print, never an identity.
    fn folder_name(&self) -> String {
        let name = self
            .root
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        name.map_or_else(
            || "repository".to_owned(),
            |name| name.trim_end_matches(".git").to_owned(),
        )
    }

    fn receipt(&self, id: ReceiptId, kind: ReceiptKind, query: &str) -> Receipt {
        let mut receipt = Receipt::new(id, kind, self.clock.now(), self.actor.name.clone());
        receipt.session.clone_from(&self.actor.session);
        // Cut before and after: a hostile text would hold up a hook, and a cut must not leave half a secret.
        let start: String = query.chars().take(KEPT_QUERY * 10).collect();
        let redacted = self.redactor().redact(&start).text;
        receipt.query = redacted.chars().take(KEPT_QUERY).collect();
        receipt
    }
}

impl Seen {
    /// Returns the lines that are alive.
    pub(super) fn open(&self) -> Vec<LineId> {
        self.lines
            .iter()
            .filter(|line| line.state == LineState::Open)
            .map(|line| line.id)
            .collect()
    }
}

pub(super) fn seen_from(checkout: &Checkout, lines: &[Line], now: Timestamp) -> Seen {
    // Where git's objects are damaged, memories are still worth more than an error: the lines as they are known serve.
    let changes = observe_head(checkout, lines, now).unwrap_or_default();
    let lines = with_changes(lines, &changes, now);
    let facts = HeadFacts::read(checkout, &lines).unwrap_or_default();
    let visibility = visible(&lines, &facts);
    let sight = Sight::new(visibility.own, visibility.lines.iter().copied());
    Seen {
        lines,
        visibility,
        sight,
    }
}
