//! Python: pyproject and setup.cfg of the root and of nested projects, and what they name.

mod modules;
mod rules;
mod tools;

use toml::{Table, Value};

use super::EntryKind;
use super::facts::{Facts, is_side};
use super::ini::Ini;
use super::sources::{Sources, join};
use tools::Installer;

/// Most nested projects, and how deep they are looked for.
const MOST_PROJECTS: usize = 12;
const DEEPEST: usize = 2;

pub(super) fn read(sources: &Sources<'_>, facts: &mut Facts) {
    let table = manifest(sources, facts, "pyproject.toml");
    let setup = sources
        .text("setup.cfg")
        .map(|text| Ini::parse(&text))
        .unwrap_or_default();
    let mut projects: Vec<(String, String)> = Vec::new();
    let root = [
        "pyproject.toml",
        "setup.cfg",
        "setup.py",
        "requirements.txt",
    ];
    if let Some(path) = sources.first(&root) {
        projects.push((String::new(), path.to_owned()));
        metadata(facts, &table, &setup, "");
        scripts(sources, facts, &table, &setup, "");
    }
    for folder in nested(sources) {
        let path = join(&folder, "pyproject.toml");
        let table = manifest(sources, facts, &path);
        metadata(facts, &table, &Ini::default(), &folder);
        scripts(sources, facts, &table, &Ini::default(), &folder);
        projects.push((folder, path));
    }
    if projects.is_empty() {
        return;
    }
    modules::modules(sources, facts, &projects);
    let installer = Installer::of(sources, &table);
    tools::commands(sources, facts, &table, &setup, installer);
    tools::environments(sources, facts, &table, installer);
    rules::conventions(sources, facts, &table, &setup);
}

fn manifest(sources: &Sources<'_>, facts: &mut Facts, path: &str) -> Table {
    let text = sources.text(path).unwrap_or_default();
    text.parse::<Table>().unwrap_or_else(|error| {
        facts.unreadable(path, error.message());
        Table::new()
    })
}

/// Returns the folders below the root with a project of their own.
fn nested(sources: &Sources<'_>) -> Vec<String> {
    sources
        .all()
        .filter_map(|file| file.path.strip_suffix("/pyproject.toml"))
        .filter(|folder| folder.matches('/').count() < DEEPEST && !folder.split('/').any(is_side))
        .take(MOST_PROJECTS)
        .map(str::to_owned)
        .collect()
}

fn at<'t>(table: &'t Table, path: &[&str]) -> Option<&'t Value> {
    let (first, rest) = path.split_first()?;
    rest.iter()
        .try_fold(table.get(*first)?, |value, key| value.get(*key))
}

fn metadata(facts: &mut Facts, table: &Table, setup: &Ini, folder: &str) {
    let text = |key: &str| {
        at(table, &["project", key])
            .or_else(|| at(table, &["tool", "poetry", key]))
            .and_then(Value::as_str)
            .or_else(|| setup.get("metadata", key))
    };
    if let Some(name) = text("name") {
        facts.package(name, folder, text("description"));
        if folder.is_empty() {
            facts.name(0, name);
        }
    }
    if !folder.is_empty() {
        return;
    }
    if let Some(description) = text("description").filter(|text| !text.starts_with("file:")) {
        facts.describe(0, description);
    }
    if let Some(version) =
        text("version").filter(|text| !text.starts_with("attr:") && *text != "0.0.0")
    {
        facts.version = facts.version.take().or_else(|| Some(version.to_owned()));
    }
}

/// Finds the file of a dotted module in the places where packages stand.
fn module_file(sources: &Sources<'_>, project: &str, module: &str) -> Option<String> {
    let path = module.replace('.', "/");
    ["", "src", "lib", "python"].iter().find_map(|folder| {
        [format!("{path}.py"), format!("{path}/__init__.py")]
            .into_iter()
            .map(|path| join(project, &join(folder, &path)))
            .find(|path| sources.has(path))
    })
}

fn scripts(sources: &Sources<'_>, facts: &mut Facts, table: &Table, setup: &Ini, folder: &str) {
    let mut found: Vec<(String, String, &str)> = Vec::new();
    for path in [["project", "scripts"], ["project", "gui-scripts"]] {
        for (name, target) in at(table, &path)
            .and_then(Value::as_table)
            .into_iter()
            .flatten()
        {
            found.extend(
                target
                    .as_str()
                    .map(|target| (name.clone(), target.to_owned(), "pyproject.toml")),
            );
        }
    }
    for (name, target) in at(table, &["tool", "poetry", "scripts"])
        .and_then(Value::as_table)
        .into_iter()
        .flatten()
    {
        found.extend(
            target
                .as_str()
                .map(|target| (name.clone(), target.to_owned(), "pyproject.toml")),
        );
    }
    for line in setup
        .get("options.entry_points", "console_scripts")
        .unwrap_or_default()
        .lines()
    {
        if let Some((name, target)) = line.split_once('=') {
            found.push((
                name.trim().to_owned(),
                target.trim().to_owned(),
                "setup.cfg",
            ));
        }
    }
    for (name, target, from) in found {
        let (module, function) = target.split_once(':').unwrap_or((&target, ""));
        if let Some(path) = module_file(sources, folder, module.trim()) {
            let call = if function.is_empty() {
                String::new()
            } else {
                format!(" → `{}()`", function.trim())
            };
            facts.entry(
                EntryKind::Program,
                path,
                format!("program `{name}`{call}"),
                from,
            );
        }
    }
}
