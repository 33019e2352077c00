//! Where a branch was cut, and since which commit it has commits of its own.

use super::Observer;
use crate::repo::LogEntry;
use crate::{Line, LineId, LineState, Result};

/// How many lines are compared when no log tells where a branch was cut.
const CANDIDATES: usize = 32;

impl Observer<'_> {
    /// Finds or makes the line that a branch was cut from; `None` for the default branch.
    pub(super) fn parent_of(
        &mut self,
        reference: &str,
        tip: Option<&str>,
        depth: usize,
    ) -> Result<Option<LineId>> {
        let Some(default) = self.default.clone() else {
            return Ok(None);
        };
        if default == reference {
            return Ok(None);
        }
        if let Some(source) = self.source_in_log(reference)
            && let Some(line) = self.see(&source, depth + 1)?
        {
            return Ok(Some(line));
        }
        let parent = self.see(&default, depth + 1)?;
        let Some(tip) = tip else { return Ok(parent) };
        self.nearest(reference, tip, parent)
    }

    /// Reads the branch that git says it was created from.
    fn source_in_log(&self, reference: &str) -> Option<String> {
        let log = self.checkout.log(reference);
        let first = log.last()?;
        let copied = log.iter().find_map(|entry| {
            let rest = entry.message.strip_prefix("Branch: copied ")?;
            Some(rest.split_once(" to ")?.0.to_owned())
        });
        let source = match copied {
            Some(source) => source,
            None if first.from.is_some() => return None,
            None => {
                let source = first.message.strip_prefix("branch: Created from ")?;
                if source == "HEAD" {
                    self.head_before(reference, first)?
                } else {
                    source.to_owned()
                }
            }
        };
        let name = self.local_name(&source);
        let known = self.checkout.tip(&name).is_some() || self.last_of_name(&name).is_some();
        (known && name != reference).then_some(name)
    }

    /// Reads in HEAD's log which branch was checked out when another one was created from it.
    fn head_before(&self, reference: &str, created: &LogEntry) -> Option<String> {
        let short = reference.strip_prefix("refs/heads/")?;
        let log = self.checkout.log("HEAD");
        // Oldest first: later checkouts of the branch come from anywhere.
        let mut entries = log.iter().rev().filter(|entry| entry.at >= created.at);
        entries.find_map(|entry| {
            let rest = entry.message.strip_prefix("checkout: moving from ")?;
            let (from, to) = rest.split_once(" to ")?;
            (to == short && entry.to == created.to).then(|| from.to_owned())
        })
    }

    /// Turns what git calls the source of a branch into the full name of a local branch.
    fn local_name(&self, source: &str) -> String {
        if source.starts_with("refs/heads/") {
            return source.to_owned();
        }
        let local = format!("refs/heads/{source}");
        if self.checkout.tip(&local).is_some() {
            return local;
        }
        let remote = source.strip_prefix("refs/").unwrap_or(source);
        let remote = remote.strip_prefix("remotes/").unwrap_or(remote);
        match remote.split_once('/') {
            Some((name, rest)) if self.checkout.remotes().iter().any(|one| one.name == name) => {
                format!("refs/heads/{rest}")
            }
            _ => local,
        }
    }

    /// Finds the open line whose history the branch left last; the default branch's line where none is nearer.
    fn nearest(
        &self,
        reference: &str,
        tip: &str,
        default: Option<LineId>,
    ) -> Result<Option<LineId>> {
        let mut best = default;
        let mut best_base = match default.and_then(|id| self.line(id)) {
            Some(line) => self.base_with(line, tip)?,
            None => None,
        };
        let mut candidates: Vec<&Line> = self
            .lines
            .iter()
            .filter(|line| line.state == LineState::Open && line.missing.is_none())
            .filter(|line| line.reference != reference && Some(line.id) != default)
            .collect();
        candidates.sort_by_key(|line| std::cmp::Reverse((line.updated, line.id)));
        for line in candidates.into_iter().take(CANDIDATES) {
            let Some(base) = self.base_with(line, tip)? else {
                continue;
            };
            // A line that has all of the branch may as well have been cut from it.
            if base == tip {
                continue;
            }
            let nearer = match &best_base {
                Some(known) => *known != base && self.checkout.is_ancestor(known, &base)?,
                None => true,
            };
            if nearer {
                best = Some(line.id);
                best_base = Some(base);
            }
        }
        Ok(best)
    }

    fn base_with(&self, line: &Line, tip: &str) -> Result<Option<String>> {
        match self.tip_of(line) {
            Some(other) => self.checkout.merge_base(&other, tip),
            None => Ok(None),
        }
    }

    /// Returns where a line stands: its branch if it is open, else where it was seen last.
    pub(super) fn tip_of(&self, line: &Line) -> Option<String> {
        let here = match line.state {
            LineState::Open if line.missing.is_none() => self.tip(&line.reference),
            _ => None,
        };
        here.or_else(|| line.tip.clone())
    }

    /// Returns the commit since which a branch at `tip` has commits of its own; `tip` itself where it has none.
    ///
    /// A branch that has none moves along with its parent, and its fork with it. That is how a branch that was only just
    /// cut is told from one that was merged.
    pub(super) fn fork(&self, line: &Line, tip: &str) -> Result<Option<String>> {
        let Some(parent) = line.parent.and_then(|parent| self.line(parent)) else {
            return Ok(line.fork.clone());
        };
        let Some(base) = self.base_with(parent, tip)? else {
            return Ok(line.fork.clone());
        };
        let known = match &line.fork {
            Some(fork) => self.checkout.is_ancestor(fork, tip)?.then(|| fork.clone()),
            None => None,
        };
        if base == tip {
            let log = self.checkout.log(&line.reference);
            return Ok(match self.own_since(&log, tip)? {
                Some(fork) => known.filter(|known| known != tip).or(Some(fork)),
                None if log.is_empty() => known.or(Some(base)),
                None => Some(base),
            });
        }
        // The parent may have been rewritten: then the common history ends before the fork.
        Ok(match known {
            Some(known) if self.checkout.is_ancestor(&base, &known)? => Some(known),
            _ => Some(base),
        })
    }

    /// Reads in a branch's log the commit before the first one that was made on it and is still part of it.
    fn own_since(&self, log: &[LogEntry], tip: &str) -> Result<Option<String>> {
        const MAKING: [&str; 4] = ["commit", "cherry-pick", "revert", "am"];
        for entry in log.iter().rev() {
            let before = if let Some((what, onto)) = entry.message.split_once(" onto ")
                && what.starts_with("rebase")
            {
                Some(onto.trim()).filter(|onto| *onto != entry.to)
            } else if MAKING
                .iter()
                .any(|making| entry.message.starts_with(making))
            {
                entry.from.as_deref()
            } else {
                None
            };
            if let Some(before) = before
                && self.checkout.is_ancestor(&entry.to, tip)?
            {
                return self.checkout.merge_base(before, tip);
            }
        }
        Ok(None)
    }
}
