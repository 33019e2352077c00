//! Which paths count as code of the product, and how a folder is called.

use crate::repo::is_code;

/// Folders of what is not the product itself.
const BESIDE: [&str; 41] = [
    "test",
    "tests",
    "testing",
    "spec",
    "specs",
    "__tests__",
    "__mocks__",
    "e2e",
    "fixtures",
    "testdata",
    "test-data",
    "test_data",
    "resources",
    "snapshots",
    "corpus",
    "example",
    "examples",
    "sample",
    "samples",
    "demo",
    "demos",
    "doc",
    "docs",
    "documentation",
    "website",
    "bench",
    "benches",
    "benchmark",
    "benchmarks",
    "fuzz",
    "vendor",
    "third_party",
    "third-party",
    "node_modules",
    "dist",
    "target",
    "playground",
    "scripts",
    "ci",
    "tools",
    "hack",
];

/// Folders that only hold the code of what stands around them.
const INSIDE: [&str; 10] = [
    "src", "lib", "main", "java", "kotlin", "scala", "python", "com", "org", "io",
];

/// Folders that only hold packages or modules.
const HOLDERS: [&str; 9] = [
    "crates",
    "packages",
    "libs",
    "modules",
    "cmd",
    "pkg",
    "internal",
    "apps",
    "components",
];

/// Says whether a path is outside of the product: tests, examples, documents, foreign code.
pub(super) fn is_beside(path: &str) -> bool {
    let mut parts = path.split('/').rev();
    parts.next();
    parts.any(|part| {
        part.starts_with('.')
            || BESIDE.contains(&part)
            || part.starts_with("tests-")
            || part.starts_with("test-")
            || part.ends_with("_test")
            || part.ends_with("-tests")
            || part.ends_with("_tests")
    })
}

/// Says whether a file is code of the product in a folder.
pub(super) fn is_module_code(path: &str) -> bool {
    path.contains('/') && is_code(path) && !is_beside(path)
}

/// Says whether a folder only holds the code of what stands around it.
pub(super) fn is_inside(name: &str) -> bool {
    INSIDE.contains(&name)
}

/// Returns how deep a module lies, folders aside that say nothing.
pub(super) fn depth(path: &str) -> u8 {
    let says = |part: &&str| !INSIDE.contains(part) && !HOLDERS.contains(part);
    u8::try_from(path.split('/').filter(says).count().max(1)).unwrap_or(u8::MAX)
}

/// Says whether a folder only holds others: its birth is that of what it holds.
pub(super) fn is_holder(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    HOLDERS.contains(&name) || INSIDE.contains(&name)
}

/// Quotes a name.
pub(super) fn quoted(name: &str) -> String {
    format!("`{name}`")
}

/// Lists names: the first few, and how many more there are.
pub(super) fn list(names: &[String], most: usize) -> String {
    let shown = names.len().min(most);
    let mut text = names[..shown].join(", ");
    if names.len() > shown {
        let more = names.len() - shown;
        text = format!("{text} and {more} more");
    }
    text
}
