//! Branches as lines of memory: what there is, what was decided, and how to correct it.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use super::ask::seen_from;
use super::handle::{Inner, Memorax};
use crate::disk;
use crate::repo::{
    Checkout, Compared, LandingContext, LineChange, decide_with, observe, with_changes,
};
use crate::store::{apply, lines_of};
use crate::{
    Action, Draft, Error, ErrorKind, Filter, Landing, Line, LineFields, LineId, LineState, Result,
};

/// File beside the index in which is kept which branches were compared and found not to have landed.
const COMPARED: &str = "branches.compared";

/// One line with what is remembered on it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct BranchReport {
    /// The line.
    pub line: Line,
    /// Memories in force that belong to it.
    pub memories: usize,
    /// Whether it is checked out.
    pub current: bool,
    /// Whether its memories are seen from here.
    pub seen: bool,
    /// Name of the line it was cut from.
    pub parent: Option<String>,
}

/// How a person corrects what was decided about a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BranchDecision {
    /// Its changes are in the line that is checked out, or in the default branch.
    Landed,
    /// It was dropped; its memories are kept and hidden.
    Archive,
    /// It is alive: undoes both.
    Restore,
}

impl Memorax {
    /// Lists the lines, the checked-out one first, then by name.
    pub fn branches(&self) -> Result<Vec<BranchReport>> {
        let inner = self.inner()?;
        let checkout = inner.checkout()?;
        let seen = seen_from(
            &checkout,
            &inner.repository.ledger.lines()?,
            inner.clock.now(),
        );
        let mut filter = Filter::new();
        filter.all_lines = true;
        let mut counts: BTreeMap<LineId, usize> = BTreeMap::new();
        for memory in self.list(&filter)? {
            if let Some(line) = memory.scope.line {
                *counts.entry(line).or_default() += 1;
            }
        }
        let names: BTreeMap<LineId, String> = seen
            .lines
            .iter()
            .map(|line| (line.id, line.name().to_owned()))
            .collect();
        let mut reports: Vec<BranchReport> = seen
            .lines
            .iter()
            .map(|line| BranchReport {
                memories: counts.get(&line.id).copied().unwrap_or(0),
                current: seen.visibility.own == Some(line.id),
                seen: seen.visibility.sees(Some(line.id)),
                parent: line.parent.and_then(|parent| names.get(&parent).cloned()),
                line: line.clone(),
            })
            .collect();
        reports.sort_by(|a, b| {
            (
                !a.current,
                a.line.state != LineState::Open,
                &a.line.reference,
                a.line.created,
            )
                .cmp(&(
                    !b.current,
                    b.line.state != LineState::Open,
                    &b.line.reference,
                    b.line.created,
                ))
        });
        Ok(reports)
    }

    /// Corrects what was decided about a branch, named by its short or full name or by the id of its line.
    ///
    /// # Errors
    /// `NotFound` where no line has the name; `InvalidInput` where several do, or it is the one it would land in.
    pub fn decide_branch(&self, name: &str, decision: BranchDecision) -> Result<Line> {
        let inner = self.settled()?;
        let checkout = inner.checkout()?;
        let seen = seen_from(
            &checkout,
            &inner.repository.ledger.lines()?,
            inner.clock.now(),
        );
        let line = named(&seen.lines, name, decision)?.clone();
        let state = match decision {
            BranchDecision::Archive => LineState::Archived,
            BranchDecision::Restore => LineState::Open,
            BranchDecision::Landed => {
                let into = seen
                    .visibility
                    .own
                    .filter(|own| *own != line.id)
                    .or(line.parent)
                    .ok_or_else(|| {
                        Error::new(
                            ErrorKind::InvalidInput,
                            format!("branch `{name}` has no other branch to land in"),
                        )
                        .with_hint("check out the branch that it landed in")
                    })?;
                LineState::Landed {
                    into,
                    evidence: Landing::Person,
                    commit: checkout.head().commit.clone(),
                }
            }
        };
        let fields = LineFields {
            state: Some(state.clone()),
            // What a person restored is not landed again by weak evidence.
            held: (decision == BranchDecision::Restore).then_some(true),
            ..LineFields::default()
        };
        let action = Action::Line {
            line: line.id,
            fields: Box::new(fields),
        };
        let provenance = inner
            .actor
            .provenance(inner.clock.now(), checkout.head().commit.as_deref());
        inner.commit(
            &inner.repository,
            &checkout,
            vec![Draft::new(action, provenance)],
        )?;
        let mut line = line;
        line.state = state;
        Ok(line)
    }
}

