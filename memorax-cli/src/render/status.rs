//! The status page: calm when all is well, and at its end whatever is not.

use std::collections::BTreeSet;
use std::io;

use memorax_core::{
    Evidence, Injections, MemoryKind, StatusReport, StoreReport, VectorReport, ViewReport,
};

use super::phrase::{bytes, commit, count, number};
use super::{Cell, Page, Table};
use crate::paint::Tone;

/// Renders the status.
pub(crate) fn status(page: &mut Page<'_>, status: &StatusReport) -> io::Result<()> {
    page.heading("Repository")?;
    repository(status).write(page)?;
    page.gap()?;
    page.heading("Memories")?;
    memories(status).write(page)?;
    page.gap()?;
    page.heading("Store")?;
    stores(status).write(page)?;
    page.gap()?;
    if status.warnings.is_empty() {
        let verdict = page.tone(Tone::Good, "All is well.").to_string();
        return page.line(verdict);
    }
    for warning in &status.warnings {
        let label = page.tone(Tone::Warning, "warning:").to_string();
        page.labelled(&label, "warning:", warning)?;
    }
    Ok(())
}

fn repository(status: &StatusReport) -> Table {
    let mut table = Table::new(2);
    table.pair("root", &status.root);
    let unknown = if status.known {
        ""
    } else {
        " (nothing written yet)"
    };
    table.pair("identity", format!("{}{unknown}", status.repository));
    let mut name = "rests on";
    for evidence in &status.evidence {
        table.pair(name, told(evidence));
        name = "";
    }
    table.pair("branch", status.line.as_deref().unwrap_or("none"));
    if let Some(id) = &status.commit {
        table.pair("commit", commit(id));
    }
    match &status.view {
        Some(report) => {
            table.pair("index", indexed(report));
            let info = &report.info;
            table.pair(
                "",
                format!(
                    "{}, {}, {}, {}",
                    count(info.files, "file", "files"),
                    count(info.symbols, "definition", "definitions"),
                    count(info.commits, "commit", "commits"),
                    bytes(info.bytes),
                ),
            );
            if !info.skipped.is_empty() {
                let reasons: Vec<String> = info
                    .skipped
                    .iter()
                    .map(|(reason, count)| format!("{} {reason}", number(*count as u64)))
                    .collect();
                table.pair("", format!("left out: {}", reasons.join(", ")));
            }
        }
        None => table.pair("index", "none yet"),
    }
    let embedder = match status.embedder.as_str() {
        "none" => "none: memories are searched by words alone",
        name => name,
    };
    table.pair("embedder", embedder);
    for report in &status.vectors {
        table.pair("", embedded(report, status));
    }
    let chunks = status.view.as_ref().and_then(|view| view.chunks.as_ref());
    if let Some(report) = chunks {
        let rest = if report.embedded < report.chunks {
            "; the rest waits for `memorax init` and is compared by the built-in one"
        } else {
            ""
        };
        table.pair(
            "",
            format!(
                "{} of {} have vectors{rest}",
                number(report.embedded),
                count(
                    report.chunks as usize,
                    "chunk of the files",
                    "chunks of the files"
                ),
            ),
        );
    }
    table
}

/// Says how many memories have vectors of an embedder.
fn embedded(report: &VectorReport, status: &StatusReport) -> String {
    let beside = if report.embedder == status.embedder {
        String::new()
    } else {
        format!("{} beside it: ", report.embedder)
    };
    let memories = if report.memories == 1 {
        "memory has a vector"
    } else {
        "memories have vectors"
    };
    let waiting = match report.waiting {
        0 => String::new(),
        waiting => format!(
            "; {} wait for later writes or `memorax init`",
            number(waiting)
        ),
    };
    format!("{beside}{} {memories}{waiting}", number(report.memories))
}

fn indexed(report: &ViewReport) -> String {
    let of = report
        .info
        .commit
        .as_deref()
        .map_or_else(|| "no commit".to_owned(), |id| commit(id).to_owned());
    let age = if report.current {
        ""
    } else {
        ", behind what is checked out"
    };
    format!("of {of}, made {}{age}", report.info.indexed.date())
}

