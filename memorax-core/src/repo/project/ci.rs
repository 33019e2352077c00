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
    facts.configured |= sets_configuration(workflow);
    let shared = workflow.get("env").map(Yaml::entries).unwrap_or_default();
    if needs_values(shared) {
        return;
    }
    let everywhere = default(workflow).unwrap_or_default();
    for (_, job) in workflow.get("jobs").map(Yaml::entries).unwrap_or_default() {
        // A container or another system may lack what the command needs elsewhere.
        let system = job.get("runs-on").and_then(Yaml::text).unwrap_or_default();
        if system.starts_with("windows") || job.get("if").is_some() {
            continue;
        }
        let job_environment = job.get("env").map(Yaml::entries).unwrap_or_default();
        if needs_values(job_environment) {
            continue;
        }
        let folder = default(job).unwrap_or_else(|| everywhere.clone());
        let mut changed = false;
        for step in job.get("steps").map(Yaml::items).unwrap_or_default() {
            let Some(script) = step.get("run").and_then(Yaml::text) else {
                continue;
            };
            // What follows a change of the tree is a command for the changed tree.
            if changed {
                break;
            }
            changed = changes_tree(script);
            let shell = step.get("shell").and_then(Yaml::text).unwrap_or("bash");
            let own = step.get("working-directory").and_then(Yaml::text);
            let folder = own
                .unwrap_or(&folder)
                .trim_start_matches("./")
                .trim_end_matches('/');
            let environment = step.get("env").map(Yaml::entries).unwrap_or_default();
            let conditional = step.get("if").is_some()
                || needs_values(environment)
                || steers(environment, script);
            let known = folder.is_empty() || folder == "." || sources.has_folder(folder);
            if conditional || !known || !matches!(shell, "bash" | "sh") || folder.contains('$') {
                continue;
            }
            let script = with_values(script, &[environment, job_environment, shared]);
            let folder = folder.trim_start_matches('.');
            shell::add(sources, facts, &script, folder, Basis::Ci, path);
        }
    }
}

type Entries = [(String, Yaml)];

/// Says whether an environment changes what a command does; versions, warnings and switches of CI itself do not.
fn needs_values(environment: &Entries) -> bool {
    environment.iter().any(|(name, value)| {
        let value = value.text().unwrap_or_default().trim();
        let strict = value.starts_with("-D") || value.starts_with("-W");
        let words = ["SECRET", "TOKEN", "PASSWORD", "URL", "CARGO_BUILD"];
        name.ends_with("FLAGS") && !strict && !value.is_empty()
            || words.iter().any(|word| name.contains(word))
    })
}

/// Says whether a step's own environment may change what its command does, beyond what the command says.
fn steers(environment: &Entries, script: &str) -> bool {
    let harmless = |name: &str| {
        matches!(name, "CI" | "TERM" | "RUST_BACKTRACE" | "RUST_LOG")
            || ["CARGO_TERM_", "CARGO_INCREMENTAL", "FORCE_", "GITHUB_"]
                .iter()
                .any(|start| name.starts_with(start))
            || name.ends_with("FLAGS")
    };
    environment
        .iter()
        .any(|(name, _)| !harmless(name) && !script.contains(&format!("${name}")))
}

/// Says whether a script edits files in place, or sets up another target.
fn changes_tree(script: &str) -> bool {
    script.lines().map(str::trim).any(|line| {
        let mut words = line.split_whitespace();
        let first = words.next().unwrap_or_default();
        match first {
            "sed" | "perl" => words.any(|word| word == "--in-place" || word.starts_with("-i")),
            "rm" | "mv" | "patch" => true,
            "git" => words.next() == Some("apply"),
            _ => line.starts_with("rustup target add "),
        }
    })
}

/// Puts in the variables whose values are written out in the workflow, the innermost first.
fn with_values(script: &str, environments: &[&Entries]) -> String {
    let mut script = script.to_owned();
    for (name, value) in environments.iter().copied().flatten() {
        // The expression may be empty, as flags often are.
        if let Some(value) = value
            .text()
            .map(str::trim)
            .filter(|value| value.is_empty() || is_plain(value))
        {
            script = script.replace(&format!("${{{{ env.{name} }}}}"), value);
        }
        if let Some(value) = value.text().filter(|value| is_plain(value)) {
            script = script.replace(&format!("${{{name}}}"), value);
            script = script.replace(&format!("${name} "), &format!("{value} "));
            script = script.replace(&format!("${name}\n"), &format!("{value}\n"));
            if let Some(rest) = script.strip_suffix(&format!("${name}")) {
                script = format!("{rest}{value}");
            }
        }
    }
    script
}

fn is_plain(value: &str) -> bool {
    let sign = |letter: char| letter.is_ascii_alphanumeric() || "-_,./=:+".contains(letter);
    !value.is_empty() && value.chars().all(sign)
}

/// Says whether flags switch parts of the code on, so that a command without them does not cover all of it.
fn sets_configuration(yaml: &Yaml) -> bool {
    match yaml {
        Yaml::Text(_) => false,
        Yaml::List(items) => items.iter().any(sets_configuration),
        Yaml::Map(entries) => entries.iter().any(|(name, value)| {
            let flags = name.ends_with("RUSTFLAGS")
                && value.text().is_some_and(|text| text.contains("--cfg"));
            flags || sets_configuration(value)
        }),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_that_the_workflow_writes_out_are_put_in() {
        let shared = [
            (
                "FEATURES".to_owned(),
                Yaml::Text("full,test-util".to_owned()),
            ),
            (
                "TARGET".to_owned(),
                Yaml::Text("${{ matrix.target }}".to_owned()),
            ),
        ];
        let script = with_values("${{ env.FEATURES }} ${{ env.TARGET }}", &[&shared]);
        assert_eq!(script, "full,test-util ${{ env.TARGET }}");
        let script = with_values(
            "cargo test --features $FEATURES\ncargo test --target $TARGET ${FEATURES}",
            &[&shared],
        );
        assert_eq!(
            script,
            "cargo test --features full,test-util\ncargo test --target $TARGET full,test-util"
        );
    }
}
