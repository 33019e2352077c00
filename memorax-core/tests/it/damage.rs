//! What a store promises after its file was damaged.

use std::path::Path;

use memorax_core::ErrorKind;
use memorax_core::store::{Access, LeftoverReason, MemoryStore, Redb, Table};

use crate::store::{put, rows, value};

type Done = Result<(), Box<dyn std::error::Error>>;

const ROWS: u32 = 400;

/// Numbers that look random and are the same on every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize % end
    }
}

// Keys as the log has them: a common start, then a number, big end first.
fn key(number: u32) -> Vec<u8> {
    [&b"a chain of operations "[..], &number.to_be_bytes()].concat()
}

fn fill(path: &Path) -> memorax_core::Result<()> {
    let store = Redb::open(path, Access::Write)?;
    for part in 0..4 {
        store.write(&mut |rows| {
            for number in part * ROWS / 4..(part + 1) * ROWS / 4 {
                rows.put(Table::Log, &key(number), &[number as u8; 200])?;
                rows.put(Table::Card, &number.to_be_bytes(), b"card")?;
            }
            Ok(())
        })?;
    }
    Ok(())
}

fn damaged(folder: &Path, whole: &[u8], damage: impl FnOnce(&mut Vec<u8>)) -> std::io::Result<()> {
    let mut bytes = whole.to_vec();
    damage(&mut bytes);
    std::fs::create_dir_all(folder)?;
    std::fs::write(folder.join("local.1.redb"), bytes)
}

#[test]
fn flipped_bits_and_cut_files_give_an_error_and_never_a_panic() -> Done {
    let folder = tempfile::tempdir()?;
    fill(&folder.path().join("local"))?;
    let whole = std::fs::read(folder.path().join("local.1.redb"))?;
    let mut numbers = Numbers(7);
    let mut refused = 0;
    for case in 0..32 {
        let place = folder.path().join(format!("{case}"));
        damaged(&place, &whole, |bytes| match case % 4 {
            0 => bytes.truncate(numbers.below(bytes.len())),
            // The header and the first pages, where everything hangs from.
            1 => {
                for _ in 0..=case % 3 {
                    bytes[numbers.below(320)] ^= 1 << numbers.below(8);
                }
            }
            2 => {
                for _ in 0..200 {
                    let length = bytes.len();
                    bytes[numbers.below(length)] ^= 1 << numbers.below(8);
                }
            }
            _ => {
                let start = numbers.below(bytes.len());
                let end = bytes.len().min(start + 20_000);
                bytes[start..end].fill(numbers.below(256) as u8);
            }
        })?;
        let path = place.join("local");
        let outcome = Redb::open(&path, Access::Write).and_then(|store| {
            rows(&store, Table::Log)?;
            rows(&store, Table::Card)?;
            put(&store, b"key", b"1")
        });
        if let Err(error) = outcome {
            assert_eq!(error.kind(), ErrorKind::Corrupted, "case {case}: {error:?}");
            assert_eq!(error.hint(), Some("memorax repair"), "case {case}");
            refused += 1;
        }
        let salvaged = Redb::salvage(&path)?;
        assert_eq!(salvaged.generation, 2, "case {case}");
        let store = Redb::open(&path, Access::Write)?;
        put(&store, b"key", b"2")?;
        assert_eq!(value(&store, b"key")?, Some(b"2".to_vec()), "case {case}");
        let log = rows(&store, Table::Log)?;
        let saved = salvaged
            .tables
            .iter()
            .find(|found| found.table == Table::Log);
        let saved = saved.expect("every table is listed").saved;
        assert_eq!(
            log.len() as u64,
            saved,
            "case {case}: a row was counted twice"
        );
    }
    assert!(refused > 8, "the damage was harmless: {refused} of 32");
    Ok(())
}

#[test]
fn a_damaged_page_costs_its_own_rows_only() -> Done {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("local");
    fill(&path)?;
    let file = folder.path().join("local.1.redb");
    let mut bytes = std::fs::read(&file)?;
    // The pages of three rows, and the whole header.
    for number in [0, ROWS / 2, ROWS - 1] {
        let row = key(number);
        let places: Vec<_> = (0..bytes.len() - row.len())
            .filter(|place| bytes[*place..].starts_with(&row))
            .collect();
        for place in places {
            let start = place / 4096 * 4096;
            bytes[start..start + 4096].fill(0xee);
        }
    }
    bytes[..64].fill(0xee);
    std::fs::write(&file, bytes)?;
    let store = Redb::open(&path, Access::Write)?;
    let refused = value(&store, b"key").expect_err("the header is gone");
    assert_eq!(refused.kind(), ErrorKind::Corrupted);

    let salvaged = Redb::salvage(&path)?;
    let table = |table| {
        let found = salvaged.tables.iter().find(|found| found.table == table);
        found.map(|found| (found.saved, found.lost))
    };
    assert_eq!(table(Table::Card), Some((u64::from(ROWS), Some(0))));
    let (saved, lost) = table(Table::Log).expect("every table is listed");
    assert_eq!(lost, Some(u64::from(ROWS) - saved));
    assert!(saved > u64::from(ROWS) * 3 / 4, "{saved} rows of {ROWS}");
    let log = rows(&store, Table::Log)?;
    assert!(log.contains_key(&key(ROWS / 4)) && log.contains_key(&key(ROWS * 3 / 4)));
    assert!(!log.contains_key(&key(0)));

    let kept = salvaged.kept.expect("the damaged file was there");
    assert!(kept.exists());
    let leftovers = store.gc()?;
    assert_eq!(leftovers.len(), 1);
    assert_eq!(
        (&leftovers[0].path, leftovers[0].reason),
        (&kept, LeftoverReason::Damaged)
    );
    Ok(())
}

#[test]
fn a_lost_file_and_a_damaged_description_are_said_and_repaired() -> Done {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("local");
    let store = Redb::open(&path, Access::Write)?;
    put(&store, b"key", b"1")?;
    store.rewrite()?;
    drop(store);
    let meta = folder.path().join("local.meta.json");
    std::fs::write(&meta, "{")?;
    let store = Redb::open(&path, Access::Read)?;
    let refused = value(&store, b"key").expect_err("the description is cut off");
    drop(store);
    assert_eq!(refused.kind(), ErrorKind::Corrupted);
    assert_eq!(Redb::salvage(&path)?.generation, 3);
    let store = Redb::open(&path, Access::Write)?;
    assert_eq!(value(&store, b"key")?, Some(b"1".to_vec()));
    drop(store);

    std::fs::remove_file(folder.path().join("local.3.redb"))?;
    let store = Redb::open(&path, Access::Write)?;
    let refused = put(&store, b"key", b"2").expect_err("the file is gone");
    assert_eq!(refused.kind(), ErrorKind::Corrupted, "{refused}");
    assert!(
        refused.to_string().ends_with("of the store is gone"),
        "{refused}"
    );
    let salvaged = Redb::salvage(&path)?;
    assert_eq!(salvaged.kept, None);
    put(&store, b"key", b"2")?;
    assert_eq!(value(&store, b"key")?, Some(b"2".to_vec()));
    Ok(())
}
