//! Rules that a Python project states: versions, linters, formatters, type checkers.

use toml::{Table, Value};

use super::super::facts::Facts;
use super::super::ini::Ini;
use super::super::sources::Sources;
use super::at;

pub(super) fn conventions(sources: &Sources<'_>, facts: &mut Facts, table: &Table, setup: &Ini) {
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
