//! A process forks with an open handle, and both sides write through it.

use super::bed::{Bed, json, timed};
use super::crowd::verified;
use super::sample::shown;
use super::table::Row;
use crate::command::Failure;

const WHAT: &str = "parent and forked child write through one handle";

pub(super) fn measure(bed: &Bed) -> Result<Vec<Row>, Failure> {
    if !cfg!(unix) {
        return Ok(vec![Row::skipped(
            WHAT,
            "this system cannot fork a process",
        )]);
    }
    let place = bed.small("forked")?;
    let each = bed.count(400, 40);
    let (taken, _) = timed(&mut place.harness(["fork", &each.to_string()]))?;
    let listed = json(&mut place.memorax(["list", "--json", "--kind", "fact"]))?;
    // One was written before the fork.
    let found = listed
        .as_array()
        .ok_or("`memorax list` gave no list")?
        .len()
        .saturating_sub(1);
    let (sound, told) = verified(&place)?;
    let left = place.waiting()?;
    Ok(vec![Row::new(
        format!("{WHAT}: {each} memories each"),
        format!(
            "{found} found after {}, {left} in the inbox; `verify` {told}",
            shown(taken)
        ),
        format!("{} found, `verify` sound", 2 * each),
        found == 2 * each && sound && left == 0,
    )])
}
