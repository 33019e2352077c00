//! What a command line does, as far as its words say.

use super::Task;

/// Tells what a command is for; `None` when it is not a development command that is known.
pub(super) fn classify(words: &[String]) -> Option<Task> {
    let words = unwrapped(words);
    let (tool, rest) = words.split_first()?;
    let tool = tool.rsplit('/').next().unwrap_or(tool);
    let verb = rest
        .iter()
        .find(|word| !word.starts_with('-'))
        .map(String::as_str);
    let has = |name: &str| rest.iter().any(|word| word == name);
    match tool {
        "cargo" => cargo(rest),
        "go" if rest.iter().any(|word| word.starts_with("-fuzz")) => None,
        "go" => match verb? {
            "test" => Some(if rest.iter().any(|word| word.starts_with("-bench")) {
                Task::Bench
            } else {
                Task::Test
            }),
            "build" => Some(Task::Build),
            "vet" => Some(Task::Lint),
            "run" => Some(Task::Run),
            "fmt" => Some(Task::Format),
            "mod" if has("download") => Some(Task::Setup),
            _ => None,
        },
        "pytest" | "py.test" | "ctest" | "jest" | "vitest" | "mocha" | "ava" | "phpunit"
        | "rspec" | "unittest" | "trial" | "nose2" | "gotestsum" => Some(Task::Test),
        "staticcheck" | "flake8" | "mypy" | "pyright" | "basedpyright" | "pylint" | "eslint"
        | "tsc" | "rubocop" | "phpstan" | "shellcheck" | "oxlint" | "ty" | "zizmor"
        | "codespell" | "typos" => Some(Task::Lint),
        "ruff" => match verb? {
            "format" => Some(Task::Format),
            "check" => Some(Task::Lint),
            _ => None,
        },
        "biome" => match verb? {
            "format" => Some(Task::Format),
            "check" | "lint" | "ci" => Some(Task::Lint),
            _ => None,
        },
        "black" | "isort" | "prettier" | "gofmt" | "gofumpt" | "rustfmt" | "clang-format"
        | "dprint" => Some(Task::Format),
        "golangci-lint" | "pre-commit" | "prek" | "lefthook" => {
            (verb == Some("run")).then_some(Task::Lint)
        }
        "tox" | "nox" => Some(environments(rest)),
        "pip" | "pip3" => (verb == Some("install")
            && (has("-e") || has("-r") || has("--editable")))
        .then_some(Task::Setup),
        "uv" | "poetry" | "pdm" | "hatch" | "pipenv" | "rye" => match verb? {
            "sync" | "install" => Some(Task::Setup),
            "build" => Some(Task::Build),
            "test" if tool == "hatch" => Some(Task::Test),
            "fmt" if tool == "hatch" => Some(Task::Format),
            _ => None,
        },
        "build" => Some(Task::Build),
        "sphinx-build" => Some(Task::Docs),
        "mkdocs" => (verb == Some("build")).then_some(Task::Docs),
        "manage.py" => match verb? {
            "test" => Some(Task::Test),
            "runserver" => Some(Task::Run),
            _ => None,
        },
        "npm" | "pnpm" | "yarn" | "bun" => node(tool, rest),
        "make" | "gmake" | "just" | "task" | "rake" | "mage" | "composer" | "deno" | "mix" => {
            let verb = verb?;
            match (tool, verb) {
                ("composer", "install") | ("mix", "deps.get") => Some(Task::Setup),
                ("mix", "compile") => Some(Task::Build),
                _ => of_name(verb),
            }
        }
        "mise" => match rest {
            [run, name, ..] if matches!(run.as_str(), "run" | "r") => of_name(name),
            _ => None,
        },
        "mvn" | "mvnw" | "mvnw.cmd" => maven(rest),
        "gradle" | "gradlew" | "gradlew.bat" => gradle(rest),
        "cmake" => (has("--build") || has("-B") || has("--preset")).then_some(Task::Build),
        "ninja" | "meson" | "bazel" | "bazelisk" | "dotnet" | "swift" | "zig" | "sbt" | "stack"
        | "cabal" | "dune" => match verb {
            Some("test") => Some(Task::Test),
            Some("build" | "compile" | "setup") => Some(Task::Build),
            Some("run") => Some(Task::Run),
            Some("format" | "fmt") => Some(Task::Format),
            Some("restore") => Some(Task::Setup),
            _ => None,
        },
        "bundle" => match verb? {
            "install" => Some(Task::Setup),
            "exec" => classify(&rest[1..]),
            _ => None,
        },
        "bash" | "sh" | "python" | "python3" | "node" | "py" => script(verb?),
        _ if words[0].contains('/') => script(&words[0]),
        _ => None,
    }
}

