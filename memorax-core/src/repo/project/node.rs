//! JavaScript and TypeScript: package.json of the root and of the workspaces.

use serde_json::Value;

use super::facts::Facts;
use super::sources::{Sources, join};
use super::task::of_name;
use super::yaml::Yaml;
use super::{Basis, EntryKind, Task, json};

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

fn package(sources: &Sources<'_>, facts: &mut Facts, manifest: &Value, folder: &str) {
    let text = |key: &str| manifest.get(key).and_then(Value::as_str);
    let from = join(folder, "package.json");
    let name = text("name");
    if folder.is_empty() {
        if let Some(name) = name {
            facts.name(0, name);
        }
        if let Some(description) = text("description") {
            facts.describe(0, description);
        }
        if text("version").is_some_and(|version| !version.starts_with("0.0.0")) {
            facts.version = facts
                .version
                .take()
                .or_else(|| text("version").map(str::to_owned));
        }
    }
    let Some(name) = name.or_else(|| folder.rsplit('/').next().filter(|part| !part.is_empty()))
    else {
        return applications(sources, facts, manifest, folder, &from);
    };
    facts.package(name, folder, text("description"));
    let purpose = text("description")
        .filter(|_| !folder.is_empty())
        .map(super::facts::one_line);
    let programs: Vec<(String, &str)> = match manifest.get("bin") {
        Some(Value::String(path)) => vec![(
            name.rsplit('/').next().unwrap_or(name).to_owned(),
            path.as_str(),
        )],
        Some(Value::Object(map)) => map
            .iter()
            .filter_map(|(name, path)| Some((name.clone(), path.as_str()?)))
            .collect(),
        _ => Vec::new(),
    };
    for (program, path) in programs {
        if let Some((path, built)) = existing(sources, folder, path) {
            let entry = facts.entry(
                EntryKind::Program,
                path,
                format!("program `{program}`{built}"),
                &from,
            );
            entry.purpose.clone_from(&purpose);
        }
    }
    applications(sources, facts, manifest, folder, &from);
    let mut targets: Vec<&str> = Vec::new();
    let exports = manifest.get("exports");
    collect(
        exports
            .and_then(|exports| exports.get("."))
            .or(exports.filter(|exports| !has_subpaths(exports))),
        &mut targets,
    );
    targets.extend(["module", "main"].iter().filter_map(|key| text(key)));
    let stated = !targets.is_empty();
    if !stated {
        targets.push("index.js");
    }
    if let Some((path, built)) = targets
        .iter()
        .find_map(|target| existing(sources, folder, target))
    {
        let entry = facts.entry(
            EntryKind::Library,
            path,
            format!("package `{name}`{built}"),
            &from,
        );
        entry.purpose = purpose;
    }
}

/// Adds what start scripts run, what a page loads, and where frameworks begin.
fn applications(
    sources: &Sources<'_>,
    facts: &mut Facts,
    manifest: &Value,
    folder: &str,
    from: &str,
) {
    let scripts = manifest.get("scripts");
    for name in ["start", "dev", "serve"] {
        let script = scripts
            .and_then(|scripts| scripts.get(name))
            .and_then(Value::as_str)
            .unwrap_or_default();
        let mut words = script.split_whitespace();
        let runs = words
            .next()
            .is_some_and(|tool| matches!(tool, "node" | "tsx" | "ts-node" | "nodemon" | "bun"));
        let file = words.find(|word| !word.starts_with('-') && *word != "watch" && *word != "run");
        if let Some((path, built)) = file
            .filter(|_| runs)
            .and_then(|file| existing(sources, folder, file))
        {
            facts.entry(
                EntryKind::Program,
                path,
                format!("run by the script `{name}`{built}"),
                from,
            );
        }
    }
    let page = join(folder, "index.html");
    let text = sources.text(&page).unwrap_or_default();
    for tag in text
        .split("<script")
        .skip(1)
        .filter_map(|rest| rest.split('>').next())
    {
        let source = tag.split("src=").nth(1).and_then(|rest| {
            let quote = rest
                .chars()
                .next()
                .filter(|letter| matches!(letter, '"' | '\''))?;
            rest[1..].split(quote).next()
        });
        let path = source.map(|source| join(folder, source.trim_start_matches('/')));
        if let Some(path) = path.filter(|path| tag.contains("module") && sources.has(path)) {
            facts.entry(
                EntryKind::Program,
                path,
                format!("loaded by `{page}`"),
                &page,
            );
        }
    }
    let next = ["dependencies", "devDependencies"].iter().any(|key| {
        manifest
            .get(key)
            .is_some_and(|list| list.get("next").is_some())
    });
    let roots = [
        "src/app/layout.tsx",
        "app/layout.tsx",
        "app/layout.jsx",
        "src/pages/_app.tsx",
        "pages/_app.tsx",
        "pages/_app.js",
    ];
    if let Some(path) = roots
        .iter()
        .map(|path| join(folder, path))
        .find(|path| next && sources.has(path))
    {
        facts.entry(
            EntryKind::Program,
            path,
            "root of the Next.js application",
            from,
        );
    }
}

fn has_subpaths(exports: &Value) -> bool {
    exports
        .as_object()
        .is_some_and(|map| map.keys().any(|key| key.starts_with('.')))
}

/// Collects the files that an export names under any condition.
fn collect<'v>(value: Option<&'v Value>, targets: &mut Vec<&'v str>) {
    match value {
        Some(Value::String(path)) => targets.push(path),
        Some(Value::Object(map)) => map.values().for_each(|value| collect(Some(value), targets)),
        Some(Value::Array(list)) => list.iter().for_each(|value| collect(Some(value), targets)),
        _ => {}
    }
}

/// Returns the file that a manifest names, or the source of the same name below `src` that it is built from.
fn existing(sources: &Sources<'_>, folder: &str, path: &str) -> Option<(String, String)> {
    let path = path.trim_start_matches("./");
    if path.ends_with(".json") || path.contains('*') {
        return None;
    }
    let whole = join(folder, path);
    for suffix in ["", ".js", ".ts", "/index.js", "/index.ts"] {
        let candidate = format!("{whole}{suffix}");
        if sources.has(&candidate) {
            return Some((candidate, String::new()));
        }
    }
    let (first, rest) = path.split_once('/')?;
    if !matches!(first, "dist" | "lib" | "build" | "out" | "esm" | "cjs") {
        return None;
    }
    let stem = rest
        .trim_end_matches(".d.ts")
        .rsplit_once('.')
        .map_or(rest, |(stem, _)| stem);
    let stem = stem
        .trim_start_matches("esm/")
        .trim_start_matches("cjs/")
        .trim_start_matches("src/");
    ["ts", "tsx", "mts", "js", "mjs"]
        .iter()
        .find_map(|extension| {
            let candidate = join(folder, &format!("src/{stem}.{extension}"));
            sources
                .has(&candidate)
                .then(|| (candidate, format!(", built to `{path}`")))
        })
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
