//! The files that count as code of the product, and how much each matters.

use super::modules::Unit;
use super::rank;
use crate::repo::{Structure, is_code};
use crate::{FileInfo, FileRole};

/// Parts of a file's importance: imports, size, activity. Rank alone says nothing where imports are not resolved.
const PARTS: [f64; 3] = [0.6, 0.25, 0.15];

/// Weighs the files of code by imports, size and activity. The weights add up to 1 or less.
pub(super) fn weighed<'a>(files: &'a [FileInfo], structure: &Structure) -> Vec<Unit<'a>> {
    let of_role = |role: FileRole| -> Vec<usize> {
        let chosen = |at: &usize| files[*at].role == role && is_unit(&files[*at].path);
        (0..files.len()).filter(chosen).collect()
    };
    let size = |chosen: &[usize]| -> u32 { chosen.iter().map(|at| files[*at].lines).sum() };
    let mut chosen = of_role(FileRole::Source);
    // Where there is hardly anything but examples, they are the product.
    let examples = of_role(FileRole::Example);
    if size(&examples) > 4 * size(&chosen) {
        chosen.extend(examples);
        chosen.sort_unstable();
    }
    // Code beside the product is left out where there is a product.
    if chosen.iter().any(|at| !is_beside(&files[*at].path)) {
        chosen.retain(|at| !is_beside(&files[*at].path));
    }
    let mut place = vec![None; files.len()];
    for (at, file) in chosen.iter().enumerate() {
        place[*file] = Some(at);
    }
    let at = |file: u32| place.get(file as usize).copied().flatten();
    let edges: Vec<(usize, usize)> = structure
        .imports
        .iter()
        .filter_map(|(from, to)| Some((at(*from)?, at(*to)?)))
        .filter(|(from, to)| from != to)
        .collect();
    let ranks = rank::pagerank(chosen.len(), &edges);
    let total = |count: fn(&FileInfo) -> u32| {
        let sum: f64 = chosen.iter().map(|at| f64::from(count(&files[*at]))).sum();
        sum.max(1.0)
    };
    let lines = total(|file| file.lines);
    let changes = total(|file| file.changes);
    let unit = |(at, rank): (&usize, &f64)| {
        let file = &files[*at];
        let parts = [
            *rank,
            f64::from(file.lines) / lines,
            f64::from(file.changes) / changes,
        ];
        let weight: f64 = parts
            .iter()
            .zip(PARTS)
            .map(|(part, share)| part * share)
            .sum();
        Unit {
            file: *at,
            path: &file.path,
            weight,
            lines: file.lines,
        }
    };
    chosen.iter().zip(&ranks).map(unit).collect()
}

/// Code that people write for the product; build scripts and tool settings are not a module.
fn is_unit(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let settings = matches!(
        name,
        "setup.py" | "conftest.py" | "noxfile.py" | "build.rs" | "__version__.py" | "_version.py"
    ) || name.contains(".config.")
        || name.ends_with(".d.ts")
        || name.starts_with('.')
        || path.starts_with('.')
        || path.contains("/__test")
        || is_test_support(name);
    is_code(path) && !settings
}

fn is_test_support(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default();
    matches!(
        stem,
        "testutil" | "testutils" | "test_util" | "test_utils" | "test_helpers" | "tests" | "test"
    )
}

fn is_beside(path: &str) -> bool {
    let first = path.split('/').next().unwrap_or_default();
    let anywhere = |part| {
        matches!(
            part,
            "bench" | "benches" | "benchmark" | "benchmarks" | "fuzz" | "scripts"
        )
    };
    path.contains('/')
        && matches!(
            first,
            "tools"
                | "ci"
                | "xtask"
                | "docs"
                | "packaging"
                | "metrics"
                | "script"
                | "hack"
                | "playground"
        )
        || path.split('/').any(anywhere)
}
