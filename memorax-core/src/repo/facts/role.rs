//! What a file is for, from its path and from marks in its content.

use super::Language;
use crate::FileRole;

const VENDORED: &[&str] = &[
    "vendor",
    "vendored",
    "third_party",
    "third-party",
    "thirdparty",
    "node_modules",
    "bower_components",
    "_vendor",
];
const TESTS: &[&str] = &[
    "test",
    "tests",
    "__tests__",
    "testing",
    "spec",
    "specs",
    "testdata",
    "test_data",
    "test-data",
    "fixtures",
    "__fixtures__",
    "snapshots",
    "__snapshots__",
    "e2e",
    "integration_test",
    "integration-tests",
    "test_suite",
    "benches",
    "bench",
    "benchmark",
    "benchmarks",
    "mdtest",
    "fuzz",
];
const EXAMPLES: &[&str] = &[
    "example",
    "examples",
    "_examples",
    "sample",
    "samples",
    "demo",
    "demos",
    "tutorial",
    "tutorials",
    "docs_src",
    "doc_src",
];
const DOCUMENTS: &[&str] = &["doc", "docs", "documentation", "website", "man"];
const LOCKS: &[&str] = &[
    "cargo.lock",
    "package-lock.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "npm-shrinkwrap.json",
    "poetry.lock",
    "uv.lock",
    "pdm.lock",
    "pipfile.lock",
    "gemfile.lock",
    "composer.lock",
    "go.sum",
    "bun.lock",
    "flake.lock",
];
const GENERATED_ENDINGS: &[&str] = &[
    ".min.js",
    ".min.css",
    ".pb.go",
    "_pb2.py",
    "_pb2_grpc.py",
    ".g.dart",
    ".map",
    "_generated.go",
    "_generated.rs",
    ".generated.ts",
    ".designer.cs",
    ".g.cs",
    ".pb.cc",
    ".pb.h",
    ".pb.swift",
    ".grpc.swift",
];
/// Endings of names that tests have where classes are files, and the languages in which they have them.
const TEST_WORDS: &[&str] = &["Test", "Tests", "TestCase", "Spec", "Specs", "Suite"];
const TEST_LANGUAGES: &[&str] = &[
    "java", "kotlin", "scala", "c#", "php", "swift", "groovy", "c++",
];

/// Decides what a file is for. `generated` says that its content or `.gitattributes` calls it so.
pub(in crate::repo) fn role_of(path: &str, language: Language, generated: bool) -> FileRole {
    let lower = path.to_ascii_lowercase();
    let (folders, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
    let within = |names: &[&str]| folders.split('/').any(|folder| names.contains(&folder));
    if within(VENDORED) {
        FileRole::Vendored
    } else if generated
        || LOCKS.contains(&name)
        || GENERATED_ENDINGS
            .iter()
            .any(|ending| name.ends_with(ending))
        || within(&["generated", "__generated__"])
    {
        FileRole::Generated
    } else if within(TESTS) || is_test_folder(path) || is_test_name(path, language) {
        FileRole::Test
    } else if within(EXAMPLES) {
        FileRole::Example
    } else if is_document(folders, name, language)
        || within(DOCUMENTS) && !is_compiled_inside(folders, language)
    {
        FileRole::Document
    } else if is_configuration(folders, name, language) {
        FileRole::Configuration
    } else {
        FileRole::Source
    }
}

/// Tells folders such as `Shop.Tests` and `src/commonTest`.
fn is_test_folder(path: &str) -> bool {
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    folders.split('/').any(|folder| {
        ["Test", "Tests"].iter().any(|word| {
            folder.strip_suffix(word).is_some_and(|before| {
                before.ends_with(|letter: char| letter.is_ascii_lowercase() || letter == '.')
            })
        })
    })
}

/// Tells names such as `test_a.py`, `a_test.go`, `a.spec.ts`, `AppTest.java`, `a.bats`.
fn is_test_name(path: &str, language: Language) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let Some((stem, _)) = name.rsplit_once('.') else {
        return false;
    };
    let lower = stem.to_ascii_lowercase();
    let ending = name.rsplit('.').next().unwrap_or_default();
    matches!(ending, "snap" | "bats" | "phpt")
        || lower.starts_with("test_")
        || lower == "conftest"
        || lower == "tests"
        || [
            "_test",
            "_tests",
            "_spec",
            ".test",
            ".spec",
            "-bench",
            "_bench",
            ".snap",
            "_unittest",
            "-test",
        ]
        .iter()
        .any(|ending| lower.ends_with(ending))
        || (stem.len() > 5
            && TEST_WORDS.iter().any(|word| stem.ends_with(word))
            && language
                .name()
                .is_some_and(|name| TEST_LANGUAGES.contains(&name)))
}

