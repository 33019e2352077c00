//! Which files a text names: by path, by file name, by module, in a stack trace.

use std::collections::{HashMap, HashSet};

use super::shape::Shape;
use crate::FileInfo;
use crate::retrieve::Analysis;

/// Files that a name without a folder may mean at most, before it means nothing.
const MOST_MEANT: usize = 3;

/// Says whether a file only records changes made elsewhere: change logs, locks, translations.
pub(in crate::retrieve) fn is_record(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let name = lower.rsplit('/').next().unwrap_or(&lower);
    let log = [
        "changes",
        "changelog",
        "release-notes",
        "release_notes",
        "releasenotes",
        "history",
        "authors",
        "news",
        "whats-new",
        "whatsnew",
        "whats_new",
    ]
    .iter()
    .any(|start| name.starts_with(start));
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let code = matches!(
        ending,
        "rs" | "py"
            | "go"
            | "js"
            | "ts"
            | "tsx"
            | "java"
            | "kt"
            | "c"
            | "cpp"
            | "h"
            | "rb"
            | "swift"
    );
    log && !code
        || matches!(ending, "lock" | "po" | "pot")
        || name == "go.sum"
        || name.ends_with("-lock.json")
        || name.ends_with("-lock.yaml")
        || lower.contains("/locale/")
        || lower.contains("translat")
}

/// Says whether a file holds little by convention.
pub(super) fn is_hollow(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    matches!(
        name,
        "__init__.py" | "package-info.java" | "module-info.java"
    ) || name.ends_with(".d.ts")
}

/// How clearly the query names each file: 1 by path, 2/3 by file name, 1/3 by stem. A report has many words: in it, a
/// stem names a file only where it is no plain word.
pub(super) fn mentions(
    files: &[FileInfo],
    analysis: &Analysis,
    text: &str,
    shape: Shape,
) -> Vec<f32> {
    let lower = text.to_lowercase();
    let identifiers: HashSet<&str> = lower
        .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .filter(|word| word.len() > 3)
        .collect();
    files
        .iter()
        .map(|file| {
            let path = file.path.to_lowercase();
            let name = path.rsplit('/').next().unwrap_or(&path);
            let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
            if stem.len() < 3 {
                return 0.0;
            }
            let exact = analysis.entities.paths.iter().any(|named| {
                let named = named.to_lowercase();
                path == named || named.contains('/') && path.ends_with(&format!("/{named}"))
            });
            if exact || lower.contains(&path) && path.contains('/') {
                1.0
            } else if lower.contains(name) && name.contains('.') {
                2.0 / 3.0
            } else if identifiers.contains(stem)
                && (shape != Shape::Report || stem.contains(['_', '-']))
            {
                1.0 / 3.0
            } else {
                0.0
            }
        })
        .collect()
}

/// How near a file is to the path that is worked on: 1 for itself or below it, less with each folder in between.
pub(super) fn nearness(file: &str, path: &str) -> f32 {
    let path = path.trim_end_matches('/');
    if file == path || file.starts_with(path) && file[path.len()..].starts_with('/') {
        return 1.0;
    }
    let shared = file
        .split('/')
        .zip(path.split('/'))
        .take_while(|(left, right)| left == right)
        .count();
    let depth = path.split('/').count();
    0.5 * shared as f32 / depth.max(1) as f32
}

/// How clearly the query names the module that each file is, such as `astropy.io.ascii` or `store::redb`: the more parts,
/// the clearer.
pub(super) fn modules(files: &[FileInfo], text: &str) -> Vec<f32> {
    let mut scores = vec![0.0; files.len()];
    let dotted = dotted_names(text);
    if dotted.is_empty() {
        return scores;
    }
    let mut by_last: HashMap<&str, Vec<(usize, Vec<&str>)>> = HashMap::new();
    for (place, file) in files.iter().enumerate() {
        let parts = module_of(&file.path);
        if let Some(last) = parts.last() {
            by_last.entry(last).or_default().push((place, parts));
        }
    }
    for name in &dotted {
        let parts: Vec<&str> = name.iter().map(String::as_str).collect();
        for length in (1..=parts.len()).rev() {
            let asked = &parts[..length];
            let Some(known) = by_last.get(asked[length - 1]) else {
                continue;
            };
            let mut meant: Vec<(usize, f32)> = known
                .iter()
                .filter(|(_, module)| module.ends_with(asked))
                .map(|(place, module)| {
                    let whole = module.len() == length;
                    let clear = if length == 1 {
                        if whole { 0.2 } else { 0.1 }
                    } else {
                        length as f32 / (length as f32 + 1.0)
                    };
                    (*place, clear)
                })
                .collect();
            meant.sort_by(|left, right| right.1.total_cmp(&left.1));
            if meant.is_empty() || length == 1 && meant.len() > MOST_MEANT {
                continue;
            }
            for (place, clear) in meant.into_iter().take(MOST_MEANT) {
                scores[place] = f32::max(scores[place], clear);
            }
            break;
        }
    }
    scores
}

/// Splits a path into the parts of a module's name; the folder stands for its `__init__`, `mod`, `index` or `lib`.
fn module_of(path: &str) -> Vec<&str> {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let mut parts: Vec<&str> = stem.split('/').collect();
    while parts.len() > 1 && matches!(parts[0], "src" | "lib" | "packages" | "crates") {
        parts.remove(0);
    }
    if parts.len() > 1
        && matches!(
            parts.last(),
            Some(&("__init__" | "mod" | "index" | "lib" | "main"))
        )
    {
        parts.pop();
    }
    parts
}

