//! Cuts a file into chunks at its definitions.

use super::Definition;

/// Fewest lines of a chunk, and most.
const SHORTEST: u32 = 10;
const LONGEST: u32 = 80;

/// Lines of a file that are searched as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::repo) struct Chunk {
    /// First line, from 1.
    pub(in crate::repo) first: u32,
    /// Last line.
    pub(in crate::repo) last: u32,
}

/// Cuts before a definition, with the comments and attributes above it, wherever at least ten lines have gathered;
/// what is longer than eighty lines is cut there.
pub(super) fn cut(lines: &[&str], definitions: &[Definition]) -> Vec<Chunk> {
    let count = lines.len() as u32;
    let mut at: Vec<u32> = definitions
        .iter()
        .map(|definition| definition.line)
        .collect();
    at.sort_unstable();
    let mut starts: Vec<u32> = Vec::with_capacity(at.len() + 1);
    let mut before = (0, 0);
    for line in at {
        let start = with_comments(lines, line, before);
        before = (line, start);
        starts.push(start);
    }
    starts.sort_unstable();
    starts.push(count + 1);
    let mut chunks = Vec::new();
    let mut first = 1;
    for start in starts {
        let end = start == count + 1;
        if start < first + SHORTEST && !end {
            continue;
        }
        while start > first + LONGEST {
            // Leave a rest of at least the shortest length.
            let last = (first + LONGEST - 1).min(start - 1 - SHORTEST.min(start - first - LONGEST));
            chunks.push(Chunk { first, last });
            first = last + 1;
        }
        if start > first {
            chunks.push(Chunk {
                first,
                last: start - 1,
            });
            first = start;
        }
    }
    join_last(&mut chunks);
    chunks
}

/// Joins a short last chunk to the one before it.
fn join_last(chunks: &mut Vec<Chunk>) {
    if let [.., before, last] = chunks.as_mut_slice()
        && last.last - last.first + 1 < SHORTEST
        && last.last - before.first < LONGEST
    {
        before.last = last.last;
        chunks.pop();
    }
}

/// Returns the first of the comment and attribute lines directly above a line. `before` is the line of the definition before
/// it and what was returned for that: a heading looks like a comment, and a file may have nothing else.
fn with_comments(lines: &[&str], line: u32, before: (u32, u32)) -> u32 {
    let mut first = line.clamp(1, lines.len() as u32);
    while first > 1 {
        if first == before.0 {
            return before.1;
        }
        let above = lines[first as usize - 2].trim_start();
        let belongs = above.starts_with("//")
            || above.starts_with('#')
            || above.starts_with('@')
            || above.starts_with("/*")
            || above.starts_with('*');
        if !belongs {
            break;
        }
        first -= 1;
    }
    first
}

#[cfg(test)]
mod tests {
    use super::{Chunk, Definition, cut};
    use crate::SymbolKind;

    fn at(line: u32) -> Definition {
        Definition {
            name: String::new(),
            kind: SymbolKind::Function,
            line,
            end: line,
            parent: None,
            body: 0,
        }
    }

    #[test]
    fn chunks_cover_every_line_once_within_their_bounds() {
        for (count, starts) in [
            (0, vec![]),
            (3, vec![1]),
            (200, vec![]),
            (200, vec![5, 12, 13, 14, 95, 190]),
            (81, vec![81]),
            (165, vec![2]),
        ] {
            let lines = vec!["x"; count];
            let definitions: Vec<_> = starts.iter().map(|line| at(*line)).collect();
            let chunks = cut(&lines, &definitions);
            let mut next = 1;
            for Chunk { first, last } in &chunks {
                assert_eq!(*first, next, "no gap in {count} {starts:?}");
                assert!(last - first < 80, "{first}..{last} is too long");
                next = last + 1;
            }
            assert_eq!(next as usize, count + 1, "every line is in a chunk");
        }
        let mut lines = vec!["x"; 40];
        lines[19] = "/// About the next.";
        let chunks = cut(&lines, &[at(21)]);
        assert_eq!(chunks[1].first, 20, "a comment goes with its definition");
    }
}
