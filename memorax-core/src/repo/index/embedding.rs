//! Makes vectors of an embedder for chunks, in steps that are kept when the work is stopped.

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::cache::{Cache, FileKind, label_of};
use super::learning::as_git_sees;
use super::run::Indexer;
use super::source::Source;
use crate::disk::FileLock;
use crate::repo::code::{BlobKey, Vectors, VectorsWriter, in_bytes, label_of_embedder};
use crate::repo::history::interrupted;
use crate::repo::view::{Unembedded, View, wrong_vectors};
use crate::repo::{EmbedRequest, Progress, RepositoryView, VectorCount};
use crate::{Embedder, Error, ErrorKind, Result};

/// Chunks whose vectors are written together: some seconds of a sentence model's work, lost at most when it is killed.
const STEP: usize = 256;
/// Chunks that the embedder gets in one call, between two looks at the interrupt.
const CALL: usize = 8;
/// Most files of an embedder before the small ones are joined, and how many are left then.
const MOST: usize = 8;
const LEFT: usize = 3;
/// Longest part of a chunk that is embedded, in bytes: what is more is past every sentence model's last token.
const EMBEDDED: usize = 4000;
/// How long a step waits for another process that indexes, before it goes on and is written with the next one.
const PATIENCE: Duration = Duration::from_secs(2);

impl Indexer {
    /// Makes vectors for the stored view of a root.
    pub(super) fn embed_view(&self, request: &EmbedRequest<'_>) -> Result<VectorCount> {
        let cache = Cache::new(request.cache);
        let view = cache.view(request.root).ok_or_else(|| {
            Error::new(ErrorKind::NotFound, "nothing is indexed yet").with_hint("memorax init")
        })?;
        let wanted = view.unembedded(&Vectors::open(&cache.folder, request.embedder.id()))?;
        let source = Source::open(request.root);
        let repository = source.git.as_ref().map(|git| git.shared.to_thread_local());
        let embedding = Embedding {
            cache: &cache,
            repository: repository.as_ref(),
            root: Some(&source.root),
            room: self
                .limit
                .saturating_sub(cache.bytes_needed(&label_of(request.root))),
            embedder: request.embedder,
            most: request.most,
            interrupt: request.interrupt,
            progress: request.progress,
        };
        embedding.run(&view, &wanted)?;
        view.vectors_of(request.embedder.id())
    }
}

/// What embedding needs.
pub(super) struct Embedding<'a> {
    pub(super) cache: &'a Cache,
    pub(super) repository: Option<&'a gix::Repository>,
    /// Where uncommitted files lie.
    pub(super) root: Option<&'a Path>,
    /// Bytes that the cache may still get.
    pub(super) room: u64,
    pub(super) embedder: &'a dyn Embedder,
    pub(super) most: usize,
    pub(super) interrupt: &'a AtomicBool,
    pub(super) progress: &'a (dyn Fn(Progress) + Sync),
}

