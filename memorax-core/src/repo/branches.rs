//! What happened to branches since they were last seen: new, moved, renamed, gone, back again, their names reused.
//!
//! Memories follow lines, and a line is one life of one branch. Git keeps no such thing, so it is told from what git does
//! keep: reference names, their logs, and the graph. `life.rs` tells whether a branch is still the one that a line
//! was; `origin.rs` where a new branch was cut.

mod life;
mod origin;

use std::collections::BTreeSet;

use super::git::Checkout;
use crate::{Landing, Line, LineFields, LineId, LineState, Result, Timestamp};

/// Deepest chain of branches cut from branches that is followed for branches never seen before.
const DEPTH: usize = 8;

/// Something that must be written about a line.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LineChange {
    /// The line; new where no line has the id.
    pub line: LineId,
    /// What changes.
    pub fields: LineFields,
    /// One sentence for people.
    pub why: String,
}

/// Returns the lines as they are after the changes were written.
pub fn with_changes(lines: &[Line], changes: &[LineChange], now: Timestamp) -> Vec<Line> {
    let mut lines = lines.to_vec();
    for change in changes {
        write(&mut lines, change, now);
    }
    lines
}

fn write(lines: &mut Vec<Line>, change: &LineChange, now: Timestamp) {
    if let Some(line) = lines.iter_mut().find(|line| line.id == change.line) {
        line.apply(&change.fields, now);
    } else if let Some(reference) = &change.fields.reference {
        let mut line = Line::new(change.line, reference, now);
        line.apply(&change.fields, now);
        lines.push(line);
    }
}

/// Returns what must be written about the line of HEAD and about the lines it was cut from, and nothing else: cheap enough
/// for every recall, which applies it to its own copy of the lines before it asks what is visible.
pub fn observe_head(
    checkout: &Checkout,
    lines: &[Line],
    now: Timestamp,
) -> Result<Vec<LineChange>> {
    let mut observer = Observer::new(checkout, lines, now);
    observer.see_head()?;
    Ok(observer.changes)
}

/// Returns what must be written about every line: HEAD's, moved ones, those whose reference is missing or back again.
pub fn observe(checkout: &Checkout, lines: &[Line], now: Timestamp) -> Result<Vec<LineChange>> {
    let mut observer = Observer::new(checkout, lines, now);
    observer.see_head()?;
    observer.see_references()?;
    Ok(observer.changes)
}

/// Looks at branches one after the other, and at the lines as they are after what was found so far.
struct Observer<'a> {
    checkout: &'a Checkout,
    lines: Vec<Line>,
    changes: Vec<LineChange>,
    now: Timestamp,
    default: Option<String>,
    seen: BTreeSet<LineId>,
}

impl<'a> Observer<'a> {
    fn new(checkout: &'a Checkout, lines: &[Line], now: Timestamp) -> Self {
        Self {
            checkout,
            lines: lines.to_vec(),
            changes: Vec::new(),
            now,
            default: None,
            seen: BTreeSet::new(),
        }
    }

    fn see_head(&mut self) -> Result<()> {
        let head = self.checkout.head();
        // The usual case costs one comparison: the line of HEAD is known, and stands where it stood.
        if let (Some(reference), Some(commit), false) =
            (&head.reference, &head.commit, head.detached)
            && self.is_settled(reference, commit)
        {
            return Ok(());
        }
        self.default = self.checkout.default_branch();
        match (&head.reference, &self.default) {
            (Some(reference), _) => {
                let reference = reference.clone();
                self.see(&reference, 0)?;
            }
            (None, Some(default)) => {
                let default = default.clone();
                self.see(&default, 0)?;
            }
            (None, None) => {}
        }
        Ok(())
    }

    fn is_settled(&mut self, reference: &str, commit: &str) -> bool {
        let mut of_name = self
            .lines
            .iter()
            .filter(|line| line.reference == reference && line.state == LineState::Open);
        let settled = match (of_name.next(), of_name.next()) {
            (Some(line), None) => line.missing.is_none() && line.tip.as_deref() == Some(commit),
            _ => false,
        };
        if settled {
            let ids = self.lines.iter().filter(|line| line.reference == reference);
            self.seen.extend(ids.map(|line| line.id));
        }
        settled
    }

