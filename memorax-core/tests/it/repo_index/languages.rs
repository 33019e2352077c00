//! Definitions and imports of real-looking code in the languages beside those that have their tests with their rules.

use std::fmt::Write;
use std::path::Path;

use memorax_core::Result;
use memorax_core::repo::RepositoryView;

use super::support::{index, paths};
use crate::fixture::Repository;

/// Copies the fixtures of a language into a repository of its own and says what is found there.
fn told(language: &str) -> Result<String> {
    let repository = Repository::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/languages");
    let mut open = vec![folder.join(language)];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).expect("the folder is there");
            open.extend(entries.map(|entry| entry.expect("entries can be read").path()));
        } else {
            let inside = path.strip_prefix(&folder).expect("it was found there");
            let inside = inside.to_string_lossy().replace('\\', "/");
            let text = std::fs::read_to_string(&path).expect("fixtures are text");
            repository.write(&inside, &text.replace("\r\n", "\n"));
        }
    }
    let view = index(&repository.path, &repository.beside("cache"))?;
    written(&*view)
}

fn written(view: &dyn RepositoryView) -> Result<String> {
    let structure = view.structure()?;
    let paths = paths(view)?;
    let mut text = String::new();
    for (path, symbols) in paths.iter().zip(&structure.symbols) {
        let _ = writeln!(text, "{path}");
        for symbol in symbols {
            let parent = symbol
                .parent
                .as_deref()
                .map(|parent| format!(" in {parent}"));
            let _ = writeln!(
                text,
                "  {}-{} {} {}{}",
                symbol.line,
                symbol.end,
                symbol.kind.as_str(),
                symbol.name,
                parent.unwrap_or_default()
            );
        }
    }
    for (from, to) in &structure.imports {
        let _ = writeln!(text, "{} > {}", paths[*from as usize], paths[*to as usize]);
    }
    Ok(text)
}

#[test]
fn each_language_is_understood() -> Result<()> {
    for language in [
        "kotlin", "c", "cpp", "csharp", "ruby", "php", "swift", "scala", "shell",
    ] {
        insta::assert_snapshot!(language, told(language)?);
    }
    Ok(())
}
