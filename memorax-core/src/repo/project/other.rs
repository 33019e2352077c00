//! What needs no reader of its own: containers, process files, and ecosystems that one manifest gives away.

use super::facts::Facts;
use super::sources::Sources;
use super::yaml::Yaml;
use super::{Basis, EntryKind, Task};
use crate::FileRole;

/// Manifest at the root, and the commands that it implies.
const ECOSYSTEMS: &[(&str, &[(Task, &str)])] = &[
    (
        "mix.exs",
        &[(Task::Setup, "mix deps.get"), (Task::Test, "mix test")],
    ),
    (
        "Package.swift",
        &[(Task::Build, "swift build"), (Task::Test, "swift test")],
    ),
    ("build.zig", &[(Task::Build, "zig build")]),
    (
        "build.sbt",
        &[(Task::Build, "sbt compile"), (Task::Test, "sbt test")],
    ),
    ("Gemfile", &[(Task::Setup, "bundle install")]),
    ("composer.json", &[(Task::Setup, "composer install")]),
    (
        "stack.yaml",
        &[(Task::Build, "stack build"), (Task::Test, "stack test")],
    ),
    (
        "dune-project",
        &[(Task::Build, "dune build"), (Task::Test, "dune test")],
    ),
    (
        "MODULE.bazel",
        &[
            (Task::Build, "bazel build //..."),
            (Task::Test, "bazel test //..."),
        ],
    ),
    (
        "meson.build",
        &[(Task::Build, "meson setup build && ninja -C build")],
    ),
    (
        "CMakeLists.txt",
        &[(Task::Build, "cmake -S . -B build && cmake --build build")],
    ),
    (".rspec", &[(Task::Test, "bundle exec rspec")]),
    (
        "mkdocs.yml",
        &[(Task::Docs, "mkdocs build"), (Task::Docs, "mkdocs serve")],
    ),
];

pub(super) fn read(sources: &Sources<'_>, facts: &mut Facts) {
    for (manifest, commands) in ECOSYSTEMS {
        if sources.has(manifest) {
            for (task, line) in *commands {
                facts.command(*task, Basis::Implied, line, manifest);
            }
        }
    }
    if let Some(path) = sources.first(&[
        "compose.yaml",
        "compose.yml",
        "docker-compose.yml",
        "docker-compose.yaml",
    ]) {
        // Without an own image it starts what the program needs, not the program.
        let text = sources.text(path).unwrap_or_default();
        let builds = Yaml::parse(&text).is_ok_and(|yaml| {
            let services = yaml.get("services").map(Yaml::entries).unwrap_or_default();
            services
                .iter()
                .any(|(_, service)| service.get("build").is_some())
        });
        // Without a service of its own it starts what may or may not be needed.
        if builds {
            facts.command(Task::Run, Basis::Configured, "docker compose up", path);
        }
    }
    if let Some(text) = sources.text("Procfile") {
        for line in text.lines() {
            if let Some((process, command)) = line
                .split_once(':')
                .filter(|(name, _)| !name.contains(char::is_whitespace))
            {
                facts.entry(
                    EntryKind::Service,
                    "Procfile",
                    format!("process `{process}`: `{}`", plain(command)),
                    "Procfile",
                );
            }
        }
    }
    let images = sources.all().filter(|file| {
        let name = file.path.rsplit('/').next().unwrap_or_default();
        name == "Dockerfile"
            && !matches!(
                file.role,
                FileRole::Test | FileRole::Example | FileRole::Vendored
            )
    });
    for file in images.take(4) {
        if let Some(command) = sources
            .text(&file.path)
            .and_then(|text| image_command(&text))
        {
            facts.entry(
                EntryKind::Service,
                &file.path,
                format!("image runs `{command}`"),
                &file.path,
            );
        }
    }
}

/// Returns what the last stage of an image runs, if that stands on one line.
fn image_command(text: &str) -> Option<String> {
    let mut found: [Option<String>; 2] = [None, None];
    for line in text.lines().map(str::trim) {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match word {
            "FROM" => found = [None, None],
            "ENTRYPOINT" => found[0] = Some(list(rest)),
            "CMD" => found[1] = Some(list(rest)),
            _ => {}
        }
    }
    let whole = found.into_iter().flatten().collect::<Vec<_>>().join(" ");
    (!whole.is_empty() && whole.chars().count() <= 100 && !whole.ends_with('\\')).then_some(whole)
}

/// Reads the exec form as words, the shell form as it stands.
fn list(text: &str) -> String {
    serde_json::from_str::<Vec<String>>(text).map_or_else(|_| plain(text), |words| words.join(" "))
}

fn plain(text: &str) -> String {
    text.trim().replace('`', "'")
}