    /// Finds or makes the line of a branch.
    fn see(&mut self, reference: &str, depth: usize) -> Result<Option<LineId>> {
        let tip = self.tip(reference);
        if tip.is_none() && self.checkout.head().reference.as_deref() != Some(reference) {
            return Ok(self.last_of_name(reference));
        }
        let mut living = Vec::new();
        for line in self.lines.iter().filter(|line| line.reference == reference) {
            if self.is_same_life(line, tip.as_deref())? {
                living.push(line.clone());
            }
        }
        living.sort_by_key(|line| (rank(&line.state), line.created, line.id));
        let id = match living.split_first() {
            Some((line, others)) => {
                self.fold(line, others);
                self.keep(line, tip.as_deref(), depth)?
            }
            None => match self.renamed_from(reference, tip.as_deref())? {
                Some(line) => self.rename(&line, reference, tip.as_deref())?,
                None => self.begin(reference, tip.as_deref(), None, depth)?,
            },
        };
        self.seen.insert(id);
        Ok(Some(id))
    }

    /// Two processes that met a new branch at the same moment made two lines of it: the younger one lands in the elder.
    fn fold(&mut self, elder: &Line, others: &[Line]) {
        if elder.state != LineState::Open {
            return;
        }
        for twin in others.iter().filter(|line| line.state == LineState::Open) {
            let fields = LineFields {
                state: Some(LineState::Landed {
                    into: elder.id,
                    evidence: Landing::Reachable,
                    commit: twin.tip.clone(),
                }),
                ..LineFields::default()
            };
            self.seen.insert(twin.id);
            self.push(
                twin.id,
                fields,
                format!("`{}` was met twice at once", twin.name()),
            );
        }
    }

    /// Brings a line that lives on up to date.
    fn keep(&mut self, line: &Line, tip: Option<&str>, depth: usize) -> Result<LineId> {
        let moved = tip.is_some() && tip != line.tip.as_deref();
        match &line.state {
            LineState::Landed { .. } => {
                if let (true, Some(at)) = (moved, tip)
                    && !self.is_behind(line, at)?
                    && self.has_gone_on(line, at)?
                {
                    return self.begin(&line.reference, tip, Some(line.id), depth);
                }
                return Ok(line.id);
            }
            // Archived by a person, who alone restores it.
            LineState::Archived if line.missing.is_none() => return Ok(line.id),
            LineState::Archived | LineState::Open => {}
        }
        let mut fields = LineFields::default();
        let mut why = Vec::new();
        if line.state == LineState::Archived {
            fields.state = Some(LineState::Open);
        }
        if line.missing.is_some() {
            fields.missing = Some(None);
            why.push("is there again".to_owned());
        }
        if let (true, Some(tip)) = (moved, tip)
            && !self.is_behind(line, tip)?
        {
            fields.tip = Some(tip.to_owned());
            fields.fork = self
                .fork(line, tip)?
                .filter(|fork| Some(fork) != line.fork.as_ref());
            why.push(format!("moved to {}", short(tip)));
        }
        if fields != LineFields::default() {
            self.push(
                line.id,
                fields,
                format!("`{}` {}", line.name(), why.join(", ")),
            );
        }
        Ok(line.id)
    }

    fn rename(&mut self, line: &Line, reference: &str, tip: Option<&str>) -> Result<LineId> {
        let mut fields = LineFields {
            reference: Some(reference.to_owned()),
            ..LineFields::default()
        };
        if line.state == LineState::Archived {
            fields.state = Some(LineState::Open);
        }
        if line.missing.is_some() {
            fields.missing = Some(None);
        }
        let renamed = Line {
            reference: reference.to_owned(),
            ..line.clone()
        };
        if let Some(tip) = tip
            && line.tip.as_deref() != Some(tip)
        {
            fields.fork = self.fork(&renamed, tip)?;
            fields.tip = Some(tip.to_owned());
        }
        let why = format!("`{}` was renamed to `{}`", line.name(), renamed.name());
        self.push(line.id, fields, why);
        Ok(line.id)
    }

