//! Cargo: packages of the workspace, their targets, edition and minimum Rust.

use toml::{Table, Value};

use super::facts::{Facts, is_side};
use super::sources::{Sources, join};
use super::{Basis, EntryKind, Task};

/// A binary and the package that it is of.
struct Program {
    name: String,
    package: String,
    folder: String,
}

pub(super) fn read(sources: &Sources<'_>, facts: &mut Facts) {
    let Some(root) = manifest(sources, facts, "Cargo.toml") else {
        return;
    };
    let workspace = root.get("workspace").and_then(Value::as_table);
    let mut programs = Vec::new();
    if root.contains_key("package") {
        package(sources, facts, &root, workspace, "", &mut programs);
    }
    for folder in members(sources, workspace) {
        if let Some(member) = manifest(sources, facts, &join(&folder, "Cargo.toml")) {
            package(sources, facts, &member, workspace, &folder, &mut programs);
        }
    }
    conventions(sources, facts, &root, workspace);
    commands(sources, facts, &root, workspace, &programs);
}

fn manifest(sources: &Sources<'_>, facts: &mut Facts, path: &str) -> Option<Table> {
    let text = sources.text(path)?;
    match text.parse::<Table>() {
        Ok(table) => Some(table),
        Err(error) => {
            facts.unreadable(path, error.message());
            None
        }
    }
}

fn members(sources: &Sources<'_>, workspace: Option<&Table>) -> Vec<String> {
    let list = |key: &str| -> Vec<String> {
        let patterns = workspace
            .and_then(|workspace| workspace.get(key))
            .and_then(Value::as_array);
        patterns
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .flat_map(|pattern| sources.folders_with("Cargo.toml", pattern))
            .collect()
    };
    let excluded = list("exclude");
    let mut members = list("members");
    members.retain(|member| !excluded.contains(member));
    members.sort();
    members.dedup();
    members
}

/// Returns a value of `[package]`, taken from the workspace where the package inherits it.
fn inherited<'t>(package: &'t Table, workspace: Option<&'t Table>, key: &str) -> Option<&'t str> {
    match package.get(key)? {
        Value::String(text) => Some(text),
        Value::Table(table) if table.get("workspace").and_then(Value::as_bool) == Some(true) => {
            workspace?.get("package")?.get(key)?.as_str()
        }
        _ => None,
    }
}

fn package(
    sources: &Sources<'_>,
    facts: &mut Facts,
    manifest: &Table,
    workspace: Option<&Table>,
    folder: &str,
    programs: &mut Vec<Program>,
) {
    let Some(package) = manifest.get("package").and_then(Value::as_table) else {
        return;
    };
    let Some(name) = package.get("name").and_then(Value::as_str) else {
        return;
    };
    let description = inherited(package, workspace, "description");
    let from = join(folder, "Cargo.toml");
    facts.package(name, folder, description);
    if folder.is_empty() {
        facts.name(0, name);
        facts.version = inherited(package, workspace, "version").map(str::to_owned);
        if let Some(description) = description {
            facts.describe(0, description);
        }
    }
    let purpose = (!folder.is_empty()).then_some(description).flatten();
    for (program, path) in binaries(sources, manifest, package, name, folder) {
        let entry = facts.entry(
            EntryKind::Program,
            &path,
            format!("binary `{program}`"),
            &from,
        );
        entry.purpose = purpose.map(super::facts::one_line);
        programs.push(Program {
            name: program,
            package: name.to_owned(),
            folder: folder.to_owned(),
        });
    }
    let library = manifest.get("lib").and_then(Value::as_table);
    let path = library
        .and_then(|library| library.get("path"))
        .and_then(Value::as_str)
        .unwrap_or("src/lib.rs");
    let path = join(folder, path);
    if sources.has(&path) && package.get("autolib").and_then(Value::as_bool) != Some(false) {
        let is_macro = library
            .and_then(|library| library.get("proc-macro"))
            .and_then(Value::as_bool)
            == Some(true);
        let crate_name = library
            .and_then(|library| library.get("name"))
            .and_then(Value::as_str)
            .map_or_else(|| name.replace('-', "_"), str::to_owned);
        let what = if is_macro {
            "macros of crate"
        } else {
            "library crate"
        };
        let entry = facts.entry(
            EntryKind::Library,
            path,
            format!("{what} `{crate_name}`"),
            &from,
        );
        entry.purpose = purpose.map(super::facts::one_line);
    }
}

/// Lists the binaries of a package: those named in the manifest, and those that Cargo finds by itself.
fn binaries(
    sources: &Sources<'_>,
    manifest: &Table,
    package: &Table,
    name: &str,
    folder: &str,
) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for binary in manifest
        .get("bin")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        let Some(program) = binary.get("name").and_then(Value::as_str) else {
            continue;
        };
        let candidates = match binary.get("path").and_then(Value::as_str) {
            Some(path) => vec![join(folder, path)],
            None => vec![
                join(folder, &format!("src/bin/{program}.rs")),
                join(folder, &format!("src/bin/{program}/main.rs")),
                join(folder, "src/main.rs"),
            ],
        };
        if let Some(path) = candidates.into_iter().find(|path| sources.has(path)) {
            found.push((program.to_owned(), path));
        }
    }
    if package.get("autobins").and_then(Value::as_bool) == Some(false) {
        return found;
    }
    let mut automatic = vec![(name.to_owned(), join(folder, "src/main.rs"))];
    let bin = join(folder, "src/bin");
    for file in sources.below(&bin) {
        let rest = file.path[bin.len()..].trim_start_matches('/');
        let program = match rest.split_once('/') {
            None => rest.strip_suffix(".rs"),
            Some((program, "main.rs")) => Some(program),
            Some(_) => None,
        };
        if let Some(program) = program {
            automatic.push((program.to_owned(), file.path.clone()));
        }
    }
    for (program, path) in automatic {
        let known = found
            .iter()
            .any(|(name, known)| *known == path || *name == program);
        if sources.has(&path) && !known {
            found.push((program, path));
        }
    }
    found
}

