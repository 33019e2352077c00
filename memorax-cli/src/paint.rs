//! Color, used sparingly: every page reads the same without it.

use std::fmt::{self, Display};

use anstyle::{AnsiColor, Style};
use clap::ValueEnum;

use crate::streams::Streams;

/// When to use color.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorChoice {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// What a piece of text means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Tone {
    /// Ordinary text.
    #[default]
    Plain,
    /// Headings and titles.
    Strong,
    /// Ids, dates and what else is there to be looked up.
    Faint,
    /// Kinds and commands.
    Accent,
    /// As it should be.
    Good,
    /// Worth a look.
    Warning,
    /// Wrong.
    Bad,
}

impl Tone {
    fn style(self) -> Style {
        match self {
            Self::Plain => Style::new(),
            Self::Strong => Style::new().bold(),
            Self::Faint => Style::new().dimmed(),
            Self::Accent => AnsiColor::Cyan.on_default(),
            Self::Good => AnsiColor::Green.on_default(),
            Self::Warning => AnsiColor::Yellow.on_default(),
            Self::Bad => AnsiColor::Red.on_default().bold(),
        }
    }
}

/// Gives text its tone, or leaves it alone where color is off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Paint {
    enabled: bool,
}

impl Paint {
    /// Decides for a stream.
    pub(crate) fn new(choice: ColorChoice, terminal: bool) -> Self {
        let wanted = match choice {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => {
                terminal && !anstyle_query::no_color() && anstyle_query::term_supports_color()
            }
        };
        // Older Windows consoles print escape sequences as text until they are told to read them.
        #[cfg(windows)]
        let wanted = wanted
            && (choice == ColorChoice::Always
                || anstyle_query::windows::enable_ansi_colors().unwrap_or(false));
        Self { enabled: wanted }
    }

    /// Decides for the output stream.
    pub(crate) fn output(choice: ColorChoice, streams: &Streams) -> Self {
        Self::new(choice, streams.terminals.output)
    }

    /// Decides for the error stream.
    pub(crate) fn errors(choice: ColorChoice, streams: &Streams) -> Self {
        Self::new(choice, streams.terminals.errors)
    }

    /// Says whether color is on.
    pub(crate) fn is_enabled(self) -> bool {
        self.enabled
    }

    /// Gives a text its tone.
    pub(crate) fn tone<T: Display>(self, tone: Tone, text: T) -> Painted<T> {
        let style = if self.enabled {
            tone.style()
        } else {
            Style::new()
        };
        Painted { style, text }
    }
}

/// A text with its tone.
#[derive(Debug)]
pub(crate) struct Painted<T> {
    style: Style,
    text: T,
}

impl<T: Display> Display for Painted<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{}{}{}",
            self.style.render(),
            self.text,
            self.style.render_reset()
        )
    }
}
