//! Entry points of a JavaScript package: programs, what is imported, what pages and start scripts load.

use serde_json::Value;

use super::super::EntryKind;
use super::super::facts::Facts;
use super::super::sources::{Sources, ending, join};

pub(super) fn package(sources: &Sources<'_>, facts: &mut Facts, manifest: &Value, folder: &str) {
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
        .map(super::super::facts::one_line);
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
    if ending(path) == "json" || path.contains('*') {
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
