//! C and C++: an included file beside the one that includes it, from the root, or by the end of its path, because the
//! folders that a compiler searches are not known.

use std::collections::BTreeSet;

use super::paths::{Files, folder_of, join};
use super::suffix::Suffixes;
use crate::repo::facts::Language;

const LANGUAGES: &[Language] = &[Language::C, Language::CPP];
/// Headers of the language and of the system, which files of a repository may be called as well.
const SYSTEM: &[&str] = &[
    "assert",
    "complex",
    "ctype",
    "dirent",
    "dlfcn",
    "errno",
    "fcntl",
    "fenv",
    "float",
    "getopt",
    "glob",
    "grp",
    "iconv",
    "inttypes",
    "limits",
    "locale",
    "malloc",
    "math",
    "memory",
    "netdb",
    "poll",
    "pthread",
    "pwd",
    "regex",
    "sched",
    "semaphore",
    "setjmp",
    "signal",
    "stdarg",
    "stdatomic",
    "stdbool",
    "stddef",
    "stdint",
    "stdio",
    "stdlib",
    "string",
    "strings",
    "syslog",
    "termios",
    "threads",
    "time",
    "unistd",
    "wchar",
    "wctype",
    "windows",
];

pub(super) fn resolve(files: &Files<'_>, edges: &mut BTreeSet<(u32, u32)>) {
    let suffixes = Suffixes::new(files, LANGUAGES);
    for (number, source) in files.of_language(LANGUAGES) {
        for entry in &source.entries {
            let found = match entry.split_once(' ') {
                Some(("q", path)) => join(folder_of(source.path), path)
                    .and_then(|path| files.find(&path))
                    .or_else(|| files.find(path))
                    .or_else(|| suffixes.find(source.path, below(path), |_| true)),
                Some(("a", path)) if !is_system(path) => files
                    .find(path)
                    .or_else(|| suffixes.find(source.path, path, |_| true)),
                _ => None,
            };
            edges.extend(found.map(|found| (number, found)));
        }
    }
}

fn is_system(path: &str) -> bool {
    path.starts_with("sys/")
        || path
            .strip_suffix(".h")
            .is_some_and(|stem| SYSTEM.contains(&stem))
}

/// Leaves out the steps upwards: they may start in another folder that is searched.
fn below(path: &str) -> &str {
    let mut path = path;
    while let Some(rest) = path.strip_prefix("../") {
        path = rest;
    }
    path
}

#[cfg(test)]
mod tests {
    use super::super::paths::edges_of;

    #[test]
    fn included_files_are_found_beside_from_the_root_and_by_the_end_of_their_path() {
        let edges = edges_of(&[
            (
                "src/main.c",
                "q util.h, q db/log.h, a stdio.h, a jv.h, q none.h",
            ),
            ("src/util.h", ""),
            ("src/stdio.h", ""),
            ("src/db/log.h", "q ../util.h"),
            ("include/app/jv.h", ""),
            ("one/config.h", ""),
            ("two/config.h", ""),
            ("two/deep/a.cc", "a config.h, q app/jv.h"),
        ]);
        assert_eq!(
            edges,
            [
                "src/db/log.h > src/util.h",
                "src/main.c > include/app/jv.h",
                "src/main.c > src/db/log.h",
                "src/main.c > src/util.h",
                "two/deep/a.cc > include/app/jv.h",
                "two/deep/a.cc > two/config.h",
            ]
        );
    }
}