/// Says whether a file is code of a module that is about documents, such as `src/flags/doc/man.rs`.
fn is_compiled_inside(folders: &str, language: Language) -> bool {
    let first = folders.split('/').next().unwrap_or_default();
    language.name().is_some_and(|name| {
        matches!(
            name,
            "rust" | "go" | "java" | "kotlin" | "scala" | "c" | "c++" | "c#" | "swift"
        )
    }) && !DOCUMENTS.contains(&first)
}

fn is_document(folders: &str, name: &str, language: Language) -> bool {
    const ENDINGS: &[&str] = &[
        ".md",
        ".markdown",
        ".mdx",
        ".rst",
        ".adoc",
        ".txt",
        ".1",
        ".ipynb",
    ];
    const NAMES: &[&str] = &[
        "license",
        "licence",
        "copying",
        "readme",
        "changelog",
        "changes",
        "authors",
        "notice",
        "contributing",
        "unlicense",
        "history",
        "news",
    ];
    if language.name() == Some("cmake") || (folders.is_empty() && name.starts_with("requirements"))
    {
        return false;
    }
    let stem = name.split(['.', '-']).next().unwrap_or(name);
    ENDINGS.iter().any(|ending| name.ends_with(ending))
        || (NAMES.contains(&stem) && language.name().is_none())
}

fn is_configuration(folders: &str, name: &str, language: Language) -> bool {
    const LANGUAGES: &[&str] = &[
        "toml",
        "yaml",
        "ini",
        "go.mod",
        "makefile",
        "dockerfile",
        "cmake",
        "json",
        "nix",
    ];
    const NAMES: &[&str] = &[
        "setup.py",
        "build.gradle",
        "settings.gradle",
        "build.gradle.kts",
        "settings.gradle.kts",
        "pom.xml",
        "gemfile",
        "rakefile",
        "procfile",
        "tox.ini",
        "noxfile.py",
        "requirements.txt",
        "codeowners",
        "build.rs",
        "build.sbt",
        "package.swift",
        "podfile",
        "meson.build",
        "configure.ac",
        "makefile.am",
    ];
    const ENDINGS: &[&str] = &[
        ".csproj", ".sln", ".props", ".targets", ".gemspec", ".podspec", ".sbt",
    ];
    name.starts_with('.')
        || folders
            .split('/')
            .any(|folder| folder.len() > 1 && folder.starts_with('.'))
        || NAMES.contains(&name)
        || ENDINGS.iter().any(|ending| name.ends_with(ending))
        || name.contains(".config.")
        || (folders.is_empty() && name.starts_with("requirements"))
        || language
            .name()
            .is_some_and(|name| LANGUAGES.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::role_of;
    use crate::FileRole;
    use crate::repo::facts::Language;

    #[test]
    fn paths_say_what_files_are_for() {
        for (path, role) in [
            ("src/lib.rs", FileRole::Source),
            ("tests/it/main.rs", FileRole::Test),
            ("src/app_test.go", FileRole::Test),
            ("src/com/AppTest.java", FileRole::Test),
            ("src/latest.py", FileRole::Source),
            ("src/shop/CartTest.kt", FileRole::Test),
            ("app/src/commonTest/kotlin/Cart.kt", FileRole::Test),
            ("src/shop/CartSpec.scala", FileRole::Test),
            ("src/Shop.Tests/Cart.cs", FileRole::Test),
            ("src/Shop/CartTests.cs", FileRole::Test),
            ("src/Shop/Latest.cs", FileRole::Source),
            ("src/contest/Rules.kt", FileRole::Source),
            ("Shop/CartTest.php", FileRole::Test),
            ("Shop/CartTests.swift", FileRole::Test),
            ("lib/cart_spec.rb", FileRole::Test),
            ("src/test_cart.c", FileRole::Test),
            ("src/cart_unittest.cc", FileRole::Test),
            ("shell/cart.bats", FileRole::Test),
            ("Package.swift", FileRole::Configuration),
            ("shop.gemspec", FileRole::Configuration),
            ("web/a.spec.ts", FileRole::Test),
            ("examples/hello.rs", FileRole::Example),
            ("README.md", FileRole::Document),
            ("LICENSE-MIT", FileRole::Document),
            ("src/license.rs", FileRole::Source),
            ("docs/conf.py", FileRole::Document),
            ("docs/src/a.rs", FileRole::Document),
            ("core/flags/doc/man.rs", FileRole::Source),
            ("Cargo.toml", FileRole::Configuration),
            (".github/workflows/ci.yml", FileRole::Configuration),
            ("Cargo.lock", FileRole::Generated),
            ("vendor/a/b.go", FileRole::Vendored),
            ("web/app.min.js", FileRole::Generated),
        ] {
            assert_eq!(
                role_of(path, Language::of_path(path), false),
                role,
                "{path}"
            );
        }
        assert_eq!(
            role_of("src/a.rs", Language::RUST, true),
            FileRole::Generated,
            "a mark in the content counts"
        );
    }
}
