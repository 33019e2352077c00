//! A memory in the person's editor: a short page in, the changed fields out.

use std::env;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use memorax_core::{Error, ErrorKind, Fields, Memory, Result};

use super::edit::with_path;
use crate::failure::Failure;

const EXPLANATION: &str = "\
# Above the empty line: kind, title, tags (by commas) and the path for which it holds.
# Below it: the text. Lines that start with # up here are not read.
# Leave the file as it is to change nothing.
";

/// Opens a memory in the editor and returns what the person changed.
pub(crate) fn edit(memory: &Memory) -> std::result::Result<Fields, Failure> {
    let before = page(memory);
    let after = through_editor(&before)?;
    if after == before {
        return Ok(Fields::default());
    }
    changes(memory, &after)
}

fn through_editor(before: &str) -> Result<String> {
    let cannot = |what: &str, error: std::io::Error| {
        Error::new(
            ErrorKind::Io,
            format!("cannot {what} the file for the editor"),
        )
        .with_source(error)
    };
    let mut file = tempfile::Builder::new()
        .prefix("memorax-")
        .suffix(".md")
        .tempfile()
        .map_err(|error| cannot("make", error))?;
    file.write_all(before.as_bytes())
        .map_err(|error| cannot("write", error))?;
    // Closed while the editor runs, and removed when the path goes: some editors rename, Windows locks.
    let path = file.into_temp_path();
    run_editor(&path)?;
    fs::read_to_string(&path).map_err(|error| cannot("read", error))
}

fn run_editor(path: &Path) -> Result<()> {
    let editor = ["VISUAL", "EDITOR"]
        .iter()
        .find_map(|name| env::var(name).ok().filter(|value| !value.trim().is_empty()))
        .unwrap_or_else(|| if cfg!(windows) { "notepad" } else { "vi" }.to_owned());
    let hint = "set VISUAL or EDITOR, or use options: memorax edit --help";
    let mut command = through_shell(&editor, path);
    let status = command.status().map_err(|error| {
        Error::new(ErrorKind::Io, format!("cannot start `{editor}`"))
            .with_source(error)
            .with_hint(hint)
    })?;
    if status.success() {
        Ok(())
    } else {
        Err(Error::new(
            ErrorKind::Io,
            format!("`{editor}` ended with {status}; nothing was changed"),
        )
        .with_hint(hint))
    }
}

/// An editor may come with options or quotes, which the shell takes apart.
#[cfg(not(windows))]
fn through_shell(editor: &str, path: &Path) -> Command {
    let mut command = Command::new("sh");
    command
        .arg("-c")
        .arg(format!("{editor} \"$1\""))
        .arg("memorax")
        .arg(path);
    command
}

/// An editor may come with options or quotes, which the shell takes apart.
#[cfg(windows)]
fn through_shell(editor: &str, path: &Path) -> Command {
    use std::os::windows::process::CommandExt as _;

    let mut command = Command::new("cmd");
    // With /S the shell removes the outer quotes and no others.
    command.raw_arg(format!("/S /C \"{editor} \"{}\"\"", path.display()));
    command
}

fn page(memory: &Memory) -> String {
    format!(
        "{EXPLANATION}kind: {}\ntitle: {}\ntags: {}\npath: {}\n\n{}\n",
        memory.kind,
        memory.title,
        memory.tags.join(", "),
        memory.scope.path.as_deref().unwrap_or_default(),
        memory.text.trim_end(),
    )
}

/// Reads a page back and compares it with the memory.
fn changes(memory: &Memory, page: &str) -> std::result::Result<Fields, Failure> {
    let page = page.replace("\r\n", "\n");
    let (head, text) = page.split_once("\n\n").ok_or_else(|| {
        Error::new(
            ErrorKind::InvalidInput,
            "the edited page has no empty line between its head and its text",
        )
    })?;
    let mut fields = Fields::default();
    for line in head
        .lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
    {
        let (name, value) = line.split_once(':').ok_or_else(|| unreadable(line))?;
        let value = value.trim();
        match name.trim() {
            "kind" => {
                let kind = value.parse()?;
                fields.kind = (kind != memory.kind).then_some(kind);
            }
            "title" => fields.title = (value != memory.title).then(|| value.to_owned()),
            "tags" => {
                let tags: Vec<&str> = value
                    .split(',')
                    .map(str::trim)
                    .filter(|tag| !tag.is_empty())
                    .collect();
                let known = |tag: &&&str| memory.tags.iter().any(|known| known == **tag);
                fields.add_tags = tags
                    .iter()
                    .filter(|tag| !known(tag))
                    .map(|tag| (*tag).to_owned())
                    .collect();
                fields.remove_tags = memory
                    .tags
                    .iter()
                    .filter(|tag| !tags.contains(&tag.as_str()))
                    .cloned()
                    .collect();
            }
            "path" => {
                let path = Some(value.to_owned()).filter(|path| !path.is_empty());
                if path != memory.scope.path {
                    fields.scope = Some(with_path(&memory.scope, path)?);
                }
            }
            _ => return Err(unreadable(line).into()),
        }
    }
    let text = text.trim();
    if text.is_empty() {
        return Err(
            Error::new(ErrorKind::InvalidInput, "the edited text is empty")
                .with_hint("to delete the memory: memorax forget ID")
                .into(),
        );
    }
    if text != memory.text.trim() {
        fields.text = Some(text.to_owned());
    }
    Ok(fields)
}

fn unreadable(line: &str) -> Error {
    Error::new(
        ErrorKind::InvalidInput,
        format!("cannot read the line `{line}` of the edited page"),
    )
    .with_hint("lines before the empty one are kind:, title:, tags: and path:")
}
