//! `pom.xml` and `build.gradle`.

use std::sync::LazyLock;

use regex::Regex;

use super::Declared;

pub(super) fn read_pom(text: &str) -> Option<Declared> {
    let document = roxmltree::Document::parse(text).ok()?;
    let project = document.root_element();
    // Of the namespace only the local names matter.
    let local = |node: roxmltree::Node<'_, '_>, name: &str| -> Option<String> {
        let child = node
            .children()
            .find(|child| child.is_element() && child.tag_name().name() == name)?;
        Some(child.text()?.trim().to_owned())
    };
    let mut declared = Declared {
        package: local(project, "artifactId"),
        version: local(project, "version"),
        ..Declared::default()
    };
    let lists = project
        .children()
        .filter(|node| node.tag_name().name() == "dependencies");
    let needed = lists.flat_map(|list| list.children().filter(roxmltree::Node::is_element));
    for dependency in needed {
        let scope = local(dependency, "scope").unwrap_or_default();
        let (group, artifact) = (
            local(dependency, "groupId"),
            local(dependency, "artifactId"),
        );
        if let (Some(group), Some(artifact), false) = (group, artifact, scope == "test")
            && !group.contains("${project")
        {
            declared.dependencies.insert(format!("{group}:{artifact}"));
        }
    }
    Some(declared)
}

static NEEDED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r#"(?m)^\s*(?:api|implementation|compile|runtimeOnly|compileOnly|runtime)[\s(]+["']([A-Za-z0-9_.-]+:[A-Za-z0-9_.-]+)"#,
    )
    .expect("the pattern is fixed and tested")
});

pub(super) fn read_gradle(text: &str) -> Option<Declared> {
    let dependencies = NEEDED
        .captures_iter(text)
        .filter_map(|found| Some(found.get(1)?.as_str().to_owned()))
        .collect();
    Some(Declared {
        dependencies,
        ..Declared::default()
    })
}

#[cfg(test)]
mod tests {
    use super::{read_gradle, read_pom};

    #[test]
    fn what_only_tests_need_is_left_out() {
        let pom = "<project xmlns=\"m\"><artifactId>a</artifactId><dependencies>\
            <dependency><groupId>g</groupId><artifactId>x</artifactId></dependency>\
            <dependency><groupId>g</groupId><artifactId>t</artifactId><scope>test</scope></dependency>\
            </dependencies></project>";
        let declared = read_pom(pom).expect("it is understood");
        assert_eq!(declared.package.as_deref(), Some("a"));
        assert_eq!(Vec::from_iter(declared.dependencies), ["g:x"]);
        let gradle = "dependencies {\n  implementation 'g:x:1.0'\n  api(\"g:y:1\")\n  testImplementation 'g:t:1'\n}\n";
        let declared = read_gradle(gradle).expect("it is understood");
        assert_eq!(Vec::from_iter(declared.dependencies), ["g:x", "g:y"]);
    }
}
