//! CI: the steps of GitHub Actions and GitLab CI that anyone can run as they stand.

use super::Basis;
use super::facts::Facts;
use super::shell;
use super::sources::{Sources, ending};
use super::yaml::Yaml;

pub(super) fn read(sources: &Sources<'_>, facts: &mut Facts) {
    let workflows: Vec<&str> = sources
        .below(".github/workflows")
        .map(|file| file.path.as_str())
        .filter(|path| matches!(ending(path), "yml" | "yaml"))
        .collect();
    for path in workflows {
        if let Some(yaml) = parse(sources, facts, path) {
            github(sources, facts, &yaml, path);
        }
    }
    if let Some(yaml) = parse(sources, facts, ".gitlab-ci.yml") {
        gitlab(sources, facts, &yaml);
    }
}

fn parse(sources: &Sources<'_>, facts: &mut Facts, path: &str) -> Option<Yaml> {
    match Yaml::parse(&sources.text(path)?) {
        Ok(yaml) => Some(yaml),
        Err(reason) => {
            facts.unreadable(path, reason);
            None
        }
    }
}

fn github(sources: &Sources<'_>, facts: &mut Facts, workflow: &Yaml, path: &str) {
    if !runs_on_changes(workflow.get("on")) {
        return;
    }
    let default = |yaml: &Yaml| {
        let folder = yaml.get("defaults")?.get("run")?.get("working-directory")?;
        folder.text().map(str::to_owned)
    };
    let everywhere = default(workflow).unwrap_or_default();
    for (_, job) in workflow.get("jobs").map(Yaml::entries).unwrap_or_default() {
        // A container or another system may lack what the command needs elsewhere.
        let system = job.get("runs-on").and_then(Yaml::text).unwrap_or_default();
        if system.starts_with("windows") || job.get("if").is_some() {
            continue;
        }
        let folder = default(job).unwrap_or_else(|| everywhere.clone());
        for step in job.get("steps").map(Yaml::items).unwrap_or_default() {
            let Some(script) = step.get("run").and_then(Yaml::text) else {
                continue;
            };
            let shell = step.get("shell").and_then(Yaml::text).unwrap_or("bash");
            let own = step.get("working-directory").and_then(Yaml::text);
            let folder = own
                .unwrap_or(&folder)
                .trim_start_matches("./")
                .trim_end_matches('/');
            let conditional = step.get("if").is_some() || step.get("env").is_some_and(needs_values);
            let known = folder.is_empty() || folder == "." || sources.has_folder(folder);
            if !conditional && known && matches!(shell, "bash" | "sh") && !folder.contains('$') {
                shell::add(
                    sources,
                    facts,
                    script,
                    folder.trim_start_matches('.'),
                    Basis::Ci,
                    path,
                );
            }
        }
    }
}

/// Says whether a step's environment changes what its command does; versions and switches of CI itself do not.
fn needs_values(environment: &Yaml) -> bool {
    environment.entries().iter().any(|(name, _)| {
        name.ends_with("FLAGS")
            || name.contains("SECRET")
            || name.contains("TOKEN")
            || name.contains("PASSWORD")
            || name.contains("URL")
    })
}

/// Says whether a workflow tests changes; those that publish or run by the clock are no guide.
fn runs_on_changes(on: Option<&Yaml>) -> bool {
    let Some(on) = on else { return false };
    let names: Vec<&str> = match on {
        Yaml::Map(entries) => entries.iter().map(|(name, _)| name.as_str()).collect(),
        other => other.items().iter().filter_map(Yaml::text).collect(),
    };
    let tags_only = on
        .get("push")
        .is_some_and(|push| push.get("tags").is_some() && push.get("branches").is_none());
    names.contains(&"pull_request")
        || names.contains(&"merge_group")
        || (names.contains(&"push") && !tags_only)
}

fn gitlab(sources: &Sources<'_>, facts: &mut Facts, yaml: &Yaml) {
    for (name, job) in yaml.entries() {
        let special = matches!(
            name.as_str(),
            "default"
                | "variables"
                | "stages"
                | "workflow"
                | "include"
                | "image"
                | "services"
                | "cache"
                | "before_script"
                | "after_script"
        );
        if special || name.starts_with('.') || job.get("when").is_some() {
            continue;
        }
        let lines: Vec<&str> = job
            .get("script")
            .map(Yaml::items)
            .unwrap_or_default()
            .iter()
            .filter_map(Yaml::text)
            .collect();
        shell::add(
            sources,
            facts,
            &lines.join("\n"),
            "",
            Basis::Ci,
            ".gitlab-ci.yml",
        );
    }
}
