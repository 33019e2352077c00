//! Vectors of chunks by another embedder than the built-in one: files beside the segments, keyed by blob, so that they
//! stay of use when segments are joined. A file has the vectors of one embedder and names it.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::segment::{BlobKey, KEY_ROW};
use crate::Result;
use crate::repo::format::{Bytes, Container, Kind, checksum, put_u32, seal, u32_at};
use crate::repo::recipe;

/// Kind of the file, see [`Container`].
pub(in crate::repo) const VECTORS_KIND: Kind = Kind {
    number: 7,
    recipe: recipe::VECTORS,
};

/// How the names of all files of the index end.
const ENDING: &str = ".mxi";

/// Sections of the file.
mod section {
    /// Numbers in a vector, then the embedder's id.
    pub(super) const EMBEDDER: usize = 0;
    /// Blobs, in the order of their keys.
    pub(super) const KEYS: usize = 1;
    /// The sum of the chunks up to and with each blob.
    pub(super) const ENDS: usize = 2;
    pub(super) const VECTORS: usize = 3;
}

/// Names an embedder in file names; the whole id stands in the file.
pub(in crate::repo) fn label_of_embedder(id: &str) -> String {
    format!("{:016x}", checksum(&Sha256::digest(id.as_bytes())))
}

/// Returns a vector with one signed byte a number.
pub(in crate::repo) fn in_bytes(vector: &[f32]) -> Vec<i8> {
    let greatest = vector
        .iter()
        .fold(0.0_f32, |most, value| most.max(value.abs()));
    let factor = if greatest > 0.0 && greatest.is_finite() {
        127.0 / greatest
    } else {
        0.0
    };
    vector
        .iter()
        .map(|value| (value * factor).round() as i8)
        .collect()
}

/// Collects vectors until they are worth a file.
#[derive(Debug)]
pub(in crate::repo) struct VectorsWriter {
    embedder: String,
    dimensions: usize,
    blobs: BTreeMap<BlobKey, Vec<u8>>,
    chunks: usize,
}

impl VectorsWriter {
    pub(in crate::repo) fn new(embedder: &str, dimensions: usize) -> Self {
        Self {
            embedder: embedder.to_owned(),
            dimensions,
            blobs: BTreeMap::new(),
            chunks: 0,
        }
    }

    /// Returns how many chunks were added.
    pub(in crate::repo) fn chunks(&self) -> usize {
        self.chunks
    }

    /// Adds the vectors of all chunks of a blob, one behind the other.
    pub(in crate::repo) fn add(&mut self, key: BlobKey, vectors: Vec<u8>) {
        self.chunks += vectors.len() / self.dimensions.max(1);
        self.blobs.insert(key, vectors);
    }

    /// Returns the bytes of a file with what was added, and forgets it.
    pub(in crate::repo) fn finish(&mut self) -> Vec<u8> {
        let mut sections = vec![Vec::new(); section::VECTORS + 1];
        put_u32(&mut sections[section::EMBEDDER], self.dimensions as u32);
        sections[section::EMBEDDER].extend_from_slice(self.embedder.as_bytes());
        let mut end = 0;
        for (key, vectors) in std::mem::take(&mut self.blobs) {
            sections[section::KEYS].extend_from_slice(&row_of(&key));
            end += vectors.len() / self.dimensions.max(1);
            put_u32(&mut sections[section::ENDS], end as u32);
            sections[section::VECTORS].extend_from_slice(&vectors);
        }
        self.chunks = 0;
        seal(VECTORS_KIND, &sections)
    }
}

fn row_of(key: &BlobKey) -> [u8; KEY_ROW] {
    std::array::from_fn(|at| match at {
        0..20 => key.id[at],
        20 => key.language.0,
        _ => 0,
    })
}

/// An open file.
#[derive(Debug)]
struct VectorFile {
    container: Container,
    dimensions: usize,
    keys: Bytes,
    ends: Bytes,
}

impl VectorFile {
    /// Opens a file; `None` where its vectors are another embedder's, or of chunks that are cut in another way.
    fn open(path: &Path, embedder: &str) -> Result<Option<Self>> {
        let container = Container::open(path, VECTORS_KIND)?;
        if !container.is_current() {
            return Ok(None);
        }
        let named = container.section(section::EMBEDDER)?;
        if named.get(4..) != Some(embedder.as_bytes()) {
            return Ok(None);
        }
        let dimensions = u32_at(&named, 0) as usize;
        let keys = container.section(section::KEYS)?;
        let ends = container.section(section::ENDS)?;
        let chunks = ends.len().checked_sub(4).map_or(0, |at| u32_at(&ends, at)) as usize;
        let whole = keys.len() / KEY_ROW == ends.len() / 4
            && container.length(section::VECTORS) == chunks * dimensions;
        if !whole {
            return Err(container.damage());
        }
        Ok(Some(Self {
            container,
            dimensions,
            keys,
            ends,
        }))
    }

    fn len(&self) -> usize {
        self.keys.len() / KEY_ROW
    }

    fn key(&self, at: usize) -> &[u8] {
        &self.keys[at * KEY_ROW..(at + 1) * KEY_ROW]
    }

    fn chunks(&self, at: usize) -> Range<usize> {
        let start = at
            .checked_sub(1)
            .map_or(0, |before| u32_at(&self.ends, before * 4));
        start as usize..u32_at(&self.ends, at * 4) as usize
    }

    fn find(&self, key: &BlobKey) -> Option<usize> {
        let wanted = row_of(key);
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            match self.key(middle).cmp(&wanted[..]) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Some(middle),
            }
        }
        None
    }

    fn read(&self, at: usize) -> Result<Bytes> {
        let chunks = self.chunks(at);
        let range = chunks.start * self.dimensions..chunks.end * self.dimensions;
        self.container.read(section::VECTORS, range)
    }
}

