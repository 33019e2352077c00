//! Ruby: files beside the one that needs them, or by the end of their path below a folder that is searched.

use std::collections::BTreeSet;

use super::paths::{Files, folder_of, join};
use super::suffix::Suffixes;
use crate::repo::facts::Language;

/// Folders that Ruby searches, by convention of gems and of test runners.
const SEARCHED: &[&str] = &["lib", "test", "spec", "app", "config"];

pub(super) fn resolve(files: &Files<'_>, edges: &mut BTreeSet<(u32, u32)>) {
    let suffixes = Suffixes::new(files, &[Language::RUBY]);
    for (number, source) in files.of_language(&[Language::RUBY]) {
        let folder = folder_of(source.path);
        for entry in &source.entries {
            let found = match entry.split_once(' ') {
                Some(("f", path)) => {
                    join(folder, path).and_then(|path| files.find(&with_ending(&path)))
                }
                Some(("r", path)) if path.starts_with('.') => {
                    join(folder, path).and_then(|path| files.find(&with_ending(&path)))
                }
                // A name without a folder may be a gem's.
                Some(("r", path)) => suffixes.find(source.path, &with_ending(path), |before| {
                    before.is_empty() && path.contains('/')
                        || SEARCHED.contains(&before.rsplit('/').next().unwrap_or_default())
                }),
                _ => None,
            };
            edges.extend(found.map(|found| (number, found)));
        }
    }
}

fn with_ending(path: &str) -> String {
    if path
        .rsplit_once('.')
        .is_some_and(|(_, ending)| ending == "rb")
    {
        path.to_owned()
    } else {
        format!("{path}.rb")
    }
}

#[cfg(test)]
mod tests {
    use super::super::paths::edges_of;

    #[test]
    fn files_are_found_beside_and_below_searched_folders() {
        let edges = edges_of(&[
            ("lib/app.rb", "r app/site, f app/page, r json, r set"),
            ("lib/app/site.rb", "f ../app/page.rb"),
            ("lib/app/page.rb", "r app"),
            ("tools/json.rb", ""),
            ("test/helper.rb", "r app"),
            ("test/site_test.rb", "r helper, r app/site"),
        ]);
        assert_eq!(
            edges,
            [
                "lib/app.rb > lib/app/page.rb",
                "lib/app.rb > lib/app/site.rb",
                "lib/app/page.rb > lib/app.rb",
                "lib/app/site.rb > lib/app/page.rb",
                "test/helper.rb > lib/app.rb",
                "test/site_test.rb > lib/app/site.rb",
                "test/site_test.rb > test/helper.rb",
            ]
        );
    }
}
