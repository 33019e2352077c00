//! Headings of Markdown as definitions: lines that start with one to six `#`, outside of fenced code.

use super::{Definition, hash_body};
use crate::SymbolKind;

/// Finds the headings. A heading reaches to the line before the next one of its level or above.
pub(super) fn headings(text: &str) -> Vec<Definition> {
    let mut found: Vec<(usize, Definition)> = Vec::new();
    let mut fence: Option<&str> = None;
    // The last heading of each level.
    let mut last = [None; 7];
    for (index, line) in text.lines().enumerate() {
        let trimmed = line.trim_start();
        if let Some(open) = fence {
            if trimmed.starts_with(open) {
                fence = None;
            }
            continue;
        }
        if let Some(mark) = ["```", "~~~"]
            .into_iter()
            .find(|mark| trimmed.starts_with(mark))
        {
            fence = Some(mark);
            continue;
        }
        let level = line.bytes().take_while(|byte| *byte == b'#').count();
        let name = line[level..].trim().trim_end_matches('#').trim_end();
        if !(1..=6).contains(&level) || !line[level..].starts_with([' ', '\t']) || name.is_empty() {
            continue;
        }
        let outer = last[..level].iter().flatten().max();
        let parent = outer.map(|outer: &usize| found[*outer].1.name.clone());
        last[level] = Some(found.len());
        found.push((
            level,
            Definition {
                name: name.chars().take(120).collect(),
                kind: SymbolKind::Heading,
                line: index as u32 + 1,
                end: 0,
                parent,
                body: 0,
            },
        ));
    }
    let lines: Vec<&str> = text.lines().collect();
    close(found, &lines)
}

/// Fills in where each heading ends, and what is below it.
fn close(found: Vec<(usize, Definition)>, lines: &[&str]) -> Vec<Definition> {
    let starts: Vec<(usize, u32)> = found
        .iter()
        .map(|(level, heading)| (*level, heading.line))
        .collect();
    found
        .into_iter()
        .enumerate()
        .map(|(index, (level, mut heading))| {
            heading.end = starts[index + 1..]
                .iter()
                .find(|(next, _)| *next <= level)
                .map_or(lines.len() as u32, |(_, line)| line - 1);
            let body = &lines[heading.line as usize - 1..heading.end as usize];
            heading.body = hash_body(&body.join("\n"));
            heading
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::headings;

    #[test]
    fn headings_nest_and_code_is_no_heading() {
        let text = "# One\n\n```sh\n# not\n```\n## Two ##\nx\n# Three\n#hash\n";
        let found: Vec<_> = headings(text)
            .into_iter()
            .map(|heading| (heading.name, heading.line, heading.end, heading.parent))
            .collect();
        assert_eq!(
            found,
            [
                ("One".to_owned(), 1, 7, None),
                ("Two".to_owned(), 6, 7, Some("One".to_owned())),
                ("Three".to_owned(), 8, 9, None),
            ]
        );
    }
}