/// All vectors of one embedder in a folder.
#[derive(Debug, Default)]
pub(in crate::repo) struct Vectors {
    files: Vec<(String, VectorFile)>,
}

impl Vectors {
    /// Opens the files of an embedder. A damaged one is passed over, and its vectors count as not made.
    pub(in crate::repo) fn open(folder: &Path, embedder: &str) -> Self {
        let start = format!("vectors-{}-", label_of_embedder(embedder));
        let Ok(entries) = std::fs::read_dir(folder) else {
            return Self::default();
        };
        let mut files: Vec<(String, VectorFile)> = entries
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter(|name| name.starts_with(&start) && name.ends_with(ENDING))
            .filter_map(|name| {
                let file = VectorFile::open(&folder.join(&name), embedder);
                Some((name, file.ok()??))
            })
            .collect();
        files.sort_by(|left, right| left.0.cmp(&right.0));
        Self { files }
    }

    /// Returns the names of the files with the number of their chunks.
    pub(in crate::repo) fn names(&self) -> Vec<(usize, String)> {
        self.files
            .iter()
            .map(|(name, file)| {
                let last = file.len().checked_sub(1);
                (last.map_or(0, |at| file.chunks(at).end), name.clone())
            })
            .collect()
    }

    /// Says whether there are vectors of a blob that has that many chunks.
    pub(in crate::repo) fn has(&self, key: &BlobKey, chunks: u32) -> bool {
        self.find(key, chunks).is_some()
    }

    fn find(&self, key: &BlobKey, chunks: u32) -> Option<(&VectorFile, usize)> {
        self.files.iter().find_map(|(_, file)| {
            let at = file.find(key)?;
            (file.chunks(at).len() == chunks as usize).then_some((file, at))
        })
    }

    /// Reads the vectors of a blob that has that many chunks, with the numbers in each; `None` where there are none.
    pub(in crate::repo) fn read(&self, key: &BlobKey, chunks: u32) -> Result<Option<Bytes>> {
        let found = self.find(key, chunks);
        found.map(|(file, at)| file.read(at)).transpose()
    }

    /// Adds the blobs of the named files that `keep` accepts to a file that is being written.
    pub(in crate::repo) fn copy(
        &self,
        names: &[String],
        writer: &mut VectorsWriter,
        keep: impl Fn(&BlobKey) -> bool,
    ) -> Result<()> {
        for (name, file) in &self.files {
            if !names.contains(name) {
                continue;
            }
            for at in 0..file.len() {
                let key = BlobKey::of_row(file.key(at));
                if keep(&key) {
                    writer.add(key, file.read(at)?.to_vec());
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repo::facts::Language;

    fn key(number: u8) -> BlobKey {
        BlobKey {
            id: [number; 20],
            language: Language::MARKDOWN,
        }
    }

    fn write(folder: &Path, number: u8, embedder: &str, blobs: &[(u8, &[i8])]) -> Result<()> {
        let mut writer = VectorsWriter::new(embedder, 2);
        for (blob, vectors) in blobs {
            let bytes = vectors.iter().map(|value| value.cast_unsigned()).collect();
            writer.add(key(*blob), bytes);
        }
        let name = format!("vectors-{}-{number}.mxi", label_of_embedder(embedder));
        crate::disk::write_atomic(&folder.join(name), &writer.finish())
    }

    #[test]
    fn vectors_are_found_by_blob_and_embedder() -> Result<()> {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        write(folder.path(), 1, "one", &[(9, &[1, 2, 3, 4]), (3, &[5, 6])])?;
        write(folder.path(), 2, "one", &[(4, &[7, 8])])?;
        write(folder.path(), 1, "other", &[(5, &[9, 9])])?;
        let vectors = Vectors::open(folder.path(), "one");
        let read = |blob, chunks| -> Result<Option<Vec<u8>>> {
            let found = vectors.read(&key(blob), chunks)?;
            Ok(found.map(|bytes| bytes.to_vec()))
        };
        assert_eq!(read(9, 2)?, Some(vec![1, 2, 3, 4]));
        assert_eq!(read(3, 1)?, Some(vec![5, 6]));
        assert_eq!(read(4, 1)?, Some(vec![7, 8]));
        assert_eq!(read(5, 1)?, None, "those of another embedder are not seen");
        assert_eq!(read(9, 1)?, None, "those of other chunks are not seen");
        let mut joined = VectorsWriter::new("one", 2);
        let names: Vec<String> = vectors.names().into_iter().map(|(_, name)| name).collect();
        vectors.copy(&names, &mut joined, |key| key.id[0] != 3)?;
        assert_eq!(joined.chunks(), 3, "what is dead is left out");
        Ok(())
    }

    #[test]
    fn a_file_that_names_another_embedder_is_not_used() -> Result<()> {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        write(folder.path(), 1, "one", &[(3, &[5, 6])])?;
        let (from, to) = (label_of_embedder("one"), label_of_embedder("two"));
        let name = |label: &str| folder.path().join(format!("vectors-{label}-1.mxi"));
        crate::disk::rename(&name(&from), &name(&to))?;
        assert!(Vectors::open(folder.path(), "two").names().is_empty());
        Ok(())
    }

    #[test]
    fn the_greatest_number_of_a_vector_fills_its_byte() {
        assert_eq!(in_bytes(&[0.5, -1.0, 0.0]), [64, -127, 0]);
        assert_eq!(in_bytes(&[0.0, 0.0]), [0, 0]);
    }
}
