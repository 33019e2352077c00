//! `export` and `restore`: all memories as a plain file, and back.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

use memorax_core::{Error, ErrorKind, ExportFormat, Restored};
use serde_json::{Value, json};

use super::Session;
use crate::arguments::{ExportArguments, RestoreArguments};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render::{count, number};

/// Most refused lines that are told one by one.
const TOLD: usize = 10;

/// `memorax export`
pub(crate) fn export(
    session: &mut Session<'_>,
    arguments: &ExportArguments,
) -> Result<Exit, Failure> {
    let format = if arguments.markdown {
        ExportFormat::Markdown
    } else {
        ExportFormat::Jsonl
    };
    let handle = session.open()?;
    let mut out = Remembering {
        out: session.output(),
        failed: None,
    };
    let exported = handle.export(&mut out, format);
    // The core knows only that writing failed; a closed pipe is no failure of ours.
    if let Some(error) = out.failed {
        return Err(Failure::Output(error));
    }
    let exported = exported?;
    session.output().flush()?;
    session.note(&format!(
        "Exported {}.",
        count(exported, "memory", "memories")
    ));
    Ok(Exit::Done)
}

/// Passes writes on, and keeps the error that stopped them.
struct Remembering<'a> {
    out: &'a mut dyn Write,
    failed: Option<io::Error>,
}

impl Remembering<'_> {
    fn keep<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        result.map_err(|error| {
            let told = io::Error::from(error.kind());
            self.failed = Some(error);
            told
        })
    }
}

impl Write for Remembering<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let result = self.out.write(bytes);
        self.keep(result)
    }

    fn flush(&mut self) -> io::Result<()> {
        let result = self.out.flush();
        self.keep(result)
    }
}

/// `memorax restore`
pub(crate) fn restore(
    session: &mut Session<'_>,
    arguments: &RestoreArguments,
) -> Result<Exit, Failure> {
    let handle = session.open()?;
    let restored = if arguments.file == Path::new("-") {
        handle.restore(&mut BufReader::new(session.input()))?
    } else {
        let path = session.resolve(&arguments.file);
        handle.restore(&mut open(&path)?)?
    };
    if session.global().json {
        session.json(&restored_json(&restored))?;
    } else {
        told(session, &restored)?;
    }
    Ok(if restored.refused.is_empty() {
        Exit::Done
    } else {
        Exit::Failed
    })
}

fn open(path: &Path) -> Result<Box<dyn BufRead>, Failure> {
    const HINT: &str = "name a file that was written with: memorax export > FILE";
    if path.is_dir() {
        let message = format!("`{}` is a folder, and an export is a file", path.display());
        return Err(Error::new(ErrorKind::InvalidInput, message)
            .with_hint(HINT)
            .into());
    }
    let file = File::open(path).map_err(|error| {
        let (kind, hint) = match error.kind() {
            io::ErrorKind::NotFound => (ErrorKind::NotFound, HINT),
            io::ErrorKind::PermissionDenied => {
                (ErrorKind::Io, "ask who owns the file to let you read it")
            }
            _ => (ErrorKind::Io, HINT),
        };
        Error::new(kind, format!("cannot open `{}`", path.display()))
            .with_source(error)
            .with_hint(hint)
    })?;
    Ok(Box::new(BufReader::new(file)))
}

fn told(session: &mut Session<'_>, restored: &Restored) -> Result<(), Failure> {
    let skipped = match restored.refused.len() {
        0 => String::new(),
        lines => format!("; {} not taken", count(lines, "line was", "lines were")),
    };
    session.page().line(format_args!(
        "{} new, {} changed, {} as they were{skipped}.",
        count(restored.created, "memory", "memories"),
        number(restored.updated as u64),
        number(restored.unchanged as u64),
    ))?;
    session.output().flush()?;
    if restored.queued > 0 {
        let queued = count(restored.queued, "memory waits", "memories wait");
        session.note(&format!(
            "{queued} in the inbox: another process holds the store."
        ));
    }
    for (line, reason) in restored.refused.iter().take(TOLD) {
        session.warn(&format!("line {line} was not taken: {reason}"));
    }
    if restored.refused.len() > TOLD {
        let rest = restored.refused.len() - TOLD;
        session.warn(&format!(
            "{rest} more lines were not taken; all of them with: memorax restore FILE --json"
        ));
    }
    Ok(())
}

fn restored_json(restored: &Restored) -> Value {
    let refused: Vec<Value> = restored
        .refused
        .iter()
        .map(|(line, reason)| json!({ "line": line, "reason": reason }))
        .collect();
    json!({
        "created": restored.created,
        "updated": restored.updated,
        "unchanged": restored.unchanged,
        "queued": restored.queued,
        "refused": refused,
    })
}
