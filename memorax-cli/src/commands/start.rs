//! `init` and `brief`: what a repository is, for someone new to it.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use memorax_core::{
    BRIEF_BUDGET, Brief, Error, ErrorKind, Identity, Init, InitOptions, IssueOptions, IssueSource,
    IssuesRead, Memorax, ViewInfo,
};
use serde_json::{Value, json};

use super::Session;
use crate::arguments::{BriefArguments, InitArguments};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::progress::ProgressLine;
use crate::render::{count, number};

/// Most changes of branches that are told one by one.
const TOLD: usize = 5;

/// `memorax init`
pub(crate) fn init(session: &mut Session<'_>, arguments: &InitArguments) -> Result<Exit, Failure> {
    refuse_file(&session.resolve(&arguments.path))?;
    let handle = session
        .open_at(&arguments.path)
        .map_err(|failure| failure.or_hint(ErrorKind::NotFound, "memorax init FOLDER"))?;
    let started = Instant::now();
    let interrupt = interrupt();
    let line = ProgressLine::new(session.shows_progress());
    let options = InitOptions {
        interrupt: &interrupt,
        progress: &|step| line.show(step),
    };
    let found = handle.init(&options);
    line.finish();
    let found = found?;
    let issues = issues(session, &handle, arguments, &interrupt)?;
    let brief = handle.brief(arguments.budget.unwrap_or(BRIEF_BUDGET))?;
    if session.global().json {
        let answer = json!({
            "identity": found.identity,
            "view": found.view,
            "branches": found.branches,
            "chunks": found.chunks,
            "brief": brief_json(&brief),
            "issues": issues.as_ref().map(issues_json),
        });
        session.json(&answer)?;
        return Ok(Exit::Done);
    }
    let name = handle
        .root()
        .file_name()
        .map(|name| name.to_string_lossy().into_owned());
    report(
        session,
        &name.unwrap_or_else(|| "repository".to_owned()),
        &found,
        started,
    );
    if let Some(read) = &issues {
        tell_issues(session, read);
    }
    session.page().text(&brief.text, 0)?;
    session.output().flush()?;
    next_steps(session);
    Ok(Exit::Done)
}

/// Reads issues where the user asks for them. The index is whole before, whatever becomes of them.
fn issues(
    session: &Session<'_>,
    handle: &Memorax,
    arguments: &InitArguments,
    interrupt: &AtomicBool,
) -> Result<Option<IssuesRead>, Failure> {
    let source = match arguments.issues.as_deref() {
        None => return Ok(None),
        Some("") => IssueSource::Forge,
        Some(file) => IssueSource::File(session.resolve(Path::new(file))),
    };
    let options = IssueOptions::new(source, interrupt);
    let read = session.waiting("reading issues", || handle.read_issues(&options))?;
    Ok(Some(read))
}

fn tell_issues(session: &mut Session<'_>, read: &IssuesRead) {
    session.note(&format!(
        "Read {} from {}; {} kept",
        count(
            read.read,
            "issue or pull request",
            "issues and pull requests"
        ),
        read.source,
        number(read.kept as u64)
    ));
    if read.skipped > 0 {
        session.warn(&format!(
            "{} were no issues",
            count(read.skipped, "entry", "entries")
        ));
    }
}

fn issues_json(read: &IssuesRead) -> Value {
    json!({
        "source": read.source,
        "read": read.read,
        "kept": read.kept,
        "skipped": read.skipped,
    })
}

/// Refuses to index the folder that a file lies in: whoever names a file means the file.
fn refuse_file(path: &Path) -> Result<(), Failure> {
    if !path.is_file() {
        return Ok(());
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    Err(Error::new(
        ErrorKind::InvalidInput,
        format!(
            "`{}` is a file, and a repository is a folder",
            path.display()
        ),
    )
    .with_hint(format!("memorax init {}", folder.display()))
    .into())
}

/// Returns a flag that the first Ctrl-C raises; a second one ends the process as usual.
fn interrupt() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&flag);
    let handler = move || {
        if raised.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(Exit::Interrupted.code()));
        }
    };
    // Without a handler Ctrl-C ends the process at once, and what was indexed is kept all the same.
    drop(ctrlc::set_handler(handler));
    flag
}

fn report(session: &mut Session<'_>, name: &str, found: &Init, started: Instant) {
    let ViewInfo {
        files,
        symbols,
        commits,
        skipped,
        ..
    } = &found.view;
    session.note(&format!(
        "Indexed {name}: {}, {}, {} in {:.1} s",
        count(*files, "file", "files"),
        count(*symbols, "definition", "definitions"),
        count(*commits, "commit", "commits"),
        started.elapsed().as_secs_f32(),
    ));
    if !skipped.is_empty() {
        let reasons: Vec<String> = skipped
            .iter()
            .map(|(reason, count)| format!("{} {reason}", number(*count as u64)))
            .collect();
        session.note(&format!("Left out: {}", reasons.join(", ")));
    }
    if let Some(chunks) = found
        .chunks
        .as_ref()
        .filter(|chunks| chunks.embedded < chunks.chunks)
    {
        session.note(&format!(
            "{} of {} chunks have vectors of {}; the next memorax init goes on",
            number(chunks.embedded),
            number(chunks.chunks),
            chunks.embedder,
        ));
    }
    for sentence in found.branches.iter().take(TOLD) {
        session.note(sentence);
    }
    if found.branches.len() > TOLD {
        let rest = found.branches.len() - TOLD;
        session.note(&format!(
            "{rest} more changes of branches; all with: memorax branches"
        ));
    }
    warn_of_identity(session, &found.identity);
    session.note("");
}

fn warn_of_identity(session: &mut Session<'_>, identity: &Identity) {
    for warning in &identity.warnings {
        session.warn(warning);
    }
}

fn next_steps(session: &mut Session<'_>) {
    session.note(
        "\nWhat next:\n  \
         memorax remember TEXT --kind convention   tell it a rule of this repository\n  \
         memorax recall TEXT                       see what an agent with that task is told\n  \
         memorax status                            see what is kept, and whether all is well",
    );
}

/// `memorax brief`
pub(crate) fn brief(
    session: &mut Session<'_>,
    arguments: &BriefArguments,
) -> Result<Exit, Failure> {
    let handle = session.open_at(&arguments.path)?;
    let brief = handle.brief(arguments.budget.unwrap_or(BRIEF_BUDGET))?;
    if session.global().json {
        session.json(&brief_json(&brief))?;
        return Ok(Exit::Done);
    }
    session.page().text(&brief.text, 0)?;
    if !brief.indexed {
        session.note("The repository is not indexed yet: memorax init");
    }
    Ok(Exit::Done)
}

fn brief_json(brief: &Brief) -> Value {
    json!({
        "id": brief.id,
        "text": brief.text,
        "tokens": brief.tokens,
        "memories": brief.memories,
        "commit": brief.commit,
    })
}
