//! Whether a branch is still the one that a line was.
//!
//! Git deletes a branch's log with the branch. So a log that knows the line's last commit belongs to the same life,
//! however the branch was rewritten since, and a log that begins elsewhere belongs to another.

use super::Observer;
use crate::repo::LogEntry;
use crate::{Line, LineState, Result};

impl Observer<'_> {
    /// Says whether the branch at `tip` is the life that the line is.
    pub(super) fn is_same_life(&self, line: &Line, tip: Option<&str>) -> Result<bool> {
        let (Some(last), Some(tip)) = (line.tip.as_deref(), tip) else {
            return Ok(line.state == LineState::Open);
        };
        let landed = matches!(line.state, LineState::Landed { .. });
        if last == tip {
            // A branch cut again at the commit in which the old one landed is a new one.
            return Ok(!(landed && line.missing.is_some()));
        }
        if line.parent.is_none()
            && line.state == LineState::Open
            && self.default.as_deref() == Some(line.reference.as_str())
        {
            return Ok(true);
        }
        let log = self.checkout.log(&line.reference);
        if knows(&log, last) {
            return Ok(true);
        }
        let open = line.state == LineState::Open && line.missing.is_none();
        match log.last() {
            Some(first) if first.from.is_none() => {
                // Checked out from a remote: the branch of another clone, whose commits may never have been here.
                if is_shared(first, line) {
                    Ok(open || self.is_related(last, tip)?)
                } else {
                    Ok(false)
                }
            }
            // No log, or its beginning has expired.
            _ => Ok(open || !landed && self.is_related(last, tip)?),
        }
    }

    fn is_related(&self, one: &str, other: &str) -> Result<bool> {
        let base = self.checkout.merge_base(one, other)?;
        Ok(base.is_some_and(|base| base == one || base == other))
    }

    /// Says whether this clone merely lags behind another one in which the line was seen last.
    pub(super) fn is_behind(&self, line: &Line, tip: &str) -> Result<bool> {
        let Some(last) = line.tip.as_deref() else {
            return Ok(false);
        };
        let log = self.checkout.log(&line.reference);
        if knows(&log, last) {
            return Ok(false);
        }
        if self.checkout.has_commit(last) {
            return self.checkout.is_ancestor(tip, last);
        }
        // Not fetched yet: who moved the branch later is right.
        Ok(log.first().is_none_or(|newest| newest.at <= line.updated))
    }

    /// Says whether a branch that had landed has commits that its target has not.
    pub(super) fn has_gone_on(&self, line: &Line, tip: &str) -> Result<bool> {
        let LineState::Landed { into, .. } = line.state else {
            return Ok(false);
        };
        match self.line(into).and_then(|target| self.tip_of(target)) {
            Some(target) => Ok(!self.checkout.is_ancestor(tip, &target)?),
            None => Ok(true),
        }
    }

    /// Finds the line whose branch was renamed to `reference`.
    pub(super) fn renamed_from(&self, reference: &str, tip: Option<&str>) -> Result<Option<Line>> {
        if let Some(line) = self.unborn_line(reference) {
            return Ok(Some(line));
        }
        let log = self.checkout.log(reference);
        let names = log.iter().filter_map(|entry| {
            let rest = entry.message.strip_prefix("Branch: renamed ")?;
            Some(rest.split_once(" to ")?.0)
        });
        for name in names {
            if let Some(line) = self.vacated(|line| line.reference == name)? {
                return Ok(Some(line));
            }
        }
        let (true, Some(tip)) = (log.is_empty(), tip) else {
            return Ok(None);
        };
        // Without a log only a branch's own commits tell: what another branch also has says nothing.
        let default = self.default.as_deref().and_then(|name| self.tip(name));
        let mut found = None;
        for line in self.lines.iter().filter(|line| line.tip != line.fork) {
            let Some(last) = line.tip.as_deref() else {
                continue;
            };
            let is_own = match &default {
                Some(default) => !self.checkout.is_ancestor(last, default)?,
                None => true,
            };
            if is_own && self.checkout.is_ancestor(last, tip)? {
                found = self.vacated(|other| other.id == line.id)?.or(found);
            }
        }
        Ok(found)
    }

    /// Before the first commit a branch has no reference and no log. The first branch that is met after it is that one
    /// under a new name.
    fn unborn_line(&self, reference: &str) -> Option<Line> {
        let mut open = self
            .lines
            .iter()
            .filter(|line| line.state == LineState::Open);
        let first = open.next()?;
        let is_first = first.tip.is_none()
            && first.parent.is_none()
            && first.reference != reference
            && open.next().is_none()
            && self.checkout.tip(&first.reference).is_none();
        is_first.then(|| first.clone())
    }

    /// Finds a line whose branch is gone, or is another life by now.
    fn vacated(&self, wanted: impl Fn(&Line) -> bool) -> Result<Option<Line>> {
        for line in self.lines.iter().filter(|line| wanted(line)) {
            let may_live = match line.state {
                LineState::Open => true,
                LineState::Archived => line.missing.is_some(),
                LineState::Landed { .. } => false,
            };
            if may_live
                && match self.checkout.tip(&line.reference) {
                    Some(tip) => !self.is_same_life(line, Some(&tip))?,
                    None => true,
                }
            {
                return Ok(Some(line.clone()));
            }
        }
        Ok(None)
    }
}

fn knows(log: &[LogEntry], commit: &str) -> bool {
    log.iter()
        .any(|entry| entry.to == commit || entry.from.as_deref() == Some(commit))
}

/// Says whether a log begins with the branch's namesake on a remote.
fn is_shared(first: &LogEntry, line: &Line) -> bool {
    if first.message.starts_with("clone: ") || first.message.starts_with("fetch") {
        return true;
    }
    let Some(source) = first.message.strip_prefix("branch: Created from ") else {
        return false;
    };
    let source = source.strip_prefix("refs/").unwrap_or(source);
    let source = source.strip_prefix("remotes/").unwrap_or(source);
    source
        .split_once('/')
        .is_some_and(|(_, name)| name == line.name())
}
