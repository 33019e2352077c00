//! Java and Kotlin: Maven and Gradle.

use roxmltree::{Document, Node};

use super::facts::Facts;
use super::sources::{Sources, join};
use super::{Basis, EntryKind, Task};
use crate::FileRole;

pub(super) fn read(sources: &Sources<'_>, facts: &mut Facts) {
    maven(sources, facts);
    gradle(sources, facts);
    spring(sources, facts);
}

fn maven(sources: &Sources<'_>, facts: &mut Facts) {
    let Some(text) = sources.text("pom.xml") else {
        return;
    };
    let document = match Document::parse(&text) {
        Ok(document) => document,
        Err(error) => return facts.unreadable("pom.xml", error.to_string()),
    };
    let root = document.root_element();
    if let Some(artifact) = child(root, "artifactId") {
        let name = artifact
            .strip_suffix("-parent")
            .or_else(|| artifact.strip_suffix("-root"))
            .unwrap_or(artifact);
        facts.name(0, name);
    }
    if let Some(description) = child(root, "description") {
        facts.describe(0, description);
    }
    facts.version = facts.version.take().or_else(|| {
        child(root, "version")
            .filter(|version| !version.contains('$'))
            .map(str::to_owned)
    });
    let mut modules = vec![String::new()];
    modules.extend(
        elements(root, "modules")
            .flat_map(|modules| elements(modules, "module"))
            .filter_map(|module| module.text())
            .map(|module| join("", module.trim())),
    );
    for module in modules {
        let path = join(&module, "pom.xml");
        let Some(text) = sources.text(&path) else {
            continue;
        };
        match Document::parse(&text) {
            Ok(document) => maven_module(sources, facts, document.root_element(), &module, &path),
            Err(error) => facts.unreadable(&path, error.to_string()),
        }
    }
    maven_conventions(facts, root);
    let tool = if sources.has("mvnw") { "./mvnw" } else { "mvn" };
    facts.command(
        Task::Test,
        Basis::Implied,
        &format!("{tool} test"),
        "pom.xml",
    );
    facts.command(
        Task::Build,
        Basis::Implied,
        &format!("{tool} package"),
        "pom.xml",
    );
    let spotless = root.descendants().any(|node| {
        node.has_tag_name_of("artifactId") && node.text() == Some("spotless-maven-plugin")
    });
    let spring = root.descendants().any(|node| {
        node.has_tag_name_of("artifactId") && node.text() == Some("spring-boot-maven-plugin")
    });
    if spring {
        facts.command(
            Task::Run,
            Basis::Configured,
            &format!("{tool} spring-boot:run"),
            "pom.xml",
        );
    }
    if spotless {
        facts.command(
            Task::Format,
            Basis::Configured,
            &format!("{tool} spotless:apply"),
            "pom.xml",
        );
    }
}

fn maven_module(
    sources: &Sources<'_>,
    facts: &mut Facts,
    root: Node<'_, '_>,
    folder: &str,
    from: &str,
) {
    let Some(artifact) = child(root, "artifactId") else {
        return;
    };
    let description = child(root, "description");
    facts.package(artifact, folder, description);
    let main = root
        .descendants()
        .find(|node| node.has_tag_name_of("mainClass"))
        .and_then(|node| node.text());
    if let Some(main) = main {
        for language in ["java", "kotlin"] {
            let extension = if language == "java" { "java" } else { "kt" };
            let path = join(
                folder,
                &format!(
                    "src/main/{language}/{}.{extension}",
                    main.trim().replace('.', "/")
                ),
            );
            if sources.has(&path) {
                facts.entry(
                    EntryKind::Program,
                    path,
                    format!("main class `{}`", main.trim()),
                    from,
                );
            }
        }
    }
    if let Some(path) = namesake(sources, folder, artifact) {
        let entry = facts.entry(
            EntryKind::Library,
            path,
            format!("artifact `{artifact}`"),
            from,
        );
        entry.purpose = description
            .map(super::facts::one_line)
            .filter(|text| !text.contains("${"));
    }
}

/// Returns the class that bears the name of its artifact, as in `gson` and `Gson.java`.
fn namesake(sources: &Sources<'_>, folder: &str, artifact: &str) -> Option<String> {
    let wanted = format!("{}.java", artifact.replace('-', "")).to_lowercase();
    let code = join(folder, "src/main/java");
    let mut found = sources.below(&code).filter(|file| {
        file.path
            .rsplit('/')
            .next()
            .is_some_and(|name| name.to_lowercase() == wanted)
    });
    found.next().map(|file| file.path.clone())
}

