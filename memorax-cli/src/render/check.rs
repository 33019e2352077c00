//! Was it turned down before?

use std::io;

use memorax_core::{Check, Freshness, RejectionHit};

use super::memory::{freshness, written};
use super::phrase::{one_line, short};
use super::{Cell, Page, Table};
use crate::paint::Tone;

/// Answers a check.
pub(crate) fn check(page: &mut Page<'_>, check: &Check) -> io::Result<()> {
    if check.rejections.is_empty() {
        return page.line("Nothing like this was turned down here.");
    }
    for (position, hit) in check.rejections.iter().enumerate() {
        if position > 0 {
            page.gap()?;
        }
        rejection(page, hit)?;
    }
    Ok(())
}

fn rejection(page: &mut Page<'_>, hit: &RejectionHit) -> io::Result<()> {
    let verdict = if hit.denies {
        page.tone(Tone::Bad, "Turned down before:")
    } else {
        page.tone(Tone::Warning, "Perhaps turned down before:")
    };
    let title = page.tone(Tone::Strong, one_line(&hit.memory.title));
    let heading = format!("{verdict} {title}");
    page.line(heading)?;
    if hit.memory.text.trim() != hit.memory.title.trim() {
        page.text(&hit.memory.text, 2)?;
    }
    page.gap()?;
    let mut table = Table::new(2);
    table.pair("id", short(hit.memory.id));
    table.pair("written", written(&hit.memory.provenance));
    table.pair("sure", format!("{:.0} %", hit.confidence * 100.0));
    if !hit.evidence.is_empty() {
        table.pair("in both", hit.evidence.join(", "));
    }
    if hit.freshness != Freshness::Unanchored {
        table.row([Cell::new(Tone::Faint, "code"), freshness(hit.freshness)]);
    }
    table.write(page)
}
