//! Reads the rows of a table around its damaged pages.

use std::collections::BTreeSet;
use std::ops::Bound;
use std::path::Path;

use redb::ReadOnlyTable;

use super::engine::guard;
use crate::Result;

/// Size of the smallest page, at whose multiples pages begin.
const PAGE: usize = 4096;

/// First byte of a page that holds rows.
const LEAF: u8 = 1;

/// Most walks that may lead nowhere: one damaged page in the middle of a tree hides about a hundred others.
const FRUITLESS: usize = 10_000;

/// Takes the rows that were found; an error ends the search.
pub(super) type Keep<'a> = dyn FnMut(&[u8], &[u8]) -> Result<()> + 'a;

type Table = ReadOnlyTable<&'static [u8], &'static [u8]>;

/// Reads a table from its start up to a damaged page, goes on with the next page whose first key is known, and so on.
/// Returns the number of rows.
pub(super) fn harvest(
    table: &Table,
    path: &Path,
    starts: &BTreeSet<Vec<u8>>,
    keep: &mut Keep<'_>,
) -> Result<u64> {
    let mut found = 0;
    let mut fruitless = 0;
    let mut from = Bound::Unbounded;
    loop {
        let before = found;
        let Some(reached) = walk(table, path, from, &mut found, keep)? else {
            return Ok(found);
        };
        fruitless += usize::from(found == before);
        let beyond = match &reached {
            Bound::Included(key) | Bound::Excluded(key) => Bound::Excluded(key.as_slice()),
            Bound::Unbounded => Bound::Unbounded,
        };
        match starts.range::<[u8], _>((beyond, Bound::Unbounded)).next() {
            Some(next) if fruitless < FRUITLESS => from = Bound::Included(next.clone()),
            _ => return Ok(found),
        }
    }
}

/// Finds the first keys of all pages of a file that hold rows or once did, of whichever table.
pub(super) fn starts(file: &[u8]) -> BTreeSet<Vec<u8>> {
    let pages = (PAGE..file.len()).step_by(PAGE);
    pages
        .filter_map(|place| first_key(&file[place..]))
        .collect()
}

// A leaf has a type, a padding byte, the number of its rows (two bytes), the ends of all keys, the ends of all values
// (four bytes each, counted from the start of the page), the keys and the values.
fn first_key(page: &[u8]) -> Option<Vec<u8>> {
    let rows = usize::from(u16::from_le_bytes(page.get(2..4)?.try_into().ok()?));
    if page.first() != Some(&LEAF) || rows == 0 {
        return None;
    }
    let end = u32::from_le_bytes(page.get(4..8)?.try_into().ok()?);
    let key = page.get(4 + 8 * rows..usize::try_from(end).ok()?)?;
    Some(key.to_vec())
}

/// Reads rows until damage follows, and returns the last key; `None` when there is nothing more.
fn walk(
    table: &Table,
    path: &Path,
    from: Bound<Vec<u8>>,
    found: &mut u64,
    keep: &mut Keep<'_>,
) -> Result<Option<Bound<Vec<u8>>>> {
    let start = from.as_ref().map(Vec::as_slice);
    let Ok(mut rows) = guard(path, || table.range::<&[u8]>((start, Bound::Unbounded))) else {
        return Ok(Some(from));
    };
    let mut reached = from.clone();
    loop {
        let row = guard(path, || {
            let row = rows.next().transpose()?;
            Ok::<_, redb::StorageError>(
                row.map(|(key, value)| (key.value().to_vec(), value.value().to_vec())),
            )
        });
        let (key, value) = match row {
            Ok(Some(row)) => row,
            Ok(None) => return Ok(None),
            Err(_) => return Ok(Some(reached)),
        };
        // A damaged page may lead back to where the walk came from.
        let onward = match &reached {
            Bound::Unbounded => true,
            Bound::Included(start) => key >= *start,
            Bound::Excluded(last) => key > *last,
        };
        if !onward {
            return Ok(Some(reached));
        }
        keep(&key, &value)?;
        *found += 1;
        reached = Bound::Excluded(key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_key_of_a_leaf_is_found_and_nothing_else_is_taken_for_one() {
        let mut file = vec![0; 3 * PAGE];
        let leaf = [
            1, 0, 2, 0, 23, 0, 0, 0, 25, 0, 0, 0, 26, 0, 0, 0, 26, 0, 0, 0,
        ];
        file[PAGE..PAGE + leaf.len()].copy_from_slice(&leaf);
        file[PAGE + leaf.len()..PAGE + leaf.len() + 6].copy_from_slice(b"onetwo");
        file[2 * PAGE..2 * PAGE + 8].copy_from_slice(&[1, 0, 255, 255, 255, 255, 255, 255]);
        assert_eq!(starts(&file), BTreeSet::from([b"one".to_vec()]));
        assert!(
            starts(&[LEAF; PAGE + 3]).is_empty(),
            "a page that is cut off"
        );
    }
}
