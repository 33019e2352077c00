//! What every implementation of a trait promises, as checks that authors of own implementations can run.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::store::{MemoryStore, Rows, Table};
use crate::{Error, ErrorKind, Result};

type Store = Arc<dyn MemoryStore>;
type Check = fn(Store) -> Result<()>;
type Pairs = Vec<(Vec<u8>, Vec<u8>)>;

/// Checks every promise of [`MemoryStore`]; `make` gives a new, empty store each time.
///
/// ```
/// use std::sync::Arc;
/// use memorax_core::store::Volatile;
/// memorax_core::contract::store_contract(&|| Arc::new(Volatile::new()));
/// ```
pub fn store_contract(make: &dyn Fn() -> Store) {
    let checks: [(&str, Check); 9] = [
        ("an empty store has no rows", empty),
        ("what was written is read back", written),
        ("a failed write leaves nothing", rolled_back),
        ("a write sees its own changes", sees_itself),
        ("rows come in the order of their keys", ordered),
        ("prefixes end where they should", prefixes),
        ("a reader keeps its snapshot", isolated),
        ("rows may be empty or large", extreme),
        ("threads share one store", shared),
    ];
    for (promise, check) in checks {
        if let Err(error) = check(make()) {
            panic!("{promise}: {error} ({:?})", error.kind());
        }
    }
}

fn empty(store: Store) -> Result<()> {
    store.read(&mut |rows| {
        for table in Table::ALL {
            assert_eq!(rows.get(table, b"key")?, None, "{table:?}");
            assert_eq!(rows.last(table)?, None, "{table:?}");
            assert_eq!(all(rows, table)?, [], "{table:?}");
        }
        Ok(())
    })
}

fn written(store: Store) -> Result<()> {
    store.write(&mut |rows| {
        for table in Table::ALL {
            rows.put(table, b"key", table.as_str().as_bytes())?;
        }
        rows.put(Table::Meta, b"gone", b"1")
    })?;
    store.write(&mut |rows| {
        rows.put(Table::Log, b"key", b"second")?;
        rows.remove(Table::Meta, b"gone")?;
        rows.remove(Table::Meta, b"never there")
    })?;
    store.read(&mut |rows| {
        for table in Table::ALL {
            let expected = match table {
                Table::Log => "second",
                other => other.as_str(),
            };
            assert_eq!(
                all(rows, table)?,
                [(b"key".to_vec(), expected.as_bytes().to_vec())],
                "{table:?} mixed with another table"
            );
        }
        Ok(())
    })
}

fn rolled_back(store: Store) -> Result<()> {
    store.write(&mut |rows| rows.put(Table::Record, b"a", b"1"))?;
    let refused = store.write(&mut |rows| {
        rows.put(Table::Record, b"a", b"2")?;
        rows.put(Table::Log, b"b", b"2")?;
        rows.remove(Table::Record, b"a")?;
        Err(Error::new(ErrorKind::Conflict, "no"))
    });
    let error = refused.expect_err("the error of the work is the error of the write");
    assert_eq!(error.kind(), ErrorKind::Conflict);
    assert_eq!(error.to_string(), "no");
    store.read(&mut |rows| {
        assert_eq!(rows.get(Table::Record, b"a")?, Some(b"1".to_vec()));
        assert_eq!(rows.get(Table::Log, b"b")?, None);
        Ok(())
    })?;
    let refused = store.read(&mut |_| Err(Error::new(ErrorKind::NotFound, "nothing")));
    assert_eq!(
        refused.expect_err("as of a write").kind(),
        ErrorKind::NotFound
    );
    store.write(&mut |rows| rows.put(Table::Record, b"a", b"3"))
}

fn sees_itself(store: Store) -> Result<()> {
    store.write(&mut |rows| {
        rows.put(Table::Card, b"b", b"1")?;
        rows.put(Table::Card, b"a", b"1")?;
        rows.put(Table::Card, b"b", b"2")?;
        assert_eq!(rows.get(Table::Card, b"b")?, Some(b"2".to_vec()));
        assert_eq!(rows.as_rows().get(Table::Card, b"a")?, Some(b"1".to_vec()));
        assert_eq!(keys(&all(rows.as_rows(), Table::Card)?), ["a", "b"]);
        rows.remove(Table::Card, b"b")?;
        assert_eq!(
            rows.last(Table::Card)?,
            Some((b"a".to_vec(), b"1".to_vec()))
        );
        assert_eq!(rows.get(Table::Card, b"b")?, None);
        // A visit may look at other rows, also of a table that nobody touched before.
        rows.range(Table::Card, b"", b"", &mut |key, _| {
            assert_eq!(rows.get(Table::Alias, key)?, None);
            assert_eq!(rows.get(Table::Card, key)?, Some(b"1".to_vec()));
            Ok(ControlFlow::Continue(()))
        })
    })
}

