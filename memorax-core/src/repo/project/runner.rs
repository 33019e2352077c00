//! The project's own runners: Makefile, justfile, Taskfile, mise.

use toml::{Table, Value};

use super::facts::Facts;
use super::sources::Sources;
use super::task::of_name;
use super::yaml::Yaml;
use super::{Basis, Task};

/// Longest recipe that is shown beside its target.
const LONGEST_RECIPE: usize = 70;

pub(super) fn read(sources: &Sources<'_>, facts: &mut Facts) {
    if let Some(path) = sources.first(&["GNUmakefile", "Makefile", "makefile"])
        && let Some(text) = sources.text(path)
    {
        for (name, recipe) in recipes(&text, "\t") {
            facts.target("make", &name);
            add(facts, "make", &name, &recipe, path);
        }
    }
    if let Some(path) = sources.first(&["justfile", "Justfile", ".justfile"])
        && let Some(text) = sources.text(path)
    {
        for (name, recipe) in recipes(&text, " ") {
            facts.target("just", &name);
            add(facts, "just", &name, &recipe, path);
        }
    }
    if let Some(path) = sources.first(&["Taskfile.yml", "Taskfile.yaml"])
        && let Some(text) = sources.text(path)
    {
        match Yaml::parse(&text) {
            Ok(yaml) => {
                for (name, _) in yaml.get("tasks").map(Yaml::entries).unwrap_or_default() {
                    facts.target("task", name);
                    add(facts, "task", name, &[], path);
                }
            }
            Err(reason) => facts.unreadable(path, reason),
        }
    }
    if let Some(path) = sources.first(&["mise.toml", ".mise.toml", ".config/mise.toml"])
        && let Some(text) = sources.text(path)
    {
        match text.parse::<Table>() {
            Ok(table) => {
                let tasks = table.get("tasks").and_then(Value::as_table);
                for (name, task) in tasks.into_iter().flatten() {
                    let recipe = task.get("run").unwrap_or(task).as_str().unwrap_or_default();
                    let recipe: Vec<String> = recipe.lines().map(str::to_owned).collect();
                    facts.target("mise run", name);
                    add(facts, "mise run", name, &recipe, path);
                }
            }
            Err(error) => facts.unreadable(path, error.message()),
        }
    }
}

fn add(facts: &mut Facts, runner: &str, name: &str, recipe: &[String], path: &str) {
    let task = match name {
        // In makefiles this is the tests by the GNU standards; elsewhere mostly the linters.
        "check" if runner == "make" => Some(Task::Test),
        "check" => Some(Task::Lint),
        "init" | "install"
            if recipe.iter().any(|line| {
                line.contains("install -e")
                    || line.contains("install -r")
                    || line.ends_with(" sync")
            }) =>
        {
            Some(Task::Setup)
        }
        name => of_name(name),
    };
    if let Some(task) = task {
        let line = format!("{runner} {name}");
        facts.command_that_runs(task, Basis::Target, &line, path, short(recipe));
    }
}

/// Returns the recipe if it is one short line without variables.
fn short(recipe: &[String]) -> Option<String> {
    let [line] = recipe else { return None };
    let line = line.trim_start_matches(['@', '-', '+']).trim();
    let plain = !line.contains(['$', '{', '`', '|', ';', '<', '>']) && !line.ends_with('\\');
    (plain && !line.is_empty() && line.chars().count() <= LONGEST_RECIPE).then(|| line.to_owned())
}

/// Reads rules and their recipes. Rules in conditionals count too; pattern rules and variables do not.
fn recipes(text: &str, indent: &str) -> Vec<(String, Vec<String>)> {
    let mut rules: Vec<(String, Vec<String>)> = Vec::new();
    let mut current: Vec<usize> = Vec::new();
    for line in text.lines() {
        if line.starts_with(indent) || line.starts_with('\t') {
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                for at in &current {
                    rules[*at].1.push(line.to_owned());
                }
            }
            continue;
        }
        if line.trim().is_empty() {
            continue;
        }
        current.clear();
        let Some((names, after)) = line.split_once(':') else {
            continue;
        };
        if after.starts_with('=')
            || after.starts_with(":=")
            || names.contains('=')
            || names.starts_with(['#', '.', '['])
        {
            continue;
        }
        // A recipe of `just` has its parameters after its name.
        let names: Vec<&str> = if indent == "\t" {
            names.split_whitespace().collect()
        } else {
            names
                .trim_start_matches('@')
                .split_whitespace()
                .take(1)
                .collect()
        };
        for name in names {
            let plain = name
                .chars()
                .all(|letter| letter.is_alphanumeric() || matches!(letter, '-' | '_' | ':'));
            if plain {
                let at = rules
                    .iter()
                    .position(|(known, _)| known == name)
                    .unwrap_or_else(|| {
                        rules.push((name.to_owned(), Vec::new()));
                        rules.len() - 1
                    });
                current.push(at);
            }
        }
    }
    rules
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_told_from_variables() {
        let text = "GO ?= go\nX := 1\n.PHONY: test\ntest: build\n\t@go test ./...\n%.o: %.c\n\tcc\nbuild:\n\ta\n\tb\n";
        let rules = recipes(text, "\t");
        let names: Vec<_> = rules.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["test", "build"]);
        assert_eq!(short(&rules[0].1).as_deref(), Some("go test ./..."));
        assert_eq!(short(&rules[1].1), None);
    }
}
