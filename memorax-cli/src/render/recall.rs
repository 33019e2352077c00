//! Why a recall chose what it chose.

use std::io;

use memorax_core::{Freshness, Recall, Signal};

use super::phrase::{commit, short};
use super::{Cell, Page, Table};
use crate::paint::Tone;

/// Explains every hit: its score, and below it the parts.
pub(crate) fn explanation(page: &mut Page<'_>, recall: &Recall) -> io::Result<()> {
    if !recall.hits.is_empty() {
        page.heading("Memories")?;
        let mut table = Table::new(2);
        for hit in &recall.hits {
            let title = match hit.freshness {
                Freshness::Unanchored | Freshness::Fresh => hit.memory.title.clone(),
                other => format!("{}  [{other}]", hit.memory.title),
            };
            table.row([
                Cell::plain(score(hit.score)).right(),
                Cell::new(Tone::Faint, short(hit.memory.id)),
                Cell::new(Tone::Strong, title),
            ]);
            reasons(&mut table, &hit.why);
        }
        table.write(page)?;
    }
    if !recall.files.is_empty() {
        if !recall.hits.is_empty() {
            page.gap()?;
        }
        page.heading("Files")?;
        let mut table = Table::new(2);
        for hit in &recall.files {
            table.row([
                Cell::plain(score(hit.score)).right(),
                Cell::new(Tone::Faint, "file"),
                Cell::new(Tone::Strong, &hit.path),
            ]);
            reasons(&mut table, &hit.why);
        }
        table.write(page)?;
    }
    if recall.dropped > 0 {
        page.gap()?;
        page.line(format_args!(
            "{} more fitted, but not into the budget, or said the same.",
            recall.dropped
        ))?;
    }
    if let Some(id) = &recall.commit {
        page.line(format_args!("The view is of commit {}.", commit(id)))?;
    }
    Ok(())
}

fn reasons(table: &mut Table, why: &[Signal]) {
    for signal in why {
        table.row([
            Cell::new(Tone::Faint, score(signal.score)).right(),
            Cell::new(Tone::Accent, signal.source.as_str()),
            Cell::plain(&signal.detail),
        ]);
    }
}

fn score(score: f32) -> String {
    format!("{score:.2}")
}