fn ordered(store: Store) -> Result<()> {
    let names: [&[u8]; 6] = [b"b", b"", b"a\xff", b"a", b"\xff", b"a\x00"];
    store.write(&mut |rows| {
        names
            .iter()
            .try_for_each(|name| rows.put(Table::ByMemory, name, name))
    })?;
    let mut sorted = names.map(<[u8]>::to_vec);
    sorted.sort();
    store.read(&mut |rows| {
        let found: Vec<_> = all(rows, Table::ByMemory)?
            .into_iter()
            .map(|(key, _)| key)
            .collect();
        assert_eq!(found, sorted, "keys are compared as bytes");
        assert_eq!(
            rows.last(Table::ByMemory)?,
            Some((b"\xff".to_vec(), b"\xff".to_vec()))
        );
        let between = |from: &[u8], to: &[u8]| range(rows, from, to).map(|found| found.len());
        assert_eq!(between(b"a", b"b")?, 3, "the start is in, the end is not");
        assert_eq!(between(b"a\x00", b"")?, 4, "an empty end is no end");
        assert_eq!(
            between(b"b", b"a")?,
            0,
            "a range that ends before it starts"
        );
        assert_eq!(between(b"a", b"a")?, 0);
        let mut visited = 0;
        rows.range(Table::ByMemory, b"", b"", &mut |_, _| {
            visited += 1;
            Ok(if visited == 2 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            })
        })?;
        assert_eq!(visited, 2, "a visitor can stop");
        let refused = rows.range(Table::ByMemory, b"", b"", &mut |_, _| {
            Err(Error::new(ErrorKind::Interrupted, "stop"))
        });
        assert_eq!(
            refused.expect_err("a visitor can fail").kind(),
            ErrorKind::Interrupted
        );
        Ok(())
    })
}

fn prefixes(store: Store) -> Result<()> {
    let names: [&[u8]; 7] = [
        b"a",
        b"ab",
        b"b",
        b"\xfe\xff",
        b"\xff",
        b"\xff\xff",
        b"\xff\xff\x01",
    ];
    store.write(&mut |rows| {
        names
            .iter()
            .try_for_each(|name| rows.put(Table::Posting, name, b""))
    })?;
    store.read(&mut |rows| {
        for prefix in names.into_iter().chain([&b""[..]]) {
            let mut found = Vec::new();
            rows.prefix(Table::Posting, prefix, &mut |key, _| {
                found.push(key.to_vec());
                Ok(ControlFlow::Continue(()))
            })?;
            let expected: Vec<_> = names
                .iter()
                .filter(|name| name.starts_with(prefix))
                .map(|name| name.to_vec())
                .collect();
            assert_eq!(found, expected, "prefix {prefix:?}");
        }
        Ok(())
    })
}

fn isolated(store: Store) -> Result<()> {
    store.write(&mut |rows| rows.put(Table::Usage, b"a", b"old"))?;
    store.read(&mut |rows| {
        assert_eq!(rows.get(Table::Usage, b"a")?, Some(b"old".to_vec()));
        std::thread::scope(|scope| {
            let writer = || {
                store.write(&mut |rows| {
                    rows.put(Table::Usage, b"a", b"new")?;
                    rows.put(Table::Usage, b"b", b"new")
                })
            };
            scope.spawn(writer).join().expect("a writer does not panic")
        })?;
        assert_eq!(
            rows.get(Table::Usage, b"a")?,
            Some(b"old".to_vec()),
            "a reader saw a change that came after it started"
        );
        assert_eq!(rows.get(Table::Usage, b"b")?, None);
        Ok(())
    })?;
    store.write(&mut |rows| {
        rows.put(Table::Usage, b"a", b"newest")?;
        store.read(&mut |before| {
            assert_eq!(
                before.get(Table::Usage, b"a")?,
                Some(b"new".to_vec()),
                "a reader saw a change that was not finished"
            );
            Ok(())
        })
    })
}

fn extreme(store: Store) -> Result<()> {
    let large: Vec<u8> = (0..3_000_000_u32)
        .map(|index| index.to_le_bytes()[1])
        .collect();
    let long = vec![7; 5_000];
    store.write(&mut |rows| {
        rows.put(Table::Body, b"", b"")?;
        rows.put(Table::Body, &long, b"")?;
        rows.put(Table::Body, b"large", &large)
    })?;
    store.read(&mut |rows| {
        assert_eq!(rows.get(Table::Body, b"")?, Some(Vec::new()));
        assert_eq!(rows.get(Table::Body, &long)?, Some(Vec::new()));
        assert!(rows.get(Table::Body, b"large")? == Some(large.clone()));
        Ok(())
    })
}

fn shared(store: Store) -> Result<()> {
    const THREADS: u8 = 4;
    const WRITES: u8 = 10;
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|thread| {
                let store = &store;
                scope.spawn(move || {
                    (0..WRITES).try_for_each(|write| {
                        store.write(&mut |rows| {
                            // A lost update would show in the sum.
                            let sum = rows.get(Table::Meta, b"sum")?.map_or(0, |sum| sum[0]);
                            rows.put(Table::Meta, b"sum", &[sum + 1])?;
                            rows.put(Table::Sequence, &[thread, write], b"")
                        })
                    })
                })
            })
            .collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().expect("a writer does not panic"))
    })?;
    store.read(&mut |rows| {
        let total = THREADS * WRITES;
        assert_eq!(rows.get(Table::Meta, b"sum")?, Some(vec![total]));
        assert_eq!(all(rows, Table::Sequence)?.len(), usize::from(total));
        Ok(())
    })
}

fn all(rows: &dyn Rows, table: Table) -> Result<Pairs> {
    let mut found = Pairs::new();
    rows.range(table, b"", b"", &mut |key, value| {
        found.push((key.to_vec(), value.to_vec()));
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(found)
}

fn range(rows: &dyn Rows, from: &[u8], to: &[u8]) -> Result<Vec<Vec<u8>>> {
    let mut found = Vec::new();
    rows.range(Table::ByMemory, from, to, &mut |key, _| {
        found.push(key.to_vec());
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(found)
}

fn keys(pairs: &[(Vec<u8>, Vec<u8>)]) -> Vec<String> {
    pairs
        .iter()
        .map(|(key, _)| String::from_utf8_lossy(key).into_owned())
        .collect()
}
