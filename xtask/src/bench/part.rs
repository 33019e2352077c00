//! The parts of `cargo xtask bench`: their order, and how a run ends.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use super::bed::Bed;
use super::table::{Row, Verdict, render};
use super::{asked, crowd, files, forked, indexing, stopped, trees};
use crate::command::Failure;
use crate::workspace::Workspace;

/// One group of measurements that can be made alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Stress,
    Stopped,
    RecallProcess,
    RecallWarm,
    RememberProcess,
    RecallBusy,
    Init,
    Trees,
    Files,
}

/// How often things are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// As often as the figures need; a miss fails the run.
    Full,
    /// Just often enough to see that everything works; a miss is only shown.
    Quick,
}

/// What a run is asked to measure.
#[derive(Debug)]
pub(crate) struct Order {
    pub(crate) parts: Vec<Part>,
    pub(crate) effort: Effort,
    /// Folder with clones of well known projects, if there is one.
    pub(crate) repositories: Option<PathBuf>,
}

impl Part {
    /// All parts. Three ask one store of 10,000 memories; the one whose writers make it grow comes after them.
    pub(crate) const ALL: [Self; 9] = [
        Self::Stress,
        Self::Stopped,
        Self::RecallProcess,
        Self::RecallWarm,
        Self::RememberProcess,
        Self::RecallBusy,
        Self::Init,
        Self::Trees,
        Self::Files,
    ];

    /// Finds a part by its name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|part| part.name() == name)
    }

    fn name(self) -> &'static str {
        match self {
            Self::Stress => "stress",
            Self::Stopped => "stopped",
            Self::RecallProcess => "recall-process",
            Self::RecallWarm => "recall-warm",
            Self::RememberProcess => "remember-process",
            Self::RecallBusy => "recall-busy",
            Self::Init => "init",
            Self::Trees => "trees",
            Self::Files => "files",
        }
    }

    fn measure(self, bed: &mut Bed, order: &Order) -> Result<Vec<Row>, Failure> {
        let repositories = order.repositories.as_deref();
        match self {
            Self::Stress => {
                let mut rows = crowd::stress(bed)?;
                rows.extend(forked::measure(bed)?);
                Ok(rows)
            }
            Self::Stopped => stopped::measure(bed),
            Self::RecallProcess => asked::recall_process(bed),
            Self::RecallWarm => asked::recall_warm(bed),
            Self::RememberProcess => asked::remember_process(bed),
            Self::RecallBusy => asked::recall_busy(bed),
            Self::Init => indexing::measure(bed, repositories),
            Self::Trees => trees::measure(bed, repositories),
            Self::Files => files::measure(bed, repositories),
        }
    }
}

/// Measures the parts one after the other and prints one table; fails where a full run misses a bar.
pub(crate) fn run(workspace: &Workspace, order: &Order) -> ExitCode {
    match measure(workspace, order) {
        Ok(code) => code,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn measure(workspace: &Workspace, order: &Order) -> Result<ExitCode, Failure> {
    let mut bed = Bed::prepare(workspace, order.effort)?;
    let mut rows = Vec::new();
    let mut failed = false;
    for part in &order.parts {
        eprintln!("== {} ==", part.name());
        let start = Instant::now();
        let measured = part.measure(&mut bed, order).unwrap_or_else(|failure| {
            eprintln!("error: {failure}");
            failed = true;
            vec![Row::new(part.name(), "failed, see above", "", false)]
        });
        eprintln!("== {:.1} s", start.elapsed().as_secs_f64());
        rows.extend(measured);
    }
    println!("{}", render(&rows));
    let missed = rows
        .iter()
        .filter(|row| row.verdict == Verdict::Missed)
        .count();
    let skipped = rows
        .iter()
        .filter(|row| row.verdict == Verdict::Skipped)
        .count();
    println!(
        "{} promises held, {missed} missed, {skipped} skipped",
        rows.len() - missed - skipped
    );
    if order.effort == Effort::Quick {
        println!("a quick run: the figures are few, and a miss proves nothing");
    }
    Ok(if failed || (missed > 0 && order.effort == Effort::Full) {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}
