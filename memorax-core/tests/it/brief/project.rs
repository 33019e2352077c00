//! What is read from manifests, CI files and documents is true and complete; the rest is left out.

use memorax_core::repo::{Basis, Project, Task};

use super::fixture::Repository;

fn entries(project: &Project) -> Vec<(&str, &str)> {
    project
        .entry_points
        .iter()
        .map(|entry| (entry.path.as_str(), entry.what.as_str()))
        .collect()
}

fn lines(project: &Project, task: Task) -> Vec<&str> {
    let commands = project
        .commands
        .iter()
        .filter(|command| command.task == task);
    commands.map(|command| command.line.as_str()).collect()
}

#[test]
fn a_cargo_workspace_has_the_targets_that_cargo_finds() {
    let project = Repository::new(&[
        (
            "Cargo.toml",
            "[package]\nname = \"app\"\nversion = \"1.2.3\"\nedition = \"2024\"\nrust-version.workspace = true\ndescription = \"\"\"\nDoes\nthings well.\"\"\"\n[[bin]]\nname = \"run\"\npath = \"core/main.rs\"\n[workspace]\nmembers = [\"crates/*\"]\nexclude = [\"crates/old\"]\n[workspace.package]\nrust-version = \"1.80\"\n",
        ),
        ("core/main.rs", ""),
        ("src/bin/tool.rs", ""),
        ("src/bin/large/main.rs", ""),
        ("src/bin/large/part.rs", ""),
        ("crates/a/Cargo.toml", "[package]\nname = \"app-a\"\ndescription = \"Part a.\"\n"),
        ("crates/a/src/lib.rs", ""),
        ("crates/b/Cargo.toml", "[package]\nname = \"b\"\n[lib]\nproc-macro = true\npath = \"lib.rs\"\n"),
        ("crates/b/lib.rs", ""),
        ("crates/old/Cargo.toml", "[package]\nname = \"old\"\n"),
        ("crates/old/src/lib.rs", ""),
    ])
    .project();
    assert_eq!(
        (project.name.as_str(), project.version.as_deref()),
        ("app", Some("1.2.3"))
    );
    assert_eq!(project.description.as_deref(), Some("Does things well."));
    assert_eq!(
        entries(&project),
        [
            ("core/main.rs", "binary `run`"),
            ("src/bin/tool.rs", "binary `tool`"),
            ("src/bin/large/main.rs", "binary `large`"),
            ("crates/b/lib.rs", "macros of crate `b`"),
            ("crates/a/src/lib.rs", "library crate `app_a`"),
        ]
    );
    assert_eq!(
        project.conventions[0].text,
        "Edition 2024, Rust 1.80 or later"
    );
    assert_eq!(lines(&project, Task::Test), ["cargo test --workspace"]);
}

#[test]
fn steps_of_ci_that_only_ci_can_run_are_no_commands() {
    let project = Repository::new(&[
        ("Cargo.toml", "[package]\nname = \"app\"\n"),
        ("src/main.rs", ""),
        ("sub/Makefile", ""),
        (
            ".github/workflows/ci.yml",
            "on: [push, pull_request]\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n\
             \x20     - run: sudo apt-get install x && cargo test --after-sudo\n\
             \x20     - run: cargo test ${{ matrix.flags }}\n\
             \x20     - run: |\n          set -e\n          cargo clippy \\\n            --all\n          sed -i s/a/b/ Cargo.toml\n          cargo test --changed-tree\n\
             \x20     - run: cargo test --later\n\
             \x20 b:\n    runs-on: ubuntu-latest\n    env:\n      CARGO: cargo\n      TARGET_FLAGS: \"\"\n    steps:\n\
             \x20     - run: cargo test --many\n        env:\n          SELECTED: x\n\
             \x20     - run: ${{ env.CARGO }} build --workspace ${{ env.TARGET_FLAGS }}\n\
             \x20     - run: if ! rustfmt --check $(git ls-files '*.rs'); then exit 1; fi\n\
             \x20     - run: |\n          if ! rustfmt --check $(git ls-files '*.rs'); then\n            exit 1\n          fi\n\
             \x20     - run: cargo fmt --check\n        if: runner.os == 'Linux'\n\
             \x20     - run: cargo doc\n        working-directory: sub\n\
             \x20     - run: cargo test -p missing\n\
             \x20     - run: ./scripts/missing-test.sh\n\
             \x20     - run: make test\n\
             \x20     - run: cargo test --all-features\n",
        ),
        (
            ".github/workflows/publish.yml",
            "on:\n  release:\n    types: [published]\njobs:\n  a:\n    steps:\n      - run: cargo build --only-when-released\n",
        ),
    ])
    .project();
    assert_eq!(lines(&project, Task::Test), ["cargo test --all-features"]);
    assert_eq!(lines(&project, Task::Lint), ["cargo clippy --all"]);
    assert_eq!(lines(&project, Task::Docs), ["cd sub && cargo doc"]);
    assert_eq!(
        lines(&project, Task::Format),
        ["rustfmt --check $(git ls-files '*.rs')"]
    );
    assert_eq!(
        lines(&project, Task::Build),
        ["cargo build --workspace"],
        "what the manifest implies is not told beside it"
    );
    assert_eq!(project.commands[0].basis, Basis::Ci);
    assert_eq!(project.unreadable, []);
}

