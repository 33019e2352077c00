//! What `.gitattributes` says about generated and vendored files.

use std::path::Path;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// Patterns of files that programs wrote.
#[derive(Debug)]
pub(super) struct Attributes {
    generated: Gitignore,
}

impl Attributes {
    /// Reads files given as the folder in which they stand (with a slash at its end, or empty) and their text.
    pub(super) fn new(files: &[(String, String)]) -> Self {
        let mut builder = GitignoreBuilder::new("");
        for (folder, text) in files {
            for line in text.lines() {
                add(&mut builder, folder, line);
            }
        }
        Self {
            generated: builder.build().unwrap_or_else(|_| Gitignore::empty()),
        }
    }

    /// Says whether a file is called generated.
    pub(super) fn is_generated(&self, path: &str) -> bool {
        !self.generated.is_empty()
            && matches!(
                self.generated.matched(Path::new(path), false),
                Match::Ignore(_)
            )
    }
}

fn add(builder: &mut GitignoreBuilder, folder: &str, line: &str) {
    let mut words = line.split_ascii_whitespace();
    let Some(pattern) = words
        .next()
        .filter(|first| !first.starts_with(['#', '!', '[']))
    else {
        return;
    };
    let pattern = pattern.trim_matches('"');
    let place = match (folder, pattern.trim_start_matches('/')) {
        ("", _) => pattern.to_owned(),
        (folder, inner) if inner.contains('/') => format!("/{folder}{inner}"),
        (folder, inner) => format!("/{folder}**/{inner}"),
    };
    for word in words {
        let added = match word {
            "linguist-generated" | "linguist-generated=true" => builder.add_line(None, &place),
            "-linguist-generated" | "linguist-generated=false" => {
                builder.add_line(None, &format!("!{place}"))
            }
            _ => continue,
        };
        // A pattern that cannot be read matches nothing, as in git.
        if added.is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Attributes;

    #[test]
    fn patterns_hold_below_their_folder() {
        let file = |folder: &str, text: &str| (folder.to_owned(), text.to_owned());
        let attributes = Attributes::new(&[
            file(
                "",
                "*.snap linguist-generated=true\n/schema.json text linguist-generated\n# no\n",
            ),
            file(
                "web/",
                "*.css -text linguist-generated\nkeep.snap -linguist-generated\n",
            ),
        ]);
        for (path, generated) in [
            ("a/b.snap", true),
            ("schema.json", true),
            ("a/schema.json", false),
            ("web/x/y.css", true),
            ("x/y.css", false),
            ("web/keep.snap", false),
        ] {
            assert_eq!(attributes.is_generated(path), generated, "{path}");
        }
    }
}
