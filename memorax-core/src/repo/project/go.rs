//! Go: the module, its programs and its root package.

use std::collections::BTreeMap;

use super::facts::Facts;
use super::sources::{Sources, ending, join};
use super::{Basis, EntryKind, Task, file_purpose};
use crate::FileRole;

/// Most folders whose package clause is read.
const MOST_FOLDERS: usize = 400;
/// Most files of a folder that are read for it.
const MOST_FILES: usize = 4;

pub(super) fn read(sources: &Sources<'_>, facts: &mut Facts) {
    let Some(text) = sources.text("go.mod") else {
        return;
    };
    let word = |key: &str| {
        let line = text
            .lines()
            .find_map(|line| line.trim().strip_prefix(key)?.strip_prefix(' '));
        line.map(|rest| rest.split("//").next().unwrap_or(rest).trim().to_owned())
    };
    let Some(module) = word("module") else {
        return;
    };
    let name = module
        .split('/')
        .rfind(|part| !is_major(part))
        .unwrap_or(&module);
    facts.name(1, name);
    facts.package(&module, "", None);
    if let Some(version) = word("go") {
        facts.convention(
            format!("Go {version} or later, module `{module}`"),
            "go.mod",
        );
    }
    packages(sources, facts, name);
    facts.command(Task::Build, Basis::Implied, "go build ./...", "go.mod");
    facts.command(Task::Test, Basis::Implied, "go test ./...", "go.mod");
    if let Some(path) = sources.first(&[".golangci.yml", ".golangci.yaml", ".golangci.toml"]) {
        facts.command(Task::Lint, Basis::Configured, "golangci-lint run", path);
    }
}

fn is_major(part: &str) -> bool {
    part.strip_prefix('v').is_some_and(|digits| {
        !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit())
    })
}

/// Reads the package clause of every folder: `main` is a program.
fn packages(sources: &Sources<'_>, facts: &mut Facts, name: &str) {
    let mut folders: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for file in sources.all() {
        let code = ending(&file.path) == "go" && !file.path.ends_with("_test.go");
        let own = !matches!(file.role, FileRole::Vendored | FileRole::Test);
        if code && own {
            let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
            folders.entry(folder).or_default().push(&file.path);
        }
    }
    for (folder, paths) in folders.into_iter().take(MOST_FOLDERS) {
        // A nested module is another project.
        if !folder.is_empty() && sources.has(&join(folder, "go.mod")) {
            continue;
        }
        let short = if folder.is_empty() { name } else { folder };
        let short = format!("{}.go", short.rsplit('/').next().unwrap_or(short));
        let mut paths = paths;
        paths.sort_by_key(|path| {
            let likely =
                path.ends_with("main.go") || path.ends_with("doc.go") || path.ends_with(&short);
            (!likely, *path)
        });
        let read = |path: &&str| {
            let text = sources.text(path)?;
            let ignored = text.contains("//go:build ignore") || text.contains("// +build ignore");
            let package = clause(&text).filter(|_| !ignored)?.to_owned();
            Some(((*path).to_owned(), package))
        };
        let Some((path, package)) = paths.iter().take(MOST_FILES).find_map(read) else {
            continue;
        };
        match package.as_str() {
            "main" => {
                let what = if folder.is_empty() {
                    "program `.`".to_owned()
                } else {
                    format!("program `./{folder}`")
                };
                facts.entry(EntryKind::Program, path, what, "go.mod");
            }
            package if folder.is_empty() => {
                let path = paths
                    .iter()
                    .find(|path| **path == format!("{package}.go"))
                    .map_or(path, |path| (*path).to_owned());
                facts.entry(
                    EntryKind::Library,
                    path,
                    format!("package `{package}`"),
                    "go.mod",
                );
                let mut documented = paths
                    .iter()
                    .filter_map(|path| file_purpose(path, &sources.text(path)?, 240));
                if let Some(purpose) = documented.next() {
                    facts.describe(3, &purpose);
                }
            }
            _ => {}
        }
    }
}

/// Returns the name in the package clause.
fn clause(text: &str) -> Option<&str> {
    let mut in_comment = false;
    for line in text.lines() {
        let line = line.trim();
        if in_comment || line.starts_with("/*") {
            in_comment = !line.contains("*/");
        } else if let Some(name) = line.strip_prefix("package ") {
            return name.split_whitespace().next();
        } else if !line.is_empty() && !line.starts_with("//") {
            return None;
        }
    }
    None
}
