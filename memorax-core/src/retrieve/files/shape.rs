//! What form a query has: which evidence counts depends on it.

use crate::retrieve::{Analysis, Intent};

/// Characters beyond which a text with several lines reports something.
const LONG: usize = 400;

/// The form of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::retrieve) enum Shape {
    /// Asks for a change in a few words.
    Change,
    /// Looks for something.
    Search,
    /// Tells at length what goes wrong or what is wished.
    Report,
}

/// Tells the form of a query from its intent and its length.
pub(in crate::retrieve) fn shape_of(text: &str, analysis: &Analysis) -> Shape {
    let lines = text.lines().filter(|line| !line.trim().is_empty()).count();
    if lines > 2 && text.len() > LONG {
        Shape::Report
    } else if matches!(analysis.intent, Intent::Question | Intent::General) {
        Shape::Search
    } else {
        Shape::Change
    }
}

/// Returns the part of a text that says most: its first line, and what stands in back quotes outside of code blocks.
pub(super) fn title_of(text: &str) -> String {
    let mut title = text
        .lines()
        .find(|line| !line.trim().is_empty())
        .unwrap_or_default()
        .trim()
        .to_owned();
    let first = title.len();
    let mut fenced = false;
    for line in text
        .lines()
        .skip_while(|line| line.trim().is_empty())
        .skip(1)
    {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
            continue;
        }
        if fenced {
            continue;
        }
        for (index, span) in line.split('`').enumerate() {
            if index % 2 == 1 && (2..=80).contains(&span.len()) && title.len() < first + LONG {
                title.push(' ');
                title.push_str(span);
            }
        }
    }
    title
}

#[cfg(test)]
mod tests {
    use super::title_of;

    #[test]
    fn a_title_takes_quoted_names_along_but_no_code() {
        let text = "\nTable.read fails\n\nSee `qdp.py`.\n```\n`x`\n```\n";
        assert_eq!(title_of(text), "Table.read fails qdp.py");
    }
}
