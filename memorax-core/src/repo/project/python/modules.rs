//! What can be imported or run of a Python project: packages, `__main__`, applications, Django.

use std::sync::LazyLock;

use regex::Regex;

use super::super::facts::{Facts, is_side};
use super::super::sources::{Sources, ending, join};
use super::super::{Basis, EntryKind, Task};
use crate::FileRole;

/// Most files that are looked into for an application.
const MOST_FILES: usize = 40;

/// Adds what the files of the project show, below the folders of its projects.
pub(super) fn modules(sources: &Sources<'_>, facts: &mut Facts, projects: &[(String, String)]) {
    let mut looked_at = 0;
    for file in sources.all() {
        let other = matches!(
            file.role,
            FileRole::Test | FileRole::Example | FileRole::Vendored | FileRole::Document
        );
        if other || ending(&file.path) != "py" || file.path.split('/').any(is_aside) {
            continue;
        }
        let (folder, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
        let root = import_root(sources, folder);
        let module = folder
            .strip_prefix(root)
            .unwrap_or(folder)
            .trim_start_matches('/')
            .replace('/', ".");
        let from = manifest_of(projects, folder);
        match name {
            "__init__.py" if !module.contains('.') && is_source_root(root, projects) => {
                facts.entry(
                    EntryKind::Library,
                    &file.path,
                    format!("package `{module}`"),
                    from,
                );
            }
            "__main__.py" if !module.is_empty() && module.matches('.').count() < 2 => {
                facts.entry(
                    EntryKind::Program,
                    &file.path,
                    format!("`python -m {module}`"),
                    from,
                );
            }
            "main.py" | "app.py" | "wsgi.py" | "asgi.py" | "server.py" | "application.py"
            | "api.py" | "worker.py"
                if looked_at < MOST_FILES =>
            {
                looked_at += 1;
                let text = sources.text(&file.path).unwrap_or_default();
                for found in APPLICATION.captures_iter(&text) {
                    let what = format!("{} application `{}`", framework(&found[2]), &found[1]);
                    facts.entry(EntryKind::Program, &file.path, what, from);
                }
            }
            "manage.py" if folder.is_empty() => django(sources, facts),
            _ => {}
        }
    }
}

static APPLICATION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?m)^([0-9A-Za-z_]+)(?: *: *[0-9A-Za-z_.]+)? *= *(?:[0-9A-Za-z_]+\.)?",
        r"(FastAPI|Flask|Starlette|Sanic|Quart|Litestar|Celery|Typer|get_wsgi_application|get_asgi_application)\(",
    ))
    .expect("the pattern is fixed and tested")
});

fn framework(call: &str) -> &str {
    match call {
        "get_wsgi_application" => "Django WSGI",
        "get_asgi_application" => "Django ASGI",
        other => other,
    }
}

/// Returns the folder from which a package is imported: the first above it that is no package itself.
fn import_root<'p>(sources: &Sources<'_>, folder: &'p str) -> &'p str {
    let mut root = folder;
    while !root.is_empty() && sources.has(&join(root, "__init__.py")) {
        root = root.rsplit_once('/').map_or("", |(parent, _)| parent);
    }
    root
}

/// Says whether packages at a folder are what the project gives away.
fn is_source_root(root: &str, projects: &[(String, String)]) -> bool {
    projects.iter().any(|(folder, _)| {
        ["", "src", "lib", "python"]
            .iter()
            .any(|inner| join(folder, inner) == root)
    })
}

/// Returns the manifest of the innermost project around a folder.
fn manifest_of<'p>(projects: &'p [(String, String)], folder: &str) -> &'p str {
    let around = projects.iter().filter(|(project, _)| {
        folder
            .strip_prefix(project.as_str())
            .is_some_and(|rest| project.is_empty() || rest.is_empty() || rest.starts_with('/'))
    });
    around
        .max_by_key(|(project, _)| project.len())
        .map_or("pyproject.toml", |(_, manifest)| manifest)
}

fn django(sources: &Sources<'_>, facts: &mut Facts) {
    let path = "manage.py";
    if sources
        .text(path)
        .is_some_and(|text| text.contains("DJANGO_SETTINGS_MODULE"))
    {
        facts.entry(
            EntryKind::Program,
            path,
            "Django's `python manage.py`",
            path,
        );
        facts.command(
            Task::Run,
            Basis::Configured,
            "python manage.py runserver",
            path,
        );
        facts.command(Task::Test, Basis::Configured, "python manage.py test", path);
    }
}

fn is_aside(part: &str) -> bool {
    is_side(part) || matches!(part, "testing" | "doc" | "ext" | "migrations" | "alembic")
}
