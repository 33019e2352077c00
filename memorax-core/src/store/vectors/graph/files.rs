//! Keeps graphs in a folder that can be deleted at any time: new files under new names, then the list that names them.

use std::fmt::Write as _;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::graph::Graph;
use super::shard::Shard;
use crate::disk::{self, FileLock};
use crate::embed::Embedder;
use crate::store::Ledger;
use crate::store::vectors::rows::{EmbedderKey, Known};
use crate::{Error, ErrorKind, Result};

/// Version of the list.
const VERSION: u32 = 1;
/// What `hnsw_rs` puts behind the name of a graph.
const ENDINGS: [&str; 2] = [".hnsw.graph", ".hnsw.data"];

/// The list of the files of an embedder's graphs.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct List {
    version: u32,
    /// Width and order of the bytes of a number, which the files have from the machine that wrote them.
    machine: String,
    embedder: String,
    dimensions: u32,
    order: String,
    covered: u64,
    shards: Vec<Saved>,
}

/// The two files of a graph.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Saved {
    name: String,
    /// SHA-256 of both.
    hashes: [String; 2],
}

impl Graph {
    /// Reads the graphs of an embedder; `None` where there are none, or they are damaged or of another order of vectors:
    /// they can be built again.
    pub fn load(folder: &Path, ledger: &Ledger, embedder: &dyn Embedder) -> Result<Option<Self>> {
        let key = EmbedderKey::of(embedder);
        let known = ledger.reading(|reading| Known::read(reading.rows, key))?;
        Ok(known.and_then(|known| Self::read(folder, &known)))
    }

    fn read(folder: &Path, known: &Known) -> Option<Self> {
        let bytes = disk::read(&folder.join(list_name(known))).ok()?;
        let list: List = serde_json::from_slice(&bytes).ok()?;
        let graph = Self {
            embedder: known.clone(),
            shards: Vec::new(),
            saved: Vec::new(),
            covered: list.covered,
        };
        let expected = graph.list(list.shards);
        if (list.version, &list.machine, &list.order)
            != (expected.version, &expected.machine, &expected.order)
            || !graph.fits(known)
        {
            return None;
        }
        let mut graph = graph;
        for saved in expected.shards {
            // `hnsw_rs` trusts its files: nothing but what was written may reach it.
            let is_safe = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
            if !saved.name.chars().all(is_safe) || hashes(folder, &saved.name).ok()? != saved.hashes
            {
                return None;
            }
            graph.shards.push(Shard::read(folder, &saved.name)?);
            graph.saved.push(Some(saved));
        }
        Some(graph)
    }

    /// Writes down what changed since it was last written or read. Where another process is at it, nothing is written.
    pub fn save(&mut self, folder: &Path) -> Result<()> {
        disk::create_dir_private(folder)?;
        let Some(_lock) = FileLock::try_exclusive(&folder.join("graph.lock"))? else {
            return Ok(());
        };
        let prefix = prefix(&self.embedder);
        for number in 0..self.shards.len() {
            if self.saved[number].is_none() {
                let name = format!("{prefix}{}", uuid::Uuid::new_v4().simple());
                let unfinished = format!("{name}-new");
                self.shards[number].write(folder, &unfinished)?;
                for ending in ENDINGS {
                    let from = folder.join(format!("{unfinished}{ending}"));
                    disk::sync(&from)?;
                    disk::rename(&from, &folder.join(format!("{name}{ending}")))?;
                }
                let hashes = hashes(folder, &name)?;
                self.saved[number] = Some(Saved { name, hashes });
            }
        }
        let saved: Vec<Saved> = self.saved.iter().flatten().cloned().collect();
        let list = serde_json::to_vec_pretty(&self.list(saved.clone())).map_err(|error| {
            Error::new(ErrorKind::InvalidInput, "cannot encode a list of graphs").with_source(error)
        })?;
        disk::write_atomic(&folder.join(list_name(&self.embedder)), &list)?;
        for path in disk::entries(folder)? {
            let name = path.file_name().map(|name| name.to_string_lossy());
            let Some(rest) = name.as_deref().and_then(|name| name.strip_prefix(&prefix)) else {
                continue;
            };
            let is_named = saved
                .iter()
                .any(|saved| rest.split('.').next() == saved.name.strip_prefix(&prefix));
            // A process that reads a file now may keep it from being removed; the next save tries again.
            if !is_named {
                let _ = disk::remove(&path);
            }
        }
        Ok(())
    }

    fn list(&self, shards: Vec<Saved>) -> List {
        let order = hexadecimal(&self.embedder.order);
        let endian = if cfg!(target_endian = "big") {
            "big"
        } else {
            "little"
        };
        List {
            version: VERSION,
            machine: format!("{}-{endian}", usize::BITS),
            embedder: self.embedder.id.clone(),
            dimensions: self.embedder.dimensions,
            order,
            covered: self.covered,
            shards,
        }
    }
}

fn prefix(known: &Known) -> String {
    format!("graph-{}-", hexadecimal(known.key().as_bytes()))
}

fn list_name(known: &Known) -> String {
    format!("{}.json", prefix(known).trim_end_matches('-'))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _infallible = write!(text, "{byte:02x}");
        text
    })
}

fn hashes(folder: &Path, name: &str) -> Result<[String; 2]> {
    let hash = |ending: &str| -> Result<String> {
        let bytes = disk::read(&folder.join(format!("{name}{ending}")))?;
        Ok(hexadecimal(&Sha256::digest(bytes)))
    };
    Ok([hash(ENDINGS[0])?, hash(ENDINGS[1])?])
}
