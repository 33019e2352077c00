//! `Cargo.toml`.

use toml::{Table, Value};

use super::Declared;

pub(super) fn read(text: &str) -> Option<Declared> {
    let table: Table = text.parse().ok()?;
    let mut declared = Declared::default();
    if let Some(package) = table.get("package").and_then(Value::as_table) {
        declared.package = text_of(package, "name");
        declared.version = text_of(package, "version");
    }
    add_dependencies(&mut declared, &table);
    if let Some(targets) = table.get("target").and_then(Value::as_table) {
        for target in targets.values().filter_map(Value::as_table) {
            add_dependencies(&mut declared, target);
        }
    }
    let programs = table.get("bin").and_then(Value::as_array);
    let names = programs
        .into_iter()
        .flatten()
        .filter_map(|program| text_of(program.as_table()?, "name"));
    declared.programs.extend(names);
    Some(declared)
}

fn add_dependencies(declared: &mut Declared, table: &Table) {
    // A member's own table says what it uses; the workspace's only fixes versions.
    for key in ["dependencies", "build-dependencies"] {
        let Some(dependencies) = table.get(key).and_then(Value::as_table) else {
            continue;
        };
        for (name, value) in dependencies {
            let details = value.as_table();
            let is_local = details.is_some_and(|details| details.contains_key("path"));
            if !is_local {
                let real = details.and_then(|details| text_of(details, "package"));
                declared
                    .dependencies
                    .insert(real.unwrap_or_else(|| name.clone()));
            }
        }
    }
}

fn text_of(table: &Table, key: &str) -> Option<String> {
    table.get(key)?.as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn only_what_the_package_needs_from_elsewhere_counts() {
        let declared = read(
            "[package]\nname = 'a'\n[dependencies]\nserde = '1'\nown = { path = '../own' }\n\
             old = { package = 'new', version = '1' }\n[dev-dependencies]\ncriterion = '0'\n\
             [target.'cfg(unix)'.dependencies]\nlibc = '0.2'\n[[bin]]\nname = 'tool'\n",
        )
        .expect("the manifest is valid");
        let names: Vec<&str> = declared.dependencies.iter().map(String::as_str).collect();
        assert_eq!(names, ["libc", "new", "serde"]);
        assert!(declared.programs.contains("tool"));
        assert_eq!(read("[package"), None, "half a manifest says nothing");
    }
}
