//! Why a recall chose what it chose.

use std::io;

use memorax_core::{Freshness, NearMiss, Recall, Signal};

use super::phrase::{commit, one_line, short};
use super::{Cell, Page, Table};
use crate::paint::Tone;

/// Explains every hit: its score, and below it the parts; then what came closest and was held back.
pub(crate) fn explanation(page: &mut Page<'_>, recall: &Recall) -> io::Result<()> {
    if !recall.hits.is_empty() {
        page.heading("Memories")?;
    }
    for hit in &recall.hits {
        let stale = match hit.freshness {
            Freshness::Unanchored | Freshness::Fresh => String::new(),
            other => format!(" [{other}]"),
        };
        let id = page.tone(Tone::Faint, short(hit.memory.id)).to_string();
        let title = format!("{}{stale}", one_line(&hit.memory.title));
        head(page, hit.score, &format!("{id}  {title}"))?;
        for citation in &hit.citations {
            page.text(&one_line(&citation.to_string()), 9)?;
        }
        reasons(&hit.why).write(page)?;
    }
    if !recall.files.is_empty() {
        page.heading("Files")?;
    }
    for hit in &recall.files {
        head(page, hit.score, &one_line(&hit.path))?;
        reasons(&hit.why).write(page)?;
    }
    near_misses(page, &recall.near_misses)?;
    if !recall.commands.is_empty() {
        page.heading("Commands")?;
    }
    for stated in &recall.commands {
        page.line(format_args!(
            "  {}  {} ({})",
            stated.purpose,
            one_line(&stated.command),
            one_line(&stated.source)
        ))?;
    }
    if !recall.commits.is_empty() {
        page.heading("Past commits")?;
    }
    for hit in &recall.commits {
        let what = format!("{}  {}", commit(&hit.id), one_line(&hit.subject));
        head(page, hit.score, &what)?;
        reasons(&hit.why).write(page)?;
    }
    if recall.confidence > 0.0 {
        let sure = recall.confidence * 100.0;
        let what = if recall.is_empty() {
            "what was held back would help"
        } else {
            "this helps"
        };
        page.line(format_args!("{sure:.0} % sure that {what}."))?;
    }
    if recall.dropped > 0 {
        let dropped = recall.dropped;
        page.line(format_args!(
            "{dropped} more fitted, but not into the budget, or said the same."
        ))?;
    }
    if let Some(id) = &recall.commit {
        page.line(format_args!("The view is of commit {}.", commit(id)))?;
    }
    Ok(())
}

/// Tells which memories came close, and why each was held back.
fn near_misses(page: &mut Page<'_>, misses: &[NearMiss]) -> io::Result<()> {
    if misses.is_empty() {
        return Ok(());
    }
    page.heading("Held back")?;
    for miss in misses {
        let share = format!("{:3.0} %", miss.coverage * 100.0);
        let share = page.tone(Tone::Strong, share).to_string();
        let id = page.tone(Tone::Faint, short(miss.memory.id)).to_string();
        let title = one_line(&miss.memory.title);
        page.line(format_args!("  {share}  {id}  {title}"))?;
        page.text(&miss.reason, 9)?;
    }
    Ok(())
}

fn head(page: &mut Page<'_>, total: f32, what: &str) -> io::Result<()> {
    let total = page.tone(Tone::Strong, score(total)).to_string();
    page.line(format_args!("  {total}  {what}"))
}

fn reasons(why: &[Signal]) -> Table {
    let mut table = Table::new(8);
    for signal in why {
        table.row([
            Cell::new(Tone::Faint, score(signal.score)).right(),
            Cell::new(Tone::Accent, signal.source.as_str()),
            Cell::plain(&signal.detail),
        ]);
    }
    table
}

fn score(score: f32) -> String {
    format!("{score:5.2}")
}

#[cfg(test)]
mod tests {
    use memorax_core::{FileHit, Source};

    use super::*;
    use crate::paint::Paint;

    #[test]
    fn the_parts_stand_below_their_sum() {
        let why = vec![
            Signal::new(Source::History, 1.5, "b6849dae walk: add an empty builder"),
            Signal::new(Source::Path, -0.25, ""),
        ];
        let mut recall = Recall::new(Vec::new(), vec![FileHit::new("src/walk.rs", 12.25, why)]);
        recall.dropped = 2;
        recall.confidence = 0.617;
        let mut out = Vec::new();
        explanation(&mut Page::new(&mut out, Paint::default(), None), &recall)
            .expect("a vector takes every write");
        assert_eq!(
            String::from_utf8_lossy(&out),
            "Files\n  12.25  src/walk.rs\n         1.50  history  b6849dae walk: add an empty builder\n        \
             -0.25  path\n62 % sure that this helps.\n2 more fitted, but not into the budget, or said the same.\n"
        );
    }
}
