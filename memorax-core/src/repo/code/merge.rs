//! Joins segments of code into one, without the blobs that no view needs.

use super::segment::{BlobKey, CodeSegment};
use super::writer::CodeWriter;
use crate::Result;
use crate::repo::facts::{Chunk, Facts};

/// Writes the blobs that `keep` accepts into one segment; reads no file of the repository.
pub(in crate::repo) fn merge(
    segments: &[&CodeSegment],
    mut keep: impl FnMut(&BlobKey) -> bool,
) -> Result<Vec<u8>> {
    const GONE: u32 = u32::MAX;
    let mut writer = CodeWriter::default();
    for segment in segments {
        let mut chunks = vec![GONE; segment.chunk_count()];
        for (ordinal, key) in segment.keys()?.iter().enumerate() {
            if !keep(key) {
                continue;
            }
            let row = segment.blob(ordinal as u32)?;
            let mut facts = Facts {
                marks: row.marks,
                lines: row.lines,
                definitions: segment.definitions(&row)?,
                imports: segment.imports(&row)?,
                ..Facts::default()
            };
            let base = writer.next_chunk();
            let mut lengths = Vec::with_capacity(row.chunks as usize);
            for offset in 0..row.chunks {
                let chunk = segment.chunk(row.first_chunk + offset)?;
                lengths.push(chunk.words);
                facts.chunks.push(Chunk {
                    first: chunk.line,
                    last: chunk.line,
                });
                if let Some(slot) = chunks.get_mut((row.first_chunk + offset) as usize) {
                    *slot = base + offset;
                }
            }
            writer.add_facts(*key, &facts, &lengths);
            if let Some(vectors) = segment.vectors(row.first_chunk, row.chunks)? {
                writer.copy_vectors(&vectors);
            }
        }
        let words = writer.words_mut();
        segment
            .words
            .each(&segment.container, |word, chunk, times| {
                match chunks.get(chunk as usize) {
                    Some(&new) if new != GONE => words.add(word, new, times),
                    _ => {}
                }
            })?;
    }
    Ok(writer.finish())
}

#[cfg(test)]
mod tests {
    use super::super::segment::{BlobKey, CodeSegment, KIND};
    use super::super::writer::CodeWriter;
    use super::merge;
    use crate::Result;
    use crate::repo::facts::{Language, Learner};
    use crate::repo::format::Container;

    fn segment(files: &[(u8, &str)]) -> Result<CodeSegment> {
        let mut writer = CodeWriter::default();
        for (number, text) in files {
            let key = BlobKey {
                id: [*number; 20],
                language: Language::MARKDOWN,
            };
            writer.add(key, text.as_bytes(), &mut Learner::default());
        }
        Ok(CodeSegment::new(Container::in_memory(
            writer.finish(),
            KIND,
        )?))
    }

    #[test]
    fn a_merged_segment_is_the_one_that_would_have_been_written() -> Result<()> {
        let (a, b, c) = (
            "# One\nalpha beta\n",
            "# Two\ngamma\n## Sub\n",
            "alpha gamma\n",
        );
        let left = segment(&[(1, a), (2, b)])?;
        let right = segment(&[(3, c), (4, "dead\n")])?;
        let merged = merge(&[&left, &right], |key| key.id[0] != 4)?;
        let mut writer = CodeWriter::default();
        for (number, text) in [(1, a), (2, b), (3, c)] {
            let key = BlobKey {
                id: [number; 20],
                language: Language::MARKDOWN,
            };
            writer.add(key, text.as_bytes(), &mut Learner::default());
        }
        assert!(merged == writer.finish(), "merging equals writing at once");
        Ok(())
    }
}
