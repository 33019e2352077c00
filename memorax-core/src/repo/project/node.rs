//! JavaScript and TypeScript: package.json of the root and of the workspaces.

mod entry;

use serde_json::Value;

use super::facts::Facts;
use super::sources::{Sources, join};
use super::task::of_name;
use super::yaml::Yaml;
use super::{Basis, Task, json};
use entry::package;

/// Longest script that is shown beside its name.
const LONGEST_SCRIPT: usize = 70;

pub(super) fn read(sources: &Sources<'_>, facts: &mut Facts) {
    let Some(root) = manifest(sources, facts, "package.json") else {
        return;
    };
    let manager = manager(sources, &root);
    scripts(facts, &root, manager);
    if !root.get("workspaces").is_some_and(Value::is_null) && sources.has("package.json") {
        let lock = sources.first(&[
            "pnpm-lock.yaml",
            "yarn.lock",
            "package-lock.json",
            "bun.lock",
            "bun.lockb",
        ]);
        facts.command(
            Task::Setup,
            Basis::Configured,
            &format!("{manager} install"),
            lock.unwrap_or("package.json"),
        );
    }
    package(sources, facts, &root, "");
    for folder in workspaces(sources, facts, &root) {
        if let Some(member) = manifest(sources, facts, &join(&folder, "package.json")) {
            package(sources, facts, &member, &folder);
        }
    }
    conventions(sources, facts, &root);
}

fn manifest(sources: &Sources<'_>, facts: &mut Facts, path: &str) -> Option<Value> {
    let text = sources.text(path)?;
    match json::parse(&text) {
        Ok(value) => Some(value),
        Err(reason) => {
            facts.unreadable(path, reason);
            None
        }
    }
}

fn manager(sources: &Sources<'_>, root: &Value) -> &'static str {
    let named = root
        .get("packageManager")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let by_name = ["pnpm", "yarn", "bun", "npm"]
        .into_iter()
        .find(|name| named.starts_with(name));
    by_name.unwrap_or_else(|| {
        match sources.first(&["pnpm-lock.yaml", "yarn.lock", "bun.lock", "bun.lockb"]) {
            Some("pnpm-lock.yaml") => "pnpm",
            Some("yarn.lock") => "yarn",
            Some(_) => "bun",
            None => "npm",
        }
    })
}

fn scripts(facts: &mut Facts, root: &Value, manager: &str) {
    for (name, script) in root
        .get("scripts")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
    {
        facts.target("npm", name);
        let script = script.as_str().unwrap_or_default();
        let nothing = script.is_empty() || script.contains("no test specified");
        let task = if name == "check" {
            Some(Task::Lint)
        } else {
            of_name(name)
        };
        if let Some(task) = task.filter(|_| !nothing) {
            let line = match (manager, name.as_str()) {
                ("npm", "test" | "start") | ("yarn" | "pnpm", _) => {
                    format!("{manager} {name}")
                }
                _ => format!("{manager} run {name}"),
            };
            let runs = (script.chars().count() <= LONGEST_SCRIPT && !script.contains('`'))
                .then(|| script.to_owned());
            facts.command_that_runs(task, Basis::Target, &line, "package.json", runs);
        }
    }
}

fn workspaces(sources: &Sources<'_>, facts: &mut Facts, root: &Value) -> Vec<String> {
    let listed = root.get("workspaces").and_then(|value| {
        value
            .as_array()
            .or_else(|| value.get("packages")?.as_array())
    });
    let mut patterns: Vec<String> = listed
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect();
    if let Some(text) = sources.text("pnpm-workspace.yaml") {
        match Yaml::parse(&text) {
            Ok(yaml) => {
                let packages = yaml.get("packages").map(Yaml::items).unwrap_or_default();
                patterns.extend(packages.iter().filter_map(Yaml::text).map(str::to_owned));
            }
            Err(reason) => facts.unreadable("pnpm-workspace.yaml", reason),
        }
    }
    let (excluded, included): (Vec<_>, Vec<_>) = patterns
        .iter()
        .partition(|pattern| pattern.starts_with('!'));
    let folders = |patterns: Vec<&String>| -> Vec<String> {
        patterns
            .iter()
            .flat_map(|pattern| {
                sources.folders_with("package.json", pattern.trim_start_matches('!'))
            })
            .collect()
    };
    let excluded = folders(excluded);
    let mut found = folders(included);
    found.retain(|folder| !excluded.contains(folder) && !folder.contains("node_modules"));
    found.sort();
    found.dedup();
    found
}

fn conventions(sources: &Sources<'_>, facts: &mut Facts, root: &Value) {
    let mut parts = Vec::new();
    if let Some(node) = root
        .get("engines")
        .and_then(|engines| engines.get("node"))
        .and_then(Value::as_str)
    {
        parts.push(format!("Node {node}"));
    }
    if let Some(manager) = root.get("packageManager").and_then(Value::as_str) {
        parts.push(manager.split('+').next().unwrap_or(manager).to_owned());
    }
    match root.get("type").and_then(Value::as_str) {
        Some("module") => parts.push("ES modules (`\"type\": \"module\"`)".to_owned()),
        Some("commonjs") => parts.push("CommonJS".to_owned()),
        _ => {}
    }
    if !parts.is_empty() {
        facts.convention(parts.join(", "), "package.json");
    }
    if let Some(config) = sources
        .text("tsconfig.json")
        .and_then(|text| json::parse(&text).ok())
        && config
            .get("compilerOptions")
            .and_then(|options| options.get("strict"))
            .and_then(Value::as_bool)
            == Some(true)
    {
        facts.convention("TypeScript is strict", "tsconfig.json");
    }
    let prettier = sources.first(&[".prettierrc", ".prettierrc.json"]);
    let configured =
        prettier.and_then(|path| Some((json::parse(&sources.text(path)?).ok()?, path)));
    let configured = configured.or_else(|| {
        root.get("prettier")
            .map(|value| (value.clone(), "package.json"))
    });
    if let Some((config, path)) = configured {
        let keys = [
            "printWidth",
            "tabWidth",
            "useTabs",
            "semi",
            "singleQuote",
            "trailingComma",
        ];
        let set: Vec<String> = keys
            .iter()
            .filter_map(|key| {
                config
                    .get(key)
                    .map(|value| format!("{key} {}", value.to_string().trim_matches('"')))
            })
            .collect();
        if !set.is_empty() {
            facts.convention(format!("prettier: {}", set.join(", ")), path);
        }
    }
    if let Some(path) = sources.first(&["biome.json", "biome.jsonc"])
        && let Some(config) = sources.text(path).and_then(|text| json::parse(&text).ok())
    {
        let format = config.get("formatter");
        let keys = ["indentStyle", "indentWidth", "lineWidth"];
        let set: Vec<String> = keys
            .iter()
            .filter_map(|key| {
                format?
                    .get(key)
                    .map(|value| format!("{key} {}", value.to_string().trim_matches('"')))
            })
            .collect();
        if !set.is_empty() {
            facts.convention(format!("biome: {}", set.join(", ")), path);
        }
    }
}
