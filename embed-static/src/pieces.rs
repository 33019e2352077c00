//! WordPiece: a word that has no vector is the pieces that have one, the longest first.

use crate::table::{Place, Table};
use crate::words::for_each_word;

/// Returns the rows of all pieces of a text; a word with a part that is in no piece gives none.
pub(crate) fn rows_of(table: &Table<'_>, text: &str) -> Vec<usize> {
    let mut rows = Vec::with_capacity(text.len() / 5);
    for_each_word(text, |word| {
        let complete = rows.len();
        let mut rest = word;
        let mut place = Place::Beginning;
        while !rest.is_empty() {
            let Some((row, length)) = longest(table, rest, place) else {
                rows.truncate(complete);
                return;
            };
            rows.push(row);
            rest = &rest[length..];
            place = Place::Later;
        }
    });
    rows
}

fn longest(table: &Table<'_>, rest: &str, place: Place) -> Option<(usize, usize)> {
    let mut end = rest.len();
    loop {
        if let Some(row) = table.row_of(&rest[..end], place) {
            return Some((row, end));
        }
        end = rest[..end].char_indices().next_back()?.0;
        if end == 0 {
            return None;
        }
    }
}
