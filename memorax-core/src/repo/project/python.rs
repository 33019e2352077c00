//! Python: pyproject, setup.cfg, tox, nox, and what is importable or runnable.

use toml::{Table, Value};

use super::facts::Facts;
use super::ini::Ini;
use super::sources::{Sources, join};
use super::task::of_name;
use super::{Basis, EntryKind, Task};
use crate::FileRole;

pub(super) fn read(sources: &Sources<'_>, facts: &mut Facts) {
    let pyproject = sources
        .text("pyproject.toml")
        .and_then(|text| match text.parse::<Table>() {
            Ok(table) => Some(table),
            Err(error) => {
                facts.unreadable("pyproject.toml", error.message());
                None
            }
        });
    let setup = sources
        .text("setup.cfg")
        .map(|text| Ini::parse(&text))
        .unwrap_or_default();
    let table = pyproject.unwrap_or_default();
    let is_python = !table.is_empty()
        || ["setup.cfg", "setup.py", "requirements.txt"]
            .iter()
            .any(|path| sources.has(path));
    if !is_python {
        return;
    }
    metadata(facts, &table, &setup);
    scripts(sources, facts, &table, &setup);
    modules(sources, facts);
    let runner = Installer::of(sources, &table);
    commands(sources, facts, &table, &setup, runner);
    environments(sources, facts, &table, runner);
    conventions(sources, facts, &table, &setup);
}

fn at<'t>(table: &'t Table, path: &[&str]) -> Option<&'t Value> {
    let (first, rest) = path.split_first()?;
    rest.iter()
        .try_fold(table.get(*first)?, |value, key| value.get(*key))
}