impl Embedding<'_> {
    /// Embeds blobs in their order, as many as may be. Nothing is done where another process is at it.
    pub(super) fn run(&self, view: &View, wanted: &[Unembedded]) -> Result<()> {
        if wanted.is_empty() {
            return Ok(());
        }
        crate::disk::create_dir_private(&self.cache.folder)?;
        let Some(_lock) = FileLock::try_exclusive(&self.cache.folder.join("vectors.lock"))? else {
            return Ok(());
        };
        let dimensions = self.embedder.dimensions();
        if dimensions == 0 {
            return Err(wrong_vectors(self.embedder));
        }
        let chunks: usize = wanted.iter().map(|blob| blob.chunks as usize).sum();
        let total = chunks.min(self.most) as u64;
        let mut writer = VectorsWriter::new(self.embedder.id(), dimensions);
        let (mut done, mut room) = (0, self.room);
        let mut stopped = false;
        for blob in wanted {
            let bytes = (blob.chunks as usize * dimensions) as u64;
            if done >= self.most || bytes > room {
                break;
            }
            let Some(text) = self.text(view, blob)? else {
                continue;
            };
            let Some(vectors) = self.vectors(view, blob, &text, done, total)? else {
                stopped = true;
                break;
            };
            room -= bytes;
            done += blob.chunks as usize;
            writer.add(blob.key, vectors);
            if writer.chunks() >= STEP {
                self.write(&mut writer)?;
            }
        }
        self.write(&mut writer)?;
        if writer.chunks() > 0 {
            return Err(Error::new(
                ErrorKind::Locked,
                "another process is indexing; the last vectors were not kept",
            ));
        }
        if stopped { Err(interrupted()) } else { Ok(()) }
    }

    /// Returns the vectors of the chunks of a blob; `None` where the caller wants an end.
    fn vectors(
        &self,
        view: &View,
        blob: &Unembedded,
        text: &str,
        done: usize,
        total: u64,
    ) -> Result<Option<Vec<u8>>> {
        let texts = cut(text, &view.cuts(blob)?);
        let mut bytes = Vec::with_capacity(texts.len() * self.embedder.dimensions());
        for (call, texts) in texts.chunks(CALL).enumerate() {
            if self.interrupt.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let at = (done + call * CALL) as u64;
            (self.progress)(Progress::new("embedding", at.min(total), Some(total)));
            let vectors = self.embedder.embed(texts)?;
            let whole = |vector: &Vec<f32>| vector.len() == self.embedder.dimensions();
            if vectors.len() != texts.len() || !vectors.iter().all(whole) {
                return Err(wrong_vectors(self.embedder));
            }
            for vector in &vectors {
                bytes.extend(in_bytes(vector).into_iter().map(i8::cast_unsigned));
            }
        }
        Ok(Some(bytes))
    }

    /// Reads a blob from the repository or, where it is not committed, from the working tree; `None` where the file is
    /// another one by now.
    fn text(&self, view: &View, blob: &Unembedded) -> Result<Option<String>> {
        let id = gix::ObjectId::from_bytes_or_panic(&blob.key.id);
        let object = self
            .repository
            .and_then(|repository| repository.find_blob(id).ok());
        let bytes = match (object, self.root) {
            (Some(mut object), _) => object.take_data(),
            (None, Some(root)) => {
                let path = root.join(view.path_of(blob.file)?);
                let read = std::fs::read(path).ok();
                let read = read.and_then(|bytes| as_git_sees(bytes, Some(&blob.key.id)));
                let Some((_, bytes)) = read.filter(|(found, _)| *found == blob.key.id) else {
                    return Ok(None);
                };
                bytes
            }
            (None, None) => return Ok(None),
        };
        let text = String::from_utf8_lossy(&bytes);
        Ok(Some(text.trim_start_matches('\u{feff}').to_owned()))
    }

    /// Writes what was gathered, and joins the files when they are many. Where another process indexes for long, what was
    /// gathered stays in the writer.
    fn write(&self, writer: &mut VectorsWriter) -> Result<()> {
        if writer.chunks() == 0 {
            return Ok(());
        }
        let _lock = match self.cache.lock_within(PATIENCE) {
            Err(error) if error.kind() == ErrorKind::Locked => return Ok(()),
            lock => lock?,
        };
        let id = self.embedder.id();
        let label = format!("{}-", label_of_embedder(id));
        self.cache
            .write(FileKind::Vectors, &label, &writer.finish())?;
        let vectors = Vectors::open(&self.cache.folder, id);
        let mut names = vectors.names();
        if names.len() <= MOST {
            return Ok(());
        }
        names.sort_unstable();
        names.truncate(names.len() - LEFT);
        let names: Vec<String> = names.into_iter().map(|(_, name)| name).collect();
        let live = self.live()?;
        let mut joined = VectorsWriter::new(id, self.embedder.dimensions());
        vectors.copy(&names, &mut joined, |key| live.contains(key))?;
        self.cache
            .write(FileKind::Vectors, &label, &joined.finish())?;
        for name in names {
            self.cache.remove(&name);
        }
        Ok(())
    }

    /// Returns the blobs of all segments in the folder.
    fn live(&self) -> Result<HashSet<BlobKey>> {
        let mut live = HashSet::new();
        for name in self.cache.names_of(FileKind::Code) {
            live.extend(self.cache.code(&name)?.keys()?);
        }
        Ok(live)
    }
}

/// Cuts a text before the given lines, the first of which is 1.
fn cut<'a>(text: &'a str, starts: &[u32]) -> Vec<&'a str> {
    let mut places = Vec::with_capacity(starts.len());
    let mut place = 0;
    let mut lines = text.split_inclusive('\n').enumerate();
    for start in starts {
        for (number, line) in lines.by_ref() {
            if number + 1 == *start as usize {
                places.push(place);
                place += line.len();
                break;
            }
            place += line.len();
        }
    }
    places.resize(starts.len(), text.len());
    let ends = places.iter().skip(1).copied().chain([text.len()]);
    let ends: Vec<usize> = ends.collect();
    places
        .iter()
        .zip(ends)
        .map(|(start, end)| {
            let chunk = &text[*start..end];
            &chunk[..chunk.floor_char_boundary(EMBEDDED)]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn a_text_is_cut_before_lines() {
        let text = "one\r\ntwo\n\nfour\nfive";
        assert_eq!(cut(text, &[1, 3, 5]), ["one\r\ntwo\n", "\nfour\n", "five"]);
        assert_eq!(cut(text, &[1]), [text]);
        assert_eq!(
            cut("one", &[1, 7]),
            ["one", ""],
            "a line that is not there is empty"
        );
    }
}
