//! A page of text on its way to a stream.

use std::fmt::Display;
use std::io::{self, Write};

use super::visible;
use crate::paint::{Paint, Painted, Tone};

/// Where a renderer writes to.
pub(crate) struct Page<'a> {
    out: &'a mut dyn Write,
    paint: Paint,
    /// Columns of the terminal; `None` where text is not read on one and nothing is cut.
    columns: Option<usize>,
}

impl<'a> Page<'a> {
    /// Starts a page.
    pub(crate) fn new(out: &'a mut dyn Write, paint: Paint, columns: Option<usize>) -> Self {
        Self {
            out,
            paint,
            columns,
        }
    }

    /// Returns the columns of the terminal, if it is one.
    pub(crate) fn columns(&self) -> Option<usize> {
        self.columns
    }

    /// Gives a text its tone.
    pub(crate) fn tone<T: Display>(&self, tone: Tone, text: T) -> Painted<T> {
        self.paint.tone(tone, text)
    }

    /// Writes a line as it is; the caller has made foreign text [`visible`].
    pub(crate) fn line(&mut self, line: impl Display) -> io::Result<()> {
        writeln!(self.out, "{line}")
    }

    /// Writes an empty line.
    pub(crate) fn gap(&mut self) -> io::Result<()> {
        writeln!(self.out)
    }

    /// Writes a heading.
    pub(crate) fn heading(&mut self, text: &str) -> io::Result<()> {
        let heading = self.tone(Tone::Strong, text);
        writeln!(self.out, "{heading}")
    }

    /// Writes a foreign text, indented, ending in exactly one line break.
    pub(crate) fn text(&mut self, text: &str, indent: usize) -> io::Result<()> {
        for line in visible(text.trim_end()).lines() {
            if line.is_empty() {
                writeln!(self.out)?;
            } else {
                writeln!(self.out, "{:indent$}{line}", "")?;
            }
        }
        Ok(())
    }

    /// Writes prose of the program itself, wrapped to the page, with all lines but the first indented.
    pub(crate) fn prose(&mut self, text: &str, indent: usize) -> io::Result<()> {
        let columns = self.columns.unwrap_or(80).clamp(40, 100);
        let mut width = 0;
        for word in text.split_whitespace() {
            let length = super::table::width(word);
            if width > 0 && width + 1 + length > columns {
                write!(self.out, "\n{:indent$}", "")?;
                width = indent;
            } else if width > 0 {
                write!(self.out, " ")?;
                width += 1;
            }
            write!(self.out, "{}", visible(word))?;
            width += length;
        }
        writeln!(self.out)
    }
}