fn metadata(facts: &mut Facts, table: &Table, setup: &Ini) {
    let text = |key: &str| {
        at(table, &["project", key])
            .or_else(|| at(table, &["tool", "poetry", key]))
            .and_then(Value::as_str)
            .or_else(|| setup.get("metadata", key))
    };
    if let Some(name) = text("name") {
        facts.name(0, name);
        facts.package(name, "", text("description"));
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
fn module_file(sources: &Sources<'_>, module: &str) -> Option<String> {
    let path = module.replace('.', "/");
    ["", "src", "lib", "python"].iter().find_map(|folder| {
        [format!("{path}.py"), format!("{path}/__init__.py")]
            .into_iter()
            .map(|path| join(folder, &path))
            .find(|path| sources.has(path))
    })
}

fn scripts(sources: &Sources<'_>, facts: &mut Facts, table: &Table, setup: &Ini) {
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
        if let Some(path) = module_file(sources, module.trim()) {
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

/// Adds importable packages at the root or below `src`, modules that can be run, and Django's manage.py.
fn modules(sources: &Sources<'_>, facts: &mut Facts) {
    let mut entries = Vec::new();
    for file in sources.all() {
        if matches!(
            file.role,
            FileRole::Test | FileRole::Example | FileRole::Vendored | FileRole::Document
        ) {
            continue;
        }
        let Some((folder, name)) = file.path.rsplit_once('/') else {
            continue;
        };
        let package = folder.strip_prefix("src/").unwrap_or(folder);
        let is_top = !package.contains('/');
        match name {
            "__init__.py" if is_top && !is_aside(package) => {
                entries.push((
                    EntryKind::Library,
                    file.path.clone(),
                    format!("package `{package}`"),
                ));
            }
            "__main__.py"
                if !package.split('/').any(is_aside) && package.matches('/').count() < 2 =>
            {
                entries.push((
                    EntryKind::Program,
                    file.path.clone(),
                    format!("`python -m {}`", package.replace('/', ".")),
                ));
            }
            _ => {}
        }
    }
    let from = sources
        .first(&["pyproject.toml", "setup.cfg", "setup.py"])
        .unwrap_or("requirements.txt");
    for (kind, path, what) in entries {
        facts.entry(kind, path, what, from);
    }
    if sources
        .text("manage.py")
        .is_some_and(|text| text.contains("DJANGO_SETTINGS_MODULE"))
    {
        facts.entry(
            EntryKind::Program,
            "manage.py",
            "Django's `python manage.py`",
            "manage.py",
        );
        facts.command(
            Task::Run,
            Basis::Configured,
            "python manage.py runserver",
            "manage.py",
        );
        facts.command(
            Task::Test,
            Basis::Configured,
            "python manage.py test",
            "manage.py",
        );
    }
}

fn is_aside(name: &str) -> bool {
    matches!(
        name,
        "tests"
            | "test"
            | "testing"
            | "docs"
            | "doc"
            | "examples"
            | "scripts"
            | "tools"
            | "benchmarks"
            | "src"
            | "ext"
            | "bench"
    )
}

/// The program that installs the dependencies and runs commands with them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Installer {
    Uv,
    Poetry,
    Pdm,
    Pipenv,
    Pip,
}

impl Installer {
    fn of(sources: &Sources<'_>, table: &Table) -> Self {
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

fn commands(
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
fn environments(sources: &Sources<'_>, facts: &mut Facts, table: &Table, runner: Installer) {
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

fn conventions(sources: &Sources<'_>, facts: &mut Facts, table: &Table, setup: &Ini) {
    let from = "pyproject.toml";
    let requires = at(table, &["project", "requires-python"])
        .or_else(|| at(table, &["tool", "poetry", "dependencies", "python"]))
        .and_then(Value::as_str);
    if let Some(requires) = requires {
        facts.convention(format!("Python {requires}"), from);
    } else if let Some(requires) = setup.get("options", "python_requires") {
        facts.convention(format!("Python {requires}"), "setup.cfg");
    }
    let integer = |path: &[&str]| at(table, path).and_then(Value::as_integer);
    if let Some(ruff) = at(table, &["tool", "ruff"]) {
        let mut parts = Vec::new();
        parts.extend(
            integer(&["tool", "ruff", "line-length"]).map(|length| format!("line length {length}")),
        );
        let rules = ruff
            .get("lint")
            .and_then(|lint| lint.get("select"))
            .or_else(|| ruff.get("select"))
            .and_then(Value::as_array);
        let rules: Vec<&str> = rules
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        if !rules.is_empty() {
            let more = if rules.len() > 12 { ", …" } else { "" };
            parts.push(format!(
                "rules {}{more}",
                rules[..rules.len().min(12)].join(", ")
            ));
        }
        let isort = at(
            table,
            &["tool", "ruff", "lint", "isort", "force-single-line"],
        );
        if isort.and_then(Value::as_bool) == Some(true) {
            parts.push("one import per line".to_owned());
        }
        if let Some(quotes) =
            at(table, &["tool", "ruff", "format", "quote-style"]).and_then(Value::as_str)
        {
            parts.push(format!("{quotes} quotes"));
        }
        if !parts.is_empty() {
            facts.convention(format!("ruff: {}", parts.join("; ")), from);
        }
    }
    if at(table, &["tool", "black"]).is_some() {
        let length = integer(&["tool", "black", "line-length"]).unwrap_or(88);
        facts.convention(format!("black: line length {length}"), from);
    }
    if at(table, &["tool", "mypy", "strict"]).and_then(Value::as_bool) == Some(true) {
        facts.convention("mypy is strict", from);
    }
    if at(table, &["tool", "pyright", "typeCheckingMode"]).and_then(Value::as_str) == Some("strict")
    {
        facts.convention("pyright is strict", from);
    }
    let warnings =
        at(table, &["tool", "pytest", "ini_options", "filterwarnings"]).and_then(Value::as_array);
    if warnings.is_some_and(|list| list.iter().any(|value| value.as_str() == Some("error"))) {
        facts.convention("pytest turns warnings into errors", from);
    }
    if let Some(length) = sources.text(".flake8").and_then(|text| {
        Ini::parse(&text)
            .get("flake8", "max-line-length")
            .map(str::to_owned)
    }) {
        facts.convention(format!("flake8: line length {length}"), ".flake8");
    }
}
