//! Facts as they are gathered, and their order.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Basis, EntryKind, EntryPoint, LanguageShare, Package, Project, ProjectCommand, Statement, Task,
    rules,
};

/// Most commands that are kept for one task.
const COMMANDS_OF_A_TASK: usize = 4;

/// What a name or a description that says little is put behind, more than the ranks of all sources.
const WEAKER: u8 = 10;

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
    pub(super) rules: rules::Rules,
    pub(super) guides: Vec<String>,
    pub(super) unreadable: Vec<(String, String)>,
    /// Whether CI compiles with `--cfg` flags: then not every set of features can be built without them.
    pub(super) configured: bool,
    commands: Vec<ProjectCommand>,
    /// Targets by runner, such as `make`, `just`, `npm`, `tox`.
    targets: BTreeMap<&'static str, BTreeSet<String>>,
}

impl Facts {
    pub(super) fn name(&mut self, rank: u8, name: &str) {
        let name = name.trim();
        // The root of a workspace bears the name of the repository, not of the project.
        let lower = name.to_lowercase();
        let root = ["-monorepo", "/monorepo", "-workspace", "-root", "/root"]
            .iter()
            .any(|end| lower.ends_with(end));
        if !name.is_empty() {
            let rank = if root { rank + WEAKER } else { rank };
            self.names.push((rank, name.to_owned()));
        }
    }

    pub(super) fn describe(&mut self, rank: u8, text: &str) {
        let text = one_line(text);
        if text.chars().count() > 8 {
            // Two or three words say less than any README.
            let short = text.split_whitespace().count() < 4;
            let rank = if short { rank + WEAKER } else { rank };
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

    /// Returns the best name found so far.
    pub(super) fn best_name(&self) -> Option<String> {
        let best = self.names.iter().min_by_key(|(rank, _)| *rank);
        best.map(|(_, name)| name.clone())
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
                // A file that only makes a command likely is no evidence beside one that states it.
                match (is_guess(command.basis), is_guess(basis)) {
                    (true, false) => command.from.clear(),
                    (false, true) => return,
                    _ => {}
                }
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
        // Programs of tests and examples are entry points only where there is nothing else.
        let is_product = |entry: &EntryPoint| !entry.path.split('/').any(is_side);
        if entry_points.iter().any(is_product) {
            entry_points.retain(is_product);
        }
        entry_points.sort_by_cached_key(|entry| rank_of_entry(entry, &main));
        Project {
            name,
            description,
            version: self.version,
            languages,
            packages,
            entry_points,
            commands: order(self.commands, self.configured),
            conventions: self.conventions,
            rules: self.rules.best(),
            guides: self.guides,
            unreadable: self.unreadable,
        }
    }
}

/// Folders of code that is not the product itself.
pub(super) fn is_side(part: &str) -> bool {
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
            | "docs"
            | "fixtures"
            | "integration"
            | "playground"
            | "playgrounds"
            | "demo"
            | "demos"
            | "template"
            | "templates"
            | "website"
            | "__tests__"
    ) || ["test-", "tests-", "stress-"]
        .iter()
        .any(|prefix| part.starts_with(prefix))
        || part.ends_with("-tests")
}

/// Programs first, then the library that bears the project's name, then by depth; examples and tests last.
fn rank_of_entry(entry: &EntryPoint, main: &str) -> (bool, EntryKind, bool, usize, String) {
    let side = entry.path.split('/').any(is_side);
    let named = entry.what.to_lowercase().contains(&format!("`{main}`"));
    let depth = entry.path.matches('/').count();
    (side, entry.kind, !named, depth, entry.path.clone())
}

/// Says whether a command is usual where a file stands, but stated nowhere.
fn is_guess(basis: Basis) -> bool {
    matches!(basis, Basis::Configured | Basis::Implied)
}

/// Options that narrow a command to a part of the project or to one configuration.
const NARROWING: &[&str] = &[
    "-p",
    "--package",
    "--projects",
    "-pl",
    "--target",
    "--manifest-path",
    "--exclude",
    "--filter",
    "--test",
    "--bin",
    "--lib",
    "--doc",
    "--example",
    "-k",
    "-run",
    "--bench",
    "--no-default-features",
];

/// Says whether a command is about the whole project, as far as its words tell.
fn is_whole(line: &str) -> bool {
    let assigns = line
        .split_whitespace()
        .next()
        .is_some_and(super::task::is_assignment);
    !assigns
        && !line.starts_with("cd ")
        && !line
            .split_whitespace()
            .skip(1)
            .any(|word| NARROWING.contains(&word.split('=').next().unwrap_or(word)))
}

/// Folders whose commands tell nothing about the project itself.
fn is_beside(line: &str) -> bool {
    let folder = line
        .strip_prefix("cd ")
        .and_then(|rest| rest.split(" && ").next());
    folder.is_some_and(|folder| folder.split('/').any(is_side))
}

/// Orders commands by task and evidence, and drops what the ecosystem implies where the project says it better.
fn order(mut commands: Vec<ProjectCommand>, configured: bool) -> Vec<ProjectCommand> {
    commands.retain(|command| {
        let doubtful =
            configured && command.basis != Basis::Ci && command.line.contains("--all-features");
        !doubtful && !is_beside(&command.line)
    });
    commands.sort_by_cached_key(|command| {
        let evidence = command.from.len().min(3);
        let length = command.line.chars().count();
        let whole = is_whole(&command.line);
        (
            command.task,
            !whole,
            command.basis,
            3 - evidence,
            length,
            command.line.clone(),
        )
    });
    let mut kept: Vec<ProjectCommand> = Vec::new();
    for command in commands {
        let count = kept
            .iter()
            .filter(|known| known.task == command.task)
            .count();
        // A command for a part, and what the ecosystem implies, stand only where there is nothing better.
        let stated = |known: &ProjectCommand| {
            known.task == command.task && !is_guess(known.basis) && is_whole(&known.line)
        };
        let weak = command.basis == Basis::Implied
            || !is_whole(&command.line)
            || is_guess(command.basis) && kept.iter().any(stated);
        let enough = count >= if weak { 1 } else { COMMANDS_OF_A_TASK };
        // `cargo nextest` leaves out the tests in documentation.
        let beside = command.line.starts_with("cargo test --doc ")
            && !is_guess(command.basis)
            && kept
                .iter()
                .any(|known| known.line.starts_with("cargo nextest "))
            && !kept.iter().any(|known| known.line.contains(" --doc "));
        if !enough || beside {
            kept.push(command);
        }
    }
    kept
}

/// Folds all white space into single spaces.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
