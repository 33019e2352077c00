//! The shape of the source: which module may use which, and how long a file may be.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

/// The stages of the library; a module uses only what stands before it.
const LAYERS: [&str; 13] = [
    "types", "error", "disk", "text", "embed", "capture", "repo", "store", "extract", "retrieve",
    "inject", "learn", "engine",
];
/// Longest source file, in lines.
const LONGEST: usize = 500;

#[test]
fn a_module_uses_only_what_stands_before_it() -> Result<(), Box<dyn Error>> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = Vec::new();
    let mut uses = 0;
    for file in rust_files(&source)? {
        let relative = file.strip_prefix(&source)?;
        let top = relative
            .components()
            .next()
            .expect("a file has a name")
            .as_os_str()
            .to_string_lossy();
        let top = top.trim_end_matches(".rs").to_owned();
        // `lib` re-exports everything; `contract` tests stores from outside.
        let Some(own) = LAYERS.iter().position(|layer| *layer == top) else {
            continue;
        };
        let text = fs::read_to_string(&file)?;
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for (number, line) in code
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.trim_start().starts_with("//"))
        {
            for used in modules_named(line) {
                uses += 1;
                let Some(layer) = LAYERS.iter().position(|layer| *layer == used) else {
                    continue;
                };
                // Types and errors name each other: an enum's `FromStr` gives the library's error.
                if layer > own.max(1) {
                    wrong.push(format!(
                        "{}:{} uses `{used}`",
                        relative.display(),
                        number + 1
                    ));
                }
            }
        }
    }
    assert!(uses > 100, "the search itself finds uses: {uses}");
    assert_eq!(wrong, Vec::<String>::new(), "{}", LAYERS.join(" -> "));
    Ok(())
}

#[test]
fn no_source_file_is_longer_than_five_hundred_lines() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the crate lies in the workspace");
    let mut long = Vec::new();
    for folder in [
        "memorax-core",
        "memorax-cli",
        "embed-static",
        "bindings",
        "benches",
        "examples",
        "xtask",
    ] {
        for file in rust_files(&root.join(folder))? {
            let lines = fs::read_to_string(&file)?.lines().count();
            if lines > LONGEST {
                long.push(format!("{}: {lines}", file.strip_prefix(root)?.display()));
            }
        }
    }
    assert_eq!(long, Vec::<String>::new());
    Ok(())
}

/// Returns the modules of the crate that a line names as `crate::module` or `crate::{module, ...}`.
fn modules_named(line: &str) -> Vec<String> {
    line.match_indices("crate::")
        .flat_map(|(at, found)| {
            let rest = &line[at + found.len()..];
            let names: Vec<&str> = match rest.strip_prefix('{') {
                Some(list) => list.split(',').collect(),
                None => vec![rest],
            };
            names
                .into_iter()
                .map(first_word)
                .filter(|name| !name.is_empty())
                .collect::<Vec<_>>()
        })
        .collect()
}

fn first_word(text: &str) -> String {
    text.trim_start()
        .chars()
        .take_while(|letter| letter.is_ascii_lowercase() || *letter == '_')
        .collect()
}

fn rust_files(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut files = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if path.is_dir() {
                if name != "target" && name != "node_modules" && name != ".venv" {
                    open.push(path);
                }
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}
