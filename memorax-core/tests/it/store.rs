//! What a store on disk promises.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use memorax_core::ErrorKind;
use memorax_core::contract::store_contract;
use memorax_core::store::{Access, MemoryStore, Redb, Table};

type Done = Result<(), Box<dyn std::error::Error>>;

#[test]
fn the_store_on_disk_keeps_the_contract() -> Done {
    let folder = tempfile::tempdir()?;
    let count = AtomicUsize::new(0);
    store_contract(&|| {
        let number = count.fetch_add(1, Ordering::Relaxed);
        let path = folder.path().join(format!("{number}/local.redb"));
        Arc::new(Redb::open(&path, Access::Write).expect("nothing is there yet"))
    });
    Ok(())
}

#[test]
fn a_store_that_is_not_there_is_empty_and_reading_creates_nothing() -> Done {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("repos/one/local.redb");
    let store = Redb::open(&path, Access::Read)?;
    assert_eq!(value(&store, b"key")?, None);
    let refused = store
        .write(&mut |rows| rows.put(Table::Meta, b"key", b"1"))
        .expect_err("the handle is for reading");
    assert_eq!(refused.kind(), ErrorKind::ReadOnly);
    assert!(names(folder.path())?.is_empty(), "reading left files");

    put(&Redb::open(&path, Access::Write)?, b"key", b"1")?;
    assert_eq!(
        value(&store, b"key")?,
        Some(b"1".to_vec()),
        "a handle that saw nothing sees what was created since"
    );
    Ok(())
}

#[test]
fn removed_words_are_gone_from_every_file_after_a_rewrite() -> Done {
    let folder = tempfile::tempdir()?;
    let store = Redb::open(&folder.path().join("local.redb"), Access::Write)?;
    let marker = b"a-word-that-is-nowhere-else";
    put(&store, b"kept", b"1")?;
    put(&store, b"secret", marker)?;
    let copy = folder.path().join("copy.redb");
    store.backup(&copy)?;
    store.write(&mut |rows| rows.remove(Table::Meta, b"secret"))?;
    let holding = |text: &[u8]| -> std::io::Result<Vec<String>> {
        let mut holding = names(folder.path())?;
        let holds = |name: &String| {
            let bytes = std::fs::read(folder.path().join(name))?;
            Ok(bytes.windows(text.len()).any(|part| part == text))
        };
        let found: std::io::Result<Vec<bool>> = holding.iter().map(holds).collect();
        let mut found = found?.into_iter();
        holding.retain(|_| found.next() == Some(true));
        Ok(holding)
    };
    assert_eq!(
        holding(marker)?,
        ["copy.redb", "local.1.redb"],
        "the search finds what is there"
    );
    let rewritten = store.rewrite()?;
    assert_eq!(holding(marker)?, ["copy.redb"]);
    assert_eq!((rewritten.generation, rewritten.leftovers), (2, vec![]));
    assert_eq!(value(&store, b"kept")?, Some(b"1".to_vec()));
    Ok(())
}

#[test]
fn a_backup_is_a_store_and_never_replaces_anything() -> Done {
    let folder = tempfile::tempdir()?;
    let store = Redb::open(&folder.path().join("a/local.redb"), Access::Write)?;
    put(&store, b"key", b"1")?;
    let copy = folder.path().join("b/copy.1.redb");
    std::fs::create_dir(folder.path().join("b"))?;
    store.backup(&copy)?;
    put(&store, b"key", b"2")?;
    let restored = Redb::open(&folder.path().join("b/copy"), Access::Write)?;
    assert_eq!(value(&restored, b"key")?, Some(b"1".to_vec()));
    put(&restored, b"key", b"3")?;
    assert_eq!(value(&store, b"key")?, Some(b"2".to_vec()));
    for taken in [copy, folder.path().join("a/local.7.redb")] {
        let refused = store.backup(&taken).expect_err("the name is taken");
        assert_eq!(refused.kind(), ErrorKind::InvalidInput);
    }
    Ok(())
}

#[test]
fn a_store_of_a_newer_version_is_refused_and_left_alone() -> Done {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("local.redb");
    let store = Redb::open(&path, Access::Write)?;
    put(&store, b"key", b"1")?;
    drop(store);
    let meta = folder.path().join("local.meta.json");
    let old = std::fs::read_to_string(&meta)?;
    std::fs::write(&meta, old.replace("redb4", "redb5"))?;
    let file = folder.path().join("local.1.redb");
    let before = std::fs::read(&file)?;
    for access in [Access::Read, Access::Write] {
        let refused = Redb::open(&path, access).expect_err("the engine is unknown");
        assert_eq!(refused.kind(), ErrorKind::Incompatible);
        assert!(refused.hint().is_some_and(|hint| hint.contains("newest")));
    }
    assert!(std::fs::read(&file)? == before, "the file was touched");
    std::fs::remove_file(&meta)?;
    let store = Redb::open(&path, Access::Write)?;
    assert_eq!(
        value(&store, b"key")?,
        Some(b"1".to_vec()),
        "a lost description loses no row"
    );
    Ok(())
}

#[test]
fn sizes_count_the_rows_of_every_table() -> Done {
    let folder = tempfile::tempdir()?;
    let store = Redb::open(&folder.path().join("local"), Access::Write)?;
    assert_eq!((store.sizes()?.bytes, store.sizes()?.generation), (0, 0));
    store.write(&mut |rows| {
        rows.put(Table::Log, b"1", b"")?;
        rows.put(Table::Log, b"2", b"")?;
        rows.put(Table::Usage, b"1", b"")
    })?;
    let sizes = store.sizes()?;
    assert!(sizes.bytes > 0);
    let filled: Vec<_> = sizes
        .rows
        .into_iter()
        .filter(|(_, rows)| *rows > 0)
        .collect();
    assert_eq!(filled, [(Table::Log, 2), (Table::Usage, 1)]);
    Ok(())
}

pub(crate) fn put(store: &Redb, key: &[u8], text: &[u8]) -> memorax_core::Result<()> {
    store.write(&mut |rows| rows.put(Table::Meta, key, text))
}

pub(crate) fn value(store: &Redb, key: &[u8]) -> memorax_core::Result<Option<Vec<u8>>> {
    let mut found = None;
    store.read(&mut |rows| {
        found = rows.get(Table::Meta, key)?;
        Ok(())
    })?;
    Ok(found)
}

pub(crate) fn rows(store: &Redb, table: Table) -> memorax_core::Result<BTreeMap<Vec<u8>, Vec<u8>>> {
    let mut found = BTreeMap::new();
    store.read(&mut |rows| {
        rows.range(table, b"", b"", &mut |key, value| {
            found.insert(key.to_vec(), value.to_vec());
            Ok(ControlFlow::Continue(()))
        })
    })?;
    Ok(found)
}

pub(crate) fn names(folder: &Path) -> std::io::Result<Vec<String>> {
    let mut names = std::fs::read_dir(folder)?
        .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
        .collect::<std::io::Result<Vec<_>>>()?;
    names.sort();
    Ok(names)
}
