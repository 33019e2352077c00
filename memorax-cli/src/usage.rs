//! Usage errors of the argument parser, in the form of all other errors.

use clap::error::{ContextKind, ContextValue, ErrorKind as UsageKind};
use memorax_core::{Error, ErrorKind};

/// Turns a usage error into a message that names the thing and a hint that helps; `command` is the one that was typed.
pub(crate) fn usage(error: &clap::Error, command: Option<&str>) -> Error {
    let message = message(error).unwrap_or_else(|| first_paragraph(error));
    Error::new(ErrorKind::InvalidInput, message).with_hint(hint(error, command))
}

fn message(error: &clap::Error) -> Option<String> {
    let argument = one(error, ContextKind::InvalidArg);
    Some(match error.kind() {
        UsageKind::InvalidSubcommand => {
            format!(
                "no command `{}`",
                one(error, ContextKind::InvalidSubcommand)?
            )
        }
        UsageKind::UnknownArgument => format!("no option or argument `{}` here", argument?),
        UsageKind::InvalidValue => {
            let value = one(error, ContextKind::InvalidValue).unwrap_or_default();
            let known = several(error, ContextKind::ValidValue).join(", ");
            match (value.is_empty(), known.is_empty()) {
                (true, _) => format!("`{}` needs a value", argument?),
                (false, true) => format!("`{value}` cannot be the value of `{}`", argument?),
                (false, false) => format!(
                    "`{value}` cannot be the value of `{}`; known: {known}",
                    argument?
                ),
            }
        }
        UsageKind::ValueValidation => {
            let value = one(error, ContextKind::InvalidValue).unwrap_or_default();
            let reason = std::error::Error::source(error).map(ToString::to_string)?;
            // The parser of numbers speaks to programmers.
            let reason = if reason.contains("digit") || reason.contains("number too") {
                "it must be a whole number, 0 or more".to_owned()
            } else {
                reason
            };
            format!("`{value}` cannot be the value of `{}`: {reason}", argument?)
        }
        UsageKind::MissingRequiredArgument => {
            let missing = several(error, ContextKind::InvalidArg);
            let verb = if missing.len() == 1 { "is" } else { "are" };
            format!("`{}` {verb} missing", missing.join("`, `"))
        }
        UsageKind::InvalidUtf8 => "an argument is not UTF-8 text".to_owned(),
        _ => return None,
    })
}

fn hint(error: &clap::Error, command: Option<&str>) -> String {
    let suggested = [
        ContextKind::SuggestedSubcommand,
        ContextKind::SuggestedArg,
        ContextKind::SuggestedValue,
    ]
    .into_iter()
    .map(|kind| several(error, kind))
    .find(|names| !names.is_empty());
    if let Some(mut names) = suggested {
        names.reverse(); // clap puts the likeliest last
        return format!("did you mean `{}`?", names.join("` or `"));
    }
    match (error.kind(), usage_line(error)) {
        (UsageKind::InvalidUtf8, _) => {
            "put the text into a file: memorax remember - < FILE".to_owned()
        }
        (UsageKind::UnknownArgument, Some(usage))
            if one(error, ContextKind::InvalidArg).is_some_and(|word| word.starts_with('-')) =>
        {
            format!("before text that starts with a dash, write `--`; usage: {usage}")
        }
        (UsageKind::InvalidSubcommand, _) => "memorax --help".to_owned(),
        (_, None) => command.map_or_else(
            || "memorax --help".to_owned(),
            |command| format!("memorax {command} --help"),
        ),
        (_, Some(usage)) => format!("usage: {usage}"),
    }
}

fn usage_line(error: &clap::Error) -> Option<String> {
    let ContextValue::StyledStr(usage) = error.get(ContextKind::Usage)? else {
        return None;
    };
    let usage = usage.to_string();
    let line = usage
        .lines()
        .next()?
        .trim()
        .trim_start_matches("Usage:")
        .trim();
    (!line.is_empty()).then(|| line.to_owned())
}

fn one(error: &clap::Error, kind: ContextKind) -> Option<String> {
    several(error, kind).into_iter().next()
}

fn several(error: &clap::Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(value)) => vec![value.clone()],
        Some(ContextValue::Strings(values)) => values.clone(),
        _ => Vec::new(),
    }
}

fn first_paragraph(error: &clap::Error) -> String {
    let page = error.render().to_string();
    let paragraph = page.split("\n\n").next().unwrap_or_default();
    let words: Vec<&str> = paragraph.split_whitespace().collect();
    words.join(" ").trim_start_matches("error: ").to_owned()
}