#[test]
fn what_a_document_says_of_all_features_is_doubted_where_ci_needs_flags() {
    let workflow = "on: push\nenv:\n  FEATURES: full,util\njobs:\n  a:\n    steps:\n      - run: cargo test --workspace --features $FEATURES\n  b:\n    steps:\n      - run: cargo test --unstable\n        env:\n          RUSTFLAGS: --cfg unstable\n";
    let project = Repository::new(&[
        ("Cargo.toml", "[workspace]\nmembers = [\"a\"]\n"),
        ("a/Cargo.toml", "[package]\nname = \"a\"\n"),
        (
            "CONTRIBUTING.md",
            "```\ncargo test --all-features\ncargo build --all-features\n```\n",
        ),
        (".github/workflows/ci.yml", workflow),
    ])
    .project();
    assert_eq!(
        lines(&project, Task::Test),
        ["cargo test --workspace --features full,util"]
    );
    assert_eq!(lines(&project, Task::Build), ["cargo build"]);
}

#[test]
fn a_python_project_is_run_as_its_tools_say() {
    let project = Repository::new(&[
        (
            "pyproject.toml",
            "[project]\nname = \"Thing\"\ndescription = \"A thing.\"\nrequires-python = \">=3.10\"\n[project.scripts]\nthing = \"thing.cli:main\"\ngone = \"thing.nowhere:main\"\n[dependency-groups]\ndev = [\"tox>=4\", \"ruff\"]\n[tool.pytest.ini_options]\nfilterwarnings = [\"error\"]\n[tool.ruff]\nline-length = 99\n[tool.tox.env.typing]\ncommands = [[\"mypy\"]]\n",
        ),
        ("uv.lock", ""),
        ("src/thing/__init__.py", ""),
        ("src/thing/__main__.py", ""),
        ("src/thing/cli.py", ""),
        ("src/thing/inner/__init__.py", ""),
        ("service/pyproject.toml", "[project]\nname = \"service\"\n"),
        ("service/app/main.py", "from fastapi import FastAPI\napp: FastAPI = FastAPI(title=1)\n"),
    ])
    .project();
    assert_eq!(
        entries(&project),
        [
            ("src/thing/cli.py", "program `thing` → `main()`"),
            ("service/app/main.py", "FastAPI application `app`"),
            ("src/thing/__main__.py", "`python -m thing`"),
            ("src/thing/__init__.py", "package `thing`"),
        ]
    );
    assert_eq!(lines(&project, Task::Test), ["uv run tox", "uv run pytest"]);
    assert_eq!(lines(&project, Task::Lint), ["uv run tox -e typing"]);
    assert_eq!(lines(&project, Task::Setup), ["uv sync"]);
    let rules: Vec<&str> = project
        .conventions
        .iter()
        .map(|rule| rule.text.as_str())
        .collect();
    assert_eq!(
        rules,
        [
            "Python >=3.10",
            "ruff: line length 99",
            "pytest turns warnings into errors"
        ]
    );
}

#[test]
fn packages_of_javascript_lead_to_files_that_exist() {
    let project = Repository::new(&[
        (
            "package.json",
            "{\"name\": \"root\", \"private\": true, \"workspaces\": [\"packages/*\", \"!packages/skip\"], \"packageManager\": \"pnpm@9.1.0\", \"scripts\": {\"test\": \"vitest run\", \"lint\": \"eslint .\", \"postinstall\": \"x\"}}",
        ),
        ("packages/a/package.json", "{\"name\": \"@x/a\", \"bin\": {\"a\": \"./bin/a.js\", \"b\": \"./bin/gone.js\"}, \"exports\": {\".\": {\"types\": \"./dist/index.d.ts\", \"import\": \"./dist/index.js\"}, \"./x\": \"./x.js\"}}"),
        ("packages/a/bin/a.js", ""),
        ("packages/a/src/index.ts", ""),
        ("packages/skip/package.json", "{\"name\": \"skip\", \"main\": \"index.js\"}"),
        ("packages/skip/index.js", ""),
    ])
    .project();
    assert_eq!(
        entries(&project),
        [
            ("packages/a/bin/a.js", "program `a`"),
            (
                "packages/a/src/index.ts",
                "package `@x/a`, built to `dist/index.js`"
            ),
        ]
    );
    assert_eq!(lines(&project, Task::Test), ["pnpm test"]);
    assert_eq!(lines(&project, Task::Lint), ["pnpm lint"]);
    assert_eq!(project.commands[0].line, "pnpm install");
}