fn maven_conventions(facts: &mut Facts, root: Node<'_, '_>) {
    let property = |names: &[&str]| {
        let properties: Vec<_> = elements(root, "properties").collect();
        names
            .iter()
            .find_map(|name| properties.iter().find_map(|node| child(*node, name)))
            .filter(|value| !value.contains('$'))
            .map(str::to_owned)
    };
    if let Some(version) = property(&[
        "maven.compiler.release",
        "maven.compiler.target",
        "java.version",
        "maven.compiler.source",
    ]) {
        facts.convention(format!("Code is compiled for Java {version}"), "pom.xml");
    }
    for (plugin, text) in [
        ("spotless-maven-plugin", "Spotless checks the format"),
        ("maven-checkstyle-plugin", "Checkstyle runs in the build"),
    ] {
        let found = root
            .descendants()
            .any(|node| node.has_tag_name_of("artifactId") && node.text() == Some(plugin));
        if found {
            let style = root
                .descendants()
                .any(|node| node.has_tag_name_of("googleJavaFormat"));
            let style = if style && plugin.starts_with("spotless") {
                " (google-java-format)"
            } else {
                ""
            };
            facts.convention(format!("{text}{style}"), "pom.xml");
        }
    }
}

fn gradle(sources: &Sources<'_>, facts: &mut Facts) {
    let Some(build) = sources.first(&[
        "build.gradle.kts",
        "build.gradle",
        "settings.gradle.kts",
        "settings.gradle",
    ]) else {
        return;
    };
    let settings = sources.first(&["settings.gradle.kts", "settings.gradle"]);
    let settings_text = settings
        .and_then(|path| sources.text(path))
        .unwrap_or_default();
    if let Some(name) = quoted_after(&settings_text, "rootProject.name") {
        facts.name(0, name);
    }
    let tool = if sources.has("gradlew") {
        "./gradlew"
    } else {
        "gradle"
    };
    facts.command(Task::Build, Basis::Implied, &format!("{tool} build"), build);
    facts.command(Task::Test, Basis::Implied, &format!("{tool} test"), build);
    for file in sources.all() {
        let name = file.path.rsplit('/').next().unwrap_or_default();
        if !matches!(name, "build.gradle" | "build.gradle.kts") {
            continue;
        }
        let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let Some(text) = sources.text(&file.path) else {
            continue;
        };
        let Some(main) =
            quoted_after(&text, "mainClass").or_else(|| quoted_after(&text, "mainClassName"))
        else {
            continue;
        };
        let class = main.replace('.', "/");
        let candidates = [
            format!("src/main/java/{class}.java"),
            format!("src/main/kotlin/{class}.kt"),
            format!("src/main/kotlin/{}.kt", class.trim_end_matches("Kt")),
        ];
        if let Some(path) = candidates
            .iter()
            .map(|path| join(folder, path))
            .find(|path| sources.has(path))
        {
            facts.entry(
                EntryKind::Program,
                path,
                format!("main class `{main}`"),
                &file.path,
            );
        }
    }
}

/// Adds the classes that start Spring Boot.
fn spring(sources: &Sources<'_>, facts: &mut Facts) {
    let starters = sources.all().filter(|file| {
        file.role != FileRole::Test
            && (file.path.ends_with("Application.java") || file.path.ends_with("Application.kt"))
    });
    for file in starters {
        if sources
            .text(&file.path)
            .is_some_and(|text| text.contains("@SpringBootApplication"))
        {
            let class = file
                .path
                .rsplit('/')
                .next()
                .and_then(|name| name.split('.').next())
                .unwrap_or_default();
            facts.entry(
                EntryKind::Program,
                &file.path,
                format!("Spring Boot application `{class}`"),
                &file.path,
            );
        }
    }
}

fn quoted_after<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    text.lines().find_map(|line| {
        let rest = line.trim().strip_prefix(key)?.trim_start();
        let rest = rest
            .strip_prefix('=')
            .or_else(|| rest.strip_prefix(".set("))?
            .trim_start();
        let quote = rest
            .chars()
            .next()
            .filter(|letter| matches!(letter, '"' | '\''))?;
        let value = rest[1..].split(quote).next()?;
        (!value.is_empty() && !value.contains('$')).then_some(value)
    })
}

/// Elements are compared by local name: a pom may or may not declare its namespace.
trait LocalName {
    fn has_tag_name_of(&self, name: &str) -> bool;
}

impl LocalName for Node<'_, '_> {
    fn has_tag_name_of(&self, name: &str) -> bool {
        self.is_element() && self.tag_name().name() == name
    }
}

fn elements<'d, 'i>(node: Node<'d, 'i>, name: &str) -> impl Iterator<Item = Node<'d, 'i>> {
    node.children()
        .filter(move |child| child.has_tag_name_of(name))
}

fn child<'d>(node: Node<'d, '_>, name: &str) -> Option<&'d str> {
    elements(node, name)
        .next()
        .and_then(|child| child.text())
        .map(str::trim)
        .filter(|text| !text.is_empty())
}