fn conventions(sources: &Sources<'_>, facts: &mut Facts, root: &Table, workspace: Option<&Table>) {
    let package = root
        .get("package")
        .or_else(|| workspace.and_then(|workspace| workspace.get("package")))
        .and_then(Value::as_table);
    if package.is_none() {
        shared(sources, facts, workspace);
    }
    if let Some(package) = package {
        let edition =
            inherited(package, workspace, "edition").map(|edition| format!("edition {edition}"));
        let minimum = inherited(package, workspace, "rust-version")
            .map(|version| format!("Rust {version} or later"));
        let both: Vec<String> = edition.into_iter().chain(minimum).collect();
        if !both.is_empty() {
            facts.convention(capital(&both.join(", ")), "Cargo.toml");
        }
    }
    if let Some(lints) = root
        .get("lints")
        .or_else(|| workspace?.get("lints"))
        .and_then(Value::as_table)
    {
        let mut strict = Vec::new();
        for (tool, rules) in lints {
            for (rule, level) in rules.as_table().into_iter().flatten() {
                let level = level
                    .as_str()
                    .or_else(|| level.get("level").and_then(Value::as_str));
                if matches!(level, Some("deny" | "forbid"))
                    || matches!(
                        (rule.as_str(), level),
                        ("pedantic" | "nursery" | "missing_docs", Some("warn"))
                    )
                {
                    let prefix = if tool == "rust" {
                        String::new()
                    } else {
                        format!("{tool}::")
                    };
                    strict.push(format!("{prefix}{rule} = {}", level.unwrap_or_default()));
                }
            }
        }
        if !strict.is_empty() {
            strict.truncate(8);
            facts.convention(format!("Lints: {}", strict.join(", ")), "Cargo.toml");
        }
    }
    for path in ["rust-toolchain.toml", "rust-toolchain"] {
        let channel = sources.text(path).and_then(|text| {
            let table = text.parse::<Table>().ok();
            let channel = table
                .as_ref()
                .and_then(|table| table.get("toolchain")?.get("channel")?.as_str());
            channel.map(str::to_owned)
        });
        if let Some(channel) = channel {
            facts.convention(format!("Toolchain {channel}"), path);
        }
    }
}

/// States edition and minimum Rust of a workspace whose published members agree on them.
fn shared(sources: &Sources<'_>, facts: &mut Facts, workspace: Option<&Table>) {
    let mut found: [Vec<String>; 2] = [Vec::new(), Vec::new()];
    for folder in members(sources, workspace) {
        let text = sources
            .text(&join(&folder, "Cargo.toml"))
            .unwrap_or_default();
        let table = text.parse::<Table>().unwrap_or_default();
        let Some(package) = table.get("package").and_then(Value::as_table) else {
            continue;
        };
        if package.get("publish").and_then(Value::as_bool) == Some(false) {
            continue;
        }
        for (values, key) in found.iter_mut().zip(["edition", "rust-version"]) {
            let value = inherited(package, workspace, key)
                .unwrap_or("unstated")
                .to_owned();
            if !values.contains(&value) {
                values.push(value);
            }
        }
    }
    let [edition, minimum] = found.map(|mut values| {
        values
            .pop()
            .filter(|value| values.is_empty() && value != "unstated")
    });
    let both: Vec<String> = edition
        .map(|edition| format!("edition {edition}"))
        .into_iter()
        .chain(minimum.map(|version| format!("Rust {version} or later")))
        .collect();
    if !both.is_empty() {
        facts.convention(
            format!("{} in all published packages", capital(&both.join(", "))),
            "Cargo.toml",
        );
    }
}

fn commands(
    sources: &Sources<'_>,
    facts: &mut Facts,
    root: &Table,
    workspace: Option<&Table>,
    programs: &[Program],
) {
    let all = if workspace.is_some() && root.contains_key("package") {
        " --workspace"
    } else {
        ""
    };
    facts.command(
        Task::Build,
        Basis::Implied,
        &format!("cargo build{all}"),
        "Cargo.toml",
    );
    facts.command(
        Task::Test,
        Basis::Implied,
        &format!("cargo test{all}"),
        "Cargo.toml",
    );
    if let Some(path) = sources.first(&["rustfmt.toml", ".rustfmt.toml"]) {
        facts.command(Task::Format, Basis::Configured, "cargo fmt --all", path);
    }
    if let Some(path) = sources.first(&["clippy.toml", ".clippy.toml"]) {
        facts.command(
            Task::Lint,
            Basis::Configured,
            &format!("cargo clippy{all}"),
            path,
        );
    }
    let products: Vec<&Program> = programs
        .iter()
        .filter(|program| !program.folder.split('/').any(is_side))
        .collect();
    if let [
        Program {
            name: program,
            package,
            ..
        },
    ] = products.as_slice()
    {
        let line = if root.contains_key("package") {
            format!("cargo run --bin {program}")
        } else {
            format!("cargo run -p {package}")
        };
        facts.command(Task::Run, Basis::Implied, &line, "Cargo.toml");
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}