#[test]
fn go_maven_and_makefiles_are_understood() {
    let go = Repository::new(&[
        ("go.mod", "module example.org/team/tool/v2\n\ngo 1.22\n"),
        ("tool.go", "// Package tool does it.\npackage tool\n"),
        ("cmd/serve/main.go", "package main\n"),
        ("gen.go", "//go:build ignore\n\npackage main\n"),
        ("Makefile", "test:\n\tgo test -race ./...\nX := 1\n"),
    ])
    .project();
    assert_eq!(go.name, "tool");
    assert_eq!(
        entries(&go),
        [
            ("cmd/serve/main.go", "program `./cmd/serve`"),
            ("tool.go", "package `tool`")
        ]
    );
    assert_eq!(lines(&go, Task::Test), ["make test"]);
    let test = go
        .commands
        .iter()
        .find(|command| command.task == Task::Test);
    assert_eq!(
        test.and_then(|test| test.runs.as_deref()),
        Some("go test -race ./...")
    );

    let java = Repository::new(&[
        (
            "pom.xml",
            "<project xmlns=\"http://maven.apache.org/POM/4.0.0\"><artifactId>thing-parent</artifactId><description>A thing</description><modules><module>thing</module></modules><properties><maven.compiler.release>11</maven.compiler.release></properties></project>",
        ),
        ("thing/pom.xml", "<project><artifactId>thing</artifactId></project>"),
        ("thing/src/main/java/org/x/Thing.java", ""),
        ("mvnw", ""),
    ])
    .project();
    assert_eq!(java.name, "thing");
    assert_eq!(
        entries(&java),
        [("thing/src/main/java/org/x/Thing.java", "artifact `thing`")]
    );
    assert_eq!(lines(&java, Task::Test), ["./mvnw test"]);
    assert_eq!(java.conventions[0].text, "Code is compiled for Java 11");
}

#[test]
fn documents_for_contributors_name_commands_and_warnings_are_heeded() {
    let project = Repository::new(&[
        ("Cargo.toml", "[package]\nname = \"app\"\n"),
        ("README.md", "# App\n\nWe are happy to announce 2.0.\n\nApp is a tool for [people](x). More.\n\n## Usage\n```sh\ncargo run -- not-for-developers\n```\n## Building\n```console\n$ git clone x\n$ cd app\n$ cargo build --release\n```\n"),
        ("AGENTS.md", "- `cargo test --lib` is slow, do not use it\n- `cargo test --workspace` - runs all\n- `cargo clippy <crate>`\n"),
    ])
    .project();
    assert_eq!(
        project.description.as_deref(),
        Some("App is a tool for people.")
    );
    assert_eq!(lines(&project, Task::Build), ["cargo build --release"]);
    assert_eq!(lines(&project, Task::Test), ["cargo test --workspace"]);
    assert_eq!(lines(&project, Task::Lint), [] as [&str; 0]);
    assert_eq!(lines(&project, Task::Run), [] as [&str; 0]);
    assert_eq!(project.guides, ["AGENTS.md"]);
    let rules: Vec<(&str, &str)> = project
        .rules
        .iter()
        .map(|rule| (rule.from.as_str(), rule.text.as_str()))
        .collect();
    assert_eq!(
        rules,
        [("AGENTS.md", "`cargo test --lib` is slow, do not use it")]
    );
}

#[test]
fn broken_manifests_are_named_and_harm_nothing() {
    let project = Repository::new(&[
        ("Cargo.toml", "[package\nname = "),
        ("package.json", "{\"name\": "),
        ("pom.xml", "<project>"),
        (".github/workflows/ci.yml", "a: [b\n"),
        ("go.mod", "module example.org/x\n"),
    ])
    .project();
    let named: Vec<&str> = project
        .unreadable
        .iter()
        .map(|(path, _)| path.as_str())
        .collect();
    assert_eq!(
        named,
        [
            "Cargo.toml",
            "package.json",
            "pom.xml",
            ".github/workflows/ci.yml"
        ]
    );
    assert_eq!(project.name, "x");
}