    /// Makes a new line, cut from `parent` or from the branch that the logs or the graph tell.
    fn begin(
        &mut self,
        reference: &str,
        tip: Option<&str>,
        parent: Option<LineId>,
        depth: usize,
    ) -> Result<LineId> {
        let parent = match parent {
            Some(parent) => Some(parent),
            None if depth >= DEPTH => None,
            None => self.parent_of(reference, tip, depth)?,
        };
        let mut line = Line::new(LineId::new(), reference, self.now);
        line.parent = parent;
        let fork = match tip {
            Some(tip) => self.fork(&line, tip)?,
            None => None,
        };
        let from = parent.and_then(|parent| self.line(parent)).map(Line::name);
        let why = match from {
            Some(from) => format!("`{}` was cut from `{from}`", line.name()),
            None => format!("`{}` was met", line.name()),
        };
        let fields = LineFields {
            reference: Some(reference.to_owned()),
            parent,
            fork,
            tip: tip.map(str::to_owned),
            state: Some(LineState::Open),
            ..LineFields::default()
        };
        self.push(line.id, fields, why);
        Ok(line.id)
    }

    fn see_references(&mut self) -> Result<()> {
        if self.checkout.repository().is_none() {
            return Ok(());
        }
        self.default = self
            .default
            .take()
            .or_else(|| self.checkout.default_branch());
        for line in self.lines.clone() {
            let watched = match line.state {
                LineState::Open => true,
                LineState::Archived => line.missing.is_some(),
                LineState::Landed { .. } => false,
            };
            if !watched || self.seen.contains(&line.id) {
                continue;
            }
            let local = self.checkout.tip(&line.reference);
            let lives = match &local {
                Some(tip) => self.is_same_life(&line, Some(tip))?,
                None => false,
            };
            if lives {
                self.keep(&line, local.as_deref(), 0)?;
                continue;
            }
            // Another clone may have the branch. It can be missing here only if it once was here.
            let was_here = line
                .tip
                .as_deref()
                .is_none_or(|tip| self.checkout.has_commit(tip));
            let is_remote =
                local.is_none() && !self.checkout.remote_tips(&line.reference).is_empty();
            if is_remote && line.missing.is_some() {
                let fields = LineFields {
                    missing: Some(None),
                    state: Some(LineState::Open).filter(|state| *state != line.state),
                    ..LineFields::default()
                };
                self.push(line.id, fields, format!("`{}` is there again", line.name()));
            } else if !is_remote && was_here && line.missing.is_none() {
                let fields = LineFields {
                    missing: Some(Some(self.now)),
                    ..LineFields::default()
                };
                self.push(line.id, fields, format!("`{}` is gone", line.name()));
            }
        }
        Ok(())
    }

    fn push(&mut self, line: LineId, fields: LineFields, why: String) {
        let change = LineChange { line, fields, why };
        write(&mut self.lines, &change, self.now);
        self.changes.push(change);
    }

    fn line(&self, id: LineId) -> Option<&Line> {
        self.lines.iter().find(|line| line.id == id)
    }

    /// Returns where a branch stands: here, or, for the default branch, where it was last fetched.
    fn tip(&self, reference: &str) -> Option<String> {
        self.checkout.tip(reference).or_else(|| {
            let is_default = self.default.as_deref() == Some(reference);
            let mut fetched = self.checkout.remote_tips(reference).into_iter();
            fetched.next().filter(|_| is_default)
        })
    }

    fn last_of_name(&self, reference: &str) -> Option<LineId> {
        self.lines
            .iter()
            .filter(|line| line.reference == reference)
            .max_by_key(|line| (line.updated, line.id))
            .map(|line| line.id)
    }
}

/// Orders lines of one name: the living one first.
fn rank(state: &LineState) -> u8 {
    match state {
        LineState::Open => 0,
        LineState::Landed { .. } => 1,
        LineState::Archived => 2,
    }
}

/// Abbreviates a commit for people.
pub(super) fn short(commit: &str) -> &str {
    commit.get(..7).unwrap_or(commit)
}
