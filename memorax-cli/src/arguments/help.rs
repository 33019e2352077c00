//! The help page: commands by what a person wants to do, on one screen.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use clap::builder::{StyledStr, Styles};
use clap::{Command, CommandFactory};

use super::Arguments;
use crate::exit::EXIT_CODES;

/// Widest line of a help page.
const COLUMNS: usize = 80;

const GROUPS: [(&str, &[&str]); 5] = [
    ("Start", &["init", "brief", "status"]),
    ("Ask", &["recall", "check"]),
    ("Write", &["remember", "edit", "forget", "feedback"]),
    (
        "Look",
        &["history", "list", "show", "log", "branches", "receipts"],
    ),
    (
        "Keep",
        &[
            "verify",
            "repair",
            "backup",
            "gc",
            "export",
            "restore",
            "doctor",
            "completions",
        ],
    ),
];

/// Returns the parser, with its help page.
pub(crate) fn parser() -> Command {
    let command = Arguments::command().styles(styles()).term_width(COLUMNS);
    let page = page(&command);
    command.help_template(page)
}

fn styles() -> Styles {
    Styles::styled()
        .header(HEADING)
        .usage(HEADING)
        .literal(LITERAL)
        .placeholder(Style::new())
}

const HEADING: Style = Style::new().bold();
const LITERAL: Style = AnsiColor::Cyan.on_default();

/// Lays out the page; text in braces is filled in by clap.
fn page(command: &Command) -> StyledStr {
    let mut page = String::from("{about}\n\n{usage-heading} {usage}\n");
    for (group, names) in GROUPS {
        let _ = write!(page, "\n{HEADING}{group}:{HEADING:#}\n");
        for name in names {
            let about = command
                .find_subcommand(name)
                .and_then(Command::get_about)
                .map(ToString::to_string)
                .unwrap_or_default();
            let _ = writeln!(page, "  {LITERAL}{name:<12}{LITERAL:#} {about}");
        }
    }
    let _ = write!(
        page,
        "\n{HEADING}Options:{HEADING:#}\n{{options}}\n\n{HEADING}Exit codes:{HEADING:#}"
    );
    for line in EXIT_CODES {
        let _ = write!(page, "\n  {line}");
    }
    page.push('\n');
    page.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_names_every_command_once() {
        let mut listed: Vec<&str> = GROUPS
            .iter()
            .flat_map(|(_, names)| *names)
            .copied()
            .collect();
        let command = Arguments::command();
        let mut known: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        listed.sort_unstable();
        known.sort_unstable();
        assert_eq!(listed, known);
    }

    #[test]
    fn clap_finds_no_fault() {
        parser().debug_assert();
    }
}
