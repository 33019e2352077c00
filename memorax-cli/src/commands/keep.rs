//! `verify`, `repair`, `backup`, `gc`, `doctor`: looking after the store.

use memorax_core::store::{FileState, Verification};
use memorax_core::{Doctor, Mended, Repaired};
use serde_json::{Value, json};

use super::Session;
use crate::arguments::BackupArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render::{self, bytes, count};

/// `memorax verify`
pub(crate) fn verify(session: &mut Session<'_>) -> Result<Exit, Failure> {
    let handle = session.open()?;
    let verification = session.waiting("verifying", || handle.verify())?;
    if session.global().json {
        session.json(&verification_json(&verification))?;
    } else {
        render::verification(&mut session.page(), &verification)?;
    }
    if verification.is_sound() {
        return Ok(Exit::Done);
    }
    session.output().flush()?;
    session.warn("the store is damaged; next: memorax repair, which keeps the damaged file");
    Ok(Exit::No)
}

fn verification_json(verification: &Verification) -> Value {
    json!({
        "sound": verification.is_sound(),
        "chains": verification.chains,
        "operations": verification.operations,
        "purged": verification.purged,
        "memories": verification.memories,
        "forgotten": verification.forgotten,
        "purged_memories": verification.purged_memories,
        "problems": verification.problems,
        "lost": verification.lost,
    })
}

/// `memorax repair`
pub(crate) fn repair(session: &mut Session<'_>) -> Result<Exit, Failure> {
    let handle = session.open_damaged()?;
    let repair = session.waiting("repairing", || handle.repair())?;
    if session.global().json {
        let files: Vec<Value> = repair.files.iter().map(mended_json).collect();
        let stores: Vec<Value> = repair.stores.iter().map(repaired_json).collect();
        session.json(&json!({ "files": files, "stores": stores }))?;
    } else {
        render::repair(&mut session.page(), &repair)?;
    }
    Ok(if repair.is_whole() {
        Exit::Done
    } else {
        Exit::No
    })
}

fn mended_json(mended: &Mended) -> Value {
    json!({
        "file": mended.file,
        "kept": mended.kept,
        "done": mended.done,
        "lost": mended.lost,
    })
}

fn repaired_json(repaired: &Repaired) -> Value {
    json!({
        "store": repaired.store,
        "found": repaired.found.map(FileState::as_str),
        "kept": repaired.kept,
        "saved": repaired.saved,
        "older": repaired.older,
        "lost": repaired.lost,
        "applied": repaired.applied,
        "operations": repaired.operations,
        "verification": verification_json(&repaired.verification),
    })
}

/// `memorax backup`
pub(crate) fn backup(
    session: &mut Session<'_>,
    arguments: &BackupArguments,
) -> Result<Exit, Failure> {
    let file = session.resolve(&arguments.file);
    let handle = session.open()?;
    session.waiting("copying", || handle.backup(&file))?;
    let size = std::fs::metadata(&file).map_or(0, |facts| facts.len());
    if session.global().json {
        session.json(&json!({ "file": file.to_string_lossy(), "bytes": size }))?;
    } else {
        session.page().line(format_args!(
            "Copied to {} ({}).",
            file.display(),
            bytes(size)
        ))?;
    }
    Ok(Exit::Done)
}

/// `memorax gc`
pub(crate) fn gc(session: &mut Session<'_>) -> Result<Exit, Failure> {
    let handle = session.open()?;
    let swept = session.waiting("cleaning", || handle.gc())?;
    if session.global().json {
        let answer = json!({
            "before": swept.before,
            "after": swept.after,
            "applied": swept.applied,
            "pending": swept.pending,
            "index": {
                "before": swept.index.before,
                "after": swept.index.after,
                "views": swept.index.views,
            },
            "temporary": swept.temporary,
            "places": swept.places,
        });
        session.json(&answer)?;
        return Ok(Exit::Done);
    }
    let sizes = format!(
        "The stores take {}, before {}.",
        bytes(swept.after),
        bytes(swept.before)
    );
    session.page().line(sizes)?;
    if swept.index.after < swept.index.before {
        session.page().line(format_args!(
            "The index takes {}, before {}.",
            bytes(swept.index.after),
            bytes(swept.index.before)
        ))?;
    }
    if swept.applied > 0 {
        let applied = count(swept.applied, "change", "changes");
        session
            .page()
            .line(format_args!("{applied} waited and were written."))?;
    }
    if swept.temporary > 0 {
        let files = count(swept.temporary, "file", "files");
        let line = format!("{files} that killed processes left half written: removed.");
        session.page().line(line)?;
    }
    for place in &swept.places {
        let place = render::visible(place);
        let line = format!("{place} is gone for long and was dropped.");
        session.page().line(line)?;
    }
    if !swept.pending.is_empty() {
        session.warn(&format!(
            "another process has {} open; when it is done: memorax gc",
            count(swept.pending.len(), "old file", "old files"),
        ));
    }
    Ok(Exit::Done)
}

/// `memorax doctor`
pub(crate) fn doctor(session: &mut Session<'_>) -> Result<Exit, Failure> {
    let handle = session.open_damaged()?;
    let doctor = session.waiting("looking", || handle.doctor())?;
    if session.global().json {
        session.json(&doctor_json(&doctor))?;
    } else {
        render::doctor(&mut session.page(), &doctor)?;
    }
    Ok(if doctor.is_fine() {
        Exit::Done
    } else {
        Exit::No
    })
}

fn doctor_json(doctor: &Doctor) -> Value {
    let findings: Vec<Value> = doctor
        .findings
        .iter()
        .map(|finding| {
            json!({
                "what": finding.what,
                "fine": finding.fine,
                "detail": finding.detail,
                "hint": finding.hint,
            })
        })
        .collect();
    json!({ "fine": doctor.is_fine(), "findings": findings })
}

/// `memorax status`
pub(crate) fn status(session: &mut Session<'_>) -> Result<Exit, Failure> {
    let mut status = session.open_damaged()?.status()?;
    let problem = session.embedder_problem().map(str::to_owned);
    status.warnings.extend(problem);
    if session.global().json {
        session.json(&status)?;
    } else {
        render::status(&mut session.page(), &status)?;
    }
    Ok(Exit::Done)
}