/// Tells what a target, script or file is for by its name.
pub(super) fn of_name(name: &str) -> Option<Task> {
    Some(match name {
        "test" | "tests" | "unit" | "unit-test" | "unittest" | "check-test" | "test-all"
        | "test:unit" | "test:integration" | "test:ci" | "test:all" | "spec" => Task::Test,
        "lint" | "vet" | "typecheck" | "type-check" | "types" | "typing" | "check-types"
        | "check:types" | "clippy" | "lint:check" | "mypy" | "eslint" | "check-lint" => Task::Lint,
        "fmt" | "format" | "format:check" | "fmt-check" | "format-check" | "prettier" | "style" => {
            Task::Format
        }
        "build" | "compile" | "all" | "bundle" | "dist" => Task::Build,
        "dev" | "start" | "serve" | "run" | "server" | "develop" => Task::Run,
        "docs" | "doc" | "docs:build" | "build-docs" | "html" => Task::Docs,
        "bench" | "benchmark" | "benchmarks" => Task::Bench,
        "setup" | "bootstrap" | "install-dev" | "dev-install" | "dev-setup" | "deps" => Task::Setup,
        _ => return None,
    })
}

/// Takes away what only says in which environment the command runs.
fn unwrapped(words: &[String]) -> &[String] {
    let mut words = words;
    loop {
        let Some(first) = words.first() else {
            return words;
        };
        let second = words.get(1).map(String::as_str);
        words = match (first.as_str(), second) {
            (word, _) if is_assignment(word) => &words[1..],
            ("time" | "env" | "npx" | "bunx" | "exec", Some(_)) => skip_options(&words[1..], &[]),
            ("uv" | "poetry" | "pdm" | "pipenv" | "rye", Some("run")) => skip_options(
                &words[2..],
                &[
                    "--group",
                    "--extra",
                    "--with",
                    "--python",
                    "-p",
                    "--package",
                    "--only-group",
                    "--no-group",
                    "--project",
                ],
            ),
            ("python" | "python3" | "py", Some("-m")) => &words[2..],
            ("pnpm" | "yarn" | "npm" | "bun", Some("exec" | "x")) => skip_options(&words[2..], &[]),
            _ => return words,
        };
    }
}

pub(super) fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && name.chars().all(|letter| {
                letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_'
            })
    })
}

fn skip_options<'w>(words: &'w [String], with_value: &[&str]) -> &'w [String] {
    let mut at = 0;
    while let Some(word) = words.get(at).filter(|word| word.starts_with('-')) {
        at += if with_value.contains(&word.as_str()) {
            2
        } else {
            1
        };
    }
    &words[at.min(words.len())..]
}

fn cargo(rest: &[String]) -> Option<Task> {
    let mut rest = rest;
    while rest
        .first()
        .is_some_and(|word| word.starts_with('+') || word.starts_with('-'))
    {
        rest = &rest[1..];
    }
    let verb = rest.first()?;
    Some(match verb.as_str() {
        "test" | "t" | "nextest" => Task::Test,
        "insta" if rest.get(1).is_some_and(|word| word == "test") => Task::Test,
        "build" | "b" => Task::Build,
        "check" | "clippy" | "c" => Task::Lint,
        "fmt" => Task::Format,
        "doc" => Task::Docs,
        "bench" => Task::Bench,
        "run" | "r" => Task::Run,
        "hack" => return cargo(rest.get(1..)?),
        "xtask" | "dev" | "x" => return rest.get(1).and_then(|name| of_name(name)),
        _ => return None,
    })
}

fn node(tool: &str, rest: &[String]) -> Option<Task> {
    let words: Vec<&str> = rest
        .iter()
        .map(String::as_str)
        .filter(|word| !word.starts_with('-'))
        .collect();
    match words.as_slice() {
        [] => (tool == "yarn"
            && rest
                .iter()
                .all(|word| matches!(word.as_str(), "--immutable" | "--frozen-lockfile")))
        .then_some(Task::Setup),
        ["install" | "ci" | "i"] => Some(Task::Setup),
        ["test" | "t", ..] => Some(Task::Test),
        ["start", ..] => Some(Task::Run),
        ["run", name, ..] => of_name(name),
        [name, ..] if tool == "yarn" || tool == "pnpm" => of_name(name),
        _ => None,
    }
}

