//! `pyproject.toml`, `setup.cfg`, `setup.py` and `requirements.txt`.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;
use toml::{Table, Value};

use super::Declared;

pub(super) fn read_project(text: &str) -> Option<Declared> {
    let table: Table = text.parse().ok()?;
    let mut declared = Declared::default();
    let poetry = table
        .get("tool")
        .and_then(|tool| tool.get("poetry"))
        .and_then(Value::as_table);
    if let Some(project) = table.get("project").and_then(Value::as_table) {
        let text_of = |key: &str| project.get(key)?.as_str().map(str::to_owned);
        declared.package = text_of("name");
        declared.version = text_of("version");
        let listed = project.get("dependencies").and_then(Value::as_array);
        let listed = listed.into_iter().flatten().filter_map(Value::as_str);
        declared.dependencies.extend(listed.filter_map(name_of));
        for key in ["scripts", "gui-scripts"] {
            add_keys(&mut declared.programs, project.get(key));
        }
    }
    if let Some(poetry) = poetry {
        let text_of = |key: &str| poetry.get(key)?.as_str().map(str::to_owned);
        declared.package = declared.package.or_else(|| text_of("name"));
        declared.version = declared.version.or_else(|| text_of("version"));
        let needed = poetry.get("dependencies").and_then(Value::as_table);
        let needed = needed.into_iter().flatten().map(|(name, _)| name);
        let needed = needed.filter(|name| name.as_str() != "python");
        declared.dependencies.extend(needed.map(|name| plain(name)));
        add_keys(&mut declared.programs, poetry.get("scripts"));
    }
    Some(declared)
}

fn add_keys(names: &mut BTreeSet<String>, table: Option<&Value>) {
    let table = table.and_then(Value::as_table);
    names.extend(table.into_iter().flatten().map(|(name, _)| name.clone()));
}

pub(super) fn read_settings(text: &str) -> Option<Declared> {
    let mut declared = Declared::default();
    let (mut section, mut key) = (String::new(), String::new());
    for line in text.lines() {
        let bare = line.trim();
        if bare.is_empty() || bare.starts_with(['#', ';']) {
            continue;
        }
        if let Some(name) = bare
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'))
        {
            (section, key) = (name.trim().to_owned(), String::new());
            continue;
        }
        let value = if line.starts_with([' ', '\t']) {
            bare
        } else {
            let (name, value) = bare.split_once('=').unwrap_or((bare, ""));
            name.trim().clone_into(&mut key);
            value.trim()
        };
        match (section.as_str(), key.as_str()) {
            ("metadata", "name") => declared.package = Some(value.to_owned()),
            ("metadata", "version") if !value.starts_with("attr:") => {
                declared.version = Some(value.to_owned());
            }
            ("options", "install_requires") => declared.dependencies.extend(name_of(value)),
            ("options.entry_points", "console_scripts") => {
                let name = value.split('=').next().unwrap_or_default().trim();
                declared
                    .programs
                    .extend((!name.is_empty()).then(|| name.to_owned()));
            }
            _ => {}
        }
    }
    Some(declared)
}

/// The list behind a keyword of `setup(...)`; a list that is computed is not understood.
static LISTS: LazyLock<[Regex; 2]> = LazyLock::new(|| {
    let list = |key: &str| {
        let pattern = format!(r#"(?s)\b{key}['"]?\s*[=:]\s*\[(.*?)\]"#);
        Regex::new(&pattern).expect("the pattern is fixed and tested")
    };
    [list("install_requires"), list("console_scripts")]
});

static QUOTED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?m)^[^#'"\n]*?['"]([^'"\n]+)['"]|,\s*['"]([^'"\n]+)['"]"#)
        .expect("the pattern is fixed and tested")
});

pub(super) fn read_setup(text: &str) -> Option<Declared> {
    let mut declared = Declared::default();
    let [needed, programs] = &*LISTS;
    let inside = |list: &Regex| -> Vec<String> {
        let Some(found) = list.captures(text) else {
            return Vec::new();
        };
        QUOTED
            .captures_iter(found.get(1).map_or("", |list| list.as_str()))
            .filter_map(|quoted| quoted.get(1).or_else(|| quoted.get(2)))
            .map(|quoted| quoted.as_str().to_owned())
            .collect()
    };
    declared.dependencies = inside(needed)
        .iter()
        .filter_map(|line| name_of(line))
        .collect();
    let names = inside(programs);
    let names = names.iter().filter_map(|line| line.split('=').next());
    declared.programs = names.map(|name| name.trim().to_owned()).collect();
    Some(declared)
}

pub(super) fn read_requirements(text: &str) -> Option<Declared> {
    let lines = text.lines().map(str::trim);
    let dependencies = lines
        .filter(|line| !line.starts_with(['#', '-']))
        .filter_map(name_of)
        .collect();
    Some(Declared {
        dependencies,
        ..Declared::default()
    })
}

/// Returns the name at the start of a requirement, as the index of packages writes it.
fn name_of(requirement: &str) -> Option<String> {
    let requirement = requirement.trim();
    let end = requirement
        .find(|letter: char| !(letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.')))
        .unwrap_or(requirement.len());
    // An address or a path names no package here.
    let is_address = requirement[end..].starts_with([':', '/', '+']);
    let name = plain(&requirement[..end]);
    (!name.is_empty() && !is_address).then_some(name)
}

fn plain(name: &str) -> String {
    name.to_lowercase().replace(['_', '.'], "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(declared: Option<Declared>) -> Vec<String> {
        Vec::from_iter(declared.expect("it is understood").dependencies)
    }

    #[test]
    fn every_way_to_write_requirements_gives_the_same_names() {
        let expected = ["click", "typing-extensions"];
        let project = "[project]\nname = 'a'\ndependencies = ['Click>=8', 'typing_extensions; python_version<\"3.8\"']\n";
        assert_eq!(names(read_project(project)), expected);
        let poetry = "[tool.poetry]\nname='a'\n[tool.poetry.dependencies]\npython='^3'\nclick='*'\ntyping_extensions='*'\n";
        assert_eq!(names(read_project(poetry)), expected);
        let settings = "[options]\ninstall_requires =\n    Click >= 8\n    typing_extensions\n[options.extras_require]\ndev = x\n";
        assert_eq!(names(read_settings(settings)), expected);
        let setup = "setup(\n  install_requires=[\n    'Click>=8', # why 'not'\n    \"typing_extensions\",\n  ],\n  extras_require={'a': ['b']})\n";
        assert_eq!(names(read_setup(setup)), expected);
        let list = "# needed\n-r other.txt\nclick==8.0\ntyping-extensions\n./local\n";
        assert_eq!(names(read_requirements(list)), expected);
    }

    #[test]
    fn programs_are_found_in_each_of_them() {
        let program = |declared: Option<Declared>| {
            Vec::from_iter(declared.expect("it is understood").programs)
        };
        let setup = "setup(entry_points={'console_scripts': ['flask = flask.cli:main']})";
        assert_eq!(program(read_setup(setup)), ["flask"]);
        let settings = "[options.entry_points]\nconsole_scripts =\n    flask = flask.cli:main\n";
        assert_eq!(program(read_settings(settings)), ["flask"]);
        let project = "[project.scripts]\nflask = 'flask.cli:main'\n";
        assert_eq!(program(read_project(project)), ["flask"]);
    }
}
