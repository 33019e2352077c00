//! Columns that line up, by the width that terminals give to characters.

use std::io;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::Page;
use super::phrase::one_line;
use crate::paint::Tone;

/// One cell: a line of text with a tone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cell {
    text: String,
    tone: Tone,
    right: bool,
}

impl Cell {
    /// Makes a cell of foreign or own text; line breaks and control characters do not survive.
    pub(crate) fn new(tone: Tone, text: impl AsRef<str>) -> Self {
        Self {
            text: one_line(text.as_ref()),
            tone,
            right: false,
        }
    }

    /// Makes a plain cell.
    pub(crate) fn plain(text: impl AsRef<str>) -> Self {
        Self::new(Tone::Plain, text)
    }

    /// Sets the text against the right edge of its column.
    pub(crate) fn right(mut self) -> Self {
        self.right = true;
        self
    }
}

/// Rows whose columns line up.
#[derive(Debug, Default)]
pub(crate) struct Table {
    rows: Vec<Vec<Cell>>,
    indent: usize,
    one_line: bool,
}

impl Table {
    /// Makes a table that stands `indent` columns in.
    pub(crate) fn new(indent: usize) -> Self {
        Self {
            rows: Vec::new(),
            indent,
            one_line: false,
        }
    }

    /// Keeps each row on one line: its last cell is cut where a terminal ends. For lists whose entries can be shown.
    pub(crate) fn one_line(mut self) -> Self {
        self.one_line = true;
        self
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Adds a name and what stands beside it.
    pub(crate) fn pair(&mut self, name: &str, value: impl AsRef<str>) {
        self.row([Cell::new(Tone::Faint, name), Cell::plain(value)]);
    }

    /// Writes the rows.
    pub(crate) fn write(&self, page: &mut Page<'_>) -> io::Result<()> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns)
            .map(|column| {
                let cells = self.rows.iter().filter_map(|row| row.get(column));
                cells.map(|cell| width(&cell.text)).max().unwrap_or(0)
            })
            .collect();
        for row in &self.rows {
            let mut line = " ".repeat(self.indent);
            let mut used = self.indent;
            let last = row.iter().rposition(|cell| !cell.text.is_empty());
            for (column, cell) in row.iter().enumerate() {
                let is_last = Some(column) == last;
                let room = page.columns().map(|columns| columns.saturating_sub(used));
                let text = match room {
                    Some(room) if is_last && self.one_line => cut(&cell.text, room.max(16)),
                    _ => cell.text.clone(),
                };
                let padding = " ".repeat(widths[column].saturating_sub(width(&text)));
                if cell.right {
                    line.push_str(&padding);
                }
                if !text.is_empty() {
                    line.push_str(&page.tone(cell.tone, text).to_string());
                }
                if is_last {
                    break;
                }
                if !cell.right {
                    line.push_str(&padding);
                }
                line.push_str("  ");
                used += widths[column] + 2;
            }
            page.line(line.trim_end())?;
        }
        Ok(())
    }
}

/// Returns the columns that a text takes on a terminal.
pub(super) fn width(text: &str) -> usize {
    text.width()
}

/// Cuts a text to a number of columns.
fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut used = 1; // the ellipsis
    let kept: String = text
        .chars()
        .take_while(|letter| {
            used += letter.width().unwrap_or(0);
            used <= columns
        })
        .collect();
    format!("{}…", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::Paint;

    fn render(table: &Table, columns: Option<usize>) -> String {
        let mut out = Vec::new();
        let mut page = Page::new(&mut out, Paint::default(), columns);
        table.write(&mut page).expect("a vector takes every write");
        String::from_utf8(out).expect("cells are text")
    }

    #[test]
    fn columns_line_up_by_width_on_screen() {
        let mut table = Table::new(2);
        table.row([Cell::plain("決定"), Cell::plain("x")]);
        table.row([Cell::plain("abc"), Cell::plain("y\nz")]);
        table.row([Cell::plain("7").right(), Cell::plain("")]);
        assert_eq!(render(&table, None), "  決定  x\n  abc   y z\n     7\n");
    }

    #[test]
    fn lists_cut_their_last_column_and_only_on_a_terminal() {
        let mut table = Table::new(0).one_line();
        table.row([
            Cell::plain("key"),
            Cell::plain("one two three four five six"),
        ]);
        assert_eq!(
            render(&table, Some(22)),
            "key  one two three fou…\n".replace("fou…", "fo…")
        );
        assert_eq!(render(&table, None), "key  one two three four five six\n");
    }
}
