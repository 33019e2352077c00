//! Which lines' memories are seen from where a checkout stands.
//!
//! Pure: takes lines as they are after [`observe_head`](crate::repo::observe_head), and a few facts about HEAD.

use std::collections::{BTreeMap, BTreeSet};

use crate::repo::Checkout;
use crate::{Line, LineId, LineState, Result};

/// What of HEAD decides what is seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct HeadFacts {
    /// Full name of the branch that is worked on; `None` if HEAD is detached, and without git.
    pub reference: Option<String>,
    /// Commit that the branch stands at.
    pub tip: Option<String>,
    /// Lines whose tips HEAD contains, nearest first; asked only when HEAD is detached.
    pub reachable: Vec<LineId>,
    /// Full name of the default branch; asked only when HEAD is detached.
    pub default: Option<String>,
}

impl HeadFacts {
    /// Creates the facts of a HEAD on a branch.
    pub fn on(reference: impl Into<String>, tip: Option<String>) -> Self {
        Self {
            reference: Some(reference.into()),
            tip,
            ..Self::default()
        }
    }

    /// Creates the facts of a detached HEAD.
    pub fn detached(reachable: Vec<LineId>, default: Option<String>) -> Self {
        Self {
            reachable,
            default,
            ..Self::default()
        }
    }

    /// Reads the facts; walks the history only where HEAD is detached.
    pub fn read(checkout: &Checkout, lines: &[Line]) -> Result<Self> {
        let head = checkout.head();
        if let Some(reference) = &head.reference {
            let tip = if head.detached {
                checkout.tip(reference)
            } else {
                head.commit.clone()
            };
            return Ok(Self::on(reference, tip));
        }
        let Some(commit) = &head.commit else {
            return Ok(Self::default());
        };
        let open = || lines.iter().filter(|line| line.state == LineState::Open);
        let tips: Vec<String> = open().filter_map(|line| line.tip.clone()).collect();
        let default = checkout.default_branch();
        let mut reachable = Vec::new();
        for tip in checkout.reachable(commit, &tips)? {
            let mut at_tip: Vec<&Line> = open()
                .filter(|line| line.tip.as_ref() == Some(&tip))
                .collect();
            at_tip.sort_by_key(|line| (Some(&line.reference) != default.as_ref(), line.id));
            reachable.extend(at_tip.iter().map(|line| line.id));
        }
        Ok(Self::detached(reachable, default))
    }
}

/// Which lines are seen. A memory without a line is always seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Visibility {
    /// The line that new memories belong to; `None` without git.
    pub own: Option<LineId>,
    /// Lines whose memories are seen, the own one included.
    pub lines: BTreeSet<LineId>,
    /// Open lines that are not seen: a rejection on one of these is shown as such and denies nothing.
    pub others: BTreeSet<LineId>,
}

impl Visibility {
    /// Says whether a memory of a line is seen; `None` is a memory of the whole repository.
    pub fn sees(&self, line: Option<LineId>) -> bool {
        line.is_none_or(|line| self.lines.contains(&line))
    }
}

/// Decides what is seen: the own line, every line it was cut from, and what landed in those.
///
/// A parent is seen as it is now, also what was learned on it after the fork: whether that still holds for older code
/// is told by the freshness of what it cites.
///
/// ```
/// use memorax_core::{Line, LineId, Timestamp};
/// use memorax_core::store::{HeadFacts, visible};
/// let now = Timestamp::default();
/// let main = Line::new(LineId::new(), "refs/heads/main", now);
/// let mut feature = Line::new(LineId::new(), "refs/heads/feature", now);
/// feature.parent = Some(main.id);
/// let lines = [main.clone(), feature.clone()];
/// let seen = visible(&lines, &HeadFacts::on("refs/heads/feature", None));
/// assert!(seen.sees(Some(main.id)));
/// let seen = visible(&lines, &HeadFacts::on("refs/heads/main", None));
/// assert!(!seen.sees(Some(feature.id)), "what is open elsewhere is not seen");
/// ```
pub fn visible(lines: &[Line], head: &HeadFacts) -> Visibility {
    let (own, starts) = starts(lines, head);
    let by_id: BTreeMap<LineId, &Line> = lines.iter().map(|line| (line.id, line)).collect();
    let mut seen = BTreeSet::new();
    for start in starts {
        let mut next = Some(start);
        while let Some(id) = next
            && seen.insert(id)
        {
            next = by_id.get(&id).and_then(|line| line.parent);
        }
    }
    let mut landed: BTreeMap<LineId, Vec<LineId>> = BTreeMap::new();
    for line in lines {
        if let LineState::Landed { into, .. } = line.state {
            landed.entry(into).or_default().push(line.id);
        }
    }
    let mut open: Vec<LineId> = seen.iter().copied().collect();
    while let Some(target) = open.pop() {
        for id in landed.get(&target).into_iter().flatten() {
            if seen.insert(*id) {
                open.push(*id);
            }
        }
    }
    let others = lines
        .iter()
        .filter(|line| line.state == LineState::Open && !seen.contains(&line.id))
        .map(|line| line.id)
        .collect();
    Visibility {
        own,
        lines: seen,
        others,
    }
}

/// Returns the own line, and the lines to start from.
fn starts(lines: &[Line], head: &HeadFacts) -> (Option<LineId>, Vec<LineId>) {
    if let Some(reference) = &head.reference {
        let own = of_name(lines, reference, head.tip.as_deref());
        return (own, own.into_iter().collect());
    }
    if !head.reachable.is_empty() {
        return (head.reachable.first().copied(), head.reachable.clone());
    }
    let default = head.default.as_deref();
    let default = default.and_then(|name| of_name(lines, name, None));
    (default, default.into_iter().collect())
}

/// Finds the line of a branch: the open one that stands at its tip, else the one that was seen last.
fn of_name(lines: &[Line], reference: &str, tip: Option<&str>) -> Option<LineId> {
    lines
        .iter()
        .filter(|line| line.reference == reference)
        .max_by_key(|line| {
            let state = match line.state {
                LineState::Open => 2,
                LineState::Landed { .. } => 1,
                LineState::Archived => 0,
            };
            let at_tip = line.tip.as_deref() == tip;
            (state, line.missing.is_none(), at_tip, line.updated, line.id)
        })
        .map(|line| line.id)
}
