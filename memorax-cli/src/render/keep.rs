//! The state of the store: proofs, repairs, check-ups.

use std::fmt::Write as _;
use std::io;
use std::path::Path;

use memorax_core::store::Verification;
use memorax_core::{Doctor, Repair, Repaired};

use super::phrase::{count, number, visible};
use super::{Cell, Page, Table};
use crate::paint::Tone;

/// Says what a verification found.
pub(crate) fn verification(page: &mut Page<'_>, verification: &Verification) -> io::Result<()> {
    let counts = format!(
        "{} in {}, {}",
        count(verification.operations as usize, "operation", "operations"),
        count(verification.chains, "chain", "chains"),
        memories(verification),
    );
    if verification.is_sound() {
        let verdict = page.tone(Tone::Good, "Sound:").to_string();
        page.line(format_args!("{verdict} {counts}."))?;
        if verification.purged > 0 {
            page.line(format_args!(
                "The words of {} were purged, in {}.",
                count(verification.purged_memories as usize, "memory", "memories"),
                count(verification.purged as usize, "operation", "operations"),
            ))?;
        }
        return lost(page, verification);
    }
    let problems = count(verification.problems.len(), "problem", "problems");
    let verdict = page.tone(Tone::Bad, "Damaged:").to_string();
    page.line(format_args!("{verdict} {problems} in {counts}."))?;
    for problem in &verification.problems {
        page.text(problem, 2)?;
    }
    lost(page, verification)
}

fn lost(page: &mut Page<'_>, verification: &Verification) -> io::Result<()> {
    for sentence in &verification.lost {
        let label = page.tone(Tone::Warning, "lost:").to_string();
        page.labelled(&label, "lost:", sentence)?;
    }
    Ok(())
}

fn memories(verification: &Verification) -> String {
    let memories = count(verification.memories as usize, "memory", "memories");
    match verification.forgotten {
        0 => memories,
        forgotten => format!("{memories} and {} forgotten", number(forgotten)),
    }
}

/// Says what a repair did.
pub(crate) fn repair(page: &mut Page<'_>, repair: &Repair) -> io::Result<()> {
    for file in &repair.files {
        let name = page.tone(Tone::Strong, file.file).to_string();
        page.line(format_args!("{name} was mended: {}.", file.done))?;
        kept_aside(page, file.kept.as_deref())?;
        for lost in &file.lost {
            page.text(lost, 2)?;
        }
    }
    stores(page, &repair.stores)
}

fn kept_aside(page: &mut Page<'_>, kept: Option<&Path>) -> io::Result<()> {
    match kept {
        Some(kept) => {
            let kept = visible(&kept.to_string_lossy()).into_owned();
            page.line(format_args!("The damaged file is kept as {kept}."))
        }
        None => Ok(()),
    }
}

fn stores(page: &mut Page<'_>, repaired: &[Repaired]) -> io::Result<()> {
    for store in repaired {
        let what = match store.found {
            Some(state) => format!("was {}: {}", state.as_str(), saved(store)),
            None => "is readable".to_owned(),
        };
        let name = page.tone(Tone::Strong, store.store).to_string();
        let derived = count(store.operations as usize, "operation", "operations");
        page.line(format_args!(
            "{name} store {what}; state derived from {derived}."
        ))?;
        kept_aside(page, store.kept.as_deref())?;
        verification(page, &store.verification)?;
    }
    Ok(())
}

fn saved(store: &Repaired) -> String {
    let lost = match store.lost {
        Some(lost) => format!("{} lost", number(lost)),
        None => "nobody knows how many are lost".to_owned(),
    };
    let from = if store.older {
        " from an older file"
    } else {
        ""
    };
    let read = count(store.saved as usize, "operation", "operations");
    let mut saved = format!("{read} read{from}, {lost}");
    if store.applied > 0 {
        let applied = count(store.applied, "change", "changes");
        let _ = write!(saved, ", {applied} that waited written");
    }
    saved
}

/// Lists what a check-up looked at.
pub(crate) fn doctor(page: &mut Page<'_>, doctor: &Doctor) -> io::Result<()> {
    let mut table = Table::new(0);
    for finding in &doctor.findings {
        let verdict = if finding.fine {
            Cell::new(Tone::Good, "ok")
        } else {
            Cell::new(Tone::Bad, "bad")
        };
        table.row([
            verdict,
            Cell::plain(&finding.what),
            Cell::plain(&finding.detail),
        ]);
        if let Some(hint) = &finding.hint {
            table.row([
                Cell::plain(""),
                Cell::plain(""),
                Cell::new(Tone::Accent, format!("hint: {hint}")),
            ]);
        }
    }
    table.write(page)
}