/// Tells by the names of environments or sessions; without names all of them run, tests first.
fn environments(rest: &[String]) -> Task {
    let named = rest
        .iter()
        .zip(rest.iter().skip(1))
        .find(|(option, _)| matches!(option.as_str(), "-e" | "-s" | "--session"))
        .map(|(_, name)| name.as_str());
    match named {
        Some(name) if name.contains("test") => Task::Test,
        Some("docs" | "doc") => Task::Docs,
        Some(
            "typing" | "mypy" | "lint" | "style" | "pre-commit" | "flake8" | "types" | "typecheck"
            | "pyright" | "ruff" | "checkqa",
        ) => Task::Lint,
        Some("format" | "fmt" | "black") => Task::Format,
        _ => Task::Test,
    }
}

fn maven(rest: &[String]) -> Option<Task> {
    let goals: Vec<&str> = rest
        .iter()
        .map(String::as_str)
        .filter(|word| !word.starts_with('-'))
        .collect();
    if goals
        .iter()
        .any(|goal| goal.contains("deploy") || goal.starts_with("release:"))
    {
        return None;
    }
    let skips_tests = rest
        .iter()
        .any(|word| word.contains("skipTests") || word.contains("maven.test.skip"));
    let has = |name: &str| goals.contains(&name);
    if goals
        .iter()
        .any(|goal| goal.starts_with("spotless:") || goal.ends_with(":format"))
    {
        Some(Task::Format)
    } else if goals
        .iter()
        .any(|goal| goal.starts_with("checkstyle:") || goal.starts_with("spotbugs:"))
    {
        Some(Task::Lint)
    } else if has("test") || (has("verify") && !skips_tests) {
        Some(Task::Test)
    } else if has("spring-boot:run") || has("quarkus:dev") {
        Some(Task::Run)
    } else if has("package") || has("install") || has("compile") || has("verify") {
        Some(Task::Build)
    } else {
        None
    }
}

fn gradle(rest: &[String]) -> Option<Task> {
    let goals = rest.iter().filter(|word| !word.starts_with('-'));
    goals
        .filter_map(|goal| match goal.rsplit(':').next().unwrap_or(goal) {
            "test" | "check" => Some(Task::Test),
            "build" | "assemble" | "jar" => Some(Task::Build),
            "spotlessApply" | "spotlessCheck" | "ktlintFormat" => Some(Task::Format),
            "lint" | "detekt" | "ktlintCheck" | "checkstyleMain" => Some(Task::Lint),
            "run" | "bootRun" => Some(Task::Run),
            _ => None,
        })
        .min()
}

fn script(path: &str) -> Option<Task> {
    let name = path.rsplit('/').next()?;
    let stem = name.split('.').next()?;
    of_name(stem).or_else(|| {
        let first = stem.split(['-', '_']).next()?;
        matches!(first, "test" | "tests" | "lint" | "format" | "build").then(|| of_name(first))?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_told_by_their_words() {
        for (line, task) in [
            ("cargo +nightly nextest run --workspace", Some(Task::Test)),
            ("cargo publish", None),
            ("RUSTFLAGS=-Dwarnings cargo clippy --all", Some(Task::Lint)),
            (
                "uv run --locked --group dev tox run -e typing",
                Some(Task::Lint),
            ),
            (
                "uv run --locked --no-default-groups --group dev tox run",
                Some(Task::Test),
            ),
            ("python -m pytest tests", Some(Task::Test)),
            ("pip install flask", None),
            ("pip install -e .", Some(Task::Setup)),
            ("npm run build", Some(Task::Build)),
            ("npm publish", None),
            ("pnpm test", Some(Task::Test)),
            ("yarn", Some(Task::Setup)),
            ("mvn clean verify -Dmaven.test.skip", Some(Task::Build)),
            ("mvn deploy", None),
            ("mise run test:ci", Some(Task::Test)),
            ("mise install", None),
            ("./gradlew :core:test", Some(Task::Test)),
            ("ci/test-complete", Some(Task::Test)),
            ("go install ./...", None),
            ("rg pattern", None),
        ] {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            assert_eq!(classify(&words), task, "{line}");
        }
    }
}