impl Inner {
    /// Writes down what happened to branches since the last time; returns a sentence for each change.
    pub(super) fn follow_branches(
        &self,
        checkout: &Checkout,
        interrupt: &AtomicBool,
    ) -> Result<Vec<String>> {
        let now = self.clock.now();
        let known = self.repository.ledger.lines()?;
        let mut changes = observe(checkout, &known, now)?;
        let observed = with_changes(&known, &changes, now);
        let none = BTreeMap::new();
        let context = LandingContext {
            now,
            interrupt,
            pull_requests: &none,
        };
        let memo = self.cache().join(COMPARED);
        let mut compared = Compared::from_bytes(&disk::read(&memo).unwrap_or_default());
        changes.extend(decide_with(checkout, &observed, &context, &mut compared)?);
        if compared.is_changed() && self.cache().is_dir() {
            // Without it the next call compares again, and finds the same.
            let _ = disk::write_atomic(&memo, &compared.to_bytes());
        }
        let left = match compared.left() {
            0 => None,
            left => Some(format!(
                "{left} branches were not looked at, because there are so many: `memorax init` goes on with them"
            )),
        };
        if changes.is_empty() {
            self.repository.drain()?;
            return Ok(left.into_iter().collect());
        }
        self.write_lines(checkout, &known, &changes)?;
        // That a branch was seen for the first time is nothing that a person must hear.
        let is_news = |change: &LineChange| {
            !change.why.is_empty() && known.iter().any(|line| line.id == change.line)
        };
        Ok(changes
            .into_iter()
            .filter(is_news)
            .map(|change| change.why)
            .chain(left)
            .collect())
    }

    /// Writes changes of lines, unless another process has changed lines since `known` was read: it saw the same
    /// repository, and the next call looks again.
    fn write_lines(
        &self,
        checkout: &Checkout,
        known: &[Line],
        changes: &[LineChange],
    ) -> Result<()> {
        let provenance = self
            .actor
            .provenance(self.clock.now(), checkout.head().commit.as_deref());
        self.repository.ledger.write(&mut |rows, head| {
            if lines_of(rows.as_rows())? != known {
                return Ok(());
            }
            for change in changes {
                let action = Action::Line {
                    line: change.line,
                    fields: Box::new(change.fields.clone()),
                };
                apply(rows, head, &Draft::new(action, provenance.clone()))?;
            }
            Ok(())
        })?;
        self.repository.drain()?;
        Ok(())
    }
}

fn named<'a>(lines: &'a [Line], name: &str, decision: BranchDecision) -> Result<&'a Line> {
    let fits =
        |line: &&Line| line.name() == name || line.reference == name || line.id.to_string() == name;
    let mut found: Vec<&Line> = lines.iter().filter(fits).collect();
    if found.len() > 1 {
        // Of several lives of one name, the decision is about the one that it can change.
        let open = decision != BranchDecision::Restore;
        found.retain(|line| (line.state == LineState::Open) == open);
    }
    match found.as_slice() {
        [line] => Ok(line),
        [] => Err(
            Error::new(ErrorKind::NotFound, format!("no branch `{name}`"))
                .with_hint("memorax branches"),
        ),
        several => Err(Error::new(
            ErrorKind::InvalidInput,
            format!("{} branches had the name `{name}`", several.len()),
        )
        .with_hint("give the id of the line: memorax branches --json")),
    }
}
