//! Facts as they are gathered, and their order.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Basis, EntryKind, EntryPoint, LanguageShare, Package, Project, ProjectCommand, Statement, Task,
};

/// Most commands that are kept for one task.
const COMMANDS_OF_A_TASK: usize = 4;

/// What has been read so far.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// Names with their rank: 0 is a root manifest, higher is weaker.
    pub(super) names: Vec<(u8, String)>,
    pub(super) descriptions: Vec<(u8, String)>,
    pub(super) version: Option<String>,
    pub(super) packages: Vec<Package>,
    pub(super) entry_points: Vec<EntryPoint>,
    pub(super) conventions: Vec<Statement>,
    pub(super) guides: Vec<String>,
    pub(super) unreadable: Vec<(String, String)>,
    commands: Vec<ProjectCommand>,
    /// Targets by runner, such as `make`, `just`, `npm`, `tox`.
    targets: BTreeMap<&'static str, BTreeSet<String>>,
}

impl Facts {
    pub(super) fn name(&mut self, rank: u8, name: &str) {
        let name = name.trim();
        if !name.is_empty() {
            self.names.push((rank, name.to_owned()));
        }
    }

    pub(super) fn describe(&mut self, rank: u8, text: &str) {
        let text = one_line(text);
        if text.chars().count() > 8 {
            self.descriptions.push((rank, text));
        }
    }

    pub(super) fn package(&mut self, name: &str, folder: &str, description: Option<&str>) {
        self.packages.push(Package {
            name: name.to_owned(),
            folder: folder.to_owned(),
            description: description.map(one_line).filter(|text| !text.is_empty()),
        });
    }

    pub(super) fn entry(
        &mut self,
        kind: EntryKind,
        path: impl Into<String>,
        what: impl Into<String>,
        from: &str,
    ) -> &mut EntryPoint {
        let path = path.into();
        let what = what.into();
        let known = self
            .entry_points
            .iter()
            .position(|entry| entry.path == path && entry.what == what);
        let at = known.unwrap_or_else(|| {
            self.entry_points.push(EntryPoint {
                path,
                kind,
                what,
                purpose: None,
                from: from.to_owned(),
            });
            self.entry_points.len() - 1
        });
        &mut self.entry_points[at]
    }

    pub(super) fn convention(&mut self, text: impl Into<String>, from: &str) {
        let statement = Statement {
            text: text.into(),
            from: from.to_owned(),
        };
        if !self.conventions.contains(&statement) {
            self.conventions.push(statement);
        }
    }

    pub(super) fn unreadable(&mut self, path: &str, reason: impl Into<String>) {
        self.unreadable.push((path.to_owned(), reason.into()));
    }

    pub(super) fn target(&mut self, runner: &'static str, name: &str) {
        self.targets
            .entry(runner)
            .or_default()
            .insert(name.to_owned());
    }

    pub(super) fn has_target(&self, runner: &str, name: &str) -> bool {
        self.targets
            .get(runner)
            .is_some_and(|names| names.contains(name))
    }

    pub(super) fn has_runner(&self, runner: &str) -> bool {
        self.targets.contains_key(runner)
    }

    /// Adds a command; the same line from another file adds to its evidence.
    pub(super) fn command(&mut self, task: Task, basis: Basis, line: &str, from: &str) {
        self.command_that_runs(task, basis, line, from, None);
    }

    pub(super) fn command_that_runs(
        &mut self,
        task: Task,
        basis: Basis,
        line: &str,
        from: &str,
        runs: Option<String>,
    ) {
        let known = self
            .commands
            .iter_mut()
            .find(|command| command.task == task && command.line == line);
        match known {
            Some(command) => {
                if !command.from.iter().any(|known| known == from) {
                    command.from.push(from.to_owned());
                }
                command.basis = command.basis.min(basis);
                command.runs = command.runs.take().or(runs);
            }
            None => self.commands.push(ProjectCommand {
                task,
                line: line.to_owned(),
                basis,
                from: vec![from.to_owned()],
                runs,
            }),
        }
    }

    pub(super) fn into_project(self, languages: Vec<LanguageShare>, folder: &str) -> Project {
        let best = |mut ranked: Vec<(u8, String)>| {
            ranked.sort_by_key(|(rank, _)| *rank);
            ranked.into_iter().next().map(|(_, text)| text)
        };
        let name = best(self.names).unwrap_or_else(|| folder.to_owned());
        let mut packages = self.packages;
        packages.sort_by(|left, right| left.folder.cmp(&right.folder));
        packages.dedup_by(|left, right| left.folder == right.folder && left.name == right.name);
        let main = name.to_lowercase();
        let description = best(self.descriptions).or_else(|| {
            // A workspace without a root package is described by the package that bears its name.
            let namesake = packages
                .iter()
                .find(|package| package.name.to_lowercase() == main)?;
            namesake.description.clone()
        });
        let mut entry_points = self.entry_points;
        entry_points.sort_by_cached_key(|entry| rank_of_entry(entry, &main));
        Project {
            name,
            description,
            version: self.version,
            languages,
            packages,
            entry_points,
            commands: order(self.commands),
            conventions: self.conventions,
            guides: self.guides,
            unreadable: self.unreadable,
        }
    }
}

/// Programs first, then the library that bears the project's name, then by depth; examples and tests last.
fn rank_of_entry(entry: &EntryPoint, main: &str) -> (bool, EntryKind, bool, usize, String) {
    let side = entry.path.split('/').any(|part| {
        matches!(
            part,
            "examples"
                | "example"
                | "tests"
                | "test"
                | "benches"
                | "bench"
                | "benchmarks"
                | "xtask"
                | "fuzz"
                | "testdata"
                | "tools"
                | "scripts"
                | "stress-test"
                | "docs"
                | "internal"
                | "fixtures"
        ) || part.starts_with("test-")
            || part.starts_with("tests-")
            || part.ends_with("-tests")
    });
    let named = entry.what.to_lowercase().contains(&format!("`{main}`"));
    let depth = entry.path.matches('/').count();
    (side, entry.kind, !named, depth, entry.path.clone())
}

/// Orders commands by task and evidence, and drops what the ecosystem implies where the project says it better.
fn order(mut commands: Vec<ProjectCommand>) -> Vec<ProjectCommand> {
    commands.sort_by_cached_key(|command| {
        let evidence = command.from.len().min(3);
        let somewhere = command.line.starts_with("cd ");
        (
            command.task,
            somewhere,
            command.basis,
            3 - evidence,
            command.line.chars().count(),
            command.line.clone(),
        )
    });
    let mut kept: Vec<ProjectCommand> = Vec::new();
    for command in commands {
        let of_task = kept.iter().filter(|known| known.task == command.task);
        let count = of_task.clone().count();
        let stated = of_task
            .clone()
            .any(|known| known.basis < Basis::Implied && !known.line.starts_with("cd "));
        if (command.basis == Basis::Implied && stated) || count >= COMMANDS_OF_A_TASK {
            continue;
        }
        kept.push(command);
    }
    kept
}

/// Folds all white space into single spaces.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
