//! What a store on disk promises.

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

pub(crate) fn names(folder: &Path) -> std::io::Result<Vec<String>> {
    let mut names = std::fs::read_dir(folder)?
        .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
        .collect::<std::io::Result<Vec<_>>>()?;
    names.sort();
    Ok(names)
}
