//! An immutable file of sections. Every page has a checksum, so that a damaged part is an error and never an answer.

use std::fs::File;
use std::ops::{Deref, Range};
use std::path::{Path, PathBuf};

use super::{put_u32, put_u64, u32_at, u64_at};
use crate::{Error, ErrorKind, Result, disk};

/// First bytes of every file of the index; the digit is the version of the layout that all of them share.
const MAGIC: &[u8; 8] = b"mxindex1";
const PAGE: usize = 4096;
const HEADER: usize = 512;
/// Most sections that the header has room for.
const SECTIONS: usize = 28;
/// Where the recipe stands in the header, behind the table of sections.
const RECIPE: usize = 16 + SECTIONS * 16;

/// What a file holds, and by which recipe that is made now.
///
/// Files by another recipe can be read, but what they say may be no longer what would be said. So a view is served as it
/// is until the next run of the indexer, which makes it from facts by the present recipe only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::repo) struct Kind {
    pub(in crate::repo) number: u32,
    pub(in crate::repo) recipe: u32,
}

/// Reads sections of a file by position, or of bytes in memory.
#[derive(Debug)]
pub(in crate::repo) struct Container {
    source: Source,
    path: PathBuf,
    sections: Vec<Range<usize>>,
    sums: Vec<u32>,
    current: bool,
}

#[derive(Debug)]
enum Source {
    File(File),
    Memory(Vec<u8>),
}

/// Bytes of a section, read whole pages at a time.
#[derive(Debug, Default)]
pub(in crate::repo) struct Bytes {
    buffer: Vec<u8>,
    range: Range<usize>,
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.buffer[self.range.clone()]
    }
}

/// Puts sections into the bytes of a file of a kind.
pub(in crate::repo) fn seal(kind: Kind, sections: &[Vec<u8>]) -> Vec<u8> {
    assert!(
        sections.len() <= SECTIONS,
        "the number of sections is fixed by the format"
    );
    let total: usize = sections.iter().map(Vec::len).sum();
    let mut out = Vec::with_capacity(HEADER + total + total / PAGE * 4 + 8);
    out.resize(HEADER, 0);
    let mut header = Vec::with_capacity(HEADER);
    header.extend_from_slice(MAGIC);
    put_u32(&mut header, kind.number);
    put_u32(&mut header, sections.len() as u32);
    for section in sections {
        put_u64(&mut header, out.len() as u64);
        put_u64(&mut header, section.len() as u64);
        out.extend_from_slice(section);
    }
    let body_end = out.len();
    let mut sums = Vec::new();
    for page in out[HEADER..].chunks(PAGE) {
        put_u32(&mut sums, checksum(page) as u32);
    }
    header.resize(RECIPE, 0);
    put_u32(&mut header, kind.recipe);
    header.resize(HEADER - 24, 0);
    put_u64(&mut header, body_end as u64);
    put_u64(&mut header, checksum(&sums));
    let sum = checksum(&header);
    put_u64(&mut header, sum);
    out[..HEADER].copy_from_slice(&header);
    out.extend_from_slice(&sums);
    out
}

impl Container {
    /// Opens a file of a kind; checks its header and length, not yet its pages.
    pub(in crate::repo) fn open(path: &Path, kind: Kind) -> Result<Self> {
        let file = disk::open_for_reading(path)?;
        let length = file.metadata().map_or(0, |data| data.len()) as usize;
        let mut header = vec![0; HEADER];
        if length < HEADER || read_at(&file, &mut header, 0).is_err() {
            return Err(damaged(path));
        }
        let (sections, body_end) = parse_header(&header, kind).ok_or_else(|| damaged(path))?;
        let pages = (body_end - HEADER).div_ceil(PAGE);
        if length != body_end + pages * 4 {
            return Err(damaged(path));
        }
        let mut table = vec![0; pages * 4];
        read_at(&file, &mut table, body_end as u64).map_err(|_| damaged(path))?;
        if checksum(&table) != u64_at(&header, HEADER - 16) {
            return Err(damaged(path));
        }
        let sums = (0..pages).map(|page| u32_at(&table, page * 4)).collect();
        Ok(Self {
            source: Source::File(file),
            path: path.to_owned(),
            sections,
            sums,
            current: u32_at(&header, RECIPE) == kind.recipe,
        })
    }

    /// Uses the bytes of a file that [`seal`] just made, without writing them.
    pub(in crate::repo) fn in_memory(bytes: Vec<u8>, kind: Kind) -> Result<Self> {
        let path = PathBuf::from("(memory)");
        let (sections, _) = bytes
            .get(..HEADER)
            .and_then(|header| parse_header(header, kind))
            .ok_or_else(|| damaged(&path))?;
        Ok(Self {
            source: Source::Memory(bytes),
            path,
            sections,
            sums: Vec::new(),
            current: true,
        })
    }

    /// Says whether the file was made by the recipe that is used now.
    pub(in crate::repo) fn is_current(&self) -> bool {
        self.current
    }

    /// Returns the number of bytes of the whole file.
    pub(in crate::repo) fn bytes(&self) -> u64 {
        let body = self.sections.last().map_or(HEADER, |range| range.end);
        (body + self.sums.len() * 4) as u64
    }

    /// Returns the number of bytes of a section.
    pub(in crate::repo) fn length(&self, section: usize) -> usize {
        self.sections.get(section).map_or(0, Range::len)
    }

    /// Reads a whole section.
    pub(in crate::repo) fn section(&self, section: usize) -> Result<Bytes> {
        self.read(section, 0..self.length(section))
    }

