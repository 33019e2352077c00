//! Rules for all languages: editors and commit hooks.

use super::facts::Facts;
use super::ini::Ini;
use super::sources::Sources;
use super::yaml::Yaml;

pub(super) fn read(sources: &Sources<'_>, facts: &mut Facts) {
    rustfmt(sources, facts);
    editorconfig(sources, facts);
    hooks(sources, facts);
    golangci(sources, facts);
}

fn rustfmt(sources: &Sources<'_>, facts: &mut Facts) {
    let Some(path) = sources.first(&["rustfmt.toml", ".rustfmt.toml"]) else {
        return;
    };
    let Some(table) = sources
        .text(path)
        .and_then(|text| text.parse::<toml::Table>().ok())
    else {
        return;
    };
    let set: Vec<String> = table
        .iter()
        .filter(|(key, _)| !matches!(key.as_str(), "edition" | "style_edition"))
        .take(5)
        .map(|(key, value)| format!("{key} = {}", value.to_string().trim_matches('"')))
        .collect();
    if !set.is_empty() {
        facts.convention(format!("rustfmt: {}", set.join(", ")), path);
    }
}

fn editorconfig(sources: &Sources<'_>, facts: &mut Facts) {
    let Some(text) = sources.text(".editorconfig") else {
        return;
    };
    let ini = Ini::parse(&text);
    let get = |key: &str| ini.get("*", key);
    let mut parts = Vec::new();
    match (get("indent_style"), get("indent_size")) {
        (Some("tab"), _) => parts.push("tabs".to_owned()),
        (Some("space"), Some(size)) => parts.push(format!("{size} spaces")),
        _ => {}
    }
    parts.extend(
        get("max_line_length")
            .filter(|length| *length != "off")
            .map(|length| format!("lines up to {length}")),
    );
    if !parts.is_empty() {
        facts.convention(
            format!("Files in general: {}", parts.join(", ")),
            ".editorconfig",
        );
    }
}

fn hooks(sources: &Sources<'_>, facts: &mut Facts) {
    let path = ".pre-commit-config.yaml";
    let Some(yaml) = sources.text(path).and_then(|text| Yaml::parse(&text).ok()) else {
        return;
    };
    let mut names: Vec<&str> = Vec::new();
    for repository in yaml.get("repos").map(Yaml::items).unwrap_or_default() {
        for hook in repository.get("hooks").map(Yaml::items).unwrap_or_default() {
            if let Some(name) = hook.get("id").and_then(Yaml::text)
                && !names.contains(&name)
            {
                names.push(name);
            }
        }
    }
    if !names.is_empty() {
        let more = if names.len() > 8 { ", …" } else { "" };
        facts.convention(
            format!(
                "Commit hooks: {}{more}",
                names[..names.len().min(8)].join(", ")
            ),
            path,
        );
    }
}

fn golangci(sources: &Sources<'_>, facts: &mut Facts) {
    let Some(path) = sources.first(&[".golangci.yml", ".golangci.yaml"]) else {
        return;
    };
    let Some(yaml) = sources.text(path).and_then(|text| Yaml::parse(&text).ok()) else {
        return;
    };
    let enabled = yaml
        .get("linters")
        .and_then(|linters| linters.get("enable"))
        .map(Yaml::items)
        .unwrap_or_default();
    let names: Vec<&str> = enabled.iter().filter_map(Yaml::text).collect();
    if !names.is_empty() {
        let more = if names.len() > 8 { ", …" } else { "" };
        facts.convention(
            format!(
                "golangci-lint: {}{more}",
                names[..names.len().min(8)].join(", ")
            ),
            path,
        );
    }
}
