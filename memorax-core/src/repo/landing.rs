//! Whether what was done on a branch is in another one by now: merged, rebased, cherry-picked, squashed.
//!
//! Decided by `init`, `branches` or background work, never in a hook, after [`observe`](super::observe). `evidence.rs`
//! weighs, `compared.rs` remembers and bounds the work, `patch.rs` compares changes, `message.rs` reads what forges write into commits.

mod compared;
mod evidence;
mod history;
mod message;
mod patch;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

pub use compared::Compared;
use compared::question;
use evidence::{Found, Search, Target};

use super::branches::{LineChange, short, with_changes};
use super::git::Checkout;
use crate::{Error, ErrorKind, Landing, Line, LineFields, LineId, LineState, Result, Timestamp};

/// How long a reference may be missing before its line is archived: 14 days.
const PATIENCE_MILLIS: i64 = 14 * 24 * 60 * 60 * 1_000;

/// What deciding about landings needs.
#[derive(Clone, Copy, Debug)]
pub struct LandingContext<'a> {
    /// The current time.
    pub now: Timestamp,
    /// Raised by the caller to stop.
    pub interrupt: &'a AtomicBool,
    /// Pull requests that are known to be of a line, by other means than git.
    pub pull_requests: &'a BTreeMap<LineId, u64>,
}

impl LandingContext<'_> {
    fn check(&self) -> Result<()> {
        if self.interrupt.load(Ordering::Relaxed) {
            return Err(Error::new(
                ErrorKind::Interrupted,
                "looking for landed branches was interrupted",
            ));
        }
        Ok(())
    }
}

/// Returns what must be written about lines that landed, or whose reference is gone for too long.
///
/// Takes the lines as [`observe`](super::observe) left them. Looks at each open line but the default branch's, first in the
/// line that it was cut from, then in the default branch.
pub fn decide(
    checkout: &Checkout,
    lines: &[Line],
    context: &LandingContext<'_>,
) -> Result<Vec<LineChange>> {
    decide_with(checkout, lines, context, &mut Compared::default())
}

/// Decides as [`decide`] does, without asking again what led to nothing before, and with a bound on the work: lines that
/// are not come to are counted in `compared` and come first the next time, because the others are known by then.
pub fn decide_with(
    checkout: &Checkout,
    lines: &[Line],
    context: &LandingContext<'_>,
    compared: &mut Compared,
) -> Result<Vec<LineChange>> {
    compared.begin();
    if checkout.repository().is_none() {
        return Ok(Vec::new());
    }
    let default = checkout.default_branch();
    let mut lines = lines.to_vec();
    // Elders first: what was cut from a line that lands now is looked for in that line's target.
    lines.sort_by_key(|line| (line.created, line.id));
    let mut search = Search::new(checkout, context, compared);
    let mut decided = Vec::new();
    for index in 0..lines.len() {
        let line = lines[index].clone();
        let is_default = default.as_deref() == Some(line.reference.as_str());
        if line.state != LineState::Open || is_default {
            continue;
        }
        let targets = targets(checkout, &lines, &line, default.as_deref());
        let Some(change) = decide_one(&mut search, &line, &targets, context.now)? else {
            continue;
        };
        lines = with_changes(&lines, std::slice::from_ref(&change), context.now);
        decided.push(change);
    }
    Ok(decided)
}

fn decide_one(
    search: &mut Search<'_>,
    line: &Line,
    targets: &[Target],
    now: Timestamp,
) -> Result<Option<LineChange>> {
    let mut best: Option<(&Target, Found)> = None;
    let pull_request = search.pull_request(line);
    let mut open = Vec::new();
    for target in targets {
        let question = question(line, target, pull_request);
        if !search.compared.knows(question) {
            open.push((target, question));
        }
    }
    // A line that was not looked at is not given up either.
    if !open.is_empty() && search.compared.is_spent() {
        return Ok(None);
    }
    for (target, question) in open {
        let found = search.landing(line, target)?;
        let Some(found) = found.filter(|found| !line.held || found.evidence.is_certain()) else {
            if search.can_tell(line) {
                search.compared.found_nothing(question);
            }
            continue;
        };
        let certain = found.evidence.is_certain();
        if certain || best.is_none() {
            best = Some((target, found));
        }
        if certain {
            break;
        }
    }
    if let Some((target, found)) = best {
        let why = sentence(line, target, &found);
        let fields = LineFields {
            state: Some(LineState::Landed {
                into: target.line,
                evidence: found.evidence,
                commit: Some(found.commit),
            }),
            ..LineFields::default()
        };
        let line = line.id;
        return Ok(Some(LineChange { line, fields, why }));
    }
    let Some(since) = line.missing.filter(|_| !line.held) else {
        return Ok(None);
    };
    if now.as_millis() - since.as_millis() < PATIENCE_MILLIS {
        return Ok(None);
    }
    let why = format!(
        "`{}` is gone since {} and did not land",
        line.name(),
        since.date()
    );
    let fields = LineFields {
        state: Some(LineState::Archived),
        ..LineFields::default()
    };
    Ok(Some(LineChange {
        line: line.id,
        fields,
        why,
    }))
}

/// Returns the open lines that a line can land in: those it was cut from, and the default branch's.
fn targets(checkout: &Checkout, lines: &[Line], line: &Line, default: Option<&str>) -> Vec<Target> {
    let by_id: BTreeMap<LineId, &Line> = lines.iter().map(|line| (line.id, line)).collect();
    let mut targets: Vec<Target> = Vec::new();
    let mut add = |target: &Line| {
        if target.id == line.id || targets.iter().any(|known| known.line == target.id) {
            return;
        }
        let mut tips: Vec<String> = checkout.tip(&target.reference).into_iter().collect();
        for tip in checkout.remote_tips(&target.reference) {
            if !tips.contains(&tip) {
                tips.push(tip);
            }
        }
        if !tips.is_empty() {
            targets.push(Target {
                line: target.id,
                name: target.name().to_owned(),
                tips,
            });
        }
    };
    let mut next = line.parent;
    // Longer chains than there are lines are circles, which concurrent writers could make.
    for _ in 0..lines.len() {
        let Some(above) = next.and_then(|id| by_id.get(&id)) else {
            break;
        };
        next = match above.state {
            LineState::Landed { into, .. } => Some(into),
            LineState::Open => {
                add(above);
                above.parent
            }
            LineState::Archived => above.parent,
        };
    }
    let of_default = lines.iter().filter(|other| {
        other.state == LineState::Open && Some(other.reference.as_str()) == default
    });
    of_default.for_each(&mut add);
    targets
}

fn sentence(line: &Line, target: &Target, found: &Found) -> String {
    let (name, into, commit) = (line.name(), &target.name, short(&found.commit));
    match found.evidence {
        Landing::Reachable => format!("`{name}` was merged into `{into}` ({commit})"),
        Landing::PatchId => format!("`{name}` was squashed into `{into}` as {commit}"),
        Landing::Commits => {
            format!("every commit of `{name}` was applied to `{into}`, the last one as {commit}")
        }
        Landing::AddedLines => format!(
            "`{name}` probably landed in `{into}`: {commit} has most of the lines that it added"
        ),
        Landing::PullRequest => {
            format!("`{name}` probably landed in `{into}`: {commit} names its pull request")
        }
        Landing::Person => format!("`{name}` landed in `{into}`"),
    }
}
