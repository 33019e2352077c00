//! JavaScript and TypeScript: relative paths with the endings that may be left out, and packages of the workspace.

use std::collections::{BTreeSet, HashMap};

use super::paths::{Files, folder_of, join};
use crate::repo::facts::Language;

const ENDINGS: [&str; 10] = [
    ".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".json",
];
const LANGUAGES: &[Language] = &[Language::TYPESCRIPT, Language::TSX, Language::JAVASCRIPT];

pub(super) fn resolve(files: &Files<'_>, edges: &mut BTreeSet<(u32, u32)>) {
    let packages: HashMap<&str, &str> = files.packages(Language::JSON, "package.json").collect();
    for (number, source) in files.of_language(LANGUAGES) {
        for entry in &source.entries {
            let Some(wanted) = entry.strip_prefix("s ") else {
                continue;
            };
            let found = if wanted.starts_with('.') {
                join(folder_of(source.path), wanted).and_then(|path| file_of(files, &path))
            } else {
                package(files, &packages, wanted)
            };
            edges.extend(found.map(|found| (number, found)));
        }
    }
}

fn file_of(files: &Files<'_>, path: &str) -> Option<u32> {
    let with_ending = |path: &str| {
        ENDINGS
            .iter()
            .find_map(|ending| files.find(&format!("{path}{ending}")))
    };
    if let Some(file) = files.find(path).or_else(|| with_ending(path)) {
        return Some(file);
    }
    // TypeScript names the file that will be written: `./a.js` is `a.ts`.
    let written = [".js", ".jsx", ".mjs", ".cjs"]
        .iter()
        .find_map(|ending| path.strip_suffix(ending))
        .and_then(with_ending);
    written.or_else(|| with_ending(join(path, "index")?.as_str()))
}

/// Finds a file of another package of the workspace: of its name, or of a path below it.
fn package(files: &Files<'_>, packages: &HashMap<&str, &str>, wanted: &str) -> Option<u32> {
    let mut name = wanted;
    loop {
        if let Some(folder) = packages.get(name) {
            let rest = wanted[name.len()..].trim_start_matches('/');
            return ["src", "", "lib"].iter().find_map(|inner| {
                let base = join(folder, inner)?;
                file_of(files, &join(&base, rest)?)
            });
        }
        name = name.rsplit_once('/')?.0;
    }
}

#[cfg(test)]
mod tests {
    use super::super::paths::edges_of;

    #[test]
    fn relative_files_and_packages_are_found() {
        let edges = edges_of(&[
            ("web/package.json", "n @x/web"),
            ("web/src/index.ts", "s ./app, s ./lib, s react"),
            (
                "web/src/app.tsx",
                "s ./lib/a.js, s ../data.json, s ../../../out",
            ),
            ("web/src/lib/index.ts", "s ."),
            ("web/src/lib/a.ts", "s .."),
            ("web/data.json", ""),
            ("cli/main.js", "s @x/web, s @x/web/lib/a"),
        ]);
        assert_eq!(
            edges,
            [
                "cli/main.js > web/src/index.ts",
                "cli/main.js > web/src/lib/a.ts",
                "web/src/app.tsx > web/data.json",
                "web/src/app.tsx > web/src/lib/a.ts",
                "web/src/index.ts > web/src/app.tsx",
                "web/src/index.ts > web/src/lib/index.ts",
                "web/src/lib/a.ts > web/src/index.ts",
            ]
        );
    }
}
