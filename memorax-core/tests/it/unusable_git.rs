//! A `.git` that is no repository does not make the folder one, and people are told.

use std::path::Path;

use memorax_core::repo::{Checkout, CheckoutKind, Facts, Registry, identify};

#[test]
fn a_git_folder_that_is_no_repository_is_said_each_time() {
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    let write = |path: &Path, text: &str| std::fs::write(path, text).expect("it is writable");
    let [empty, file, plain] = ["empty", "file", "plain"].map(|name| folder.path().join(name));
    std::fs::create_dir_all(empty.join(".git")).expect("the folder is writable");
    std::fs::create_dir_all(&file).expect("the folder is writable");
    write(&file.join(".git"), "gitdir: /nowhere/at/all\n");
    std::fs::create_dir_all(&plain).expect("the folder is writable");
    let registry = Registry::from_bytes(&[]).expect("no bytes are an empty registry");
    for (path, is_broken) in [(&empty, true), (&file, true), (&plain, false)] {
        let checkout = Checkout::discover(path).expect("it is a folder without git");
        assert_eq!(checkout.kind(), CheckoutKind::Folder);
        for facts in [Facts::read(&checkout), Ok(Facts::quick(&checkout))] {
            let facts = facts.expect("the facts can be read");
            let decided = identify(&registry, &facts, &mut |_| false);
            let warnings = decided.identity.warnings;
            let said = warnings
                .iter()
                .any(|warning| warning.contains("is no git repository"));
            assert_eq!(said, is_broken, "{}: {warnings:?}", path.display());
        }
    }
}
