//! What was put in front of agents.

use std::io;

use memorax_core::Receipt;

use super::phrase::{count, number, short};
use super::{Cell, Page, Table};
use crate::paint::Tone;

/// Lists receipts.
pub(crate) fn receipts(page: &mut Page<'_>, receipts: &[Receipt]) -> io::Result<()> {
    let mut table = Table::new(0).one_line();
    for receipt in receipts {
        table.row([
            Cell::new(Tone::Faint, short(receipt.id)),
            Cell::new(Tone::Faint, receipt.at.date()),
            Cell::new(Tone::Accent, receipt.kind.as_str()),
            Cell::plain(format!("{} tokens", number(receipt.tokens as u64))).right(),
            Cell::plain(count(receipt.memories.len(), "memory", "memories")).right(),
            Cell::plain(&receipt.actor),
            Cell::plain(&receipt.query),
        ]);
    }
    table.write(page)
}

/// Shows one receipt.
pub(crate) fn receipt(page: &mut Page<'_>, receipt: &Receipt) -> io::Result<()> {
    let mut table = Table::new(0);
    table.pair("id", receipt.id.to_string());
    table.row([
        Cell::new(Tone::Faint, "kind"),
        Cell::new(Tone::Accent, receipt.kind.as_str()),
    ]);
    table.pair("at", receipt.at.to_string());
    table.pair("asked by", &receipt.actor);
    if let Some(session) = &receipt.session {
        table.pair("session", session);
    }
    if !receipt.query.is_empty() {
        table.pair("query", &receipt.query);
    }
    table.pair("tokens", number(receipt.tokens as u64));
    table.write(page)?;
    if !receipt.memories.is_empty() {
        page.gap()?;
        page.heading("Memories")?;
        let mut table = Table::new(2);
        for memory in &receipt.memories {
            table.row([
                Cell::plain(format!("{:.2}", memory.score)).right(),
                Cell::new(Tone::Faint, short(memory.id)),
                Cell::plain(&memory.why),
            ]);
        }
        table.write(page)?;
    }
    if !receipt.files.is_empty() {
        page.gap()?;
        page.heading("Files")?;
        let mut table = Table::new(2);
        for file in &receipt.files {
            table.row([Cell::plain(file)]);
        }
        table.write(page)?;
    }
    Ok(())
}
