//! A page of text on its way to a stream.

use std::fmt::Display;
use std::io::{self, Write};

use super::table::width;
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

    /// Writes a labelled text, wrapped to the page, its further lines below the first word. The label is painted.
    pub(crate) fn labelled(
        &mut self,
        label: &str,
        plain_label: &str,
        text: &str,
    ) -> io::Result<()> {
        let columns = self.columns.unwrap_or(80).clamp(40, 100);
        let indent = width(plain_label) + 1;
        let mut used = indent;
        write!(self.out, "{label}")?;
        for word in visible(text).split_whitespace() {
            let length = width(word);
            if used > indent && used + length > columns {
                write!(self.out, "\n{:indent$}", "")?;
                used = indent;
            } else {
                write!(self.out, " ")?;
            }
            write!(self.out, "{word}")?;
            used += length + 1;
        }
        writeln!(self.out)
    }
}