/// Finds names of two parts or more that are joined by `.` or `::`.
fn dotted_names(text: &str) -> HashSet<Vec<String>> {
    let mut names = HashSet::new();
    let is_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.' | ':');
    for run in text.split(|letter: char| !is_name(letter)) {
        let run = run.replace("::", ".");
        let parts: Vec<String> = run
            .trim_matches(['.', ':'])
            .split('.')
            .map(str::to_owned)
            .collect();
        let clean = parts.len() > 1
            && parts.iter().all(|part| {
                part.starts_with(|first: char| first.is_alphabetic() || first == '_')
                    && !part.contains(':')
            });
        if clean {
            names.insert(parts.into_iter().filter(|part| part != "crate").collect());
        }
    }
    names
}

/// Finds the files of stack traces; the frame where it happened counts 1.
pub(super) fn traced(files: &[FileInfo], text: &str) -> Vec<f32> {
    let mut scores = vec![0.0; files.len()];
    let frames = frames(text);
    let count = frames.len() as f32;
    // Python prints the newest frame last, others first.
    let newest_last = text.contains("File \"");
    for (index, frame) in frames.iter().enumerate() {
        let rank = if newest_last {
            (index + 1) as f32
        } else {
            count - index as f32
        };
        let parts: Vec<&str> = frame.split('/').filter(|part| !part.is_empty()).collect();
        for start in 0..parts.len() {
            let tail = parts[start..].join("/");
            let meant: Vec<usize> = files
                .iter()
                .enumerate()
                .filter(|(_, file)| {
                    file.path == tail
                        || file
                            .path
                            .strip_suffix(&tail)
                            .is_some_and(|rest| rest.ends_with('/'))
                })
                .map(|(place, _)| place)
                .collect();
            let lone = start + 1 == parts.len();
            if meant.is_empty() || lone && meant.len() > MOST_MEANT {
                continue;
            }
            for place in meant {
                scores[place] = f32::max(scores[place], rank / count);
            }
            break;
        }
    }
    scores
}

/// Returns the paths that stand with a line number in a text, in their order: `File "a.py", line 3`, `src/a.rs:3`,
/// `(/srv/a.js:3:5)`.
fn frames(text: &str) -> Vec<String> {
    let mut frames = Vec::new();
    for line in text.lines() {
        if let Some((_, rest)) = line.split_once("File \"")
            && let Some((path, after)) = rest.split_once('"')
            && after
                .trim_start_matches(',')
                .trim_start()
                .starts_with("line ")
        {
            frames.push(path.replace('\\', "/"));
            continue;
        }
        for word in
            line.split(|letter: char| letter.is_whitespace() || "()[]'\"`,".contains(letter))
        {
            let mut parts = word.split(':');
            let mut path = parts.next().unwrap_or_default();
            // A drive of Windows.
            if path.len() == 1 {
                path = parts.next().unwrap_or_default();
            }
            let numbered = parts.next().is_some_and(|number| {
                !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
            });
            let file = path
                .rsplit(['/', '\\'])
                .next()
                .and_then(|name| name.rsplit_once('.'))
                .is_some_and(|(stem, ending)| {
                    !stem.is_empty()
                        && (1..=4).contains(&ending.len())
                        && ending.bytes().all(|byte| byte.is_ascii_alphabetic())
                });
            if numbered && file {
                frames.push(path.replace('\\', "/"));
            }
        }
    }
    frames
}

#[cfg(test)]
mod tests {
    use super::{frames, is_record, modules, nearness, traced};
    use crate::{FileInfo, FileRole};

    #[test]
    fn records_of_changes_are_not_sources() {
        for path in [
            "CHANGES.rst",
            "docs/changelog.md",
            "Cargo.lock",
            "web/package-lock.json",
            "po/translations/de.po",
        ] {
            assert!(is_record(path), "{path}");
        }
        for path in [
            "src/history.rs",
            "src/lock.rs",
            "docs/api.md",
            "newsletter/send.py",
        ] {
            assert!(!is_record(path), "{path}");
        }
    }

    #[test]
    fn nearness_counts_shared_folders() {
        assert!((nearness("src/store/redb.rs", "src/store") - 1.0).abs() < 1e-6);
        assert!(nearness("src/store/redb.rs", "src/storefront") < 0.5);
        assert!(nearness("web/app.ts", "src/store").abs() < 1e-6);
    }

    #[test]
    fn frames_of_several_languages_are_found() {
        let text = "Traceback:\n  File \"/srv/app/io/qdp.py\", line 3, in read\n  at Object.run (/srv/web/run.js:10:5)\n\
                    thread panicked at src/store/redb.rs:12:9\nC:\\app\\main.go:7 +0x1d\nat 12:30 see https://a.b:80/x";
        assert_eq!(
            frames(text),
            [
                "/srv/app/io/qdp.py",
                "/srv/web/run.js",
                "src/store/redb.rs",
                "/app/main.go"
            ]
        );
    }

    #[test]
    fn modules_and_traces_name_files() {
        let files: Vec<FileInfo> = [
            "app/io/ascii/__init__.py",
            "app/io/qdp.py",
            "src/store/redb.rs",
            "web/qdp.py",
        ]
        .iter()
        .map(|path| FileInfo::new(*path, FileRole::Source))
        .collect();
        let scores = modules(&files, "app.io.ascii.Table and store::redb::open, e.g. x.y");
        assert!(scores[0] > 0.7 && scores[2] > 0.6, "{scores:?}");
        assert!(
            scores[1].abs() < 1e-6 && scores[3].abs() < 1e-6,
            "{scores:?}"
        );
        let scores = traced(
            &files,
            "File \"/usr/lib/app/io/qdp.py\", line 3\nFile \"/x/none.py\", line 4",
        );
        assert!(
            (scores[1] - 0.5).abs() < 1e-6 && scores[3].abs() < 1e-6,
            "{scores:?}"
        );
    }
}
