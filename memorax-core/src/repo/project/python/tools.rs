//! Commands of Python projects: installers, pytest, tox, nox and script runners.

use toml::{Table, Value};

use super::super::facts::Facts;
use super::super::ini::Ini;
use super::super::sources::Sources;
use super::super::task::of_name;
use super::super::{Basis, Task};
use super::at;

/// The program that installs the dependencies and runs commands with them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Installer {
    Uv,
    Poetry,
    Pdm,
    Pipenv,
    Pip,
}

impl Installer {
    pub(super) fn of(sources: &Sources<'_>, table: &Table) -> Self {
        if sources.has("uv.lock") {
            Self::Uv
        } else if sources.has("poetry.lock")
            || at(table, &["tool", "poetry", "dependencies"]).is_some()
        {
            Self::Poetry
        } else if sources.has("pdm.lock") {
            Self::Pdm
        } else if sources.has("Pipfile.lock") {
            Self::Pipenv
        } else {
            Self::Pip
        }
    }

    /// Returns what stands before a command, the command that installs, and the file that says so.
    fn words(self) -> (&'static str, Option<(&'static str, &'static str)>) {
        match self {
            Self::Uv => ("uv run ", Some(("uv sync", "uv.lock"))),
            Self::Poetry => ("poetry run ", Some(("poetry install", "pyproject.toml"))),
            Self::Pdm => ("pdm run ", Some(("pdm install", "pdm.lock"))),
            Self::Pipenv => (
                "pipenv run ",
                Some(("pipenv install --dev", "Pipfile.lock")),
            ),
            Self::Pip => ("", None),
        }
    }
}

pub(super) fn commands(
    sources: &Sources<'_>,
    facts: &mut Facts,
    table: &Table,
    setup: &Ini,
    runner: Installer,
) {
    let (prefix, install) = runner.words();
    if let Some((line, from)) = install {
        facts.command(Task::Setup, Basis::Configured, line, from);
    } else if table.contains_key("build-system") && at(table, &["project", "name"]).is_some() {
        facts.command(
            Task::Setup,
            Basis::Implied,
            "pip install -e .",
            "pyproject.toml",
        );
    }
    let pytest = [
        (at(table, &["tool", "pytest"]).is_some(), "pyproject.toml"),
        (sources.has("pytest.ini"), "pytest.ini"),
        (setup.has("tool:pytest"), "setup.cfg"),
        (
            sources
                .text("tox.ini")
                .is_some_and(|text| Ini::parse(&text).has("pytest")),
            "tox.ini",
        ),
    ];
    if let Some((_, from)) = pytest.iter().find(|(configured, _)| *configured) {
        facts.command(
            Task::Test,
            Basis::Configured,
            &format!("{prefix}pytest"),
            from,
        );
    }
    if at(table, &["tool", "mypy", "files"]).is_some() {
        facts.command(
            Task::Lint,
            Basis::Configured,
            &format!("{prefix}mypy"),
            "pyproject.toml",
        );
    }
    if let Some(path) = sources.first(&[".pre-commit-config.yaml", ".pre-commit-config.yml"]) {
        facts.command(
            Task::Lint,
            Basis::Configured,
            "pre-commit run --all-files",
            path,
        );
    }
    for (folder, prefix) in [("pdm", "pdm run"), ("poe", "poe"), ("taskipy", "task")] {
        let key = if folder == "pdm" { "scripts" } else { "tasks" };
        for (name, _) in at(table, &["tool", folder, key])
            .and_then(Value::as_table)
            .into_iter()
            .flatten()
        {
            if let Some(task) = of_name(name) {
                facts.command(
                    task,
                    Basis::Target,
                    &format!("{prefix} {name}"),
                    "pyproject.toml",
                );
            }
        }
    }
    for (environment, value) in at(table, &["tool", "hatch", "envs"])
        .and_then(Value::as_table)
        .into_iter()
        .flatten()
    {
        for (name, _) in value
            .get("scripts")
            .and_then(Value::as_table)
            .into_iter()
            .flatten()
        {
            if let Some(task) = of_name(name) {
                let line = if environment == "default" {
                    format!("hatch run {name}")
                } else {
                    format!("hatch run {environment}:{name}")
                };
                facts.command(task, Basis::Target, &line, "pyproject.toml");
            }
        }
    }
}

/// Adds the environments of tox and the sessions of nox.
pub(super) fn environments(
    sources: &Sources<'_>,
    facts: &mut Facts,
    table: &Table,
    runner: Installer,
) {
    let mut names: Vec<(String, &str)> = Vec::new();
    if let Some(tox) = at(table, &["tool", "tox"]).and_then(Value::as_table) {
        let environments = tox.get("env").and_then(Value::as_table);
        names.extend(
            environments
                .into_iter()
                .flatten()
                .map(|(name, _)| (name.clone(), "pyproject.toml")),
        );
        names.push((String::new(), "pyproject.toml"));
    } else if let Some(text) = sources.text("tox.ini") {
        let ini = Ini::parse(&text);
        names.extend(
            ini.sections()
                .filter_map(|name| name.strip_prefix("testenv:"))
                .map(|name| (name.to_owned(), "tox.ini")),
        );
        if ini.has("testenv") {
            names.push((String::new(), "tox.ini"));
        }
    }
    // tox is called through the installer only where it is one of the project's own dependencies.
    let own = runner == Installer::Uv && dependencies(table).iter().any(|name| name == "tox");
    let tox = if own { "uv run tox" } else { "tox" };
    for (name, from) in names {
        if name.is_empty() {
            facts.command(Task::Test, Basis::Configured, tox, from);
        } else if let Some(task) =
            of_name(&name).map(|task| if name == "style" { Task::Lint } else { task })
        {
            facts.command(task, Basis::Configured, &format!("{tox} -e {name}"), from);
        }
    }
    let sessions = sources.text("noxfile.py").unwrap_or_default();
    let mut decorated = false;
    for line in sessions.lines() {
        if line.starts_with("@nox.session") || line.starts_with("@session") {
            decorated = !line.contains("name=");
        } else if let Some(rest) = line.strip_prefix("def ") {
            let name = rest.split('(').next().unwrap_or_default();
            if let Some(task) = of_name(name).filter(|_| decorated) {
                facts.command(task, Basis::Target, &format!("nox -s {name}"), "noxfile.py");
            }
            decorated = false;
        }
    }
}

/// Lists the names of all development dependencies.
fn dependencies(table: &Table) -> Vec<String> {
    let groups = at(table, &["dependency-groups"]).and_then(Value::as_table);
    groups
        .into_iter()
        .flatten()
        .filter_map(|(_, list)| list.as_array())
        .flatten()
        .filter_map(Value::as_str)
        .map(|text| {
            text.split(|letter: char| !letter.is_alphanumeric() && letter != '-' && letter != '_')
                .next()
                .unwrap_or_default()
                .to_lowercase()
        })
        .collect()
}
