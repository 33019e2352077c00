//! Which file has which path now that was another one before.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::layout::section;
use super::open::View;
use crate::Result;
use crate::repo::format::{Bytes, u32_at};

/// Bytes of a row: the end of the path, and the file.
const ROW: usize = 8;
/// Share of what was below a folder that must be below one other folder for the whole to have moved there.
const MOST: f32 = 0.5;

/// The paths that files had before, sorted.
struct Former {
    paths: Bytes,
    rows: Bytes,
}

impl Former {
    fn len(&self) -> usize {
        self.rows.len() / ROW
    }

    fn path(&self, row: usize) -> &str {
        let start = row
            .checked_sub(1)
            .map_or(0, |before| u32_at(&self.rows, before * ROW) as usize);
        let end = u32_at(&self.rows, row * ROW) as usize;
        let bytes = self.paths.get(start..end).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default()
    }

    fn file(&self, row: usize) -> u32 {
        u32_at(&self.rows, row * ROW + 4)
    }

    /// Returns the first row whose path is not below `path` in the order.
    fn start(&self, path: &str) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            if self.path(middle).cmp(path) == Ordering::Less {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
}

impl View {
    /// Finds the path of the file that had `path` before; for a folder, the folder that most of it went to.
    pub(super) fn find_moved(&self, path: &str) -> Result<Option<String>> {
        let former = Former {
            paths: self.container.section(section::FORMER_PATHS)?,
            rows: self.container.section(section::FORMER)?,
        };
        let row = former.start(path);
        if row < former.len() && former.path(row) == path {
            return Ok(Some(self.path(former.file(row))?.to_owned()));
        }
        let below = format!("{}/", path.trim_end_matches('/'));
        let mut folders: HashMap<String, usize> = HashMap::new();
        let mut all = 0;
        for row in former.start(&below)..former.len() {
            let Some(rest) = former.path(row).strip_prefix(&below) else {
                break;
            };
            all += 1;
            let now = self.path(former.file(row))?;
            let folder = now
                .strip_suffix(rest)
                .and_then(|folder| folder.strip_suffix('/'));
            if let Some(folder) = folder {
                *folders.entry(folder.to_owned()).or_default() += 1;
            }
        }
        let best = folders
            .into_iter()
            .max_by(|left, right| left.1.cmp(&right.1).then(right.0.cmp(&left.0)));
        Ok(best
            .filter(|(_, count)| *count as f32 > MOST * all as f32)
            .map(|(folder, _)| folder))
    }
}