fn told(evidence: &Evidence) -> String {
    match evidence {
        Evidence::Remote(address) => format!("remote {address}"),
        Evidence::RootCommit(id) => format!("first commit {}", commit(id)),
        Evidence::CommittedId(id) => format!("committed id {id}"),
        Evidence::Path(path) => format!("path {path}"),
        other => format!("{other:?}"),
    }
}

/// One row a kind, one column a state; kinds and states without memories are left out.
fn memories(status: &StatusReport) -> Table {
    let mut table = Table::new(2);
    let states: BTreeSet<&str> = status
        .stores
        .iter()
        .flat_map(|store| store.memories.values())
        .flat_map(|by_state| by_state.keys().map(String::as_str))
        .collect();
    if states.is_empty() {
        table.row([Cell::new(Tone::Faint, "none yet")]);
        return table;
    }
    let order = [
        "active",
        "pending",
        "superseded",
        "invalid",
        "archived",
        "deleted",
    ];
    let columns: Vec<&str> = order
        .into_iter()
        .filter(|state| states.contains(state))
        .collect();
    let mut head = vec![Cell::plain("")];
    head.extend(
        columns
            .iter()
            .map(|state| Cell::new(Tone::Faint, *state).right()),
    );
    table.row(head);
    for kind in MemoryKind::ALL {
        let counts: Vec<usize> = columns
            .iter()
            .map(|state| total(&status.stores, kind.as_str(), state))
            .collect();
        if counts.iter().all(|count| *count == 0) {
            continue;
        }
        let mut row = vec![Cell::new(Tone::Accent, kind.as_str())];
        row.extend(counts.iter().map(|count| match count {
            0 => Cell::new(Tone::Faint, "-").right(),
            count => Cell::plain(number(*count as u64)).right(),
        }));
        table.row(row);
    }
    table
}

fn total(stores: &[StoreReport], kind: &str, state: &str) -> usize {
    stores
        .iter()
        .filter_map(|store| store.memories.get(kind)?.get(state))
        .sum()
}

fn stores(status: &StatusReport) -> Table {
    let mut table = Table::new(2);
    table.pair("home", &status.home);
    for store in &status.stores {
        let place = if store.name == "user" {
            "everywhere"
        } else {
            "here"
        };
        if store.damage.is_some() {
            table.row([
                Cell::new(Tone::Faint, place),
                Cell::new(Tone::Bad, "cannot be read, see below"),
            ]);
            continue;
        }
        let mut parts = vec![
            count(store.in_force, "memory", "memories"),
            count(store.operations as usize, "change", "changes"),
            bytes(store.bytes),
        ];
        if store.repairs > 0 {
            let repairs = count(store.repairs as usize, "repair", "repairs");
            parts.push(format!("{repairs} after a killed process"));
        }
        table.pair(place, parts.join(", "));
        for sentence in &store.lost {
            table.pair("lost", sentence);
        }
    }
    let sum = |part: fn(&StoreReport) -> usize| status.stores.iter().map(part).sum::<usize>();
    let waiting = [
        (sum(|store| store.inbox), "in the inbox"),
        (sum(|store| store.spool_files), "in the spool"),
        (sum(|store| store.pending_purges), "for a purge"),
    ];
    let waiting: Vec<String> = waiting
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, place)| format!("{count} {place}"))
        .collect();
    table.pair(
        "waiting",
        if waiting.is_empty() {
            "nothing".to_owned()
        } else {
            waiting.join(", ")
        },
    );
    table.pair("last 7 days", put_in_front(&status.injected));
    table
}

fn put_in_front(injected: &Injections) -> String {
    let answers = match injected.answers {
        0 => "nothing put in front of agents".to_owned(),
        answers => format!(
            "{} put in front of agents, in {}",
            count(injected.tokens, "token", "tokens"),
            count(answers, "answer", "answers"),
        ),
    };
    match injected.empty {
        0 => answers,
        empty => format!("{answers}; {} had nothing to say", number(empty as u64)),
    }
}