    /// Reads part of a section.
    pub(in crate::repo) fn read(&self, section: usize, range: Range<usize>) -> Result<Bytes> {
        let whole = self
            .sections
            .get(section)
            .cloned()
            .ok_or_else(|| self.damage())?;
        if range.start > range.end || range.end > whole.len() {
            return Err(self.damage());
        }
        let start = whole.start + range.start;
        let end = whole.start + range.end;
        if start == end {
            return Ok(Bytes::default());
        }
        let file = match &self.source {
            Source::Memory(bytes) => {
                let part = bytes.get(start..end).ok_or_else(|| self.damage())?;
                return Ok(Bytes {
                    buffer: part.to_vec(),
                    range: 0..end - start,
                });
            }
            Source::File(file) => file,
        };
        let first = (start - HEADER) / PAGE;
        let last = (end - 1 - HEADER) / PAGE;
        let from = HEADER + first * PAGE;
        let body_end = self.sections.last().map_or(HEADER, |range| range.end);
        let to = (HEADER + (last + 1) * PAGE).min(body_end);
        let mut buffer = vec![0; to - from];
        read_at(file, &mut buffer, from as u64).map_err(|_| self.damage())?;
        for (page, sum) in buffer
            .chunks(PAGE)
            .zip(self.sums.get(first..).unwrap_or_default())
        {
            if checksum(page) as u32 != *sum {
                return Err(self.damage());
            }
        }
        Ok(Bytes {
            buffer,
            range: start - from..end - from,
        })
    }

    /// Reads every page once and compares its checksum.
    pub(in crate::repo) fn verify(&self) -> Result<()> {
        const STEP: usize = 1 << 20;
        for section in 0..self.sections.len() {
            let length = self.length(section);
            for start in (0..length).step_by(STEP) {
                self.read(section, start..(start + STEP).min(length))?;
            }
        }
        Ok(())
    }

    /// Makes the error for content that cannot be what was written, and removes the file so that the next run of the
    /// indexer writes it again.
    pub(in crate::repo) fn damage(&self) -> Error {
        if matches!(self.source, Source::File(_)) {
            // Where it cannot be removed, the next indexing run notices the damage by itself.
            let _ = disk::remove(&self.path);
        }
        damaged(&self.path)
    }
}

fn damaged(path: &Path) -> Error {
    Error::new(
        ErrorKind::Corrupted,
        format!("index file `{}` is damaged", path.display()),
    )
    .with_hint("memorax init")
}

fn parse_header(header: &[u8], kind: Kind) -> Option<(Vec<Range<usize>>, usize)> {
    let sum = u64_at(header, HEADER - 8);
    if !header.starts_with(MAGIC)
        || checksum(&header[..HEADER - 8]) != sum
        || u32_at(header, 8) != kind.number
    {
        return None;
    }
    let count = u32_at(header, 12) as usize;
    if count > SECTIONS {
        return None;
    }
    let body_end = u64_at(header, HEADER - 24) as usize;
    let mut sections = Vec::with_capacity(count);
    for index in 0..count {
        let start = u64_at(header, 16 + index * 16) as usize;
        let end = start.checked_add(u64_at(header, 24 + index * 16) as usize)?;
        if start < HEADER || end > body_end {
            return None;
        }
        sections.push(start..end);
    }
    Some((sections, body_end))
}

/// Mixes eight bytes at a time; it is there to notice damage, not to resist an attacker.
pub(in crate::repo) fn checksum(bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut sum = (bytes.len() as u64).wrapping_mul(FACTOR);
    let (words, rest) = bytes.as_chunks::<8>();
    for word in words {
        sum = (sum.rotate_left(23) ^ u64::from_le_bytes(*word)).wrapping_mul(FACTOR);
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    sum = (sum.rotate_left(23) ^ u64::from_le_bytes(last)).wrapping_mul(FACTOR);
    sum ^ (sum >> 32)
}

#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> std::io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_at(file: &File, mut buffer: &mut [u8], mut offset: u64) -> std::io::Result<()> {
    while !buffer.is_empty() {
        let count = std::os::windows::fs::FileExt::seek_read(file, buffer, offset)?;
        if count == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        buffer = &mut buffer[count..];
        offset += count as u64;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Container, Kind, seal};
    use crate::{Result, disk};

    #[test]
    fn any_changed_byte_is_noticed() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let sections = [vec![7; 5000], Vec::new(), b"words".to_vec()];
        let kind = Kind {
            number: 3,
            recipe: 7,
        };
        let bytes = seal(kind, &sections);
        let path = folder.path().join("a");
        disk::write_atomic(&path, &bytes)?;
        let container = Container::open(&path, kind)?;
        assert!(container.is_current());
        assert_eq!(&*container.section(2)?, b"words");
        assert_eq!(&*container.read(0, 4000..4200)?, &[7; 200]);
        let other = Kind { number: 4, ..kind };
        assert!(
            Container::open(&path, other).is_err(),
            "the kind is checked"
        );
        let later = Kind { recipe: 8, ..kind };
        let container = Container::open(&path, later)?;
        assert!(!container.is_current(), "but what it says is still read");
        for position in (0..bytes.len()).step_by(211) {
            let mut broken = bytes.clone();
            broken[position] ^= 0x10;
            let path = folder.path().join(position.to_string());
            disk::write_atomic(&path, &broken)?;
            let seen = Container::open(&path, kind).and_then(|container| container.verify());
            assert!(seen.is_err(), "byte {position}");
        }
        for length in [0, 100, 512, bytes.len() - 1] {
            disk::write_atomic(&path, &bytes[..length])?;
            assert!(Container::open(&path, kind).is_err(), "cut to {length}");
        }
        Ok(())
    }
}
